// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/steps/grid/grid.hpp"

#include <cstring>

#include "kernels/cpu/steps/grid/grid_walk.hpp"

namespace tdz::cpu {
namespace {

/// The words after the last whole line stay as they are.
void copy_after_lines(const GridShape& shape, const LaneMap& map, const std::uint8_t* from,
                      std::uint8_t* to) {
  const auto done = static_cast<std::size_t>(shape.lines * shape.points);
  for (std::size_t lane = 0; lane < map.lanes(); ++lane) {
    const std::size_t at = (map.first(lane) + done) * map.word;
    const std::size_t bytes = (map.length(lane) - done) * map.word;
    if (bytes > 0) std::memcpy(to + at, from + at, bytes);
  }
}

}  // namespace

std::uint64_t grid_scratch_bytes(const GridStep& step, const LaneMap& map) {
  return GridShape::of(step, map.words).lines == 0 ? 0 : GridWalk::number_bytes(step, map);
}

void encode_grid(const GridStep& step, const LaneMap& map, const GridSide& side, const std::uint8_t* words,
                 std::uint8_t* residuals, std::span<std::uint8_t> scratch) {
  copy_after_lines(GridShape::of(step, map.words), map, words, residuals);
  if (scratch.empty()) return;
  GridWalk walk(step, map, scratch);
  walk.begin(words, residuals, side.choices.data());
  const auto rows = rows_of(step, walk.kind(), side.predictors);
  subtract_grid(run_of(walk, rows));
}

void decode_grid(const GridStep& step, const LaneMap& map, std::span<const std::uint8_t> choices,
                 std::span<const GridPredictor> predictors, const std::uint8_t* residuals,
                 std::uint8_t* words, std::span<std::uint8_t> scratch) {
  copy_after_lines(GridShape::of(step, map.words), map, residuals, words);
  if (scratch.empty()) return;
  GridWalk walk(step, map, scratch);
  walk.begin(residuals, words, choices.data());
  const auto rows = rows_of(step, walk.kind(), predictors);
  add_grid(run_of(walk, rows));
}

}  // namespace tdz::cpu
