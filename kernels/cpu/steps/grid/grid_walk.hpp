// SPDX-License-Identifier: Apache-2.0
// The step `grid` line by line: where the numbers of lines lie, and what a line sees. The seam between the
// step and the code that is compiled once per instruction set.
//
// A column's words lie lane after lane. Its lines are numbered in the order of lines, then of lanes: line y
// of lane l is number y * lanes + l, and all that it sees has a smaller number. Its words become *numbers* in
// memory of their own: 16 bits that stand for words of 1 and 2 bytes (unsigned words of 2 bytes lose 2^15),
// doubles for words of 3 and 4 bytes, and the words themselves where they are longer. Room stands around each
// line, for the neighbours of its ends and for the points that its last block lacks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "formats/steps/grid.hpp"
#include "kernels/cpu/steps/seams.hpp"

namespace tdz::cpu {

/// Left, two left, and an even number of others.
inline constexpr std::size_t kGridTerms = 2 + kMostGridNeighbours;

/// Numbers of pairs of terms that kernels are made for: of pictures, of their lanes, of volumes, and all.
inline constexpr std::size_t kGridPairs[] = {4, 7, 8, kGridTerms / 2};

struct GridTerm {
  std::uint8_t line = 0;  ///< GridLine
  std::int8_t right = 0;
};

/// The neighbours of a step in the order of the kernels. What the step does not name has a coefficient of 0.
struct GridTerms {
  std::uint8_t pairs = 1;  ///< of terms; the first one is left and two left
  GridTerm term[kGridTerms];
};

/// A predictor in the order of the terms.
struct GridRow {
  std::int16_t c[kGridTerms] = {};
  double factor[kGridTerms] = {};  ///< the same
  std::uint64_t offset = 0;        ///< what the sum begins with: a half, and what numbers lack
};

/// One line of one lane. `ref` and `own` point to the number of its first point.
struct GridLineJob {
  const std::uint8_t* ref[kGridLines] = {};
  const std::uint8_t* term[kGridTerms] = {};  ///< the number of each term of the first point
  std::uint8_t* own = nullptr;
  const std::uint8_t* choices = nullptr;  ///< of its blocks
  const std::uint8_t* from = nullptr;     ///< its words, and those that come out
  std::uint8_t* to = nullptr;
};

inline constexpr std::size_t kGridMargin = 8;  ///< numbers before and after the blocks of a line

class GridWalk {
 public:
  /// `numbers` holds number_bytes(); `choices` all blocks of the shape.
  GridWalk(const GridStep& step, const LaneMap& map, std::span<std::uint8_t> numbers);

  static std::uint64_t number_bytes(const GridStep& step, const LaneMap& map);

  /// Words in and out, as lanes; and what blocks chose.
  void begin(const std::uint8_t* from, std::uint8_t* to, const std::uint8_t* choices);
  /// Not inline: the code for an instruction set must not have a copy of it.
  void line(std::size_t which, GridLineJob& job) const;

  std::size_t count() const { return static_cast<std::size_t>(shape_.lines * shape_.lanes); }
  const GridShape& shape() const { return shape_; }
  const GridTerms& terms() const { return terms_; }
  const WordKind& kind() const { return kind_; }

 private:
  GridShape shape_;
  GridTerms terms_;
  LaneMap map_;
  WordKind kind_;
  std::size_t first_of_lane_[kMostGridLanes] = {};  // words
  std::size_t pitch_;                               // bytes
  std::uint8_t* numbers_;                           // of no line: they all stand for 0
  const std::uint8_t* from_ = nullptr;
  std::uint8_t* to_ = nullptr;
  const std::uint8_t* choices_ = nullptr;
};

/// What code for an instruction set must know of a walk.
struct GridRun {
  const GridWalk* walk = nullptr;
  const GridRow* rows = nullptr;
  std::size_t pairs = 1;  ///< of terms
  WordKind kind;
  std::size_t lines = 0;  ///< of all lanes
  std::size_t lanes = 1;
  std::size_t points = 0;
  std::size_t columns = 0;
  std::size_t height = 0;  ///< lines of a lane in a slice
};

std::vector<GridRow> rows_of(const GridStep& step, const WordKind& kind,
                             std::span<const GridPredictor> predictors);
GridRun run_of(const GridWalk& walk, std::span<const GridRow> rows);

/// Makes the numbers of all lines, with those around their ends.
void fill_grid(const GridRun& run);
/// Words to residuals. Precondition: fill_grid().
void subtract_grid(const GridRun& run);
/// The inverse. Makes numbers while it goes.
void add_grid(const GridRun& run);

/// Up to 8 lines of a lane, one after the other, that blocks stand in.
struct GridBlockJob {
  GridLineJob line[kGridBlockLines];
  std::size_t lines = 0;
};
inline constexpr std::size_t kMostGridRows = 64;  ///< that choose_rows() chooses between
inline constexpr std::size_t kChoosingLines = 2;  ///< every so many lines are looked at
/// The best of the first `rows` rows of the run for each of `count` blocks from column `first` on.
/// Preconditions: fill_grid(); `rows` is 1 to kMostGridRows.
void choose_rows(const GridRun& run, std::size_t rows, const GridBlockJob& block, std::size_t first,
                 std::size_t count, std::uint8_t* choices);

/// Terms and the word itself, which comes last, for least squares.
struct GridFactors {
  std::uint8_t term[kMostGridNeighbours] = {};
  std::size_t count = 0;  ///< of terms
};
/// In the order of the step's neighbours.
GridFactors factors_of(const GridStep& step);

inline constexpr std::size_t kGridFactors = kMostGridNeighbours + 1;
/// Sums of the products of factors over a block: sums[i][j] of factors i and j <= i. In each line the sums of
/// the points 0, 4, 8.., of 1, 5, 9.. and so on are made apart, so every machine rounds alike.
/// Precondition: fill_grid().
void grid_squares(const GridRun& run, const GridFactors& factors, const GridBlockJob& block,
                  std::size_t column, double (*sums)[kGridFactors]);

}  // namespace tdz::cpu
