// SPDX-License-Identifier: Apache-2.0
// The step `predict` over all blocks of all lanes.
#include <algorithm>
#include <vector>

#include "kernels/cpu/steps/seams.hpp"
#include "kernels/cpu/steps/steps.hpp"

namespace tdz::cpu {
namespace {

WordKind kind_of(const LaneMap& map, Sign sign) {
  return {map.word, map.width, sign};
}

std::vector<BlockJob> jobs_of(const LaneMap& map, std::span<const Predictor> predictors,
                              const std::uint8_t* from, std::uint8_t* to) {
  std::vector<BlockJob> jobs;
  jobs.reserve(predictors.size());
  for (std::size_t lane = 0; lane < map.lanes(); ++lane) {
    for (std::size_t at = 0; at < map.length(lane); at += kPredictBlock) {
      const std::size_t byte = (map.first(lane) + at) * map.word;
      const std::size_t words = std::min(kPredictBlock, map.length(lane) - at);
      jobs.push_back({&predictors[jobs.size()], from + byte, to + byte, words});
    }
  }
  return jobs;
}

}  // namespace

void encode_predict(const LaneMap& map, Sign sign, std::span<const Predictor> predictors,
                    const std::uint8_t* words, std::uint8_t* residuals) {
  for (const BlockJob& job : jobs_of(map, predictors, words, residuals))
    predict_block(kind_of(map, sign), job);
}

void decode_predict(const LaneMap& map, Sign sign, std::span<const Predictor> predictors,
                    const std::uint8_t* residuals, std::uint8_t* words) {
  std::vector<BlockJob> jobs = jobs_of(map, predictors, residuals, words);
  // Blocks run side by side as far as the shortest goes, with the terms that the longest sum needs.
  std::ranges::stable_sort(jobs, [](const BlockJob& a, const BlockJob& b) {
    return a.words != b.words ? a.words > b.words : a.predictor->order > b.predictor->order;
  });
  undo_blocks(kind_of(map, sign), jobs.data(), jobs.size());
}

}  // namespace tdz::cpu
