// SPDX-License-Identifier: Apache-2.0
#include "formats/steps/predict.hpp"

namespace tdz {
namespace {

constexpr std::size_t kHeadBytes = 2;  // of a block without coefficients
constexpr std::size_t kLongestPredictor = kHeadBytes + 2 * kMostCoefficients;

}  // namespace

void PredictStep::write(std::vector<std::byte>& out) const {
  formats::put_le(out, static_cast<std::uint16_t>(tuple), static_cast<std::uint8_t>(sign), std::uint8_t{0});
}

Result<PredictStep> PredictStep::read(formats::ParameterReader& in) {
  if (in.length() != 4) return in.wrong_length();
  PredictStep s;
  s.tuple = in.get<std::uint16_t>();
  s.sign = Sign{in.get<std::uint8_t>()};
  return s;
}

formats::Flaw PredictStep::flaw(unsigned) const {
  if (sign > Sign::is_signed) return "predict: a sign above 1";
  return formats::flaw_of_side_tuple(tuple);
}

void PredictStep::list(formats::SubstreamList& out) const {
  const std::uint64_t blocks = formats::blocks_of_lanes(out.words, tuple, kPredictBlock);
  out.out.push_back(
      {formats::SubstreamRole::predictors, out.column, kHeadBytes * blocks, kLongestPredictor * blocks, 2});
}

std::vector<std::uint8_t> write_predictors(std::span<const Predictor> predictors) {
  std::vector<std::uint8_t> side;
  for (const Predictor& p : predictors) side.insert(side.end(), {p.order, p.shift});
  for (const Predictor& p : predictors) {
    for (unsigned j = 0; j < p.order; ++j) {
      const auto c = static_cast<std::uint16_t>(p.coefficient[j]);
      side.insert(side.end(), {static_cast<std::uint8_t>(c), static_cast<std::uint8_t>(c >> 8)});
    }
  }
  return side;
}

Result<std::vector<Predictor>> read_predictors(std::span<const std::uint8_t> side, std::size_t blocks) {
  if (blocks > side.size() / kHeadBytes) return corrupt("predict: too few bytes for its blocks");
  std::vector<Predictor> predictors(blocks);
  std::size_t coefficients = 0;
  for (std::size_t b = 0; b < blocks; ++b) {
    Predictor& p = predictors[b];
    p.order = side[kHeadBytes * b];
    p.shift = side[kHeadBytes * b + 1];
    if (p.order > kMostCoefficients) return corrupt("predict: more than 32 coefficients");
    if (p.shift > kLargestShift) return corrupt("predict: a shift above 15");
    coefficients += p.order;
  }
  std::size_t at = kHeadBytes * blocks;
  if (side.size() - at != 2 * coefficients) return corrupt("predict: another number of coefficients");
  for (Predictor& p : predictors) {
    for (unsigned j = 0; j < p.order; ++j, at += 2) {
      p.coefficient[j] = static_cast<std::int16_t>(side[at] | side[at + 1] << 8);
    }
  }
  return predictors;
}

}  // namespace tdz
