// SPDX-License-Identifier: Apache-2.0
#include "kernels/steps/any_width.hpp"

#include <algorithm>
#include <bit>

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

/// Calls use() with the width as a constant.
template <class Use>
void with_width(unsigned width, const Use& use) {
  switch (width) {
    case 1:
      return use(Words<1>());
    case 2:
      return use(Words<2>());
    case 3:
      return use(Words<3>());
    case 4:
      return use(Words<4>());
    case 5:
      return use(Words<5>());
    case 6:
      return use(Words<6>());
    case 7:
      return use(Words<7>());
    default:
      return use(Words<8>());
  }
}

template <unsigned kWidth>
void swap_bytes(Words<kWidth>, Bytes in, std::uint8_t* out, std::size_t words) {
  for (std::size_t i = 0; i < words; ++i) {
    std::reverse_copy(in + i * kWidth, in + (i + 1) * kWidth, out + i * kWidth);
  }
}

// ---- planes: those of one lane behind those of another. move(byte of a word, byte of a plane)

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

/// Calls move(word, bit, byte, bit of the byte) for the words in groups of 8.
template <class Move>
void for_each_bit_of_planes(unsigned width, std::size_t words, const Move& move) {
  const std::size_t groups = words / 8;
  for (unsigned bit = 0; bit < 8 * width; ++bit) {
    for (std::size_t i = 0; i < 8 * groups; ++i) move(i, bit, bit * groups + i / 8, i % 8);
  }
}

void copy_behind_groups(unsigned width, Bytes in, std::uint8_t* out, std::size_t words) {
  const std::size_t first = words / 8 * 8 * width;
  std::copy(in + first, in + words * width, out + first);
}

void to_bit_planes(unsigned width, Bytes in, std::uint8_t* out, std::size_t words) {
  std::fill_n(out, words * width, std::uint8_t{0});
  for_each_bit_of_planes(width, words, [&](std::size_t i, unsigned bit, std::size_t byte, std::size_t place) {
    const unsigned value = in[i * width + bit / 8] >> (bit % 8) & 1u;
    out[byte] = static_cast<std::uint8_t>(out[byte] | value << place);
  });
  copy_behind_groups(width, in, out, words);
}

void from_bit_planes(unsigned width, Bytes in, std::uint8_t* out, std::size_t words) {
  std::fill_n(out, words * width, std::uint8_t{0});
  for_each_bit_of_planes(width, words, [&](std::size_t i, unsigned bit, std::size_t byte, std::size_t place) {
    std::uint8_t& to = out[i * width + bit / 8];
    to = static_cast<std::uint8_t>(to | (in[byte] >> place & 1u) << (bit % 8));
  });
  copy_behind_groups(width, in, out, words);
}

std::size_t tuple_of_planes(const Step& step) {
  return step.id == StepId::tuple_planes ? step.tuple : 1;
}

}  // namespace

void forward_any_width(const PlainStep& s, unsigned width, Bytes in, std::uint8_t* out, std::size_t words) {
  switch (s.step.id) {
    case StepId::byteswap:
      return with_width(width, [&](auto w) { swap_bytes(w, in, out, words); });
    case StepId::difference:
    case StepId::zigzag:
      return;
    case StepId::planes:
    case StepId::tuple_planes:
      return for_each_byte_of_planes(width, tuple_of_planes(s.step), words,
                                     [&](std::size_t word, std::size_t plane) { out[plane] = in[word]; });
    case StepId::bit_planes:
      return to_bit_planes(width, in, out, words);
  }
}

void inverse_any_width(const PlainStep& s, unsigned width, Bytes in, std::uint8_t* out, std::size_t words) {
  switch (s.step.id) {
    case StepId::byteswap:
      return with_width(width, [&](auto w) { swap_bytes(w, in, out, words); });
    case StepId::difference:
    case StepId::zigzag:
      return;
    case StepId::planes:
    case StepId::tuple_planes:
      return for_each_byte_of_planes(width, tuple_of_planes(s.step), words,
                                     [&](std::size_t word, std::size_t plane) { out[word] = in[plane]; });
    case StepId::bit_planes:
      return from_bit_planes(width, in, out, words);
  }
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

void widen(unsigned width, Bytes in, std::uint8_t* out, std::size_t words) {
  with_width(width, [&](auto w) { widen_of(w, in, out, words); });
}

void narrow(unsigned width, Bytes in, std::uint8_t* out, std::size_t words) {
  with_width(width, [&](auto w) { narrow_of(w, in, out, words); });
}

}  // namespace tdz
