// SPDX-License-Identifier: Apache-2.0
// The step `predict`: linear prediction in blocks, as FLAC has it. Its parameters, and its side data (what a
// block of a lane is predicted with) as values and as bytes, each way. FORMAT.md, section 3. Pure functions,
// thread-safe.
//
// With P coefficients, word i >= P of a block becomes x[i] - ((sum of c_j x[i-j], j = 1 .. P) >> shift). The
// words before it become differences of order 1; every block starts anew; P = 0 leaves the block as it is.
#pragma once

#include "formats/steps/lane_map.hpp"
#include "formats/steps/step.hpp"

namespace tdz {

/// How words turn into numbers for the sum of a prediction.
enum class Sign : std::uint8_t { is_unsigned, is_signed };

struct PredictStep {
  static constexpr formats::StepTraits kTraits{
      .id = 9,
      .name = "predict",
      .help = {50, "predict(T)",
               "from each number its linear prediction is subtracted, made from the numbers before it in its "
               "column"},
      .substreams = 1,
      .once = true,
      .by_lanes = true};

  std::uint32_t tuple = 1;
  Sign sign = Sign::is_unsigned;

  std::string name() const { return formats::name_with_tuple(kTraits.name, tuple); }
  std::string words() const { return "minus a linear prediction from the numbers before"; }
  std::uint32_t tuple_length() const { return tuple; }
  void write(std::vector<std::byte>& out) const;
  static Result<PredictStep> read(formats::ParameterReader& in);
  formats::Flaw flaw(unsigned width) const;
  void list(formats::SubstreamList& out) const;

  friend constexpr bool operator==(const PredictStep&, const PredictStep&) = default;
};

inline constexpr std::size_t kPredictBlock = 4096;  ///< words of a lane; the last block may be shorter
inline constexpr unsigned kMostCoefficients = 32;
inline constexpr unsigned kLargestShift = 15;  ///< so 32-bit sums suffice for words of 16 bits

struct Predictor {
  std::uint8_t order = 0;
  std::uint8_t shift = 0;
  std::int16_t coefficient[kMostCoefficients] = {};  ///< zero from `order` on

  friend constexpr bool operator==(const Predictor&, const Predictor&) = default;
};

/// Blocks of all lanes, in the order of their predictors.
constexpr std::size_t predict_blocks(const LaneMap& map) {
  return runs_of(map, kPredictBlock);
}

/// The side data of a column: for every block u8 order, u8 shift; after them all coefficients as i16.
std::vector<std::uint8_t> write_predictors(std::span<const Predictor> predictors);
/// The inverse. Error corrupt: another number of blocks, an order above 32, a shift above 15.
Result<std::vector<Predictor>> read_predictors(std::span<const std::uint8_t> side, std::size_t blocks);

}  // namespace tdz
