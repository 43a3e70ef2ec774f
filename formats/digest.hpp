// SPDX-License-Identifier: Apache-2.0
// XXH3 as the format uses it (Collet, xxHash). Thread-safe; a DigestStream belongs to one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace tdz::formats {

using Digest128 = std::array<std::byte, 16>;  ///< canonical order: as `xxhsum -H2` prints it

/// XXH3-64, seed 0.
std::uint64_t xxh3_64(std::span<const std::byte> bytes);
/// XXH64, seed 0: its low 32 bits are the checksum of a zstd frame.
std::uint64_t xxh64(std::span<const std::byte> bytes);
/// XXH3-128, seed 0.
Digest128 xxh3_128(std::span<const std::byte> bytes);

/// XXH3-128, seed 0, of bytes that come in pieces. Movable, not copyable. The constructor may throw
/// std::bad_alloc.
class DigestStream {
 public:
  DigestStream();
  ~DigestStream();
  DigestStream(DigestStream&&) noexcept;
  DigestStream& operator=(DigestStream&&) noexcept;

  void update(std::span<const std::byte> bytes);
  /// Of all bytes so far.
  Digest128 digest() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tdz::formats
