// SPDX-License-Identifier: Apache-2.0
// Little-endian integers in memory, on hosts of any byte order; and a reader that cannot leave its span. As
// thread-safe as the memory.
#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace tdz::formats {

/// Precondition: bytes holds at least sizeof(T).
template <std::unsigned_integral T>
constexpr T get_le(std::span<const std::byte> bytes) {
  if (std::endian::native == std::endian::little && !std::is_constant_evaluated()) {
    T value;  // compilers do not always see that shifts of single bytes are one load
    std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
  }
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) value |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * i);
  return static_cast<T>(value);
}

/// Precondition: bytes holds at least sizeof(T).
template <std::unsigned_integral T>
constexpr void set_le(std::span<std::byte> bytes, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i)
    bytes[i] = static_cast<std::byte>(std::uint64_t{value} >> (8 * i));
}

/// The word of 1 to 8 bytes that begins there.
inline std::uint64_t load_word(const std::byte* at, std::size_t width, bool big_endian) {
  if (!big_endian && width == 8) return get_le<std::uint64_t>({at, 8});
  if (!big_endian && width == 4) return get_le<std::uint32_t>({at, 4});
  std::uint64_t x = 0;
  for (std::size_t b = 0; b < width; ++b) {
    const auto byte = std::to_integer<std::uint64_t>(at[b]);
    x = big_endian ? x << 8 | byte : x | byte << (8 * b);
  }
  return x;
}

/// Number `i` of little-endian words that stand one behind the other.
inline std::uint64_t word_at(const void* words, std::size_t width, std::size_t i) {
  return load_word(static_cast<const std::byte*>(words) + i * width, width, false);
}

/// The number that a word of 1 to 8 bytes is, with a sign. Its other bits are any.
constexpr std::int64_t signed_word(std::uint64_t word, std::size_t bytes) {
  const auto unused = static_cast<unsigned>(64 - 8 * bytes);
  return static_cast<std::int64_t>(word << unused) >> unused;
}

/// Appends the values to `out`, one behind the other.
template <std::unsigned_integral... T>
void put_le(std::vector<std::byte>& out, T... values) {
  std::size_t at = out.size();
  out.resize(at + (sizeof(T) + ...));
  ((set_le(std::span(out).subspan(at), values), at += sizeof(T)), ...);
}

inline void put_bytes(std::vector<std::byte>& out, std::span<const std::byte> bytes) {
  out.insert(out.end(), bytes.begin(), bytes.end());
}

constexpr std::uint64_t round_up_8(std::uint64_t length) {
  return (length + 7) & ~std::uint64_t{7};
}

inline void pad_to_8(std::vector<std::byte>& out) {
  out.resize(static_cast<std::size_t>(round_up_8(out.size())));
}

inline bool all_zero(std::span<const std::byte> bytes) {
  return std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{0}; });
}

/// Reads forward. A read past the end gives zeros (or an empty span), and overran() is true from then on. So
/// a parser may read a group of fields and ask once, before it uses any of them.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <std::unsigned_integral T>
  T get() {
    const auto field = take(sizeof(T));
    return field.empty() ? T{0} : get_le<T>(field);
  }

  /// The inverse of put_le: the fields one behind the other.
  template <std::unsigned_integral... T>
  void read(T&... fields) {
    ((fields = get<T>()), ...);
  }

  std::span<const std::byte> take(std::size_t length) {
    if (length > left()) {
      overran_ = true;
      position_ = bytes_.size();
      return {};
    }
    position_ += length;
    return bytes_.subspan(position_ - length, length);
  }

  std::size_t position() const { return position_; }
  std::size_t left() const { return bytes_.size() - position_; }
  bool overran() const { return overran_; }

 private:
  std::span<const std::byte> bytes_;
  std::size_t position_ = 0;
  bool overran_ = false;
};

}  // namespace tdz::formats
