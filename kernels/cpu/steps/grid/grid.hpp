// SPDX-License-Identifier: Apache-2.0
// The step `grid` on the words of a column, lane after lane, and what its writer chooses. Scratch is
// aligned to 8 bytes, nothing else is; memory does not overlap. Thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "formats/steps/grid.hpp"

namespace tdz::cpu {

/// The side data of a chunk.
struct GridSide {
  std::vector<std::uint8_t> choices;  ///< of all blocks
  std::vector<GridPredictor> predictors;
};

/// The memory that the following need beside the words. More than there are addresses may be asked for, where
/// these have 32 bits: about six bytes for each one of long columns.
std::uint64_t grid_scratch_bytes(const GridStep& step, const LaneMap& map);

/// What choose_grid() needs beside that, at most.
std::uint64_t grid_choice_bytes(const GridStep& step, const LaneMap& map);

/// Predictors that suit the words, and the choice of every block. Integers, and IEEE operations in a fixed
/// order, so every machine chooses the same. The caller has set rounding to nearest.
GridSide choose_grid(const GridStep& step, const LaneMap& map, const std::uint8_t* words,
                     std::span<std::uint8_t> scratch);

/// Words to residuals, and back. Precondition: a choice below predictors.size() for each block of the shape.
/// Encoding comes right after choose_grid() of the same words, which leaves in `scratch` what is needed.
void encode_grid(const GridStep& step, const LaneMap& map, const GridSide& side, const std::uint8_t* words,
                 std::uint8_t* residuals, std::span<std::uint8_t> scratch);
void decode_grid(const GridStep& step, const LaneMap& map, std::span<const std::uint8_t> choices,
                 std::span<const GridPredictor> predictors, const std::uint8_t* residuals,
                 std::uint8_t* words, std::span<std::uint8_t> scratch);

}  // namespace tdz::cpu
