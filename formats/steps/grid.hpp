// SPDX-License-Identifier: Apache-2.0
// The step `grid`: prediction from neighbours in an image or a volume. Its parameters, its shape on a column,
// and its side data as values and as bytes, each way. FORMAT.md, section 3. Pure functions, thread-safe.
//
// A column is cut into lines of points; a point has a word in each lane. Blocks of 16 points of a lane and 8
// lines choose one predictor each, from a list that the chunk holds. A predictor has a coefficient for each
// neighbour that the parameters name.
#pragma once

#include <array>

#include "formats/steps/predict.hpp"
#include "formats/steps/step.hpp"

namespace tdz {

inline constexpr std::size_t kGridBlockPoints = 16;
inline constexpr std::size_t kGridBlockLines = 8;
inline constexpr unsigned kGridShift = 12;  ///< a coefficient of 4096 counts a neighbour once
inline constexpr std::uint32_t kMostGridLanes = 16;
inline constexpr std::uint32_t kLeastGridLine = 16;  ///< bounds the memory that lines take beside their words
inline constexpr unsigned kMostGridNeighbours = 16;
inline constexpr std::size_t kMostGridPredictors = 256;

/// A line of points that neighbours of a word stand in.
enum class GridLine : std::uint8_t {
  own,
  above,
  above_that,   ///< the line above the one above
  other,        ///< of the lane before, the line of the word
  other_above,  ///< of the lane before, the line above
  before,       ///< in the slice before, the same line
  before_above,
  before_below,
  before_that,  ///< in the slice before the slice before, the same line
};
inline constexpr std::size_t kGridLines = 9;

struct GridNeighbour {
  GridLine line = GridLine::own;
  std::int8_t right = 0;  ///< points to the right of the word
};

/// Neighbour b is bit b of GridStep::neighbours.
inline constexpr std::array<GridNeighbour, 24> kGridNeighbours{{
    {GridLine::own, -1},          {GridLine::own, -2},         {GridLine::above, 0},
    {GridLine::above, -1},        {GridLine::above, 1},        {GridLine::above, -2},
    {GridLine::above, 2},         {GridLine::above_that, 0},   {GridLine::other, 0},
    {GridLine::other, -1},        {GridLine::other, 1},        {GridLine::other_above, 0},
    {GridLine::other_above, -1},  {GridLine::other_above, 1},  {GridLine::before, 0},
    {GridLine::before, -1},       {GridLine::before, 1},       {GridLine::before_above, 0},
    {GridLine::before_above, -1}, {GridLine::before_above, 1}, {GridLine::before_below, 0},
    {GridLine::before_below, -1}, {GridLine::before_below, 1}, {GridLine::before_that, 0},
}};

struct GridStep {
  static constexpr formats::StepTraits kTraits{
      .id = 13,
      .name = "grid",
      .help =
          {45, "grid(T, W, H)",
           "from each number its prediction is subtracted, made from its neighbours in lines of W tuples and "
           "slices of H lines"},
      .substreams = 2,
      .once = true,
      .minor_version = 1,
      .by_lanes = true};

  std::uint32_t tuple = 1;
  Sign sign = Sign::is_unsigned;
  std::uint32_t line = kLeastGridLine;  ///< points
  std::uint32_t height = 0;             ///< lines of a slice; 0: all
  std::uint32_t neighbours = 1;         ///< bits of kGridNeighbours

  std::string name() const;
  std::string words() const;
  std::uint32_t tuple_length() const { return tuple; }
  void write(std::vector<std::byte>& out) const;
  static Result<GridStep> read(formats::ParameterReader& in);
  formats::Flaw flaw(unsigned width) const;
  void list(formats::SubstreamList& out) const;

  friend constexpr bool operator==(const GridStep&, const GridStep&) = default;
};

/// The neighbours that the step names.
constexpr unsigned neighbour_count(const GridStep& step) {
  return static_cast<unsigned>(std::popcount(step.neighbours));
}

/// What the step makes of a column. Words after the last whole line stay as they are.
struct GridShape {
  std::uint64_t lanes = 1;
  std::uint64_t points = 0;   ///< of a line
  std::uint64_t lines = 0;    ///< whole ones
  std::uint64_t height = 0;   ///< lines of a slice; the last slice may have fewer
  std::uint64_t columns = 0;  ///< blocks side by side; the last one may be narrower

  static constexpr GridShape of(const GridStep& step, std::uint64_t words) {
    GridShape shape;
    shape.lanes = step.tuple;
    shape.points = step.line;
    shape.lines = words / (shape.lanes * shape.points);
    shape.height = step.height == 0 ? shape.lines : std::min<std::uint64_t>(step.height, shape.lines);
    shape.columns = (shape.points + kGridBlockPoints - 1) / kGridBlockPoints;
    return shape;
  }

  static constexpr std::uint64_t block_rows_of(std::uint64_t lines) {
    return (lines + kGridBlockLines - 1) / kGridBlockLines;
  }
  constexpr std::uint64_t block_rows() const {
    if (lines == 0) return 0;
    return lines / height * block_rows_of(height) + block_rows_of(lines % height);
  }
  /// The row of blocks that has this line.
  constexpr std::uint64_t block_row(std::uint64_t line) const {
    return line / height * block_rows_of(height) + line % height / kGridBlockLines;
  }
  /// Blocks stand in the order of rows, lanes and columns.
  constexpr std::uint64_t blocks() const { return block_rows() * lanes * columns; }
};

struct GridPredictor {
  std::array<std::int16_t, kMostGridNeighbours> coefficient{};  ///< zero after those of the neighbours

  friend constexpr bool operator==(const GridPredictor&, const GridPredictor&) = default;
};

std::vector<std::uint8_t> write_grid_predictors(const GridStep& step,
                                                std::span<const GridPredictor> predictors);
/// The inverse. Error corrupt: a length that is no whole number of predictors, or more than 256 of them; a
/// choice without a predictor.
Result<std::vector<GridPredictor>> read_grid_predictors(const GridStep& step,
                                                        std::span<const std::uint8_t> choices,
                                                        std::span<const std::uint8_t> side);

}  // namespace tdz
