// SPDX-License-Identifier: Apache-2.0
// The vocabulary of a chunk's plan: a row of fields, the columns that they form, and the steps of each
// column. FORMAT.md, section 3. Limits: section 6.
#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "formats/plan/packing.hpp"
#include "formats/plan/step_values.hpp"
#include "formats/scale/scale.hpp"
#include "formats/transform.hpp"

namespace tdz {

inline constexpr std::size_t kMaxColumns = 64;       ///< more fields than a struct usually has; bounds tables
inline constexpr unsigned kMaxWidth = 8;             ///< bytes of a word: what one register holds
inline constexpr std::size_t kMaxRowBytes = 65536;   ///< a tile of rows fits a GPU's shared memory
inline constexpr std::uint32_t kMaxPlanBytes = 65536;  ///< bounds CHK; room for lanes(256) in 60 columns
inline constexpr std::uint32_t kMaxSideTuple = 256;  ///< side data and parameters stand for each lane
inline constexpr unsigned kMaxColumnOrders = 16;     ///< bounds what a few bytes can make a reader compute

/// One of the steps that Transform has too, and the words after which a difference starts anew (0: never).
struct PlainStep {
  Step step;
  std::uint32_t run = 0;

  friend constexpr bool operator==(const PlainStep&, const PlainStep&) = default;
};

/// Integers in place of numbers; words that are none are holes.
struct ScaleStep {
  std::uint32_t tuple = 1;
  ScaleKind kind = ScaleKind::integer;

  friend constexpr bool operator==(const ScaleStep&, const ScaleStep&) = default;
};

/// A rule for each lane of the tuple.
using LanesStep = LaneRules;

/// Linear prediction in blocks.
struct PredictStep {
  std::uint32_t tuple = 1;
  Sign sign = Sign::is_unsigned;

  friend constexpr bool operator==(const PredictStep&, const PredictStep&) = default;
};

/// A layout: a byte for every word, and raw bits, which begin anew in every run.
struct TokensStep {
  std::uint32_t tuple = 1;
  TokenCode code;
  std::uint32_t run = 0;

  friend constexpr bool operator==(const TokensStep&, const TokensStep&) = default;
};

using PlanStep = std::variant<PlainStep, ScaleStep, LanesStep, PredictStep, TokensStep>;

/// One field of all rows, or several equal ones that stand together: `count` words of `width` bytes a row.
struct Column {
  std::uint8_t width = 1;
  std::uint16_t count = 1;
  std::vector<PlanStep> steps;
  /// What people call the words: u, i, f, or 0 where nobody said it. It changes no byte, so it is neither
  /// stored in the bytes of a plan nor compared.
  char kind = 0;

  friend bool operator==(const Column& a, const Column& b) {
    return a.width == b.width && a.count == b.count && a.steps == b.steps;
  }
};

/// How the substreams become frames.
enum class Coding : std::uint8_t {
  zstd = 0,     ///< zstd frames
  uniform = 1,  ///< zstd frames with uniform blocks, for a GPU
};

/// How a writer packs the substreams; 0 leaves the choice to it. A reader need not know.
struct PackOptions {
  int level = 0;                  ///< of zstd, 1 to 22
  std::uint32_t frame_bytes = 0;  ///< the longest frame, 4 KiB to 1 GiB
  std::uint32_t block_bytes = 0;  ///< the longest zstd block, 1 KiB to 128 KiB
  std::uint8_t code_limit = 0;    ///< bits of the longest Huffman code, 8 to 11
  /// Of the planes of a chunk, in order; the last one also counts for all that follow. A substream that is not
  /// cut into planes counts as one. Empty: all are searched.
  std::vector<Packing> planes{};
  /// For each step `scale`, in the order of the columns. Empty: every chunk is asked itself, which takes most of the
  /// time of writing.
  std::vector<ScalePlan> scales{};

  friend bool operator==(const PackOptions&, const PackOptions&) = default;
};

/// How a chunk becomes substreams. The default is no plan: it has no column.
struct Plan {
  Coding coding = Coding::zstd;
  std::vector<Column> columns;
  /// Not stored in the bytes of a plan: a plan that was read from a file has the default.
  PackOptions packing{};

  friend bool operator==(const Plan&, const Plan&) = default;
};

/// Words of a tuple; 0 in plain steps without one.
constexpr std::uint32_t tuple_of(const PlainStep& s) {
  return s.step.tuple;
}
constexpr std::uint32_t tuple_of(const ScaleStep& s) {
  return s.tuple;
}
inline std::uint32_t tuple_of(const LanesStep& s) {
  return static_cast<std::uint32_t>(s.lanes.size());
}
constexpr std::uint32_t tuple_of(const PredictStep& s) {
  return s.tuple;
}
constexpr std::uint32_t tuple_of(const TokensStep& s) {
  return s.tuple;
}
inline std::uint32_t tuple_of(const PlanStep& step) {
  return std::visit([](const auto& s) { return tuple_of(s); }, step);
}

/// The shortest tuple of the steps: those of differences over rows are longer. Scale and tokens may be of single words in any
/// tuple, and do not count. The words of a row, if no step has a tuple.
inline std::uint32_t shortest_tuple(const Column& column) {
  std::uint32_t shortest = 0;
  for (const PlanStep& step : column.steps) {
    const bool counts = !std::holds_alternative<ScaleStep>(step) && !std::holds_alternative<TokensStep>(step);
    const std::uint32_t tuple = counts ? tuple_of(step) : 0;
    if (tuple != 0 && (shortest == 0 || tuple < shortest)) shortest = tuple;
  }
  return shortest != 0 ? shortest : column.count;
}

/// Turns words into substreams; so it is the last step of a column.
constexpr bool is_layout(const PlainStep& s) {
  return layout_of(s.step.id) != Layout::interleaved;
}
inline bool is_layout(const PlanStep& step) {
  if (const auto* plain = std::get_if<PlainStep>(&step)) return is_layout(*plain);
  return std::holds_alternative<TokensStep>(step);
}
/// A column without a layout is interleaved: its words are the substream.
inline bool has_layout(const Column& column) {
  return !column.steps.empty() && is_layout(column.steps.back());
}

inline bool has_scale(const Column& column) {
  for (const PlanStep& step : column.steps)
    if (std::holds_alternative<ScaleStep>(step)) return true;
  return false;
}

constexpr std::size_t row_bytes(const Column& column) {
  return std::size_t{column.width} * column.count;
}
inline std::size_t row_bytes(const Plan& plan) {
  std::size_t sum = 0;
  for (const Column& column : plan.columns) sum += row_bytes(column);
  return sum;
}

/// Nothing happens to the numbers; columns may be gathered.
inline bool has_no_steps(const Plan& plan) {
  for (const Column& column : plan.columns)
    if (!column.steps.empty()) return false;
  return true;
}

/// Nothing happens at all: the words of the one column, and the bytes behind them, are the original.
inline bool is_copy(const Plan& plan) {
  return plan.columns.size() == 1 && plan.columns[0].steps.empty();
}

/// Bytes as they are: any chunk fits it, and no plan gives fewer substreams.
inline Plan plain_plan() {
  return {Coding::zstd, {Column{}}};
}

}  // namespace tdz
