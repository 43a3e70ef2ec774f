// SPDX-License-Identifier: Apache-2.0
#include "kernels/steps/predict.hpp"

#include "formats/error.hpp"

namespace tdz {
namespace {

constexpr std::size_t kHeadBytes = 2;  // of a block without coefficients

}  // namespace

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
  if (side.size() - at != 2 * coefficients)
    return corrupt("predict: another number of coefficients");
  for (Predictor& p : predictors) {
    for (unsigned j = 0; j < p.order; ++j, at += 2) {
      p.coefficient[j] = static_cast<std::int16_t>(side[at] | side[at + 1] << 8);
    }
  }
  return predictors;
}

}  // namespace tdz
