// SPDX-License-Identifier: Apache-2.0
#include "codec/search/uniform/uniform_columns.hpp"

#include <algorithm>
#include <utility>

#include "formats/plan/plan_rules.hpp"

namespace tdz {
namespace {

bool are_tokens_in_rows(const PlanStep& step) {
  const auto* tokens = std::get_if<TokensStep>(&step);
  return tokens != nullptr && tokens->tuple == 1;
}

/// The layout's tuple, or that of the last step which has one and is no difference over rows. Tokens in the
/// order of the words say nothing of the words.
std::uint32_t tuple_of(const Column& column) {
  std::uint32_t narrowest = 0;
  for (const PlanStep& step : column.steps) {
    if (are_tokens_in_rows(step)) return narrowest != 0 ? narrowest : 1;
    const std::uint32_t tuple = tdz::tuple_of(step);
    if (tuple != 0 && (narrowest == 0 || tuple < narrowest)) narrowest = tuple;
    if (is_layout(step) && tuple != 0) return tuple;
  }
  return narrowest != 0 ? narrowest : column.count;
}

/// The parts of a column around its difference over the tuple.
struct Parts {
  std::uint8_t width = 1;
  std::uint16_t count = 1;
  std::uint32_t tuple = 1;
  std::vector<PlanStep> before;  ///< what stands before it, differences over rows too
  unsigned order = 0;            ///< 0: there is none
  bool other = false;            ///< another step stands in its place: lanes, predict, or one not known here
  bool zigzag = false;
  char kind = 0;
};

/// Takes one step of a column into its parts.
struct TakeStep {
  Parts& parts;

  /// A difference over the tuple moves behind those over rows: so it is undone where tokens are decoded.
  void operator()(const DifferenceStep& s) const {
    if (s.tuple == parts.tuple)
      parts.order += s.order;
    else
      parts.before.push_back(s);
  }
  void operator()(const ZigzagStep&) const { parts.zigzag = true; }
  void operator()(const ByteswapStep& s) const { parts.before.push_back(s); }
  /// Scale stays behind the differences that it scales.
  void operator()(const ScaleStep& s) const {
    put_difference();
    parts.before.push_back(s);
  }
  void operator()(const LanesStep& s) const { put_other(s); }
  void operator()(const PredictStep& s) const { put_other(s); }
  /// A step that is not known here stays behind all that stands before it.
  template <class OtherStep>
  void operator()(const OtherStep& s) const {
    put_difference();
    if (std::exchange(parts.zigzag, false)) parts.before.push_back(ZigzagStep{});
    put_other(s);
  }

 private:
  void put_difference() const {
    if (parts.order == 0) return;
    const auto order = static_cast<std::uint8_t>(std::exchange(parts.order, 0));
    parts.before.push_back(DifferenceStep{parts.tuple, order});
  }
  void put_other(const PlanStep& s) const {
    parts.before.push_back(s);
    parts.other = true;
  }
};

Parts parts_of(const Column& column) {
  Parts parts{column.width, column.count, tuple_of(column), {}, 0, false, false, column.kind};
  for (const PlanStep& step : column.steps) {
    if (is_layout(step)) break;
    std::visit(TakeStep{parts}, step);
  }
  return parts;
}

/// Lanes start anew with every run, too.
PlanStep in_runs(PlanStep step) {
  if (auto* lanes = std::get_if<LanesStep>(&step)) lanes->run = kUniformRun;
  return step;
}

UniformDraft draft_of(const Parts& parts, unsigned order, bool zigzag) {
  UniformDraft draft{
      {parts.width, parts.count, {}, parts.kind}, parts.tuple, order <= uniform::kHighestFusedOrder};
  auto& steps = draft.column.steps;
  for (const PlanStep& step : parts.before) steps.push_back(in_runs(step));
  if (order != 0) steps.push_back(DifferenceStep{parts.tuple, static_cast<std::uint8_t>(order), kUniformRun});
  if (zigzag) steps.push_back(ZigzagStep{});
  return draft;
}

/// Bytes that only lie side by side may be words: then one token has the shape of all of them.
std::vector<UniformDraft> merged_drafts(const Parts& parts) {
  const std::uint64_t width = std::uint64_t{parts.width} * parts.tuple;
  const bool plain = parts.before.empty() && parts.order == 0 && parts.tuple > 1;
  const bool whole = parts.count == 1 || parts.count == parts.tuple;
  if (!plain || !whole || width > kMaxWidth || !is_word_size(static_cast<std::uint8_t>(width))) return {};
  const Parts merged{static_cast<std::uint8_t>(width), 1, 1, {}, 0, false, false, 0};
  return {draft_of(merged, 0, false), draft_of(merged, 1, true)};
}

}  // namespace

std::vector<UniformDraft> uniform_drafts(const Column& column, bool order_may_change) {
  const Parts parts = parts_of(column);
  std::vector<UniformDraft> drafts;
  if (parts.tuple > kMaxSideTuple || has_grid(column)) return drafts;
  // Differences of words of 3, 5, 6 and 7 bytes are quick only as rules of lanes.
  const bool fixed = parts.other || !order_may_change || !is_word_size(parts.width);
  std::vector<unsigned> orders{parts.order};
  if (!fixed && parts.order > uniform::kHighestFusedOrder + 1) orders.push_back(uniform::kHighestFusedOrder);
  if (!fixed && parts.order > 0) orders.push_back(parts.order - 1);
  if (!fixed && parts.order < kMaxOrder) orders.push_back(parts.order + 1);
  for (const unsigned order : orders) {
    drafts.push_back(draft_of(parts, order, parts.zigzag));
    if (!parts.zigzag) drafts.push_back(draft_of(parts, order, true));
  }
  for (UniformDraft& draft : merged_drafts(parts)) drafts.push_back(std::move(draft));
  std::erase_if(drafts, [](const UniformDraft& d) { return d.column.steps.size() >= kMaxSteps; });
  return drafts;
}

Column with_tokens(const UniformDraft& draft, TokenCode code) {
  Column column = draft.column;
  column.steps.push_back(TokensStep{draft.tuple, code, kUniformRun});
  return column;
}

}  // namespace tdz
