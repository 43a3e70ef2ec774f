// SPDX-License-Identifier: Apache-2.0
#include "codec/search/column/column_draft.hpp"

#include <algorithm>
#include <numeric>

#include "formats/plan/made_plans.hpp"
#include "kernels/passes.hpp"

namespace tdz {

using namespace formats;

namespace {

constexpr std::uint32_t kMostScaleLanes =
    64;  ///< more lanes have too few words each for selectors of their own

class Assembly {
 public:
  explicit Assembly(const ColumnDraft& draft) : draft_(draft), column_{draft.base.word, draft.count, {}} {}

  Column run() {
    const Parameters& base = draft_.base;
    if (base.big_endian && base.word > 1) put(ByteswapStep{});
    if (draft_.order_before_scale != 0) put(DifferenceStep{base.tuple, draft_.order_before_scale});
    if (draft_.scale) put(ScaleStep{scale_tuple(base), draft_.scale->kind});
    if (draft_.grid) {
      if (base.order != 0) put(DifferenceStep{base.tuple, base.order});
      put(*draft_.grid);
    } else {
      if (base.row != 0) put(DifferenceStep{base.row, draft_.row_order});
      put_differences();
    }
    if (has_zigzag()) put(ZigzagStep{});
    put_layout();
    return std::move(column_);
  }

 private:
  void put(PlanStep step) { column_.steps.push_back(std::move(step)); }

  void put_differences() {
    const Parameters& base = draft_.base;
    if (draft_.lanes)
      put(*draft_.lanes);
    else if (!draft_.predict && has_rules())
      put(rules());
    else if (!draft_.predict && base.order != 0)
      put(DifferenceStep{base.tuple, base.order});
    if (draft_.predict) put(PredictStep{base.tuple, *draft_.predict});
  }
  bool has_zigzag() const {
    if (draft_.grid) return draft_.base.zigzag;
    return draft_.predict || (!draft_.lanes && !has_rules() && draft_.base.zigzag);
  }
  /// Differences of words of 3, 5, 6 and 7 bytes are quick only as rules of lanes.
  bool has_rules() const {
    return !is_word_size(draft_.base.word) && draft_.base.order != 0 && draft_.base.tuple <= kMaxSideTuple;
  }
  LanesStep rules() const {
    const LaneRule rule{.order = draft_.base.order, .zigzag = draft_.base.zigzag};
    return {std::vector<LaneRule>(draft_.base.tuple, rule), 0};
  }
  void put_layout() {
    if (draft_.tokens)
      return put(TokensStep{draft_.tokens_in_rows ? 1 : draft_.base.tuple, *draft_.tokens, 0});
    Parameters layout{.word = draft_.base.word, .tuple = draft_.base.tuple, .layout = draft_.base.layout};
    const Column column = column_of(layout);  // the loop reads it to its end
    for (const PlanStep& step : column.steps) put(step);
  }

  const ColumnDraft& draft_;
  Column column_;
};

}  // namespace

Column column_of(const ColumnDraft& draft) {
  return Assembly(draft).run();
}

ColumnHints hints_of(const ColumnDraft& draft) {
  ColumnHints hints;
  if (draft.scale) hints.scale = draft.scale->plan;
  hints.highest_order = draft.highest_order;
  return hints;
}

Plan plan_of(const ColumnDraft& draft) {
  return {Coding::zstd, {column_of(draft)}};
}

ColumnDraft before_differences(ColumnDraft draft) {
  draft.base.order = 0;
  draft.base.zigzag = false;
  draft.lanes.reset();
  draft.predict.reset();
  draft.grid.reset();
  return before_layout(std::move(draft));
}

ColumnDraft before_layout(ColumnDraft draft) {
  draft.base.layout = Layout::interleaved;
  draft.tokens.reset();
  return draft;
}

std::optional<Parameters> parameters_of(const Plan& plan, std::optional<std::uint32_t> tuple) {
  if (plan.columns.size() != 1) return std::nullopt;
  const Column& column = plan.columns.front();
  if (!std::ranges::all_of(column.steps, is_of_passes)) return std::nullopt;
  Parameters parameters = formats::parameters_of(column);
  if (!tuple) return parameters;
  if (parameters.order == 1 && parameters.row == 0 && parameters.tuple != *tuple) {
    parameters.row = parameters.tuple;
    parameters.order = 0;
  }
  parameters.tuple = *tuple;
  return parameters;
}

std::size_t tuple_bytes(const Plan& plan) {
  std::size_t rows = 1;
  for (const Column& column : plan.columns) {
    for (const PlanStep& step : column.steps) {
      const std::size_t tuple = tuple_of(step);
      if (tuple == 0 || tuple > kMaxSideTuple) continue;
      const std::size_t both =
          std::lcm(rows, tuple / std::gcd<std::size_t, std::size_t>(tuple, column.count));
      if (both <= kMaxSideTuple * kMaxSideTuple) rows = both;
    }
  }
  return rows * row_bytes(plan);
}

namespace {

/// The words after which a step meets what is alike: of a grid, those of a slice or a line.
std::size_t words_to_like(const PlanStep& step) {
  const auto* grid = std::get_if<GridStep>(&step);
  if (grid == nullptr) return tuple_of(step);
  return std::size_t{grid->tuple} * grid->line * std::max<std::size_t>(grid->height, 1);
}

}  // namespace

std::size_t longest_tuple_bytes(const Plan& plan) {
  std::size_t longest = 0;
  for (const Column& column : plan.columns) {
    for (const PlanStep& step : column.steps) longest = std::max(longest, words_to_like(step) * column.width);
  }
  return longest;
}

std::uint32_t scale_tuple(const Parameters& base) {
  return base.tuple <= kMostScaleLanes ? base.tuple : 1;
}

Result<DraftWords> words_after(const ColumnDraft& draft, const Pieces& pieces, Trial& trial) {
  DraftWords words;
  const ColumnHints hints = hints_of(draft);
  const Plan plan = plan_of(draft);
  for (const auto piece : pieces) {
    // A part of a word would be one more substream.
    auto coded =
        trial.substreams(plan, piece.first(piece.size() / draft.base.word * draft.base.word), {&hints, 1});
    if (!coded) return coded.error();
    const auto last = coded->bytes.last(coded->lengths.back());
    words.memory.emplace_back(last.begin(), last.end());
  }
  for (const auto& memory : words.memory) words.pieces.emplace_back(memory);
  return words;
}

}  // namespace tdz
