// SPDX-License-Identifier: Apache-2.0
#include "codec/search/search.hpp"

#include <algorithm>
#include <numeric>

#include "codec/search/column/climb.hpp"
#include "codec/search/column/grid_proposals.hpp"
#include "codec/search/column/steps_search.hpp"
#include "codec/search/packing_plan.hpp"
#include "codec/search/recipe_changes.hpp"
#include "codec/search/records/record_search.hpp"
#include "codec/stream/options.hpp"
#include "formats/plan/made_plans.hpp"
#include "kernels/float_environment.hpp"

namespace tdz {
namespace {

constexpr std::size_t kSamples = 8;
constexpr std::size_t kSampleBytes = std::size_t{128} << 10;  // 1 MiB in all, as long as a chunk
constexpr std::size_t kAloneBytes = std::size_t{64} << 10;    // of a piece, to compare pieces one by one
constexpr std::size_t kFinalBytes = std::size_t{512} << 10;   // of all pieces, to compare finalists
constexpr std::size_t kLongSamples = 2;                       // as long together
constexpr std::size_t kRowsOfPiece = 16;
constexpr std::size_t kManyRows = 64;
constexpr std::size_t kFinalistsOfKind = 2;
constexpr std::size_t kGridShapes = 2;  // words and tuples for which a grid is tried
// The next ones are parts of a size: n means 1/n of it.
constexpr std::uint64_t kClearly = 33;         // 3 %: a chunk takes another recipe if it saves more than this
constexpr std::uint64_t kCloseCandidate = 16;  // 6 %: within this a candidate may still win on longer samples
constexpr std::uint64_t kHardly = 40;          // 2.5 %: within this the packing may decide between finalists
constexpr std::uint64_t kFarSmaller = 8;   // 12 %: steps that save so much leave differences alone no chance
constexpr std::uint64_t kNear = 4;         // 25 %: within this plain bytes stay a finalist
constexpr std::uint64_t kWorthSteps = 50;  // 2 %: steps must save more than this over plain bytes
constexpr std::uint64_t kWorthTokenLanes = 100;  // 1 %: what long chunks gain from tokens lane by lane
constexpr std::uint64_t kWorthAnother = 50;  // 2 %: a further recipe costs time and must save more than this

/// The lanes of tokens; 0, if there are none, or several columns.
std::uint32_t token_lanes(const Plan& plan) {
  const Column& column = plan.columns.front();
  const auto* tokens = tokens_of(column);
  return plan.columns.size() == 1 && tokens != nullptr ? tokens->tuple : 0;
}

/// Tokens of all lanes behind one another.
bool has_tokens_in_rows(const Plan& plan) {
  return token_lanes(plan) == 1 && tuple_bytes(plan) > plan.columns.front().width;
}

/// Their substreams are of one sort, as far as the first column shows it.
bool have_one_layout(const Plan& a, const Plan& b) {
  const auto has_tokens = [](const Plan& plan) {
    const Column& column = plan.columns.front();
    return tokens_of(column) != nullptr;
  };
  return a.columns.size() == b.columns.size() &&
         word_layout(a.columns.front()) == word_layout(b.columns.front()) && has_tokens(a) == has_tokens(b) &&
         has_no_steps(a) == has_no_steps(b);
}

/// The packed sizes of one finalist, piece by piece.
using Sizes = std::vector<std::uint64_t>;

/// The recipe of each piece, by the same rule as choose_recipe.
std::vector<std::size_t> recipes_of_pieces(const std::vector<Sizes>& sizes,
                                           const std::vector<std::size_t>& chosen) {
  std::vector<std::size_t> recipe_of(sizes.front().size(), 0);
  for (std::size_t piece = 0; piece < recipe_of.size(); ++piece) {
    for (std::size_t c = 1; c < chosen.size(); ++c) {
      const std::uint64_t so_far = sizes[chosen[recipe_of[piece]]][piece];
      if (clearly_smaller(sizes[chosen[c]][piece], so_far, kClearly)) recipe_of[piece] = c;
    }
  }
  return recipe_of;
}

std::uint64_t total_of(const std::vector<Sizes>& sizes, const std::vector<std::size_t>& chosen) {
  const auto recipe_of = recipes_of_pieces(sizes, chosen);
  std::uint64_t sum = 0;
  for (std::size_t piece = 0; piece < recipe_of.size(); ++piece)
    sum += sizes[chosen[recipe_of[piece]]][piece];
  return sum;
}

/// The first finalist, then each one that makes the sum clearly smaller when every piece takes its best
/// recipe. A finalist that no piece takes is left out.
std::vector<std::size_t> choose(const std::vector<Sizes>& sizes, std::size_t first, std::size_t most) {
  std::vector<std::size_t> chosen{first}, all(sizes.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  while (chosen.size() < most) {
    const auto with = [&](std::size_t other) {
      auto more = chosen;
      more.push_back(other);
      return total_of(sizes, more);
    };
    const std::size_t next = *std::ranges::min_element(all, {}, with);
    if (!clearly_smaller(with(next), total_of(sizes, chosen), kWorthAnother)) break;
    chosen.push_back(next);
  }
  const auto recipe_of = recipes_of_pieces(sizes, chosen);
  std::vector<std::size_t> used;
  for (std::size_t c = 0; c < chosen.size(); ++c) {
    if (std::ranges::find(recipe_of, c) != recipe_of.end()) used.push_back(chosen[c]);
  }
  return used;
}

/// Nothing is open: the caller gets these steps and no others.
bool says_all(const SearchOptions& request) {
  return request.word && request.tuple && request.order && request.zigzag && request.layout;
}

/// The caller wants some step, or the shape of its numbers.
bool asks_for_steps(const SearchOptions& request) {
  return request.word || request.tuple || request.order || request.zigzag || request.layout || request.row ||
         !request.fields.empty();
}

class Search {
 public:
  Search(const SearchInput& known, std::uint64_t raw_prefix, const SearchOptions& request, int level,
         bool may_skip)
      : input_(known.input),
        raw_prefix_(raw_prefix),
        may_skip_(may_skip),
        request_(request),
        hint_(known.hint),
        limits_(limits_of(request.effort)),
        level_(level),
        trial_(level, known.sizes) {
    limits_.quick_reading = level == 1;
    if (known.for_gpu) limit_for_gpu();
    const std::uint64_t numbers = input_.size() - std::min(raw_prefix, input_.size());
    const bool one_chunk = numbers <= (known.chunk_bytes != 0 ? known.chunk_bytes : kUsualChunk);
    if (one_chunk) limits_.recipes = 1;
    seen_whole_ = one_chunk && numbers <= kSamples * kSampleBytes;
    trial_.count_plans(numbers);
    heed_repeats(known.repeats_after);
  }

  Result<Found> run() {
    const FloatEnvironment usual;
    const bool known = !request_.fields.empty();
    if (auto done = known ? find_steps_of_fields() : find_finalists(); !done) return done.error();
    if (finalists_.empty()) add_finalist({formats::plan_of(column_of(apply_request(request_, {}))), {}, {}});
    if (auto done = choose_recipes(); !done) return done.error();
    if (auto done = pack_repeats(); !done) return done.error();
    found_.samples = std::move(samples_);  // the spans stay valid: moving a vector keeps its memory
    return std::move(found_);
  }

 private:
  /// A GPU has no grid, and takes a seventh longer for 12 words of prediction than for 8.
  void limit_for_gpu() {
    limits_.grid_lines = 0;
    limits_.highest_predictor =
        std::min(limits_.highest_predictor, request_.effort == Effort::best ? 16u : 8u);
  }

  /// Where the input repeats itself, nothing may depend on where a repeat stands: not on blocks, not on
  /// single bits.
  void heed_repeats(std::uint64_t distance) {
    if (distance == 0 || distance > limits_.farthest_repeat) return;
    found_.repeats_after = distance;
    limits_.highest_predictor = 0;
    limits_.token_codes = 0;
  }

  /// Where the input repeats itself, one packing finds it: the level that is better for samples which stand
  /// twice.
  Status pack_repeats() {
    if (found_.repeats_after == 0) return ok();
    if (auto done = try_plain_repeats(); !done) return done;
    for (Recipe& recipe : found_.recipes) {
      const Pieces once = pieces_for(recipe, samples_, samples_.pieces);
      Pieces twice = once;
      twice.insert(twice.end(), once.begin(), once.end());
      auto slow = trial_.packed_together(recipe.plan, twice, Packing::distant, recipe.hints);
      if (!slow) return slow.error();
      auto quick = trial_.packed_together(recipe.plan, twice, Packing::distant_quick, recipe.hints);
      if (!quick) return quick.error();
      recipe.packing = one_packing(*slow < *quick ? Packing::distant : Packing::distant_quick);
    }
    return ok();
  }

  /// What stands again at another place of a tuple is not the same behind the steps: it costs its size again,
  /// until the places have taken their turns. Plain bytes cost it once.
  Status try_plain_repeats() {
    const Recipe& recipe = found_.recipes.front();
    const std::uint64_t words = word_layout(recipe.plan.columns.front()) == Layout::bit_planes ? 8 : 1;
    const std::uint64_t unit = tuple_bytes(recipe.plan) * words;
    const std::uint64_t times = std::min<std::uint64_t>(unit / std::gcd(unit, found_.repeats_after),
                                                        (input_.size() - raw_prefix_) / found_.repeats_after);
    if (times < 2 || has_no_steps(recipe.plan) || asks_for_steps(request_)) return ok();
    const Pieces pieces = pieces_for(recipe, samples_, samples_.pieces);
    auto with_steps = trial_.packed_together(recipe.plan, pieces, Packing::quick, recipe.hints);
    if (!with_steps) return with_steps.error();
    auto plain = trial_.packed_together(plain_plan(), samples_.pieces, Packing::search);
    if (!plain) return plain.error();
    if (*plain < *with_steps * times) found_.recipes = {Recipe{}};
    return ok();
  }

  Status take_short_samples() {
    auto samples = take_different_samples(input_, raw_prefix_, kSamples, kSampleBytes);
    if (!samples) return samples.error();
    samples_ = std::move(*samples);
    return cut_varied_piece();
  }

  /// A short input is a single piece, and much is decided by the first part of each piece. Where its begin is
  /// unlike the rest, such as the mask of a grid, it is cut into several.
  Status cut_varied_piece() {
    constexpr std::size_t kPart = std::size_t{32} << 10, kCuts = 4;
    constexpr std::uint64_t kUnlike = 3;  // a third of the size
    if (samples_.pieces.size() != 1 || samples_.bytes() < kCuts * kPart) return ok();
    const auto all = samples_.pieces.front();
    const auto begin = trial_.packed_alone(plain_plan(), all.first(kPart));
    if (!begin) return begin.error();
    const auto later = trial_.packed_alone(plain_plan(), all.subspan(all.size() * 2 / 3, kPart));
    if (!later) return later.error();
    if (!clearly_smaller(*begin, *later, kUnlike) && !clearly_smaller(*later, *begin, kUnlike)) return ok();
    auto samples = take_samples(input_, raw_prefix_, kCuts, all.size() / kCuts);
    if (!samples) return samples.error();
    samples_ = std::move(*samples);
    return ok();
  }

  /// The steps of columns that the caller knows.
  Status find_steps_of_fields() {
    if (auto done = take_short_samples(); !done) return done;
    auto found = search_fields(samples_, samples_.pieces, request_.fields, request_, limits_, trial_);
    if (!found) return found.error();
    if (*found) {
      add_finalist({std::move((*found)->plan), std::move((*found)->hints), {}});
      return ok();
    }
    auto usual = formats::plan_of(request_.fields, request_.order.value_or(1));
    if (!usual) return usual.error();
    for (Column& column : usual->columns)
      if (request_.big_endian) formats::begin_with_byteswap(column);
    add_finalist({*std::move(usual), {}, {}});
    return ok();
  }

  Status find_finalists() {
    if (auto done = take_short_samples(); !done) return done;
    auto kinds = find_kinds(samples_, request_, hint_, limits_, trial_);
    if (!kinds) return kinds.error();
    one_kind_ = kinds->size() == 1 && samples_.pieces.size() == kSamples;
    for (const Kind& kind : *kinds) {
      const bool whole = &kind == &kinds->front();
      auto climbed = climb(kind, request_, hint_, limits_, trial_);
      if (!climbed) return climbed.error();
      add_finalists(climbed->tried, whole ? limits_.finalists : kFinalistsOfKind);
      if (auto done = add_steps(whole ? without_others(*kinds) : kind, *climbed); !done) return done;
      if (!whole) continue;
      found_.tried = std::move(climbed->tried);
      found_.tried_on = std::move(climbed->pieces);
    }
    return ok();
  }

  /// Adds the best few, and plain bytes if they are near the best.
  void add_finalists(std::vector<Candidate> tried, std::size_t count) {
    std::ranges::stable_sort(tried, {}, &Candidate::packed_bytes);
    const std::uint64_t near = tried.front().packed_bytes + tried.front().packed_bytes / kNear;
    std::vector<Layout> layouts;
    for (std::size_t i = 0; i < tried.size() && tried[i].packed_bytes <= near; ++i) {
      const Plan& plan = tried[i].plan;
      const bool plain = has_no_steps(plan);
      const Layout last = word_layout(plan.columns.front());
      const bool first_of_layout = std::ranges::find(layouts, last) == layouts.end();
      layouts.push_back(last);
      const bool close = !clearly_smaller(tried.front().packed_bytes, tried[i].packed_bytes, kCloseCandidate);
      if ((i < count && close) || plain || (limits_.each_layout && first_of_layout)) {
        add_finalist({quick_to_undo(plan), {}, {}});
      }
    }
  }
  /// Differences of words of 3, 5, 6 and 7 bytes are quick only as rules of lanes.
  static Plan quick_to_undo(const Plan& plan) {
    const auto steps = is_word_size(plan.columns.front().width) ? std::nullopt : parameters_of(plan);
    return steps ? plan_of(ColumnDraft{.base = *steps}) : plan;
  }
  void add_finalist(Recipe recipe) {
    const auto same = [&](const Recipe& other) { return other.plan == recipe.plan; };
    if (std::ranges::none_of(finalists_, same)) finalists_.push_back(std::move(recipe));
  }

  /// The first kind, with the pieces that no other kind has.
  static Kind without_others(const std::vector<Kind>& kinds) {
    Kind kind = kinds.front();
    const auto is_of_others = [&](std::span<const std::byte> piece) {
      return std::any_of(kinds.begin() + 1, kinds.end(), [&](const Kind& other) {
        return std::ranges::find(other.pieces, piece.data(), &std::span<const std::byte>::data) !=
               other.pieces.end();
      });
    };
    std::erase_if(kind.pieces, is_of_others);
    return kind.pieces.empty() ? kinds.front() : kind;
  }

  /// What scale, lanes, predict and tokens make of the best candidates.
  Status add_steps(const Kind& kind, const Climbed& climbed) {
    if (says_all(request_)) return ok();
    std::vector<TriedDraft> drafts;
    std::uint64_t smallest = UINT64_MAX / 2;
    std::uint64_t climbed_to = 0;  // packed size of the best candidate of the climb, on the same pieces
    std::vector<Start> starts = starts_of(samples_, kind, climbed, request_, limits_);
    if (auto done = add_scaled_start(starts); !done) return done;
    const bool long_rows = std::ranges::any_of(starts, [this](const Start& s) { return has_long_rows(s); });
    for (const Start& start : starts) {
      const Pieces pieces = pieces_for_steps(start, kind.pieces, long_rows);
      auto steps = search_steps(start, pieces, request_, limits_, smallest, trial_);
      if (!steps) return steps.error();
      smallest = std::min(smallest, steps->best.packed_bytes);
      if (start.climbed && climbed_to == 0) climbed_to = steps->bytes_of_start;
      drafts.push_back(steps->best);
      drafts.insert(drafts.end(), steps->close.begin(), steps->close.end());
    }
    // Differences alone have no chance then; plain bytes may have one, where repeats are far apart.
    if (one_kind_ && clearly_smaller(smallest, climbed_to, kFarSmaller))
      std::erase_if(finalists_, [](const Recipe& r) { return !has_no_steps(r.plan); });
    const bool scaled =
        std::ranges::any_of(drafts, [](const TriedDraft& d) { return d.draft.scale.has_value(); });
    if (auto done = add_long_row(drafts, kind); !done) return done;
    if (auto done = add_grids(drafts, kind); !done) return done;
    add_drafts(std::move(drafts), smallest);
    // Where something is scaled already, only --best has the time for parts.
    return scaled && request_.effort != Effort::best ? ok() : add_steps_of_parts(kind, climbed);
  }
  /// A short input is a single piece, of which scale is looked for in the first part only: that may hold
  /// other numbers. The search of packed groups looks elsewhere; what it scales is a start too.
  Status add_scaled_start(std::vector<Start>& starts) {
    const auto is_scaled = [](const Start& start) {
      return std::ranges::any_of(start.scales, [](const DraftScale& s) { return !s.plan.pairs.empty(); });
    };
    if (samples_.pieces.size() != 1 || asks_for_steps(request_) || std::ranges::any_of(starts, is_scaled))
      return ok();
    if (!may_hold_reals(samples_.pieces)) return ok();
    SearchOptions request = request_;
    request.effort = Effort::fastest;
    const auto packed = search_packed({input_, hint_, 0, 0, nullptr}, raw_prefix_, request, false);
    if (!packed) return packed.error();
    const Recipe& recipe = packed->recipes.front();
    const Column& column = recipe.plan.columns.front();
    if (recipe.hints.empty() || !recipe.hints.front().scale) return ok();
    const auto& scale = std::get<ScaleStep>(*std::ranges::find_if(
        column.steps, [](const PlanStep& s) { return std::holds_alternative<ScaleStep>(s); }));
    const bool swapped = std::holds_alternative<ByteswapStep>(column.steps.front());
    Start start{{.base = {.word = column.width, .order = 1, .zigzag = true, .layout = Layout::tuple_planes}},
                false,
                {{scale.kind, *recipe.hints.front().scale}}};
    start.draft.base.tuple = scale.tuple;
    start.draft.base.big_endian = swapped;
    if (!starts.empty()) start.row = starts.front().row;
    starts.insert(starts.begin(), std::move(start));
    return ok();
  }

  /// Adds the best draft with a difference over long rows, if its words stand in such rows. size_finalists
  /// then compares all finalists on longer samples.
  Status add_long_row(const std::vector<TriedDraft>& drafts, const Kind& kind) {
    const auto best = std::ranges::min_element(drafts, {}, &TriedDraft::packed_bytes);
    if (best == drafts.end() || !one_kind_ || request_.order || request_.row) return ok();
    const formats::Parameters& base = best->draft.base;
    auto draft = with_long_row(best->draft,
                               aligned(samples_, kind.pieces, std::size_t{base.word} * base.tuple), trial_);
    if (!draft) return draft.error();
    if (*draft) add_finalist({plan_of(**draft), {hints_of(**draft)}, {}});
    return ok();
  }

  /// Adds the best draft, and the best one of another shape, with a grid in place of their differences.
  Status add_grids(const std::vector<TriedDraft>& drafts, const Kind& kind) {
    if (limits_.grid_lines == 0 || request_.order || request_.row || request_.zigzag || request_.layout)
      return ok();
    std::vector<TriedDraft> shapes = drafts;
    std::ranges::stable_sort(shapes, {}, &TriedDraft::packed_bytes);
    const auto same_shape = [](const TriedDraft& a, const TriedDraft& b) {
      const formats::Parameters &x = a.draft.base, &y = b.draft.base;
      return x.word == y.word && x.tuple == y.tuple && x.big_endian == y.big_endian &&
             a.draft.scale.has_value() == b.draft.scale.has_value();
    };
    std::vector<TriedDraft> tried;
    for (const TriedDraft& d : shapes) {
      if (tried.size() == kGridShapes) break;
      if (std::ranges::any_of(tried, [&](const TriedDraft& t) { return same_shape(t, d); })) continue;
      if (clearly_smaller(shapes.front().packed_bytes, d.packed_bytes, kNear)) continue;
      tried.push_back(d);
      const formats::Parameters& base = d.draft.base;
      const std::size_t tuple = base.tuple <= kMostGridLanes ? base.tuple : 1;
      auto grids = grid_drafts(d.draft, hint_ ? hint_->row_words : 0,
                               aligned(samples_, kind.pieces, base.word * tuple), limits_, trial_);
      if (!grids) return grids.error();
      for (const ColumnDraft& grid : *grids) add_finalist({plan_of(grid), {hints_of(grid)}, {}});
    }
    return ok();
  }

  /// Some pieces may hold decimals and others none.
  Status add_steps_of_parts(const Kind& kind, const Climbed& climbed) {
    if (limits_.recipes == 1) return ok();
    for (const PartStart& part : scaled_parts_of(samples_, kind, climbed, request_, limits_)) {
      const Pieces pieces = pieces_for_steps(part.start, part.pieces, has_long_rows(part.start));
      auto steps = search_steps(part.start, pieces, request_, limits_, UINT64_MAX / 2, trial_);
      if (!steps) return steps.error();
      add_finalist({plan_of(steps->best.draft), {hints_of(steps->best.draft)}, {}});
      one_kind_ = false;
    }
    return ok();
  }
  void add_drafts(std::vector<TriedDraft> drafts, std::uint64_t smallest) {
    std::ranges::stable_sort(drafts, {}, &TriedDraft::packed_bytes);
    if (drafts.size() > limits_.drafts) drafts.resize(limits_.drafts);
    for (const TriedDraft& d : drafts) {
      if (!clearly_smaller(smallest, d.packed_bytes, kCloseCandidate))
        add_finalist({plan_of(d.draft), {hints_of(d.draft)}, {}});
    }
  }

  bool has_long_rows(const Start& start) const {
    const formats::Parameters& base = start.draft.base;
    return std::uint64_t{base.word} * base.row * kRowsOfPiece > limits_.step_bytes;
  }

  /// Parts of the pieces. Of numbers in long rows fewer pieces, but all of each: the first row has no row
  /// before it. Where there are few pieces, all starts get all of them then: one start must not be compared
  /// on the begin of an input, and another one on the whole.
  Pieces pieces_for_steps(const Start& start, const Pieces& pieces, bool any_has_long_rows) const {
    const std::size_t apart = kSampleBytes / limits_.step_bytes;
    const formats::Parameters& base = start.draft.base;
    const Pieces all = aligned(samples_, pieces, std::size_t{base.word} * base.tuple);
    if (any_has_long_rows && all.size() <= apart / 2) return all;
    if (!has_long_rows(start)) return first_of(all, limits_.step_bytes);
    Pieces some;
    for (std::size_t i = apart / 2; i < all.size(); i += apart) some.push_back(all[i]);
    return some;
  }

  static Pieces pieces_for(const Recipe& recipe, const Samples& samples, const Pieces& pieces) {
    return aligned(samples, pieces, tuple_bytes(recipe.plan));
  }

  /// Differences over long rows need long pieces: the first row of each has no row before it.
  Status take_long_samples() {
    std::size_t longest = 0;
    for (const Recipe& recipe : finalists_) longest = std::max(longest, longest_tuple_bytes(recipe.plan));
    if (longest * kManyRows <= kSampleBytes) return ok();
    auto samples =
        take_different_samples(input_, raw_prefix_, kLongSamples, kSamples / kLongSamples * kSampleBytes);
    if (!samples) return samples.error();
    long_samples_ = *std::move(samples);
    return ok();
  }

  /// A short input as one piece: its packing is planned on what will be packed.
  Status take_chunk() {
    if (!seen_whole_) return ok();
    auto chunk = take_samples(input_, raw_prefix_, 1, kSamples * kSampleBytes);
    if (!chunk) return chunk.error();
    chunk_ = *std::move(chunk);
    return ok();
  }
  const Samples& samples_to_plan() const { return chunk_.pieces.empty() ? samples_of_whole() : chunk_; }

  const Samples& samples_of_whole() const { return long_samples_.pieces.empty() ? samples_ : long_samples_; }

  /// Chooses the recipes among the finalists, and the packing plan of each.
  Status choose_recipes() {
    if (samples_.pieces.empty()) {
      found_.recipes.push_back(finalists_.front());
      return ok();
    }
    if (auto done = take_long_samples(); !done) return done;
    if (auto done = take_chunk(); !done) return done;
    if (auto done = size_finalists(); !done) return done;
    if (auto done = add_records(); !done) return done;
    if (found_.skipped > 0) return ok();  // another search begins there
    const std::size_t first = first_choice();
    auto sizes = limits_.recipes == 1 ? unsized_pieces() : sizes_of_pieces(one_kind_);
    const bool several = sizes && one_kind_ && shows_alone(first) &&
                         choose(*sizes, first, limits_.recipes) != std::vector{first};
    if (several) sizes = sizes_of_pieces(false);
    if (!sizes) return sizes.error();
    const auto chosen = choose(*sizes, first, shows_alone(first) ? limits_.recipes : 1);
    const auto recipe_of = recipes_of_pieces(*sizes, chosen);
    for (std::size_t c = 0; c < chosen.size(); ++c) {
      Pieces theirs;
      for (std::size_t piece = 0; piece < recipe_of.size(); ++piece) {
        if (recipe_of[piece] == c) theirs.push_back(samples_.pieces[piece]);
      }
      const bool alone = chosen.size() == 1;
      const Samples& samples = alone ? samples_to_plan() : samples_;
      auto near = c == 0 ? near_of(chosen[0]) : Result(near_on(*sizes, recipe_of, c, chosen[c]));
      if (!near) return near.error();
      auto recipe = smallest_planned(*near, samples, alone ? samples.pieces : theirs);
      if (!recipe) return recipe.error();
      const Pieces own = pieces_for(*recipe, samples_, alone ? samples_.pieces : theirs);
      auto with_pairs = with_found_pairs(*recipe, own, trial_);
      if (!with_pairs) return with_pairs.error();
      auto quick = quick_to_read(*std::move(with_pairs), samples, alone ? samples.pieces : theirs);
      if (!quick) return quick.error();
      found_.recipes.push_back(*std::move(quick));
    }
    if (chosen.size() == 1) keep_many_lanes(first);
    return ok();
  }

  /// Where there is one recipe, pieces choose nothing.
  Result<std::vector<Sizes>> unsized_pieces() const {
    return std::vector<Sizes>(finalists_.size(), Sizes(samples_.pieces.size(), 0));
  }

  /// Whether single pieces show what this finalist saves. In an input of one kind, tuples longer than half of
  /// kAloneBytes save nothing within one piece.
  bool shows_alone(std::size_t finalist) const {
    return !one_kind_ || 2 * longest_tuple_bytes(finalists_[finalist].plan) <= kAloneBytes;
  }

  void keep_many_lanes(std::size_t first) {
    std::uint64_t least = UINT64_MAX;
    for (std::size_t i = 0; i < finalists_.size(); ++i) {
      const std::uint32_t lanes = token_lanes(finalists_[i].plan);
      const bool many = lanes >= kManyLanes && lanes != token_lanes(finalists_[first].plan);
      const bool close = !clearly_smaller(sizes_[first], sizes_[i], kCloseCandidate);
      if (!many || !close || sizes_[i] >= least) continue;
      least = sizes_[i];
      found_.many_lanes = finalists_[i];
    }
  }

  /// The finalist itself, and then others that are hardly larger: the packing that is planned may change
  /// their order.
  Result<std::vector<std::size_t>> near_of(std::size_t first) {
    std::vector<std::size_t> near{first};
    add_near(sizes_, first, limits_.planned, kHardly, near);
    if (seen_whole_ && has_grid(finalists_[first])) add_best_without_grid(near);
    if (has_no_steps(finalists_[first].plan)) return near;
    if (limits_.finalist_packing == Packing::quick) return near;
    auto sizes = quickly_planned_sizes();
    if (!sizes) return sizes.error();
    const auto best = static_cast<std::size_t>(std::ranges::min_element(*sizes) - sizes->begin());
    add_near(*sizes, best, near.size() + limits_.planned / 2, kHardly, near);
    return near;
  }

  /// The same for a further recipe, by the pieces that take it. These are short, and tell layouts apart
  /// badly.
  std::vector<std::size_t> near_on(const std::vector<Sizes>& sizes, const std::vector<std::size_t>& recipe_of,
                                   std::size_t recipe, std::size_t finalist) const {
    Sizes theirs(sizes.size(), 0);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      for (std::size_t piece = 0; piece < recipe_of.size(); ++piece)
        if (recipe_of[piece] == recipe) theirs[i] += sizes[i][piece];
    }
    std::vector<std::size_t> near{finalist};
    add_near(theirs, finalist, std::min<std::size_t>(limits_.planned, 2), kCloseCandidate, near);
    return near;
  }

  /// Adds finalists that are larger than `first` by less than one part in `parts`, the smallest first, until
  /// there are `most`.
  static void add_near(const Sizes& sizes, std::size_t first, std::size_t most, std::uint64_t parts,
                       std::vector<std::size_t>& near) {
    std::vector<std::size_t> order(sizes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return sizes[i]; });
    for (const std::size_t i : order) {
      const bool close = !clearly_smaller(sizes[first], sizes[i], parts);
      const bool seen = std::ranges::find(near, i) != near.end();
      if (!seen && close && near.size() < most) near.push_back(i);
    }
  }

  static bool has_grid(const Recipe& recipe) {
    return std::ranges::any_of(recipe.plan.columns, tdz::has_grid);
  }
  /// Samples show less of a grid than of other steps: where all of an input is packed to compare, the best
  /// finalist that has none is among those.
  void add_best_without_grid(std::vector<std::size_t>& near) const {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < finalists_.size(); ++i)
      if (!has_grid(finalists_[i]) && (!best || sizes_[i] < sizes_[*best])) best = i;
    if (best && std::ranges::find(near, *best) == near.end()) near.push_back(*best);
  }

  Result<Recipe> quick_to_read(Recipe recipe, const Samples& samples, const Pieces& pieces) {
    if (!prefers_quick_reading(level_, request_.effort)) return recipe;
    return with_quick_reading(recipe, pieces_for(recipe, samples, pieces), !request_.order, trial_);
  }

  Result<Sizes> quickly_planned_sizes() {
    Sizes sizes;
    for (const Recipe& recipe : finalists_) {
      const Pieces pieces = pieces_for(recipe, samples_to_plan(), samples_to_plan().pieces);
      auto size = quickly_planned_size(recipe, pieces, limits_.tolerance, trial_);
      if (!size) return size.error();
      sizes.push_back(*size);
    }
    return sizes;
  }

  /// The recipe with its packing; one behind the first must be clearly smaller.
  Result<Recipe> smallest_planned(const std::vector<std::size_t>& finalists, const Samples& samples,
                                  const Pieces& pieces) {
    Recipe best;
    PackedBefore before;
    std::vector<std::pair<const Plan*, PlannedPacking>> all;
    for (const std::size_t i : finalists) {
      Recipe recipe = finalists_[i];
      const Pieces theirs = pieces_for(recipe, samples, pieces);
      const auto alike =
          std::ranges::find_if(all, [&](const auto& a) { return have_one_layout(*a.first, recipe.plan); });
      before.alike = alike == all.end() ? std::nullopt : std::optional(alike->second);
      auto packing = plan_packing(recipe, theirs, limits_.tolerance, before, trial_);
      if (!packing) return packing.error();
      all.emplace_back(&finalists_[i].plan, *packing);
      before.quickest = std::min(before.quickest, packing->quickly_packed);
      recipe.packing = packing->plan;
      const std::uint64_t parts = has_no_steps(best.plan) ? kWorthSteps : limits_.tolerance;
      std::uint64_t size = packing->packed_bytes;
      // Longer chunks have more of each lane, and tell lanes apart better than samples do.
      if (limits_.finalist_packing == Packing::search && has_tokens_in_rows(recipe.plan))
        size += size / kWorthTokenLanes;
      if (clearly_smaller(size, before.smallest, parts)) {
        best = std::move(recipe), before.smallest = size;
      }
    }
    return best;
  }

  /// The fields of a table, if its header names them and all have one byte order.
  std::vector<NumberType> fields_of_header(bool& big_endian) const {
    std::vector<NumberType> fields;
    if (!hint_) return fields;
    for (const formats::SniffedColumn& column : hint_->columns.list()) {
      const bool ordered = column.type.word > 1;
      if (ordered && !fields.empty() && column.big_endian != big_endian) return {};
      if (ordered) big_endian = column.big_endian;
      fields.push_back(column.type);
    }
    return fields;
  }

  Result<SingleColumn> single_column(const Recipe& best) {
    const Pieces pieces = pieces_for(best, samples_, samples_.pieces);
    auto single = trial_.packed_together(best.plan, pieces, limits_.finalist_packing, best.hints);
    if (!single) return single.error();
    *single += trial_.share_of_records(best.plan, pieces);
    if (limits_.finalist_packing == Packing::quick) return SingleColumn{*single, *single};
    auto quickly = trial_.packed_together(best.plan, pieces, Packing::quick, best.hints);
    if (!quickly) return quickly.error();
    return SingleColumn{*single, *quickly};
  }

  /// Columns for records of mixed fields, if they are clearly smaller than the best plan of one column.
  Status add_records() {
    if (!request_.fields.empty()) return ok();
    const Recipe& best = finalists_[first_choice()];
    const auto single = [&] { return single_column(best); };
    SearchOptions request = request_;
    const auto said = fields_of_header(request.big_endian);
    auto records = search_record(samples_, samples_.pieces, said, request, limits_, single, trial_);
    if (!records) return records.error();
    if (!*records || ((*records)->phase != 0 && !may_skip_)) return ok();
    found_.skipped = (*records)->phase;
    add_finalist({std::move((*records)->plan), std::move((*records)->hints), {}});
    return found_.skipped == 0 ? size_finalists() : ok();
  }

  /// Half of the samples as one chunk. Steps must save kWorthSteps over plain bytes: plain bytes cost no
  /// time, and repeats that are too far apart for samples make them smaller still. Plain bytes are packed as
  /// in the end: where steps take away repeats, only a search shows what is lost.
  Status size_finalists() {
    for (std::size_t i = sizes_.size(); i < finalists_.size(); ++i) {
      const Recipe& recipe = finalists_[i];
      const Pieces all = pieces_for(recipe, samples_of_whole(), samples_of_whole().pieces);
      const Pieces pieces = first_of(all, kFinalBytes / std::max<std::size_t>(all.size(), 1));
      auto size = trial_.packed_together(recipe.plan, pieces, limits_.finalist_packing, recipe.hints);
      const bool plain = has_no_steps(recipe.plan);
      if (size) size = trial_.searched_too(recipe.plan, pieces, *size);
      if (!size) return size.error();
      sizes_.push_back((plain ? *size - *size / kWorthSteps : *size) + unseen_of(recipe.plan, pieces));
    }
    return ok();
  }

  /// What the packed size of some pieces does not show: the plan and, where the input is short, the bytes
  /// behind the last whole tuple.
  std::uint64_t unseen_of(const Plan& plan, const Pieces& pieces) const {
    const std::uint64_t share = trial_.share_of_records(plan, pieces);
    const std::uint64_t all = input_.size() - raw_prefix_;
    if (all > kFinalBytes) return share;
    std::uint64_t seen = 0;
    for (const auto piece : pieces) seen += piece.size();
    return share + all - std::min(all, seen);
  }

  /// The best finalist for all samples.
  std::size_t first_choice() const {
    return static_cast<std::size_t>(std::ranges::min_element(sizes_) - sizes_.begin());
  }

  /// Of every piece; or of half of them: one of each stretch, and by turns its first and its second, so that
  /// kinds which alternate show.
  Result<std::vector<Sizes>> sizes_of_pieces(bool half) {
    std::vector<Sizes> sizes;
    for (const Recipe& recipe : finalists_) {
      sizes.emplace_back();
      const Pieces pieces = pieces_for(recipe, samples_, samples_.pieces);
      const std::uint64_t unseen = unseen_of(recipe.plan, pieces) / std::max<std::size_t>(pieces.size(), 1);
      const Pieces parts = first_of(pieces, kAloneBytes);
      for (std::size_t i = 0; i < parts.size(); ++i) {
        if (half && (i % 4 == 0 || i % 4 == 3)) continue;
        auto size = trial_.packed_alone(recipe.plan, parts[i], recipe.hints);
        if (size) size = trial_.searched_too(recipe.plan, {parts[i]}, *size);
        if (!size) return size.error();
        sizes.back().push_back(*size + unseen);
      }
    }
    return sizes;
  }

  RandomAccess& input_;
  std::uint64_t raw_prefix_;
  bool may_skip_;  // may bytes before the first record become a part of the raw prefix?
  const SearchOptions& request_;
  const std::optional<formats::SniffedHint>& hint_;
  SearchLimits limits_;
  int level_;
  Trial trial_;
  Samples samples_;
  bool one_kind_ = false;    // one shape suits all stretches of a long input: half of the pieces show whether
                             // one recipe is enough
  Samples long_samples_;     // none if no finalist has long rows
  bool seen_whole_ = false;  // the input is one chunk, and not longer than the samples
  Samples chunk_;            // all of that input
  std::vector<Recipe> finalists_;
  Sizes sizes_;  // of the finalists, all samples together
  Found found_;
};

}  // namespace

Result<Found> search(const SearchInput& input, std::uint64_t raw_prefix, const SearchOptions& request,
                     int level) {
  auto found = Search(input, raw_prefix, request, level, true).run();
  if (!found || found->skipped == 0) return found;
  // What was tried so far began in the middle of words.
  const std::uint64_t skipped = found->skipped;
  found = Search(input, raw_prefix + skipped, request, level, false).run();
  if (found) found->skipped = skipped;
  return found;
}

std::size_t sample_with_lines(const std::vector<Recipe>& recipes, std::size_t sample) {
  constexpr std::size_t kLines = 64;
  for (const Recipe& recipe : recipes)
    for (const Column& column : recipe.plan.columns)
      for (const PlanStep& step : column.steps)
        if (const auto* grid = std::get_if<GridStep>(&step))
          sample = std::max(sample, kLines * grid->tuple * grid->line * column.width);
  return sample;
}

namespace {

/// Places spread over a chunk, with its begin and end: a header of the chunk, or one kind of its lines, must
/// not decide alone. Long units need long places: rows have no row before the first one of a place.
Pieces places_of(std::span<const std::byte> chunk, std::size_t sample, std::size_t unit) {
  constexpr std::size_t kFewPlaces = 3, kManyPlaces = 7, kManyUnits = 64;
  const std::size_t count = sample / kManyPlaces / unit >= kManyUnits ? kManyPlaces : kFewPlaces;
  const std::size_t length = sample / count / unit * unit;
  if (chunk.size() <= sample || length == 0) return {chunk.first(std::min(chunk.size(), sample))};
  Pieces places;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = (chunk.size() - length) / (count - 1) * i / unit * unit;
    places.push_back(chunk.subspan(at, length));
  }
  return places;
}

}  // namespace

Result<std::size_t> choose_recipe(std::span<const std::byte> chunk, const std::vector<Recipe>& recipes,
                                  std::size_t sample, Trial& trial) {
  if (recipes.size() == 1) return std::size_t{0};
  sample = sample_with_lines(recipes, sample);
  std::size_t best = 0;
  std::uint64_t smallest = 0;
  for (std::size_t i = 0; i < recipes.size(); ++i) {
    const auto& [plan, hints, packing] = recipes[i];
    const Pieces places = places_of(chunk, sample, std::lcm<std::size_t>(8, tuple_bytes(plan)));
    auto size = trial.packed_together(plan, places, Packing::quick, hints);
    if (size) size = trial.searched_too(plan, places, *size);
    if (!size) return size.error();
    if (i == 0 || clearly_smaller(*size, smallest, kClearly)) best = i, smallest = *size;
  }
  return best;
}

}  // namespace tdz
