// SPDX-License-Identifier: Apache-2.0
// The naive oracle for the step `grid`: as FORMAT.md words it, one word at a time, on interleaved words. It
// shares no code with the kernels and is not meant to be fast.
#pragma once

#include "formats/steps/grid.hpp"
#include "tests/oracle/steps.hpp"

namespace tdz::oracle {

/// What every block chose, and the coefficients of every predictor, in the order of the neighbours.
struct GridChoice {
  std::vector<std::uint8_t> choices;
  std::vector<std::vector<std::int16_t>> predictors;
};

/// How many blocks a column has.
std::size_t grid_blocks(const Column& column, const GridStep& step);

Column grid(const Column& column, const GridStep& step, const GridChoice& choice);
Column undo_grid(Column column, const GridStep& step, const GridChoice& choice);

}  // namespace tdz::oracle
