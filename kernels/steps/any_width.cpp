// SPDX-License-Identifier: Apache-2.0
#include "kernels/steps/any_width.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

namespace tdz {
namespace {

using Bytes = const std::uint8_t*;

/// Words of kWidth bytes, little-endian, in 64 bits.
template <unsigned kWidth>
struct Words {
  static constexpr unsigned kBits = 8 * kWidth;

  static std::uint64_t load(Bytes from, std::size_t i) {
    std::uint64_t x = 0;
    for (unsigned b = 0; b < kWidth; ++b) x |= std::uint64_t{from[i * kWidth + b]} << (8 * b);
    return x;
  }
  static void store(std::uint8_t* to, std::size_t i, std::uint64_t x) {
    for (unsigned b = 0; b < kWidth; ++b) to[i * kWidth + b] = static_cast<std::uint8_t>(x >> (8 * b));
  }
};

/// Calls use() with the Words of this width.
template <class Use>
void with_words(unsigned width, const Use& use) {
  with_width(width, [&](auto constant) { use(Words<constant>()); });
}

template <unsigned kWidth>
void swap_bytes(Words<kWidth>, Bytes in, std::uint8_t* out, std::size_t words) {
  for (std::size_t i = 0; i < words; ++i) {
    std::reverse_copy(in + i * kWidth, in + (i + 1) * kWidth, out + i * kWidth);
  }
}

// ---- planes: those of one lane after those of another. move(byte of a word, byte of a plane)

template <class Move>
void for_each_byte_of_planes(unsigned width, std::size_t tuple, std::size_t words, const Move& move) {
  const std::size_t lanes = std::min(tuple, words);  // so i + lanes fits std::size_t of 32 bits too
  std::size_t at = 0;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    for (unsigned b = 0; b < width; ++b) {
      for (std::size_t i = lane; i < words; i += lanes) move(i * width + b, at++);
    }
  }
}

}  // namespace

void byteswap_any_width(unsigned width, Bytes in, std::uint8_t* out, std::size_t words) {
  with_words(width, [&](auto w) { swap_bytes(w, in, out, words); });
}

void encode_planes_any_width(unsigned width, std::size_t tuple, Bytes in, std::uint8_t* out,
                             std::size_t words) {
  for_each_byte_of_planes(width, tuple, words,
                          [&](std::size_t word, std::size_t plane) { out[plane] = in[word]; });
}

void decode_planes_any_width(unsigned width, std::size_t tuple, Bytes in, std::uint8_t* out,
                             std::size_t words) {
  for_each_byte_of_planes(width, tuple, words,
                          [&](std::size_t word, std::size_t plane) { out[word] = in[plane]; });
}

namespace {

template <unsigned kWidth>
void widen_of(Words<kWidth> w, Bytes in, std::uint8_t* out, std::size_t words) {
  for (std::size_t i = 0; i < words; ++i) Words<std::bit_ceil(kWidth)>::store(out, i, w.load(in, i));
}

template <unsigned kWidth>
void narrow_of(Words<kWidth> w, Bytes in, std::uint8_t* out, std::size_t words) {
  for (std::size_t i = 0; i < words; ++i) w.store(out, i, Words<std::bit_ceil(kWidth)>::load(in, i));
}

}  // namespace

void widen_portable(unsigned width, Bytes in, std::uint8_t* out, std::size_t words) {
  with_words(width, [&](auto w) { widen_of(w, in, out, words); });
}

void narrow_portable(unsigned width, Bytes in, std::uint8_t* out, std::size_t words) {
  with_words(width, [&](auto w) { narrow_of(w, in, out, words); });
}

namespace {

/// Calls run() with the length of a field, as a constant where a field is one word: then a copy is one move.
template <class Run>
void with_length(std::size_t bytes, const Run& run) {
  switch (bytes) {
    case 1:
      return run(std::integral_constant<std::size_t, 1>());
    case 2:
      return run(std::integral_constant<std::size_t, 2>());
    case 4:
      return run(std::integral_constant<std::size_t, 4>());
    case 8:
      return run(std::integral_constant<std::size_t, 8>());
    default:
      return run(bytes);
  }
}

}  // namespace

void gather(const FieldPlace& place, std::span<const std::byte> chunk, std::span<std::byte> column) {
  const std::byte* from = chunk.data() + place.at;
  std::byte* to = column.data();
  with_length(place.bytes, [&](auto bytes) {
    for (std::size_t row = 0; row < chunk.size(); row += place.row, from += place.row, to += bytes) {
      std::memcpy(to, from, bytes);
    }
  });
}

void scatter(const FieldPlace& place, std::span<const std::byte> column, std::span<std::byte> chunk) {
  const std::byte* from = column.data();
  std::byte* to = chunk.data() + place.at;
  with_length(place.bytes, [&](auto bytes) {
    for (std::size_t row = 0; row < chunk.size(); row += place.row, from += bytes, to += place.row) {
      std::memcpy(to, from, bytes);
    }
  });
}

}  // namespace tdz
