// SPDX-License-Identifier: Apache-2.0
// What the data say about the steps on lanes: which lane is subtracted from which, whether prediction is
// worth it, which tokens suit. Pure functions of the words, in integers; cheap against a trial, and only ever
// proposals for one.
#pragma once

#include <cstdint>
#include <vector>

#include "codec/search/samples.hpp"
#include "formats/steps/scale.hpp"
#include "kernels/cpu/steps/steps.hpp"
#include "kernels/steps/bits.hpp"

namespace tdz {

/// Rules for the lanes, and what they do to the sample: bits of all codes with them, and with orders alone.
struct LaneProposal {
  LanesStep rules;
  LanesStep orders;  ///< the best without sources
  std::uint64_t bits = 0;
  std::uint64_t bits_of_orders = 0;
};

/// The rules with the shortest codes on 4096 records (fewer of wide tuples), taken in 8 stretches. `lanes`:
/// words, lane behind lane, of samples from all over the input: one chunk alone may mislead. Where prediction
/// follows, only the sources are of use, before it, with order 0 and no zigzag.
LaneProposal propose_lanes(const LaneMap& map, const std::uint8_t* lanes);

/// What adapted prediction saves on 8 blocks against the best order of differences, in parts of 1000 of the
/// bits; its coefficients are counted.
int predict_saves(const LaneMap& map, Sign sign, const std::uint8_t* lanes, unsigned highest_order);

/// Token codes, best first: by the entropy of tokens and the number of raw bits. `codes`: small numbers, in
/// any order.
std::vector<TokenCode> propose_tokens(const LaneMap& map, const std::uint8_t* codes);

/// The best code where each lane has codes of its own, of `least` bits or more (Huffman codes: one), and the
/// bytes that tokens and raw bits take with it, about. `words`: in the order of the rows.
struct TokenProposal {
  TokenCode code;
  std::uint64_t bytes = 0;
};
TokenProposal best_tokens(const LaneMap& map, const std::uint8_t* words, BitsTimes256 least = kBit);

/// Are the differences of integers multiples of one number, while the integers themselves may have a
/// remainder, or be too long for f64? So it is with times in nanoseconds that were taken in microseconds.
/// Returns the factors that most pieces of a lane have in common in the differences of its words, as pairs,
/// except powers of 2; and 1 where other lanes have none. Empty: no lane has one. The pieces hold
/// little-endian words and begin at lane 0.
std::vector<ScalePair> common_factors(const ScaleShape& shape, const Pieces& pieces);

}  // namespace tdz
