// SPDX-License-Identifier: Apache-2.0
// A pass word by word. It uses the value of a word's bytes, not the byte order of the host.
#include <cstring>

#include "kernels/cpu/sweep.hpp"

namespace tdz::cpu {
namespace {

using Word = std::uint64_t;  // for every width w: sums that are right mod 2^64 are right mod 2^8w

std::size_t width(const Sweep& sweep) {
  return sweep.word;
}

Word mask(const Sweep& sweep) {
  return ~Word{0} >> (64 - 8 * width(sweep));
}

Word top_bit(const Sweep& sweep) {
  return Word{1} << (8 * width(sweep) - 1);
}

Word load(const Sweep& sweep, const std::uint8_t* values, std::size_t i) {
  Word x = 0;
  for (std::size_t b = 0; b < width(sweep); ++b) {
    const std::size_t place = sweep.byteswap ? width(sweep) - 1 - b : b;
    x |= Word{values[i * width(sweep) + place]} << (8 * b);
  }
  return x;
}

void store(const Sweep& sweep, std::uint8_t* values, std::size_t i, Word x) {
  for (std::size_t b = 0; b < width(sweep); ++b) {
    const std::size_t place = sweep.byteswap ? width(sweep) - 1 - b : b;
    values[i * width(sweep) + place] = static_cast<std::uint8_t>(x >> (8 * b));
  }
}

/// What the difference subtracts from word i: x_i - (1 - B^s)^q x_i, computed from the words before it.
Word prediction(const Sweep& sweep, const std::uint8_t* values, std::size_t i) {
  const std::size_t tuple = sweep.tuple;
  Word sum = 0, binomial = 1;
  for (unsigned j = 1; j <= sweep.order && j <= i / tuple; ++j) {
    binomial = binomial * (sweep.order - j + 1) / j;
    const Word term = binomial * load(sweep, values, i - j * tuple);
    sum += j % 2 == 1 ? term : Word{0} - term;
  }
  return sum;
}

Word zigzag(const Sweep& sweep, Word r) {
  if (!sweep.zigzag) return r;
  return (r << 1) ^ ((r & top_bit(sweep)) != 0 ? ~Word{0} : 0);
}

Word unzigzag(const Sweep& sweep, Word code) {
  if (!sweep.zigzag) return code;
  return ((code & mask(sweep)) >> 1) ^ (Word{0} - (code & 1));
}

/// Where byte b of word i goes. Not for bit planes.
std::size_t place_of(const Sweep& sweep, std::size_t i, std::size_t b) {
  if (sweep.layout == Layout::interleaved) return i * width(sweep) + b;
  const std::size_t tuple = sweep.layout_tuple;
  const std::size_t lane = i % tuple, rows = sweep.words / tuple, longer = sweep.words % tuple;
  const std::size_t before =
      lane * rows + (lane < longer ? lane : longer);  // words in the lanes before this one
  return before * width(sweep) + b * (rows + (lane < longer ? 1 : 0)) + i / tuple;
}

/// Where bit b of word i goes, as a number of bits from the start of `coded`.
std::uint64_t bit_place_of(const Sweep& sweep, std::size_t i, std::size_t b) {
  const std::uint64_t whole = sweep.words - sweep.words % 8;
  return i < whole ? b * whole + i : std::uint64_t{i} * width(sweep) * 8 + b;
}

void put(const Sweep& sweep, std::uint8_t* coded, std::size_t i, Word code) {
  for (std::size_t b = 0; b < width(sweep) && sweep.layout != Layout::bit_planes; ++b) {
    coded[place_of(sweep, i, b)] = static_cast<std::uint8_t>(code >> (8 * b));
  }
  for (std::size_t b = 0; b < 8 * width(sweep) && sweep.layout == Layout::bit_planes; ++b) {
    const std::uint64_t place = bit_place_of(sweep, i, b);
    const Word bit = (code >> b & 1) << (place % 8), others = coded[place / 8] & ~(Word{1} << (place % 8));
    coded[place / 8] = static_cast<std::uint8_t>(others | bit);
  }
}

Word get(const Sweep& sweep, const std::uint8_t* coded, std::size_t i) {
  Word code = 0;
  for (std::size_t b = 0; b < width(sweep) && sweep.layout != Layout::bit_planes; ++b) {
    code |= Word{coded[place_of(sweep, i, b)]} << (8 * b);
  }
  for (std::size_t b = 0; b < 8 * width(sweep) && sweep.layout == Layout::bit_planes; ++b) {
    const std::uint64_t place = bit_place_of(sweep, i, b);
    code |= (Word{coded[place / 8]} >> (place % 8) & 1) << b;
  }
  return code;
}

void copy_trailing_bytes(const Sweep& sweep, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes) {
  const std::size_t done = sweep.words * width(sweep);
  if (done < bytes && in != out) std::memcpy(out + done, in + done, bytes - done);
}

}  // namespace

void plain_forward(const Pass& pass, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes) {
  const Sweep sweep{pass, bytes / pass.word};
  for (std::size_t i = 0; i < sweep.words; ++i) {
    const Word residual = (load(sweep, in, i) - prediction(sweep, in, i)) & mask(sweep);
    put(sweep, out, i, zigzag(sweep, residual));
  }
  copy_trailing_bytes(sweep, in, out, bytes);
}

void plain_forward_part(const Pass& pass, const SweepPart& part, const std::uint8_t* in, std::uint8_t* to) {
  const Sweep sweep{pass, part.words};
  Sweep codes = sweep;
  codes.byteswap = false;
  for (std::size_t i = part.first; i < part.last; ++i) {
    const Word residual = (load(sweep, in, i) - prediction(sweep, in, i)) & mask(sweep);
    store(codes, to, i - part.first, zigzag(sweep, residual));
  }
}

void plain_inverse_part(const Pass& pass, const SweepPart& part, const std::uint8_t* codes,
                        std::uint8_t* out) {
  const Sweep sweep{pass, part.words};
  Sweep coded = sweep;
  coded.byteswap = false;
  for (std::size_t i = part.first; i < part.last; ++i) {
    const Word residual = unzigzag(sweep, load(coded, codes, i - part.first));
    store(sweep, out, i, residual + prediction(sweep, out, i));
  }
}

void plain_inverse(const Pass& pass, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes) {
  const Sweep sweep{pass, bytes / pass.word};
  for (std::size_t i = 0; i < sweep.words; ++i) {
    const Word residual = unzigzag(sweep, get(sweep, in, i));
    store(sweep, out, i, residual + prediction(sweep, out, i));
  }
  copy_trailing_bytes(sweep, in, out, bytes);
}

}  // namespace tdz::cpu
