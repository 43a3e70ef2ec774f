// SPDX-License-Identifier: Apache-2.0
// Scale word by word in plain C++: for machines without vectors of f64, for big-endian ones, and for the rare
// numbers that need a look at every word.
#include <bit>
#include <cfloat>

#include "formats/bytes.hpp"
#include "formats/plan/plan.hpp"
#include "kernels/cpu/scale_run.hpp"

static_assert(FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 1, "f64 must be computed as f64");

namespace tdz::cpu {
namespace {

void put_word(std::uint64_t word, std::uint8_t* to, std::size_t width) {
  for (std::size_t b = 0; b < width; ++b) to[b] = static_cast<std::uint8_t>(word >> (8 * b));
}

/// To the nearest integer, halves to even: what f64 has no room for below 2^52 is rounded away by the sum.
double nearest_integer(double x) {
  constexpr double kNoFraction = 0x1p52;
  if (!(x < kNoFraction && x > -kNoFraction)) return x;
  return x < 0 ? (x - kNoFraction) + kNoFraction : (x + kNoFraction) - kNoFraction;
}

double magnitude(double x) {
  return x < 0 ? -x : x;
}

double unscale(double q, const ScalePair& pair) {
  double t = q;
  if (pair.num != 1) t = t * pair.num;
  if (pair.den != 1) t = t / pair.den;
  return t;
}

ScaleFault integer_of(double t, std::uint64_t& word) {
  if (magnitude(t) >= 0x1p63) return ScaleFault::large;
  word = static_cast<std::uint64_t>(static_cast<std::int64_t>(nearest_integer(t)));
  return ScaleFault::none;
}

ScaleFault float_of(double t, std::uint64_t& word) {
  constexpr double kRoundsToInfinity = 0x1.ffffffp127;
  if (t != 0 && magnitude(t) < 0x1p-126) return ScaleFault::subnormal;
  if (magnitude(t) >= kRoundsToInfinity) return ScaleFault::overflow;
  word = std::bit_cast<std::uint32_t>(static_cast<float>(t));
  return ScaleFault::none;
}

/// Pairs within 2^-300 .. 2^300 and q up to 2^53 give 0 or a number within 2^-600 .. 2^653: always a normal
/// f64.
ScaleFault word_of(const ScaleShape& shape, const ScalePair& pair, std::int64_t q, std::uint64_t& word) {
  if (q > kWidestScaled || q < -kWidestScaled) return ScaleFault::wide;
  const double t = unscale(static_cast<double>(q), pair);
  if (shape.kind == ScaleKind::integer) return integer_of(t, word);
  if (shape.word == 4) return float_of(t, word);
  word = std::bit_cast<std::uint64_t>(t);
  return ScaleFault::none;
}

/// Whether the word is q * num / den, and which q.
bool scaled_of(const ScaleShape& shape, const ScalePair& pair, bool unsigned_words, std::uint64_t word,
               std::int64_t& q) {
  double v = number_of(shape, unsigned_words, word);
  if (pair.den != 1) v = v * pair.den;
  if (pair.num != 1) v = v / pair.num;
  if (!(magnitude(v) <= 0x1p53)) return false;
  q = static_cast<std::int64_t>(nearest_integer(v));
  const std::size_t unused = 64 - 8 * std::size_t{shape.word};
  std::uint64_t again = 0;
  if (formats::signed_word(static_cast<std::uint64_t>(q), shape.word) != q) return false;
  return word_of(shape, pair, q, again) == ScaleFault::none && (again ^ word) << unused == 0;
}

}  // namespace

bool is_simple(const ScaleShape& shape, const ScalePair& pair) {
  if (shape.word == 8) return true;
  if (!is_word_size(shape.word)) return false;
  const double widest = static_cast<double>(std::uint64_t{1} << (8 * shape.word - 1));
  const double smallest = unscale(1, pair), largest = unscale(widest, pair);
  if (shape.kind == ScaleKind::integer) return largest < 0x1p51;
  return smallest >= 0x1p-126 && largest < 0x1p127;
}

ScaleFault decode_plain(const ScaleRun& run, const LanePairs& pairs, const std::uint8_t* holes,
                        const std::uint8_t* scaled, std::uint8_t* words) {
  const std::size_t width = run.shape.word;
  std::size_t lane = run.lane;
  for (std::size_t i = 0; i < run.words; ++i) {
    const std::int64_t q = formats::signed_word(formats::word_at(scaled, width, i), width);
    const bool hole = holes != nullptr && (holes[i / 8] >> (i % 8) & 1) != 0;
    std::uint64_t word = 0;
    const ScaleFault fault = hole ? ScaleFault::none : word_of(run.shape, pairs.of(lane), q, word);
    if (fault != ScaleFault::none) return fault;
    put_word(word, words + i * width, width);
    if (++lane == pairs.tuple) lane = 0;
  }
  return ScaleFault::none;
}

void encode_plain(const ScaleRun& run, const LanePairs& pairs, FillWord fill, bool unsigned_words,
                  const std::uint8_t* words, std::uint8_t* scaled, std::uint8_t* holes) {
  const std::size_t width = run.shape.word;
  std::size_t lane = run.lane;
  for (std::size_t i = 0; i < run.words; ++i) {
    const std::uint64_t word = formats::word_at(words, width, i);
    std::int64_t q = 0;
    const bool filled = fill.some && fill.word == word;
    const bool kept = !filled && scaled_of(run.shape, pairs.of(lane), unsigned_words, word, q);
    put_word(static_cast<std::uint64_t>(q), scaled + i * width, width);
    if (i % 8 == 0) holes[i / 8] = 0;
    if (!kept) holes[i / 8] = static_cast<std::uint8_t>(holes[i / 8] | 1u << (i % 8));
    if (++lane == pairs.tuple) lane = 0;
  }
}

void mark_plain(const ScaleRun& run, std::uint64_t fill, const std::uint8_t* words, std::uint8_t* holes) {
  const std::size_t width = run.shape.word;
  for (std::size_t i = 0; i < run.words; ++i) {
    if (i % 8 == 0) holes[i / 8] = 0;
    const bool filled = formats::word_at(words, width, i) == fill;
    if (filled) holes[i / 8] = static_cast<std::uint8_t>(holes[i / 8] | 1u << (i % 8));
  }
}

}  // namespace tdz::cpu
