// SPDX-License-Identifier: Apache-2.0
// The step `grid` on a column: its lines, what each of them sees, and words to residuals and back.
#include "kernels/cpu/steps/grid/grid.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "kernels/cpu/steps/grid/grid_walk.hpp"

namespace tdz::cpu {

// ---- Lines and what they see

namespace {

constexpr std::uint8_t index_of(GridLine line) {
  return static_cast<std::uint8_t>(line);
}

/// Unsigned words of 2 bytes are 16 bits with a sign when they lose 2^15.
bool is_flipped(const WordKind& kind) {
  return kind.word == 2 && kind.sign == Sign::is_unsigned;
}

std::size_t number_size(const LaneMap& map) {
  return map.word == 4 ? sizeof(double) : std::max<std::size_t>(map.word, 2);
}

std::size_t pitch_of(const GridShape& shape, const LaneMap& map) {
  return static_cast<std::size_t>(shape.columns * kGridBlockPoints + 2 * kGridMargin) * number_size(map);
}

GridTerms terms_of(const GridStep& step) {
  GridTerms terms;
  terms.term[0] = {index_of(GridLine::own), -1};
  terms.term[1] = {index_of(GridLine::own), -2};
  std::size_t count = 2;
  for (std::size_t b = 2; b < kGridNeighbours.size(); ++b) {
    if ((step.neighbours >> b & 1) == 0) continue;
    terms.term[count++] = {index_of(kGridNeighbours[b].line), kGridNeighbours[b].right};
  }
  const std::size_t pairs = *std::lower_bound(std::begin(kGridPairs), std::end(kGridPairs), (count + 1) / 2);
  while (count < 2 * pairs) terms.term[count++] = {index_of(GridLine::above), 0};
  terms.pairs = static_cast<std::uint8_t>(pairs);
  return terms;
}

/// The lines of a word's neighbours, where there are any.
struct Around {
  Around(std::uint64_t y, std::uint64_t height, std::uint64_t slice, std::uint64_t v) {
    // Above the first line of a slice is the first line of the slice before.
    const std::uint64_t of_slice = slice == 0 ? y : y - height;
    above = v == 0 ? of_slice : y - 1;
    if (v >= 2)
      above_that = y - 2;
    else if (v == 1)
      above_that = slice == 0 ? y - 1 : y - 1 - height;
    else
      above_that = slice < 2 ? above : above - height;
    if (slice == 0) return;
    has_before = true;
    before = y - height;
    before_above = v == 0 ? before : before - 1;
    before_below = v + 1 == height ? before : before + 1;
    before_that = slice == 1 ? before : before - height;
  }

  std::uint64_t above = 0, above_that = 0;
  bool has_before = false;
  std::uint64_t before = 0, before_above = 0, before_below = 0, before_that = 0;
};

}  // namespace

std::uint64_t GridWalk::number_bytes(const GridStep& step, const LaneMap& map) {
  const GridShape shape = GridShape::of(step, map.words);
  return (shape.lines * shape.lanes + 1) * std::uint64_t{pitch_of(shape, map)};
}

GridWalk::GridWalk(const GridStep& step, const LaneMap& map, std::span<std::uint8_t> numbers)
    : shape_(GridShape::of(step, map.words)),
      terms_(terms_of(step)),
      map_(map),
      kind_{map.word, map.width, step.sign},
      pitch_(pitch_of(shape_, map)),
      numbers_(numbers.data()) {
  for (std::size_t lane = 0; lane < map.lanes(); ++lane) first_of_lane_[lane] = map.first(lane);
  std::memset(numbers_, 0, pitch_);
  constexpr std::int16_t kFlippedZero = INT16_MIN;
  for (std::size_t at = 0; is_flipped(kind_) && at < pitch_; at += sizeof kFlippedZero)
    std::memcpy(numbers_ + at, &kFlippedZero, sizeof kFlippedZero);
}

void GridWalk::begin(const std::uint8_t* from, std::uint8_t* to, const std::uint8_t* choices) {
  from_ = from;
  to_ = to;
  choices_ = choices;
}

void GridWalk::line(std::size_t which, GridLineJob& job) const {
  const std::uint64_t lanes = shape_.lanes, y = which / lanes, lane = which % lanes;
  const std::uint64_t slice = shape_.height == shape_.lines ? 0 : y / shape_.height;
  const std::uint64_t v = y - slice * shape_.height;
  const Around around(y, shape_.height, slice, v);
  const std::size_t number = number_size(map_);
  std::uint8_t* const none = numbers_ + kGridMargin * number;
  const auto numbers_of = [&](std::uint64_t at, std::uint64_t of_lane) {
    return none + static_cast<std::size_t>(1 + at * lanes + of_lane) * pitch_;
  };
  const auto put = [&](GridLine line, bool is_there, std::uint64_t at, std::uint64_t of_lane) {
    job.ref[index_of(line)] = is_there ? numbers_of(at, of_lane) : none;
  };
  job.own = numbers_of(y, lane);
  put(GridLine::own, true, y, lane);
  put(GridLine::above, true, around.above, lane);
  put(GridLine::above_that, true, around.above_that, lane);
  put(GridLine::other, lane > 0, y, lane - 1);
  put(GridLine::other_above, lane > 0, around.above, lane - 1);
  put(GridLine::before, around.has_before, around.before, lane);
  put(GridLine::before_above, around.has_before, around.before_above, lane);
  put(GridLine::before_below, around.has_before, around.before_below, lane);
  put(GridLine::before_that, around.has_before, around.before_that, lane);
  for (std::size_t j = 0; j < 2u * terms_.pairs; ++j)
    job.term[j] = job.ref[terms_.term[j].line] + terms_.term[j].right * static_cast<std::ptrdiff_t>(number);
  const std::size_t word =
      (first_of_lane_[static_cast<std::size_t>(lane)] + static_cast<std::size_t>(y * shape_.points)) *
      map_.word;
  job.from = from_ == nullptr ? nullptr : from_ + word;
  job.to = to_ == nullptr ? nullptr : to_ + word;
  if (choices_ == nullptr) return;
  const std::uint64_t block_row = slice * GridShape::block_rows_of(shape_.height) + v / kGridBlockLines;
  job.choices = choices_ + static_cast<std::size_t>((block_row * lanes + lane) * shape_.columns);
}

std::vector<GridRow> rows_of(const GridStep& step, const WordKind& kind,
                             std::span<const GridPredictor> predictors) {
  std::vector<GridRow> rows(predictors.size());
  for (std::size_t p = 0; p < predictors.size(); ++p) {
    std::size_t j = 0, other = 2;
    std::int64_t sum = 0;
    for (std::size_t b = 0; b < kGridNeighbours.size(); ++b) {
      if ((step.neighbours >> b & 1) == 0) continue;
      const std::int16_t c = predictors[p].coefficient[j++];
      const std::size_t place = b < 2 ? b : other++;
      rows[p].c[place] = c;
      rows[p].factor[place] = c;
      sum += c;
    }
    rows[p].offset = std::uint64_t{1} << (kGridShift - 1);
    if (is_flipped(kind)) rows[p].offset += static_cast<std::uint64_t>(sum) << 15;
  }
  return rows;
}

GridRun run_of(const GridWalk& walk, std::span<const GridRow> rows) {
  const GridShape& shape = walk.shape();
  return {&walk,
          rows.data(),
          walk.terms().pairs,
          walk.kind(),
          walk.count(),
          static_cast<std::size_t>(shape.lanes),
          static_cast<std::size_t>(shape.points),
          static_cast<std::size_t>(shape.columns),
          static_cast<std::size_t>(shape.height)};
}

GridFactors factors_of(const GridStep& step) {
  GridFactors factors;
  std::uint8_t other = 2;
  for (std::uint8_t b = 0; b < kGridNeighbours.size(); ++b)
    if ((step.neighbours >> b & 1) != 0) factors.term[factors.count++] = b < 2 ? b : other++;
  return factors;
}

// ---- Words to residuals, and back

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
