// SPDX-License-Identifier: Apache-2.0
// Writes the restored chunks, fills the gaps between them, and reports the missing ranges.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "tdz/tdz.hpp"

namespace tdz {

class RecoveryOutput {
 public:
  RecoveryOutput(Sink& sink, const RecoverOptions& options) : sink_(sink), options_(options) {}

  /// Writes the bytes of the original at `offset`. The bytes between position() and `offset` are missing.
  /// Precondition: `offset` is at least position().
  Status put(std::uint64_t offset, std::span<const std::byte> bytes);
  /// All bytes between position() and `offset` are missing.
  Status skip_to(std::uint64_t offset);
  /// An unknown number of bytes is missing from position() on.
  void lose_the_rest();
  /// Reports the last missing range and writes the zeros that the output still lacks.
  Status finish();

  std::uint64_t position() const { return position_; }  ///< in the original
  bool misses_something() const { return missing_ || missing_ranges_ > 0; }
  /// The number of ranges reported so far; all of them after finish().
  std::uint64_t missing_ranges() const { return missing_ranges_; }

 private:
  Status write(std::span<const std::byte> bytes);
  Status write_zeros(std::uint64_t count);
  void report();

  Sink& sink_;
  const RecoverOptions& options_;
  std::uint64_t position_ = 0;           // in the original
  std::uint64_t written_ = 0;            // in the output
  std::optional<MissingRange> missing_;  // the range that may still grow; not yet reported
  std::uint64_t gap_ = 0;                // zeros that are not yet written
  std::uint64_t missing_ranges_ = 0;
};

}  // namespace tdz
