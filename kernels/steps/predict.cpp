// SPDX-License-Identifier: Apache-2.0
#include "kernels/steps/predict.hpp"

#include "formats/fault.hpp"

namespace tdz {
namespace {

constexpr std::size_t kHeadBytes = 2;  // of a block without coefficients

}  // namespace

std::vector<std::uint8_t> write_predictors(std::span<const Predictor> predictors) {
  std::vector<std::uint8_t> side;
  for (const Predictor& p : predictors) {
    side.insert(side.end(), {p.order, p.shift});
    for (unsigned j = 0; j < p.order; ++j) {
      const auto c = static_cast<std::uint16_t>(p.coefficient[j]);
      side.insert(side.end(), {static_cast<std::uint8_t>(c), static_cast<std::uint8_t>(c >> 8)});
    }
  }
  return side;
}

Result<std::vector<Predictor>> read_predictors(std::span<const std::uint8_t> side, std::size_t blocks) {
  if (blocks > side.size() / kHeadBytes) return formats::corrupt(0, "predict: too few bytes for its blocks");
  std::vector<Predictor> predictors(blocks);
  std::size_t at = 0;
  for (Predictor& p : predictors) {
    if (side.size() - at < kHeadBytes) return formats::corrupt(0, "predict: too few bytes for its blocks");
    p.order = side[at];
    p.shift = side[at + 1];
    at += kHeadBytes;
    if (p.order > kMostCoefficients) return formats::corrupt(0, "predict: more than 32 coefficients");
    if (p.shift > kLargestShift) return formats::corrupt(0, "predict: a shift above 15");
    if (side.size() - at < 2u * p.order) return formats::corrupt(0, "predict: too few bytes for coefficients");
    for (unsigned j = 0; j < p.order; ++j, at += 2) {
      p.coefficient[j] = static_cast<std::int16_t>(side[at] | side[at + 1] << 8);
    }
  }
  if (at != side.size()) return formats::corrupt(0, "predict: bytes behind the last block");
  return predictors;
}

}  // namespace tdz
