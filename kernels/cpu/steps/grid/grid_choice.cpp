// SPDX-License-Identifier: Apache-2.0
// Chooses predictors for a grid. Blocks that are spread over the column train them: each block takes the
// predictor with the smallest residuals, and each predictor becomes the least squares of its blocks, in turn
// (k-means; Matsuda's minimum rate predictors do the same). Then all blocks choose.
//
// What decides is integers and IEEE operations in a fixed order, without libm and without contraction, so
// every machine chooses the same.
#include <algorithm>
#include <cfloat>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>

#include "kernels/cpu/steps/grid/grid.hpp"
#include "kernels/cpu/steps/grid/grid_walk.hpp"

namespace tdz::cpu {
namespace {

// Wider registers would round twice: 32-bit x86 must compute in SSE2 (-msse2 -mfpmath=sse).
static_assert(FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 1, "doubles must be computed as doubles");

constexpr std::uint64_t kSamplePieces = 128;  // of neighbouring blocks, for training: as many at most
constexpr std::uint64_t kLeastPieces = 16;
constexpr std::uint64_t kPiecesPart = 16;  // and one in so many
constexpr std::size_t kPieceBlocks = 4;
constexpr std::size_t kFirstPredictors = 24;  // that pieces propose
constexpr std::size_t kPredictors = 16;       // that a chunk has, at most
constexpr unsigned kTrainings = 3;
static_assert(kPredictors <= kMostGridPredictors);
constexpr std::int16_t kOne = 1 << kGridShift;

// ---- Predictors with whole coefficients

/// Neighbours of kGridNeighbours, and how often each counts.
struct WholePredictor {
  struct Term {
    std::uint8_t neighbour;
    std::int8_t times;
  };
  Term terms[3];
};

constexpr WholePredictor kWhole[] = {
    {{{0, 1}}},                     // left
    {{{2, 1}}},                     // above
    {{{0, 1}, {2, 1}, {3, -1}}},    // left + above - above left
    {{{0, 2}, {1, -1}}},            // 2 left - two left
    {{{4, 1}}},                     // above right
    {{{14, 1}}},                    // before
    {{{0, 1}, {14, 1}, {15, -1}}},  // left + before - before left
    {{{2, 1}, {14, 1}, {17, -1}}},  // above + before - before above
    {{{0, 1}, {8, 1}, {9, -1}}},    // left + other - other left
    {{{2, 1}, {8, 1}, {11, -1}}},   // above + other - other above
};

static_assert(std::size(kWhole) + 1 + kFirstPredictors <= kMostGridRows);

std::optional<GridPredictor> whole_predictor(const GridStep& step, const WholePredictor& whole) {
  GridPredictor p;
  for (const WholePredictor::Term& term : whole.terms) {
    if (term.times == 0) continue;
    if ((step.neighbours >> term.neighbour & 1) == 0) return {};
    const auto before = step.neighbours & ((std::uint32_t{1} << term.neighbour) - 1);
    p.coefficient[static_cast<std::size_t>(std::popcount(before))] =
        static_cast<std::int16_t>(term.times * kOne);
  }
  return p;
}

// ---- Least squares

/// Sums of products of a block's neighbours with one another and with its words, which come last.
struct Squares {
  static constexpr std::size_t kSize = kGridFactors;
  double sum[kSize][kSize] = {};  ///< of row i, only columns up to i
  double words = 0;

  void add(const Squares& other, double weight, std::size_t size) {
    for (std::size_t i = 0; i <= size; ++i)
      for (std::size_t j = 0; j <= i; ++j) sum[i][j] += weight * other.sum[i][j];
  }
};

/// The mean square of what is left of a block.
double left_of(const Squares& squares, const GridPredictor& p, std::size_t size) {
  double c[Squares::kSize];
  for (std::size_t i = 0; i < size; ++i) c[i] = static_cast<double>(p.coefficient[i]) / kOne;
  c[size] = -1;
  double left = 0;
  for (std::size_t i = 0; i <= size; ++i) {
    double row = 0;
    for (std::size_t j = 0; j < i; ++j) row += squares.sum[i][j] * c[j];
    left += c[i] * (2 * row + squares.sum[i][i] * c[i]);
  }
  return std::max(left, 0.0) / std::max(squares.words, 1.0);
}

/// Gauss without pivots, because the matrix is positive; a little is added so that it stays so where
/// neighbours are equal.
bool solve(const Squares& squares, std::size_t size, double* c) {
  double m[Squares::kSize][Squares::kSize], trace = 0;
  for (std::size_t i = 0; i < size; ++i) trace += squares.sum[i][i];
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) m[i][j] = i >= j ? squares.sum[i][j] : squares.sum[j][i];
    m[i][i] += trace * 1e-10 + 1e-3;
    m[i][size] = squares.sum[size][i];
  }
  for (std::size_t i = 0; i < size; ++i) {
    if (!(m[i][i] > 1e-9)) return false;
    for (std::size_t r = i + 1; r < size; ++r) {
      const double f = m[r][i] / m[i][i];
      for (std::size_t k = i; k <= size; ++k) m[r][k] -= f * m[i][k];
    }
  }
  for (std::size_t i = size; i-- > 0;) {
    double t = m[i][size];
    for (std::size_t k = i + 1; k < size; ++k) t -= m[i][k] * c[k];
    c[i] = t / m[i][i];
  }
  return true;
}

/// Each coefficient takes on the error of those before it, so that their sum is right.
std::optional<GridPredictor> fitted(const Squares& squares, std::size_t size) {
  double c[Squares::kSize] = {};
  if (!solve(squares, size, c)) return {};
  GridPredictor p;
  double error = 0;
  for (std::size_t j = 0; j < size; ++j) {
    error += c[j] * kOne;
    if (!(error < 32767 && error > -32767)) return {};
    const auto rounded = static_cast<std::int64_t>(error < 0 ? error - 0.5 : error + 0.5);
    p.coefficient[j] = static_cast<std::int16_t>(rounded);
    error -= static_cast<double>(rounded);
  }
  return p;
}

// ---- Blocks

struct BlockRow {
  std::uint64_t line = 0;
  std::size_t lines = 0;
};

std::vector<BlockRow> block_rows(const GridShape& shape) {
  std::vector<BlockRow> rows;
  rows.reserve(static_cast<std::size_t>(shape.block_rows()));
  for (std::uint64_t slice = 0; slice < shape.lines; slice += shape.height) {
    const std::uint64_t end = std::min(slice + shape.height, shape.lines);
    for (std::uint64_t y = slice; y < end; y += kGridBlockLines)
      rows.push_back({y, static_cast<std::size_t>(std::min<std::uint64_t>(kGridBlockLines, end - y))});
  }
  return rows;
}

/// A block that trains.
struct Sample {
  Squares squares;
  std::size_t choice = 0;
};

/// Neighbouring blocks that train.
struct Piece {
  GridBlockJob job;
  std::size_t column = 0;
  std::size_t first = 0, count = 0;  ///< samples
};

class GridTraining {
 public:
  GridTraining(const GridStep& step, const LaneMap& map, const std::uint8_t* words,
               std::span<std::uint8_t> scratch)
      : step_(step), walk_(step, map, scratch), size_(neighbour_count(step)) {
    walk_.begin(words, nullptr, nullptr);
    rows_of_blocks_ = block_rows(walk_.shape());
    fill_grid(run_of(walk_, {}));
  }

  GridSide run() {
    take_samples();
    propose();
    for (unsigned t = 0; t < kTrainings; ++t) {
      choose_samples();
      keep(kPredictors);
      fit();
    }
    GridSide side;
    side.choices = choose_all();
    side.predictors = std::move(predictors_);
    drop_unused(side);
    return side;
  }

 private:
  /// Every so many lines, from the first one on.
  void put_job(const BlockRow& row, std::size_t lane, std::size_t every, GridBlockJob& job) const {
    const std::uint64_t first = row.line == 0 ? 1 : row.line;  // the first line of all has no predictor
    job.lines = static_cast<std::size_t>(row.line + row.lines - first);
    for (std::size_t k = 0; k < job.lines; k += every)
      walk_.line(static_cast<std::size_t>((first + k) * walk_.shape().lanes) + lane, job.line[k]);
  }

  double words_of(const GridBlockJob& job, std::size_t column) const {
    const std::uint64_t points = walk_.shape().points - column * kGridBlockPoints;
    return static_cast<double>(job.lines * std::min<std::uint64_t>(points, kGridBlockPoints));
  }

  void take_samples() {
    const auto lanes = static_cast<std::size_t>(walk_.shape().lanes);
    const auto columns = static_cast<std::size_t>(walk_.shape().columns);
    const std::size_t across = (columns + kPieceBlocks - 1) / kPieceBlocks;
    const std::uint64_t all = std::uint64_t{rows_of_blocks_.size()} * lanes * across;
    const std::uint64_t pieces = std::min(all, std::clamp(all / kPiecesPart, kLeastPieces, kSamplePieces));
    pieces_.resize(static_cast<std::size_t>(pieces));
    samples_.resize(pieces_.size() * kPieceBlocks);
    std::size_t taken = 0;
    for (std::uint64_t k = 0; k < pieces; ++k) {
      const std::uint64_t place = (2 * k + 1) * all / (2 * pieces);
      const auto row = static_cast<std::size_t>(place / across / lanes);
      const auto lane = static_cast<std::size_t>(place / across % lanes);
      Piece& piece = pieces_[static_cast<std::size_t>(k)];
      put_job(rows_of_blocks_[row], lane, 1, piece.job);
      piece.column = static_cast<std::size_t>(place % across) * kPieceBlocks;
      piece.first = taken;
      piece.count = std::min(kPieceBlocks, columns - piece.column);
      take_samples_of(piece);
      taken += piece.count;
    }
    samples_.resize(taken);
  }

  void take_samples_of(const Piece& piece) {
    const GridFactors factors = factors_of(step_);
    const GridRun run = run_of(walk_, {});
    for (std::size_t b = 0; b < piece.count; ++b) {
      Squares& squares = samples_[piece.first + b].squares;
      grid_squares(run, factors, piece.job, piece.column + b, squares.sum);
      squares.words = words_of(piece.job, piece.column + b);
    }
  }

  void propose() {
    for (const WholePredictor& whole : kWhole)
      if (const auto p = whole_predictor(step_, whole)) predictors_.push_back(*p);
    whole_ = predictors_.size();
    Squares all;
    for (const Sample& sample : samples_) all.add(sample.squares, 1, size_);
    if (const auto p = fitted(all, size_)) predictors_.push_back(*p);
    const std::size_t proposals = std::min(pieces_.size(), kFirstPredictors);
    for (std::size_t k = 0; k < proposals; ++k) {
      const Piece& piece = pieces_[(2 * k + 1) * pieces_.size() / (2 * proposals)];
      Squares squares;
      for (std::size_t b = 0; b < piece.count; ++b) squares.add(samples_[piece.first + b].squares, 1, size_);
      if (const auto p = fitted(squares, size_)) predictors_.push_back(*p);
    }
    if (predictors_.empty()) predictors_.push_back({});
  }

  void choose_samples() {
    const auto rows = rows_of(step_, walk_.kind(), predictors_);
    const GridRun run = run_of(walk_, rows);
    for (const Piece& piece : pieces_) {
      std::uint8_t choices[kPieceBlocks];
      choose_rows(run, rows.size(), piece.job, piece.column, piece.count, choices);
      for (std::size_t b = 0; b < piece.count; ++b) samples_[piece.first + b].choice = choices[b];
    }
  }

  /// Those that most samples choose, in their order.
  void keep(std::size_t most) {
    std::vector<std::size_t> users(predictors_.size(), 0), order(predictors_.size());
    for (const Sample& sample : samples_) ++users[sample.choice];
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t p) { return users[p]; });
    while (order.size() > 1 && (order.size() > most || users[order.back()] == 0)) order.pop_back();
    std::ranges::sort(order);
    std::vector<std::size_t> new_of(predictors_.size(), kMostGridPredictors);
    std::vector<GridPredictor> kept;
    std::size_t whole = 0;
    for (const std::size_t p : order) {
      new_of[p] = kept.size();
      kept.push_back(predictors_[p]);
      if (p < whole_) ++whole;
    }
    for (Sample& sample : samples_) sample.choice = new_of[sample.choice];
    predictors_ = std::move(kept);
    whole_ = whole;
  }

  /// Quiet blocks count as much as loud ones.
  void fit() {
    std::vector<Squares> sums(predictors_.size());
    for (const Sample& sample : samples_) {
      if (sample.choice < whole_ || sample.choice >= predictors_.size()) continue;
      const double left = left_of(sample.squares, predictors_[sample.choice], size_);
      sums[sample.choice].add(sample.squares, 1 / (left + 0.25), size_);
    }
    for (std::size_t p = whole_; p < predictors_.size(); ++p)
      if (const auto better = fitted(sums[p], size_)) predictors_[p] = *better;
  }

  std::vector<std::uint8_t> choose_all() const {
    const auto rows = rows_of(step_, walk_.kind(), predictors_);
    const GridRun run = run_of(walk_, rows);
    std::vector<std::uint8_t> choices(static_cast<std::size_t>(walk_.shape().blocks()));
    std::uint8_t* to = choices.data();
    GridBlockJob job;
    for (const BlockRow& row : rows_of_blocks_) {
      for (std::size_t lane = 0; lane < walk_.shape().lanes; ++lane, to += run.columns) {
        put_job(row, lane, kChoosingLines, job);
        choose_rows(run, rows.size(), job, 0, run.columns, to);
      }
    }
    return choices;
  }

  static void drop_unused(GridSide& side) {
    std::vector<std::size_t> users(side.predictors.size(), 0);
    for (const std::uint8_t choice : side.choices) ++users[choice];
    std::vector<std::uint8_t> new_of(side.predictors.size(), 0);
    std::vector<GridPredictor> used;
    for (std::size_t p = 0; p < users.size(); ++p) {
      new_of[p] = static_cast<std::uint8_t>(used.size());
      if (users[p] > 0) used.push_back(side.predictors[p]);
    }
    for (std::uint8_t& choice : side.choices) choice = new_of[choice];
    side.predictors = std::move(used);
  }

  GridStep step_;
  GridWalk walk_;
  std::size_t size_;  // neighbours
  std::vector<BlockRow> rows_of_blocks_;
  std::vector<Piece> pieces_;
  std::vector<Sample> samples_;
  std::vector<GridPredictor> predictors_;
  std::size_t whole_ = 0;  // the first ones, which stay as they are
};

}  // namespace

std::uint64_t grid_choice_bytes(const GridStep& step, const LaneMap& map) {
  const GridShape shape = GridShape::of(step, map.words);
  if (shape.lines == 0) return 0;
  const std::uint64_t pieces = std::clamp(shape.blocks() / kPiecesPart, kLeastPieces, kSamplePieces);
  return pieces * (sizeof(Piece) + kPieceBlocks * sizeof(Sample)) + shape.blocks() +
         shape.block_rows() * sizeof(BlockRow);
}

GridSide choose_grid(const GridStep& step, const LaneMap& map, const std::uint8_t* words,
                     std::span<std::uint8_t> scratch) {
  if (scratch.empty()) return {};
  return GridTraining(step, map, words, scratch).run();
}

}  // namespace tdz::cpu
