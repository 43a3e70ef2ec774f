// SPDX-License-Identifier: Apache-2.0
// A chunk's plan: a row of fields, the columns that they form, and the steps of each
// column. FORMAT.md, section 3. Limits: section 6.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "formats/steps/grid.hpp"
#include "formats/steps/lanes.hpp"
#include "formats/steps/packed.hpp"
#include "formats/steps/predict.hpp"
#include "formats/steps/scale.hpp"
#include "formats/steps/simple_steps.hpp"
#include "formats/steps/tokens.hpp"

namespace tdz {

inline constexpr std::size_t kMaxSteps = 8;         ///< of one column
inline constexpr std::size_t kMaxColumns = 64;      ///< more fields than a struct usually has; bounds tables
inline constexpr unsigned kMaxWidth = 8;            ///< bytes of a word: what one register holds
inline constexpr std::size_t kMaxRowBytes = 65536;  ///< a tile of rows fits a GPU's shared memory
inline constexpr std::uint32_t kMaxPlanBytes = 65536;  ///< bounds CHK; room for lanes(256) in 60 columns
inline constexpr unsigned kMaxColumnOrders = 16;       ///< bounds what a few bytes can make a reader compute

constexpr bool is_word_size(unsigned bytes) {
  return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

/// The type of the numbers as people name it: i16x2 is {'i', 2, 2}. Only word and tuple change the coding.
/// The kind ('u', 'i', 'f', or 0 if it is unknown) is kept for reports.
struct NumberType {
  char kind = 0;
  std::uint8_t word = 1;
  std::uint32_t tuple = 1;

  friend constexpr bool operator==(const NumberType&, const NumberType&) = default;
};

/// formats/steps/step.hpp says what a step says of itself.
template <formats::Step... T>
using OneStepOf = std::variant<T...>;

/// Every step. The id 12 is not used (docs/notes/format-decisions.md, "Classes").
using PlanStep =
    OneStepOf<ByteswapStep, DifferenceStep, ZigzagStep, PlanesStep, TuplePlanesStep, BitPlanesStep, ScaleStep,
              LanesStep, PredictStep, TokensStep, PackedStep, GridStep>;

/// Calls use(std::type_identity<T>()) for every step T, in this order.
template <class Use>
constexpr void for_each_step(const Use& use) {
  const auto all = [&]<class... T>(std::in_place_type_t<std::variant<T...>>) {
    (use(std::type_identity<T>()), ...);
  };
  all(std::in_place_type<PlanStep>);
}

/// One field of all rows, or several equal ones that stand together: `count` words of `width` bytes a row.
struct Column {
  std::uint8_t width = 1;
  std::uint16_t count = 1;
  std::vector<PlanStep> steps{};
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

/// How zstd packs a frame. The first three are ordered from slow to fast: a slower packing finds more
/// repeats.
enum class Packing : std::uint8_t {
  search,    ///< zstd at the level asked for
  quick,     ///< zstd at its level 1
  entropy,   ///< no search for repeats, only Huffman codes
  moderate,  ///< zstd at its level 3: sometimes smaller than at a higher level
  distant,  ///< as search, with the longest window: repeats may lie 8 MiB apart. For all planes of a chunk or
            ///< none
  distant_quick,  ///< as quick, with the longest window
  search_cut,     ///< as search, with blocks that end where another Huffman code is worth its table
  quick_cut,      ///< as quick, with such blocks; entropy always has them
  stored,         ///< not at all: raw blocks, for bits that are packed already
};
inline constexpr std::size_t kPackings = 9;
inline constexpr std::size_t kZstdPackings = 8;  ///< those before `stored`
/// The planes of a chunk that a packing can be named for; those after them are searched.
inline constexpr std::size_t kMaxPackedPlanes = 256;

/// `search` and `quick` become search_cut and quick_cut, and back; all others stay.
constexpr Packing with_cuts(Packing packing) {
  if (packing == Packing::search) return Packing::search_cut;
  return packing == Packing::quick ? Packing::quick_cut : packing;
}
constexpr Packing without_cuts(Packing packing) {
  if (packing == Packing::search_cut) return Packing::search;
  return packing == Packing::quick_cut ? Packing::quick : packing;
}

/// How a writer packs the substreams; 0 leaves the choice to it. A reader need not know.
struct PackOptions {
  int level = 0;                  ///< of zstd, 1 to 22
  std::uint32_t frame_bytes = 0;  ///< the longest frame, 4 KiB to 1 GiB
  std::uint32_t block_bytes = 0;  ///< the longest zstd block, 1 KiB to 128 KiB
  std::uint8_t code_limit = 0;    ///< bits of the longest Huffman code, 8 to 11
  /// Of the planes of a chunk, in order; the last one also counts for all that follow. A substream that is
  /// not cut into planes counts as one. Empty: all are searched.
  std::vector<Packing> planes{};
  /// For each step `scale`, in the order of the columns. Empty: every chunk is asked itself, which takes most
  /// of the time of writing.
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

/// The words of a step's tuple; 0 in steps without one.
inline std::uint32_t tuple_of(const PlanStep& step) {
  return std::visit([](const auto& s) { return s.tuple_length(); }, step);
}

/// The shortest tuple of the steps: those of differences over rows are longer. Scale, tokens and packed may
/// be of single words in any tuple, and do not count. The words of a row, if no step has a tuple.
inline std::uint32_t shortest_tuple(const Column& column) {
  std::uint32_t shortest = 0;
  for (const PlanStep& step : column.steps) {
    const bool counts = !std::holds_alternative<ScaleStep>(step) &&
                        !std::holds_alternative<TokensStep>(step) &&
                        !std::holds_alternative<PackedStep>(step);
    const std::uint32_t tuple = counts ? tuple_of(step) : 0;
    if (tuple != 0 && (shortest == 0 || tuple < shortest)) shortest = tuple;
  }
  return shortest != 0 ? shortest : column.count;
}

/// What is common to all steps of this kind.
inline const formats::StepTraits& traits_of(const PlanStep& step) {
  return std::visit([](const auto& s) -> const formats::StepTraits& { return s.kTraits; }, step);
}

/// Turns words into substreams; so it is the last step of a column.
inline bool is_layout(const PlanStep& step) {
  return traits_of(step).is_layout;
}
/// A column without a layout is interleaved: its words are the substream.
inline bool has_layout(const Column& column) {
  return !column.steps.empty() && is_layout(column.steps.back());
}
/// The order of bytes that the column's layout makes; interleaved where it has none, and for tokens.
inline Layout word_layout(const Column& column) {
  return column.steps.empty() ? Layout::interleaved : traits_of(column.steps.back()).word_layout;
}

/// The first minor version of format 1 that has all of the plan's steps.
inline std::uint8_t minor_version(const Plan& plan) {
  std::uint8_t minor = 0;
  for (const Column& column : plan.columns)
    for (const PlanStep& step : column.steps) minor = std::max(minor, traits_of(step).minor_version);
  return minor;
}

/// Groups of 16 packed words are the column's layout.
inline bool is_packed(const Column& column) {
  return !column.steps.empty() && std::holds_alternative<PackedStep>(column.steps.back());
}

/// No device undoes a grid.
inline bool has_grid(const Column& column) {
  for (const PlanStep& step : column.steps)
    if (std::holds_alternative<GridStep>(step)) return true;
  return false;
}

/// The tokens that are the column's layout; null if it has another one, or none.
inline const TokensStep* tokens_of(const Column& column) {
  return column.steps.empty() ? nullptr : std::get_if<TokensStep>(&column.steps.back());
}

/// Whether the words themselves are the last substream, in some order of their bytes. A layout that names no
/// such order makes substreams of its own in place of the words.
inline bool gives_words(const Column& column) {
  return !has_layout(column) || word_layout(column) != Layout::interleaved;
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

/// Nothing happens at all: the words of the one column, and the bytes after them, are the original.
inline bool is_copy(const Plan& plan) {
  return plan.columns.size() == 1 && plan.columns[0].steps.empty();
}

/// Bytes as they are: any chunk fits it, and no plan gives fewer substreams.
inline Plan plain_plan() {
  return {Coding::zstd, {Column{}}};
}

}  // namespace tdz
