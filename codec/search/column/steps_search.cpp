// SPDX-License-Identifier: Apache-2.0
#include "codec/search/column/steps_search.hpp"

#include <algorithm>
#include <array>

#include "codec/search/column/climb.hpp"
#include "codec/search/column/column_draft.hpp"
#include "codec/search/column/step_proposals.hpp"
#include "kernels/cpu/steps/steps.hpp"

namespace tdz {

using namespace formats;

namespace {

constexpr std::uint64_t kCloseDraft = 24;  // 4 %: another draft may be smaller on longer samples
constexpr std::uint64_t kLittle = 12;      // 8 %: what prediction saves may be less elsewhere
/// Few tokens: zstd decodes them faster, and finds more repeats, than the tokens of least entropy.
constexpr std::array<TokenCode, 2> kShortTokens{{{4, 2}, {2, 1}}};
constexpr std::uint64_t kHopelessStart = 6;  // 17 %: lanes and layouts do not make good for more

/// Words that the proposals look at, lane behind lane, each in a machine word.
struct LaneSamples {
  LaneMap map;
  std::vector<std::byte> lanes;

  const std::uint8_t* words() const { return octets(std::span<const std::byte>(lanes)); }
};

/// Every piece cut down to whole tuples.
Pieces whole_tuples(const Pieces& pieces, const Parameters& base) {
  const std::size_t tuple = std::size_t{base.word} * base.tuple;
  Pieces whole;
  for (const auto piece : pieces) {
    if (piece.size() >= tuple) whole.push_back(piece.first(piece.size() / tuple * tuple));
  }
  return whole;
}

/// What remains of the rules where prediction follows: which lane is subtracted from which.
LanesStep only_sources(LanesStep rules) {
  for (LaneRule& rule : rules.lanes) {
    rule.order = 0;
    rule.zigzag = rule.after = false;
  }
  return rules;
}

/// The same bytes come out.
bool same(const ColumnDraft& a, const ColumnDraft& b) {
  return plan_of(a) == plan_of(b) && a.scale == b.scale && a.highest_order == b.highest_order;
}

bool has_sources(const LanesStep& rules) {
  return std::ranges::any_of(rules.lanes, &LaneRule::has_source);
}

class StepsSearch {
 public:
  StepsSearch(const Start& start, const Pieces& pieces, const SearchOptions& request,
              const SearchLimits& limits, std::uint64_t give_up, Trial& trial)
      : start_(start.draft),
        climbed_(start.climbed),
        scales_(start.scales),
        row_(start.row),
        pieces_(whole_tuples(pieces, start.draft.base)),
        request_(request),
        limits_(limits),
        give_up_(give_up),
        trial_(trial) {}

  Result<FoundSteps> run() {
    // No piece holds a whole tuple, so nothing can be tried: a start that was not measured is as bad as can
    // be.
    if (!climbed_ && pieces_.empty()) return FoundSteps{{start_, UINT64_MAX / 2}, {}, UINT64_MAX / 2};
    if (auto done = search(); !done) return done.error();
    FoundSteps found{best(), {}, kept_.front().packed_bytes};
    std::ranges::stable_sort(close_, {}, &TriedDraft::packed_bytes);
    for (TriedDraft& other : close_) {
      const bool close = !clearly_smaller(found.best.packed_bytes, other.packed_bytes, kCloseDraft);
      const auto again = [&](const TriedDraft& t) { return same(t.draft, other.draft); };
      const bool seen = again(found.best) || std::ranges::any_of(found.close, again);
      if (close && !seen && found.close.size() < limits_.close_drafts)
        found.close.push_back(std::move(other));
    }
    if (auto done = add_without_predict(found); !done) return done.error();
    return found;
  }

 private:
  Status search() {
    if (auto done = begin(); !done) return done.error();
    if (auto done = try_scale(); !done) return done.error();
    if (clearly_smaller(give_up_, best().packed_bytes, kHopelessStart)) return ok();
    if (auto done = try_row_orders(); !done) return done;
    if (auto done = try_differences(); !done) return done;
    return try_layouts();
  }

  /// Prediction adapts itself to the samples, and may do worse elsewhere: where it saves little, longer
  /// samples compare the same without it.
  Status add_without_predict(FoundSteps& found) {
    const auto before =
        std::ranges::find_if(kept_, [](const TriedDraft& d) { return d.draft.predict.has_value(); });
    if (before == kept_.begin() || before == kept_.end()) return ok();
    if (clearly_smaller(found.best.packed_bytes, before[-1].packed_bytes, kLittle)) return ok();
    ColumnDraft draft = before[-1].draft;
    draft.base.layout = found.best.draft.base.layout;
    draft.tokens = found.best.draft.tokens;
    auto size = size_of(draft);
    if (!size) return size.error();
    if (clearly_smaller(found.best.packed_bytes, *size, kCloseDraft)) return ok();
    const auto again = [&](const TriedDraft& t) { return same(t.draft, draft); };
    if (std::ranges::any_of(found.close, again)) return ok();
    if (found.close.size() == limits_.close_drafts) found.close.pop_back();
    found.close.push_back({draft, *size});
    return ok();
  }

  const TriedDraft& best() const { return kept_.back(); }

  Status begin() {
    if (!climbed_) {
      // Rows come after scale: where a row saves much, scale behind it may save no more.
      auto climbed = with_new_differences(start_, scales_.empty() ? limits_.rows_of_steps : 0);
      if (!climbed) return climbed.error();
      start_ = *climbed;
    }
    auto size = size_of(start_);
    if (!size) return size.error();
    kept_.push_back({start_, *size});
    return ok();
  }

  /// A column that makes its words longer than the format allows is as bad as can be.
  Result<std::uint64_t> size_of(const ColumnDraft& draft) {
    const auto known =
        std::ranges::find_if(sized_, [&](const TriedDraft& other) { return same(other.draft, draft); });
    if (known != sized_.end()) return known->packed_bytes;
    const ColumnHints hints = hints_of(draft);
    const Plan plan = plan_of(draft);
    auto size = trial_.packed_together(plan, pieces_, Packing::quick, {&hints, 1});
    if (!size && size.error().kind == ErrorKind::limit) size = UINT64_MAX / 2;
    if (!size) return size;
    *size += trial_.share_of_records(plan, pieces_);
    sized_.push_back({draft, *size});
    return size;
  }

  /// Keeps the draft if it saves one part in `parts` of the best one's size.
  Status attempt(const ColumnDraft& draft, std::uint64_t parts) {
    auto size = size_of(draft);
    if (!size) return size.error();
    if (clearly_smaller(*size, best().packed_bytes, parts)) {
      close_.push_back(kept_.back());
      kept_.push_back({draft, *size});
    } else {
      close_.push_back({draft, *size});
    }
    return ok();
  }

  /// A draft that is decoded faster. Where it counts more than size, it takes the place of the best one if it
  /// is hardly larger.
  Status attempt_quicker(const ColumnDraft& draft) {
    if (!limits_.quick_reading) return attempt(draft, limits_.worth_choice);
    auto size = size_of(draft);
    if (!size) return size.error();
    if (!clearly_smaller(best().packed_bytes, *size, limits_.tolerance)) kept_.back() = {draft, *size};
    return ok();
  }

  // ---- scale

  Status try_scale() {
    const ColumnDraft unscaled = best().draft;
    for (std::size_t i = 0; i < std::min(scales_.size(), limits_.scales); ++i) {
      ColumnDraft draft = unscaled;
      draft.scale = scales_[i];
      if (auto done = attempt(draft, worth(best().draft.scale.has_value())); !done) return done;
      if (draft.base.row == 0 || request_.row) continue;
      draft.base.row = 0;
      if (auto done = attempt(draft, worth(best().draft.scale.has_value())); !done) return done;
    }
    if (auto done = try_scaled_differences(); !done) return done;
    const bool without_rows = !climbed_ && !scales_.empty();
    if (!best().draft.scale && !without_rows) return ok();
    auto again = with_new_differences(best().draft, limits_.rows_of_steps);
    return again ? attempt(*again, limits_.worth_choice) : Status(again.error());
  }

  /// Integers with a remainder, or too long to be scaled, may have differences that are not.
  Status try_scaled_differences() {
    const Parameters& base = best().draft.base;
    const bool possible = is_word_size(base.word) && base.word > 1 && base.tuple <= kMaxSideTuple;
    if (!possible || best().draft.scale || base.order == 0 || base.row != 0 || !may_replace_differences())
      return ok();
    ColumnDraft draft = best().draft;
    auto words = words_after(before_differences(draft), pieces_, trial_);
    if (!words) return words.error();
    const ScaleShape shape{base.word, ScaleKind::integer, scale_tuple(base)};
    if (shape.tuple != base.tuple) return ok();
    auto pairs = common_factors(shape, words->pieces);
    if (pairs.empty()) return ok();
    draft.scale = DraftScale{shape.kind, {std::move(pairs), {}, false}};
    draft.order_before_scale = 1;
    --draft.base.order;
    return attempt(draft, limits_.worth_step);
  }

  /// A step takes time; another choice of its parameters does not.
  std::uint64_t worth(bool has_step) const { return has_step ? limits_.worth_choice : limits_.worth_step; }

  /// The steps that the climb finds for the integers, with at most this number of lengths of rows.
  Result<ColumnDraft> with_new_differences(ColumnDraft draft, std::size_t rows) {
    ColumnDraft scaled = before_differences(draft);
    scaled.base.row = 0;
    auto words = words_after(scaled, pieces_, trial_);
    if (!words) return words.error();
    SearchOptions request = request_;
    request.word = draft.base.word;
    request.tuple = draft.base.tuple;
    request.big_endian = false;
    Parameters shape = apply_request(
        request, {.word = draft.base.word, .order = 1, .zigzag = true, .layout = Layout::tuple_planes});
    shape.tuple = draft.base.tuple;
    shape.row = 0;
    Kind kind{words->pieces, {shape}};
    SniffedHint hint;
    if (row_ % draft.base.word == 0) hint.row_words = static_cast<std::uint32_t>(row_ / draft.base.word);
    SearchLimits limits = limits_;
    limits.rows = std::min(limits.rows, rows);
    auto before = draft.scale ? std::vector<Candidate>{} : std::move(unscaled_);
    auto climbed = climb(kind, request, hint, limits, trial_, std::move(before));
    if (!climbed) return climbed.error();
    const auto found = std::ranges::min_element(climbed->tried, {}, &Candidate::packed_bytes);
    const bool big_endian = draft.base.big_endian;
    if (auto steps = parameters_of(found->plan, shape.tuple)) draft.base = *steps;
    draft.base.big_endian = big_endian;
    if (!draft.scale) unscaled_ = std::move(climbed->tried);
    return draft;
  }

  // ---- lanes and predict

  bool may_replace_differences() const { return !request_.order && !request_.zigzag; }

  /// Smooth grids have small differences of higher orders over rows, too.
  Status try_row_orders() {
    if (request_.order || request_.row || best().draft.base.row == 0) return ok();
    for (std::uint8_t order = 2; order <= limits_.highest_order; ++order) {
      const std::uint64_t before = best().packed_bytes;
      ColumnDraft draft = best().draft;
      draft.row_order = order;
      if (auto done = attempt(draft, limits_.worth_choice); !done) return done;
      if (auto done = try_lower_orders(draft); !done) return done;
      if (best().packed_bytes == before) break;
    }
    return ok();
  }

  /// A difference over rows does a part of the work of the one over the tuple: goes down as long as that
  /// helps.
  Status try_lower_orders(ColumnDraft draft) {
    std::uint64_t before = UINT64_MAX;
    while (draft.base.order > 1 && best().packed_bytes < before) {
      before = best().packed_bytes;
      --draft.base.order;
      if (auto done = attempt(draft, limits_.worth_choice); !done) return done;
    }
    return ok();
  }

  Status try_differences() {
    if (!may_replace_differences() || start_.base.tuple > kMaxSideTuple) return ok();
    auto samples = lane_samples(before_differences(best().draft));
    if (!samples) return samples.error();
    if (samples->map.words == 0) return ok();
    LaneProposal proposal;
    if (start_.base.tuple > 1) proposal = propose_lanes(samples->map, samples->words());
    if (auto done = try_lanes(proposal); !done) return done;
    if (auto done = try_predict(*samples, proposal); !done) return done;
    return try_predict_without_row();
  }

  Status try_lanes(const LaneProposal& proposal) {
    if (proposal.rules.lanes.empty()) return ok();
    for (const LanesStep* rules : {&proposal.rules, &proposal.orders}) {
      ColumnDraft draft = best().draft;
      draft.lanes = *rules;
      const bool seen = is_base(*rules) || (rules == &proposal.orders && *rules == proposal.rules);
      if (seen) continue;
      if (auto done = attempt(draft, worth(best().draft.lanes.has_value())); !done) return done;
    }
    return ok();
  }
  /// The rules are what the difference over the tuple does already.
  bool is_base(const LanesStep& rules) const {
    const Parameters& base = best().draft.base;
    return std::ranges::all_of(rules.lanes, [&](const LaneRule& rule) {
      return !rule.has_source() && rule.order == base.order && rule.zigzag == base.zigzag;
    });
  }

  /// Prediction may do what a difference over rows does, and more.
  Status try_predict_without_row() {
    if (limits_.highest_predictor == 0 || best().draft.base.row == 0 || request_.row) return ok();
    ColumnDraft draft = best().draft;
    draft.base.row = 0;
    draft.lanes.reset();
    draft.highest_order = limits_.highest_predictor;
    auto samples = lane_samples(before_differences(draft));
    return samples ? try_predict(draft, *samples, !draft.scale && draft.base.word == 1)
                   : Status(samples.error());
  }

  Status try_predict(const LaneSamples& samples, const LaneProposal& proposal) {
    if (limits_.highest_predictor == 0) return ok();
    ColumnDraft alone = best().draft;
    alone.lanes.reset();
    alone.highest_order = limits_.highest_predictor;
    if (auto done = try_predict(alone, samples, alone.base.row == 0 && !alone.scale && alone.base.word == 1);
        !done)
      return done;
    if (!has_sources(proposal.rules)) return ok();
    alone.lanes = only_sources(proposal.rules);
    LaneSamples left{samples.map, std::vector<std::byte>(samples.lanes.size())};
    std::vector<std::byte> scratch(samples.map.length(0) * samples.map.word);
    cpu::encode_lanes(samples.map, *alone.lanes, samples.words(), octets(std::span(left.lanes)),
                      octets(std::span(scratch)));
    return try_predict(alone, left, false);
  }

  Status try_predict(ColumnDraft draft, const LaneSamples& samples, bool may_be_unsigned) {
    const auto saves = [&](Sign sign) {
      return predict_saves(samples.map, sign, samples.words(), limits_.highest_predictor);
    };
    int best_saving = saves(Sign::is_signed);
    draft.predict = Sign::is_signed;
    if (may_be_unsigned && saves(Sign::is_unsigned) > best_saving) {
      best_saving = saves(Sign::is_unsigned);
      draft.predict = Sign::is_unsigned;
    }
    const bool over_rows = draft.base.row != 0;
    if (best_saving < (over_rows ? limits_.promise_over_rows : limits_.promise_predict)) return ok();
    return attempt(draft, limits_.worth_predict);
  }

  // ---- layouts

  Status try_layouts() {
    if (request_.layout) return ok();
    for (const Layout layout : {Layout::tuple_planes, Layout::bit_planes, Layout::planes}) {
      ColumnDraft draft = best().draft;
      const bool same_for_one = layout == Layout::tuple_planes || draft.base.tuple == 1;
      const bool same = draft.base.layout == layout || (draft.base.layout == Layout::planes && same_for_one);
      if (same || (layout == Layout::planes && !limits_.each_layout)) continue;
      draft.base.layout = layout;
      if (auto done = attempt(draft, limits_.worth_choice); !done) return done;
    }
    return try_tokens();
  }

  Status try_tokens() {
    if (limits_.token_codes == 0 || start_.base.tuple > kMaxSideTuple) return ok();
    auto samples = lane_samples(before_layout(best().draft));
    if (!samples) return samples.error();
    if (samples->map.words == 0) return ok();
    auto codes = propose_tokens(samples->map, samples->words());
    if (codes.size() > limits_.token_codes) codes.resize(limits_.token_codes);
    for (const TokenCode code : codes) {
      if (auto done = attempt(with_tokens(code), worth(best().draft.tokens.has_value())); !done) return done;
    }
    for (const TokenCode code : kShortTokens) {
      if (!is_quicker(code) || !is_token_code(code, samples->map.bits())) continue;
      if (auto done = attempt_quicker(with_tokens(code)); !done) return done;
    }
    return try_tokens_in_rows();
  }

  /// Tokens of all lanes behind one another, as the words stand. Lanes that are alike share their statistics
  /// then, and need not be interleaved when they are read.
  Status try_tokens_in_rows() {
    const auto tokens = smallest_with_tokens();
    if (!tokens || tokens->base.tuple == 1) return ok();
    ColumnDraft draft = *tokens;
    const bool by_lanes = draft.lanes || draft.predict || !is_word_size(draft.base.word);
    if (by_lanes) return ok();
    draft.tokens_in_rows = true;
    return attempt_quicker(draft);
  }

  /// Of all drafts so far.
  std::optional<ColumnDraft> smallest_with_tokens() const {
    if (best().draft.tokens) return best().draft;
    const TriedDraft* smallest = nullptr;
    for (const TriedDraft& other : close_) {
      if (other.draft.tokens && (smallest == nullptr || other.packed_bytes < smallest->packed_bytes))
        smallest = &other;
    }
    return smallest == nullptr ? std::nullopt : std::optional(smallest->draft);
  }

  /// Than the best draft. Of planes zstd decodes every byte, but of words only a token each.
  bool is_quicker(TokenCode code) const {
    const ColumnDraft& draft = best().draft;
    return draft.tokens ? *draft.tokens != code : draft.base.word >= 4;
  }

  ColumnDraft with_tokens(TokenCode code) const {
    ColumnDraft draft = best().draft;
    draft.tokens = code;
    return draft;
  }

  // ---- words

  /// The words of all pieces, lane behind lane.
  Result<LaneSamples> lane_samples(const ColumnDraft& draft) {
    auto words = words_after(draft, pieces_, trial_);
    if (!words) return words.error();
    std::vector<std::byte> all;
    for (const auto piece : words->pieces) all.insert(all.end(), piece.begin(), piece.end());
    LaneSamples samples;
    samples.map = LaneMap::of_width(draft.base.word, draft.base.tuple, all.size() / draft.base.word);
    const std::size_t bytes = samples.map.words * samples.map.word;
    std::vector<std::byte> wide(bytes);
    cpu::widen(draft.base.word, octets(std::span<const std::byte>(all)), octets(std::span(wide)),
               samples.map.words);
    samples.lanes.resize(bytes);
    cpu::deinterleave(samples.map, octets(std::span<const std::byte>(wide)),
                      octets(std::span(samples.lanes)));
    return samples;
  }

  ColumnDraft start_;
  const bool climbed_;
  const std::vector<DraftScale>& scales_;
  const std::size_t row_;  // in bytes: a length of rows that is worth trying; 0: none is known
  Pieces pieces_;
  const SearchOptions& request_;
  const SearchLimits& limits_;
  const std::uint64_t give_up_;
  Trial& trial_;
  std::vector<TriedDraft> kept_;     // each clearly smaller than the one before
  std::vector<TriedDraft> close_;    // the others, and those before
  std::vector<TriedDraft> sized_;    // all
  std::vector<Candidate> unscaled_;  // differences that the climb tried without scale
};

}  // namespace

Result<FoundSteps> search_steps(const Start& start, const Pieces& pieces, const SearchOptions& request,
                                const SearchLimits& limits, std::uint64_t give_up, Trial& trial) {
  return StepsSearch(start, pieces, request, limits, give_up, trial).run();
}

}  // namespace tdz
