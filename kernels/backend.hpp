// SPDX-License-Identifier: Apache-2.0
// A backend applies the steps of a chunk and undoes them. All backends give the same bytes.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/error.hpp"
#include "formats/plan/plan.hpp"
#include "kernels/device.hpp"

namespace tdz {

/// One chunk and its transform. `in` and `out` have the same length and do not overlap, except that inverse()
/// takes the same bytes for both where inverts_in_place(transform). `scratch` overlaps neither; forward() needs
/// scratch_bytes(transform, in.size()) of it, inverse() inverse_scratch_bytes(). No span needs to be aligned.
/// Precondition: the transform is valid (word 1, 2, 4 or 8; tuples >= 1; orders 1..8; known steps).
struct TransformJob {
  const Column* transform = nullptr;
  std::span<const std::byte> in;
  std::span<std::byte> out;
  std::span<std::byte> scratch;
};

/// Implementations are thread-safe: any number of threads may call forward and inverse at once.
class Backend {
 public:
  virtual ~Backend() = default;

  virtual std::string_view name() const = 0;  ///< as in --backend
  virtual std::string describe() const = 0;   ///< for people: the instruction set or the device
  /// Applies the job's steps in order. The CPU never fails; a device may (io: it was lost, limit: memory).
  virtual Status forward(const TransformJob& job) = 0;
  /// Applies the inverse steps backwards.
  virtual Status inverse(const TransformJob& job) = 0;
};

/// The CPU backend, with the best instruction set of this machine. It lives as long as the program.
Backend& cpu_backend();

/// Every backend, for --version and --backend.
std::vector<BackendInfo> backends();

}  // namespace tdz
