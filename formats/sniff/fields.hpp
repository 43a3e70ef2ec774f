// SPDX-License-Identifier: Apache-2.0
// Reads integers at given places of a prefix that may be hostile, in either byte order. Not installed.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "formats/bytes.hpp"

namespace tdz::formats {

/// Reads anywhere. A read outside gives zero, and overran() is true from then on. So a parser may read many
/// fields and ask once, before it uses any of them.
class Fields {
 public:
  Fields(std::span<const std::byte> bytes, bool big_endian) : bytes_(bytes), big_endian_(big_endian) {}

  template <std::unsigned_integral T>
  T get(std::uint64_t at) {
    if (!holds(at, sizeof(T))) {
      overran_ = true;
      return 0;
    }
    const auto field = bytes_.subspan(static_cast<std::size_t>(at), sizeof(T));
    return big_endian_ ? get_be<T>(field) : get_le<T>(field);
  }
  std::uint8_t u8(std::uint64_t at) { return get<std::uint8_t>(at); }
  std::uint16_t u16(std::uint64_t at) { return get<std::uint16_t>(at); }
  std::uint32_t u32(std::uint64_t at) { return get<std::uint32_t>(at); }
  std::uint64_t u64(std::uint64_t at) { return get<std::uint64_t>(at); }

  /// Whether these letters are at this place. Outside the prefix: no, and overran() does not change.
  bool has(std::string_view letters, std::uint64_t at) const {
    return holds(at, letters.size()) && text(at, letters.size()) == letters;
  }
  /// Precondition: holds(at, length).
  std::string_view text(std::uint64_t at, std::uint64_t length) const {
    const auto part = bytes_.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(length));
    return {reinterpret_cast<const char*>(part.data()), part.size()};
  }
  bool holds(std::uint64_t at, std::uint64_t length) const {
    return at <= bytes_.size() && length <= bytes_.size() - at;
  }
  std::uint64_t size() const { return bytes_.size(); }
  bool big_endian() const { return big_endian_; }
  bool overran() const { return overran_; }

 private:
  template <std::unsigned_integral T>
  static T get_be(std::span<const std::byte> field) {
    std::uint64_t value = 0;
    for (const std::byte b : field) value = value << 8 | std::to_integer<std::uint64_t>(b);
    return static_cast<T>(value);
  }

  std::span<const std::byte> bytes_;
  bool big_endian_;
  bool overran_ = false;
};

}  // namespace tdz::formats
