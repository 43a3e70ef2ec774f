// SPDX-License-Identifier: Apache-2.0
// A run of words that share a group: the seam between the walk over a chunk (scale.cpp), the vectors
// (scale_vectors.cpp) and plain C++ (scale_plain.cpp). Both give the same bytes; the vectors refuse what they
// cannot do.
#pragma once

#include <cstddef>
#include <cstdint>

#include "formats/steps/scale.hpp"

namespace tdz::cpu {

/// The pairs of all lanes, one behind the other and repeated, so that a vector may begin at any lane.
struct PairTable {
  static constexpr std::size_t kVector = 8;  ///< numbers in the longest vector

  std::size_t period = 1;  ///< 1: one pair for all lanes
  bool multiply = false;   ///< some num is not 1
  bool divide = false;     ///< some den is not 1
  bool plain = false;      ///< vectors cannot run: unusual widths, or numbers that need a look at every word
  double num[kMaxScaleTuple + kVector];
  double den[kMaxScaleTuple + kVector];
  double inverse[kMaxScaleTuple + kVector];  ///< 1 / den

  bool short_den = false;  ///< every num is 1, and every den an f32 from 1 to 2^24: so the next two hold
  float den32[kMaxScaleTuple + kVector];
  float inverse32[kMaxScaleTuple + kVector];  ///< 1 / den, rounded to nearest
};

/// Words [0, words) of a run; word 0 belongs to lane `lane`.
struct ScaleRun {
  ScaleShape shape;
  const PairTable* table;
  std::size_t lane;
  std::size_t words;
};

struct FillWord {
  std::uint64_t word = 0;
  bool some = false;
};

/// Whether vectors can run: num and den keep every q that fits a word below 8 bytes where no check is needed.
bool is_simple(const ScaleShape& shape, const ScalePair& pair);

/// False: nothing that was written counts; ask plain C++. A q that is a hole gives any word.
bool decode_vectors(const ScaleRun& run, const std::uint8_t* scaled, std::uint8_t* words);
/// A bit of `holes` for every word, low bit first; padding to a byte is zero. The q of a hole is any.
bool encode_vectors(const ScaleRun& run, FillWord fill, bool unsigned_words, const std::uint8_t* words,
                    std::uint8_t* scaled, std::uint8_t* holes);

/// A bit for every word that is the fill; the table is not asked.
bool mark_vectors(const ScaleRun& run, std::uint64_t fill, const std::uint8_t* words, std::uint8_t* holes);

/// Puts the fill where `holes` has a bit. Returns how many words, a multiple of 64, it has looked at.
std::size_t fill_vectors(std::size_t word, std::uint64_t fill, const std::uint8_t* holes, std::uint8_t* words,
                         std::size_t count);

/// What is wrong with a q.
enum class ScaleFault : std::uint8_t { none, wide, large, subnormal, overflow };

/// The pairs of a run, lane by lane.
struct LanePairs {
  const ScalePair* pairs = nullptr;
  std::size_t tuple = 1;
  std::uint8_t selectors[kMaxScaleTuple] = {};

  const ScalePair& of(std::size_t lane) const { return pairs[selectors[lane]]; }
};

/// `holes` may be null.
ScaleFault decode_plain(const ScaleRun& run, const LanePairs& pairs, const std::uint8_t* holes,
                        const std::uint8_t* scaled, std::uint8_t* words);
void encode_plain(const ScaleRun& run, const LanePairs& pairs, FillWord fill, bool unsigned_words,
                  const std::uint8_t* words, std::uint8_t* scaled, std::uint8_t* holes);
void mark_plain(const ScaleRun& run, std::uint64_t fill, const std::uint8_t* words, std::uint8_t* holes);

}  // namespace tdz::cpu
