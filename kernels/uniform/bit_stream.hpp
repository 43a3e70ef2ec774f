// SPDX-License-Identifier: Apache-2.0
// zstd's bit streams. A writer appends bits, the lowest first, and ends with a bit that is set. A reader
// begins at that bit and goes backwards. RFC 8878, section 4.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "formats/bytes.hpp"

namespace tdz::uniform {

/// A writer stores 8 bytes at once: so much memory beyond its last byte must be there.
inline constexpr std::size_t kBitSlack = 8;

class BitWriter {
 public:
  explicit BitWriter(std::byte* to) : begin_(to), to_(to) {}

  /// At most 57 bits between two calls of flush().
  void put(std::uint64_t value, unsigned bits) {
    held_ |= value << count_;
    count_ += bits;
  }
  void flush() {
    formats::set_le(std::span(to_, sizeof held_), held_);
    to_ += count_ / 8;
    held_ >>= count_ & ~7u;
    count_ %= 8;
  }
  /// The bytes written, the last one filled with zeros.
  std::size_t bytes() {
    flush();
    return static_cast<std::size_t>(to_ - begin_) + (count_ != 0);
  }
  /// The same, with the bit that ends a stream.
  std::size_t end() {
    put(1, 1);
    return bytes();
  }

 private:
  std::byte* begin_;
  std::byte* to_;
  std::uint64_t held_ = 0;
  unsigned count_ = 0;
};

/// Bits [first, first + bits) of a little-endian integer; those outside of it are zero. At most 32 bits.
inline std::uint32_t bits_at(std::span<const std::byte> bytes, std::int64_t first, unsigned bits) {
  const std::int64_t byte = first >> 3;  // rounds down
  std::uint64_t value = 0;
  for (int i = 0; i < 5; ++i) {
    if (byte + i < 0 || byte + i >= std::ssize(bytes)) continue;
    value |= std::to_integer<std::uint64_t>(bytes[static_cast<std::size_t>(byte + i)]) << (8 * i);
  }
  return static_cast<std::uint32_t>(value >> (first & 7) & ((std::uint64_t{1} << bits) - 1));
}

/// From the end to the front: what BitWriter wrote last comes first. Simple, not fast.
class BackwardBits {
 public:
  explicit BackwardBits(std::span<const std::byte> bytes) : bytes_(bytes) {
    if (!has_end()) return;
    const auto last = std::to_integer<std::uint8_t>(bytes.back());
    left_ = 8 * std::ssize(bytes) - 9 + std::bit_width(last);
  }
  /// False: the last byte is zero, so it holds no end.
  bool has_end() const { return !bytes_.empty() && bytes_.back() != std::byte{0}; }
  std::int64_t left() const { return left_; }
  /// Zeros stand before the first bit.
  std::uint32_t peek(unsigned bits) const { return bits_at(bytes_, left_ - bits, bits); }
  /// Precondition: bits <= left().
  void skip(unsigned bits) { left_ -= bits; }
  std::uint32_t take(unsigned bits) {
    const std::uint32_t value = peek(bits);
    skip(bits);
    return value;
  }

 private:
  std::span<const std::byte> bytes_;
  std::int64_t left_ = 0;
};

}  // namespace tdz::uniform
