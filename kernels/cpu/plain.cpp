// SPDX-License-Identifier: Apache-2.0
// A segment word by word, in terms of what a word's bytes mean, not of how the host stores them.
#include <cstring>

#include "kernels/cpu/sweep.hpp"

namespace tdz::cpu {
namespace {

using Word = std::uint64_t;  // of any width: the sums are right mod 2^64, so they are right mod 2^8w

struct Chunk {
  const Segment& segment;
  std::size_t words;

  std::size_t width() const { return segment.word; }
  Word mask() const { return ~Word{0} >> (64 - 8 * width()); }
  Word top_bit() const { return Word{1} << (8 * width() - 1); }
};

Word load(const Chunk& chunk, const std::uint8_t* values, std::size_t i) {
  Word x = 0;
  for (std::size_t b = 0; b < chunk.width(); ++b) {
    const std::size_t place = chunk.segment.byteswap ? chunk.width() - 1 - b : b;
    x |= Word{values[i * chunk.width() + place]} << (8 * b);
  }
  return x;
}

void store(const Chunk& chunk, std::uint8_t* values, std::size_t i, Word x) {
  for (std::size_t b = 0; b < chunk.width(); ++b) {
    const std::size_t place = chunk.segment.byteswap ? chunk.width() - 1 - b : b;
    values[i * chunk.width() + place] = static_cast<std::uint8_t>(x >> (8 * b));
  }
}

/// What the difference of word i takes away: x_i - (1 - B^s)^q x_i, from the words before it.
Word prediction(const Chunk& chunk, const std::uint8_t* values, std::size_t i) {
  const std::size_t tuple = chunk.segment.tuple;
  Word sum = 0, binomial = 1;
  for (unsigned j = 1; j <= chunk.segment.order && j <= i / tuple; ++j) {
    binomial = binomial * (chunk.segment.order - j + 1) / j;
    const Word term = binomial * load(chunk, values, i - j * tuple);
    sum += j % 2 == 1 ? term : Word{0} - term;
  }
  return sum;
}

Word zigzag(const Chunk& chunk, Word r) {
  if (!chunk.segment.zigzag) return r;
  return (r << 1) ^ ((r & chunk.top_bit()) != 0 ? ~Word{0} : 0);
}

Word unzigzag(const Chunk& chunk, Word code) {
  if (!chunk.segment.zigzag) return code;
  return ((code & chunk.mask()) >> 1) ^ (Word{0} - (code & 1));
}

/// Where byte b of word i goes, unless the layout is of bits.
std::size_t place_of(const Chunk& chunk, std::size_t i, std::size_t b) {
  const std::size_t tuple = chunk.segment.layout_tuple;
  if (tuple == 0) return i * chunk.width() + b;
  const std::size_t lane = i % tuple, rows = chunk.words / tuple, longer = chunk.words % tuple;
  const std::size_t before =
      lane * rows + (lane < longer ? lane : longer);  // words in the lanes before this one
  return before * chunk.width() + b * (rows + (lane < longer ? 1 : 0)) + i / tuple;
}

/// Where bit b of word i goes, as a number of bits from the start of `coded`.
std::uint64_t bit_place_of(const Chunk& chunk, std::size_t i, std::size_t b) {
  const std::uint64_t whole = chunk.words - chunk.words % 8;
  return i < whole ? b * whole + i : std::uint64_t{i} * chunk.width() * 8 + b;
}

void put(const Chunk& chunk, std::uint8_t* coded, std::size_t i, Word code) {
  for (std::size_t b = 0; b < chunk.width() && !chunk.segment.bit_planes; ++b) {
    coded[place_of(chunk, i, b)] = static_cast<std::uint8_t>(code >> (8 * b));
  }
  for (std::size_t b = 0; b < 8 * chunk.width() && chunk.segment.bit_planes; ++b) {
    const std::uint64_t place = bit_place_of(chunk, i, b);
    const Word bit = (code >> b & 1) << (place % 8), others = coded[place / 8] & ~(Word{1} << (place % 8));
    coded[place / 8] = static_cast<std::uint8_t>(others | bit);
  }
}

Word get(const Chunk& chunk, const std::uint8_t* coded, std::size_t i) {
  Word code = 0;
  for (std::size_t b = 0; b < chunk.width() && !chunk.segment.bit_planes; ++b) {
    code |= Word{coded[place_of(chunk, i, b)]} << (8 * b);
  }
  for (std::size_t b = 0; b < 8 * chunk.width() && chunk.segment.bit_planes; ++b) {
    const std::uint64_t place = bit_place_of(chunk, i, b);
    code |= (Word{coded[place / 8]} >> (place % 8) & 1) << b;
  }
  return code;
}

void copy_trailing_bytes(const Chunk& chunk, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes) {
  const std::size_t done = chunk.words * chunk.width();
  if (done < bytes) std::memcpy(out + done, in + done, bytes - done);
}

}  // namespace

void plain_forward(const Segment& segment, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes) {
  const Chunk chunk{segment, bytes / segment.word};
  for (std::size_t i = 0; i < chunk.words; ++i) {
    const Word residual = (load(chunk, in, i) - prediction(chunk, in, i)) & chunk.mask();
    put(chunk, out, i, zigzag(chunk, residual));
  }
  copy_trailing_bytes(chunk, in, out, bytes);
}

void plain_inverse(const Segment& segment, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes) {
  const Chunk chunk{segment, bytes / segment.word};
  for (std::size_t i = 0; i < chunk.words; ++i) {
    const Word residual = unzigzag(chunk, get(chunk, in, i));
    store(chunk, out, i, residual + prediction(chunk, out, i));
  }
  copy_trailing_bytes(chunk, in, out, bytes);
}

}  // namespace tdz::cpu
