// SPDX-License-Identifier: Apache-2.0
// The floating-point environment that every number of this library is computed in. A host program may have
// chosen another rounding, or that small numbers are flushed to zero; its choice must not change our bytes.
#pragma once

namespace tdz {

/// From here to the end of the scope this thread rounds to nearest even, keeps subnormal numbers, and traps
/// nothing. Then everything is as it was, the flags of exceptions too.
class FloatEnvironment {
 public:
  FloatEnvironment();
  ~FloatEnvironment();
  FloatEnvironment(const FloatEnvironment&) = delete;
  FloatEnvironment& operator=(const FloatEnvironment&) = delete;

 private:
  struct alignas(16) Saved {
    unsigned char bytes[64];
  };
  Saved saved_;
};

}  // namespace tdz
