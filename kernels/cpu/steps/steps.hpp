// SPDX-License-Identifier: Apache-2.0
// The steps on lanes, on the CPU: what a chunk's codec calls. Words lie lane behind lane
// (formats/steps/lane_map.hpp) except where a name says interleaved. No alignment is asked for; memory does
// not overlap, except where it says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "formats/error.hpp"
#include "formats/steps/lanes.hpp"
#include "formats/steps/predict.hpp"
#include "formats/steps/tokens.hpp"
#include "kernels/passes.hpp"

namespace tdz::cpu {

/// Interleaved words to lane behind lane, and back.
void deinterleave(const LaneMap& map, const std::uint8_t* words, std::uint8_t* lanes);
void interleave(const LaneMap& map, const std::uint8_t* lanes, std::uint8_t* words);

/// Words of `width` bytes to words of the next machine word (1, 2, 4 or 8 bytes), and back.
void widen(unsigned width, const std::uint8_t* in, std::uint8_t* out, std::size_t words);
void narrow(unsigned width, const std::uint8_t* in, std::uint8_t* out, std::size_t words);

/// Zigzag of words in machine words, in any order, and back. May run in place.
void zigzag_words(const LaneMap& map, const std::uint8_t* in, std::uint8_t* out);
void unzigzag_words(const LaneMap& map, const std::uint8_t* in, std::uint8_t* out);
/// Sets the bits above the width of each word to zero: sums of machine words become sums mod 2^(8 width).
void mask_words(const LaneMap& map, std::uint8_t* words);

/// `scratch` holds as many bytes as the longest lane. Precondition: the step has no flaw.
void encode_lanes(const LaneMap& map, const LanesStep& rules, const std::uint8_t* in, std::uint8_t* out,
                  std::uint8_t* scratch);
void decode_lanes(const LaneMap& map, const LanesStep& rules, const std::uint8_t* in, std::uint8_t* out,
                  std::uint8_t* scratch);

/// One pass over interleaved words whose differences start anew in every run of a lane.
/// Precondition: the pass has no layout.
void forward_anew(const Pass& pass, std::size_t run, const std::uint8_t* in, std::uint8_t* out,
                  std::size_t bytes);
void inverse_anew(const Pass& pass, std::size_t run, const std::uint8_t* in, std::uint8_t* out,
                  std::size_t bytes);

/// A predictor for every block: of those tried the one with the smallest residuals. Integers and IEEE
/// operations in a fixed order choose it, so every machine chooses the same. The caller has set rounding to
/// nearest.
std::vector<Predictor> choose_predictors(const LaneMap& map, Sign sign, const std::uint8_t* words,
                                         unsigned highest_order);
/// Words to residuals, and back. Precondition: predict_blocks(map) predictors.
void encode_predict(const LaneMap& map, Sign sign, std::span<const Predictor> predictors,
                    const std::uint8_t* words, std::uint8_t* residuals);
/// May run in place.
void decode_predict(const LaneMap& map, Sign sign, std::span<const Predictor> predictors,
                    const std::uint8_t* residuals, std::uint8_t* words);

/// Words to tokens, a byte each, and raw bits. `raw` holds map.words * map.width bytes, `lengths`
/// runs_of(map, run). Returns the bytes of all runs. Precondition: is_token_code(code, map.bits()).
std::size_t encode_tokens(const LaneMap& map, TokenCode code, std::size_t run, const std::uint8_t* words,
                          std::uint8_t* tokens, std::uint8_t* raw, std::span<std::uint32_t> lengths);
/// The inverse. `lengths` may be empty: then the tokens tell. Corrupt: a token that no word of
/// this width has, bits that do not add up to a run, unused bits that are not zero, lengths that do not add
/// up. Then `words` may hold anything.
formats::Fault decode_tokens(const LaneMap& map, TokenCode code, std::size_t run,
                             std::span<const std::uint8_t> tokens, std::span<const std::uint8_t> raw,
                             std::span<const std::uint32_t> lengths, std::uint8_t* words);

}  // namespace tdz::cpu
