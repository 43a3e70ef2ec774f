// SPDX-License-Identifier: Apache-2.0
// Writes chunks that may have gaps between them, and keeps the account of what is missing.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "tdz/tdz.hpp"

namespace tdz {

class RecoveryOutput {
 public:
  RecoveryOutput(Sink& sink, const RecoverOptions& options) : sink_(sink), options_(options) {}

  /// The bytes at `offset`. What lies between them and those before is missing. Precondition: offsets rise.
  Status put(std::uint64_t offset, std::span<const std::byte> bytes);
  /// Nothing follows: from the last bytes to `offset` all is missing.
  Status skip_to(std::uint64_t offset);
  /// Bytes are missing from here on, and nobody knows how many.
  void lose_the_rest();
  /// Makes the output as long as the original was.
  Status finish();

  std::uint64_t position() const { return position_; }  ///< in the original
  bool misses_something() const { return missing_ || missing_ranges_ > 0; }
  std::uint64_t missing_ranges() const {
    return missing_ranges_;
  }  ///< reported so far; all of them after finish

 private:
  Status write(std::span<const std::byte> bytes);
  Status write_zeros(std::uint64_t count);
  void report();

  Sink& sink_;
  const RecoverOptions& options_;
  std::uint64_t position_ = 0;           // in the original
  std::uint64_t written_ = 0;            // in the output
  std::optional<MissingRange> missing_;  // that may still grow
  std::uint64_t gap_ = 0;                // zeros that are owed to the output
  std::uint64_t missing_ranges_ = 0;
};

}  // namespace tdz
