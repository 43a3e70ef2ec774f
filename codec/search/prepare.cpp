// SPDX-License-Identifier: Apache-2.0
#include "codec/search/prepare.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "codec/search/known_kinds.hpp"
#include "codec/search/limits.hpp"
#include "codec/search/recipe_changes.hpp"
#include "codec/search/repeats.hpp"
#include "codec/search/search.hpp"
#include "codec/search/stored_size.hpp"
#include "codec/search/uniform/gpu_frames.hpp"
#include "codec/stream/memory_io.hpp"
#include "codec/stream/options.hpp"
#include "formats/names.hpp"
#include "formats/sniff.hpp"
#include "kernels/float_environment.hpp"

namespace tdz {
namespace {

/// The search of a shorter input takes no longer than a look at what is known.
constexpr std::uint64_t kWorthKnowing = 8192;
constexpr std::size_t kReadAhead = std::size_t{8} << 20;

int level_of(Effort effort) {
  switch (effort) {
    case Effort::fastest:
    case Effort::fast:
      return 1;
    case Effort::normal:
      return kDefaultLevel;
    case Effort::best:
      return 16;
  }
  return kDefaultLevel;
}

/// The hint in the input's header, if it can be true: the numbers begin inside the input, and the format
/// allows the word and the tuple.
std::optional<formats::SniffedHint> sniffed(RandomAccess& input) {
  std::vector<std::byte> prefix(
      static_cast<std::size_t>(std::min<std::uint64_t>(input.size(), formats::kSniffBytes)));
  if (!input.read_at(0, prefix)) return std::nullopt;
  auto hint = formats::sniff(prefix);
  const bool possible =
      hint && hint->offset < input.size() && hint->type.tuple >= 1 && is_word_size(hint->type.word);
  return possible ? hint : std::nullopt;
}

/// The numbers follow many steps: a long chunk may hold more of them than it can name.
bool changes_scale(const Recipe& recipe) {
  constexpr std::size_t kMany = 4;
  const auto many = [](const ColumnHints& hints) {
    return hints.scale && hints.scale->pairs.size() >= kMany;
  };
  return std::ranges::any_of(recipe.hints, many);
}

/// The input, and what all efforts know of it.
struct Known {
  RandomAccess& input;
  bool is_whole;  ///< not the begin of a stream, whose length is not known
  std::optional<formats::SniffedHint> hint;
  std::uint64_t repeats_after;  ///< behind the raw prefix
  bool searched_twice = false;  ///< by two efforts, which try much of the same
  KnownSizes sizes{};
};

/// A chunk that holds what repeats twice, or more often, as far as memory should go.
std::uint32_t chunk_of_repeats(std::uint64_t distance) {
  constexpr std::uint64_t kShortest = std::uint64_t{16} << 20, kLongest = std::uint64_t{32} << 20;
  return static_cast<std::uint32_t>(std::clamp(std::bit_ceil(2 * distance), kShortest, kLongest));
}

/// The first recipe suits every stretch of a chunk's length: the others are for shorter parts. All of a short
/// input is looked at.
Result<bool> is_first_everywhere(RandomAccess& input, std::uint64_t numbers, const Found& found,
                                 std::size_t sample, int level) {
  if (found.recipes.size() == 1) return true;
  constexpr std::size_t kLookedAt = 8;
  Trial trial(level_to_choose(level));
  auto stretches = take_samples(input, numbers, kLookedAt, kUsualChunk);
  if (!stretches) return stretches.error();
  for (const auto stretch : stretches->pieces) {
    auto recipe = choose_recipe(stretch, found.recipes, sample, trial);
    if (!recipe) return recipe.error();
    if (*recipe != 0) return false;
  }
  return true;
}

/// Whether long chunks make the begin and the end of the input no larger than `usual` ones do. `options`:
/// settled, but for the length of chunks.
Result<bool> suits_long_chunks(RandomAccess& input, CompressOptions options, const Found& found,
                               std::uint32_t usual) {
  constexpr Stretches kBothEnds{2, kLongChunk};
  constexpr std::uint64_t kWorthShort = 256;  // 0.4 %: short chunks must save more than this
  const Stretches ends = input.size() <= kBothEnds.count * kBothEnds.length ? Stretches{} : kBothEnds;
  options.chunk_bytes = kLongChunk;
  auto of_long = stored_size(input, {options, found.recipes, SIZE_MAX}, ends);
  if (!of_long) return of_long.error();
  options.chunk_bytes = usual;
  auto of_usual = stored_size(input, {options, found.recipes, SIZE_MAX}, ends);
  if (!of_usual) return of_usual.error();
  return !clearly_smaller(*of_usual, *of_long, kWorthShort);
}

/// Chunks of packed groups. The digest of one is a chain of a link for each KiB, which takes a good part of
/// the time that a GPU needs for few chunks; so there are as many chains as it walks side by side.
/// `options`: settled, but for the length of chunks.
std::uint32_t chunk_of_groups(const Known& known, const CompressOptions& options) {
  constexpr std::uint64_t kChains = 1024, kShortest = std::uint64_t{128} << 10;
  const std::uint32_t usual = chunk_bytes(options);
  const bool may_choose = options.chunk_bytes == 0 && usual == kUsualChunk;
  if (!options.gpu || !known.is_whole || !may_choose) return usual;
  const std::uint64_t wanted = std::bit_floor(known.input.size() / kChains);
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(wanted, kShortest, kUsualChunk));
}

/// `options`: settled, but for the length of chunks. Chunks are long only where that is hardly larger: one of
/// them may reach from one kind of numbers into another, or numbers may drift.
Result<std::uint32_t> chunk_for(const Known& known, const CompressOptions& options, const Found& found) {
  RandomAccess& input = known.input;
  const Recipe& recipe = found.recipes.front();
  const std::uint32_t usual = chunk_bytes(options);
  if (options.chunk_bytes != 0) return usual;
  if (options.gpu && std::ranges::all_of(recipe.plan.columns, is_packed))
    return chunk_of_groups(known, options);
  if (recipe.plan.coding == Coding::uniform) return chunk_of_blocks(recipe.plan, usual);
  if (found.repeats_after != 0) return std::max(usual, chunk_of_repeats(found.repeats_after));
  const bool best = options.search->effort == Effort::best;
  if (has_no_steps(recipe.plan)) {
    const std::size_t sample = limits_of(options.search->effort).chunk_sample;
    auto everywhere = is_first_everywhere(input, options.raw_prefix, found, sample, options.level);
    if (!everywhere) return everywhere.error();
    if (*everywhere) return std::max(usual, best ? kBestChunkWithoutNumbers : kChunkWithoutNumbers);
  }
  if (!best || usual >= kLongChunk || changes_scale(recipe)) return usual;
  auto may_be_long = suits_long_chunks(input, options, found, usual);
  if (!may_be_long) return may_be_long.error();
  return *may_be_long ? kLongChunk : usual;
}

/// What frames for a GPU may cost, in parts of 1000. With --best less, so that it is not larger than the
/// default.
constexpr unsigned kPerMilleUnasked = 10, kPerMilleOfBest = 4;
constexpr unsigned kOrderPerCent = 3;

GpuFrames wish_of(const CompressOptions& options) {
  GpuFrames wish;
  const bool best = options.search->effort == Effort::best;
  wish.per_mille = options.gpu ? kGpuMostPerMille : best ? kPerMilleOfBest : kPerMilleUnasked;
  wish.all_stretches = options.gpu;
  wish.order_per_cent = options.gpu ? kOrderPerCent : 0;
  wish.code_limit = options.gpu && options.search->effort == Effort::fast ? 8 : 11;
  wish.other_layouts = options.gpu;
  wish.order_may_change = !options.search->order;
  wish.chunk_bytes = options.chunk_bytes;
  return wish;
}

/// Frames for a GPU hold no repeats, and have a layout of their own. They also move the ends of chunks: where
/// chunks are of several kinds, only those who ask for it pay for that. A CPU reads them a tenth slower.
bool may_take_gpu_frames(const CompressOptions& options, int level, const Found& found) {
  const bool quick = prefers_quick_reading(level, options.search->effort);
  const bool wanted = options.gpu || (found.recipes.size() == 1 && !quick);
  return wanted && found.repeats_after == 0 && !options.search->layout && options.frame_bytes == 0;
}

/// `settled`: raw_prefix, type and level are settled.
Status take_gpu_frames(const SearchInput& input, const CompressOptions& settled, Found& found) {
  GpuFrames wish = wish_of(settled);
  Recipe& first = found.recipes.front();
  if (settled.gpu && found.recipes.size() == 1 && !has_no_steps(first.plan)) {
    auto fastest = fastest_on_gpu(input, settled, first, wish);
    if (!fastest) return fastest.error();
    first = std::move(fastest->recipe);
    found.larger_for_gpu = fastest->larger;
    return ok();
  }
  auto recipes = with_gpu_frames(input.input, settled.raw_prefix, found.recipes, wish, settled.level);
  if (!recipes) return recipes.error();
  found.recipes = *std::move(recipes);
  if (found.recipes.size() != 1 || !found.many_lanes) return ok();
  // Of the recipe that is hardly larger than the only one.
  wish.per_mille = 0;
  auto smaller = gpu_frames_against(input.input, settled.raw_prefix, found.recipes.front(), *found.many_lanes,
                                    wish, settled.level);
  if (!smaller) return smaller.error();
  if (*smaller) found.recipes.front() = *std::move(*smaller);
  return ok();
}

/// The shape that the search found, as a type: "w16x2", or the fields of a row. Empty: plain bytes.
std::string found_type(const Plan& plan) {
  if (has_no_steps(plan)) return {};
  std::vector<NumberType> fields;
  for (const Column& column : plan.columns) {
    const bool alone = plan.columns.size() == 1;
    fields.push_back({0, column.width, alone ? shortest_tuple(column) : column.count});
  }
  return formats::type_names(fields);
}

/// The type that the caller or the header named, or the shape that the search found.
std::string type_for(const std::string& named, const SearchOptions& search, const Plan& found) {
  if (named.empty()) return found_type(found);
  auto type = formats::parse_type(named);
  const bool one_lane = type && type->tuple == 1 && found.columns.size() == 1;
  if (!one_lane || search.tuple || type->word != found.columns[0].width) return named;
  type->tuple = shortest_tuple(found.columns[0]);
  return formats::type_name(*type);
}

}  // namespace

namespace {

/// What the search of one effort finds. `options`: raw_prefix, type and level are settled.
Result<Prepared> searched(Known& known, const CompressOptions& options) {
  Prepared prepared;
  prepared.options = options;
  CompressOptions& settled = prepared.options;
  if (known.hint) prepared.sniffed = known.hint->format;
  const SearchInput input{known.input,
                          known.hint,
                          known.repeats_after,
                          options.chunk_bytes,
                          known.searched_twice ? &known.sizes : nullptr,
                          options.gpu};
  auto found = search(input, options.raw_prefix, *options.search, options.level);
  if (!found) return found.error();
  prepared.found = *std::move(found);
  settled.raw_prefix += prepared.found.skipped;
  if (may_take_gpu_frames(options, options.level, prepared.found)) {
    if (auto done = take_gpu_frames(input, settled, prepared.found); !done) return done.error();
  }
  prepared.chunk_sample = limits_of(options.search->effort).chunk_sample;
  settled.plan = prepared.found.recipes.front().plan;
  settled.type = type_for(options.type, *options.search, settled.plan);
  auto chunk = chunk_for(known, settled, prepared.found);
  if (!chunk) return chunk.error();
  settled.chunk_bytes = *chunk;
  return prepared;
}

/// What the search of packed groups finds. `options`: as for searched().
Result<Prepared> prepared_packed(const Known& known, const CompressOptions& options) {
  Prepared prepared;
  prepared.options = options;
  CompressOptions& settled = prepared.options;
  if (known.hint) prepared.sniffed = known.hint->format;
  const SearchInput input{known.input, known.hint, 0, options.chunk_bytes, nullptr};
  auto found = search_packed(input, options.raw_prefix, *options.search, options.gpu);
  if (!found) return found.error();
  prepared.found = *std::move(found);
  settled.plan = prepared.found.recipes.front().plan;
  settled.type = type_for(options.type, *options.search, settled.plan);
  settled.chunk_bytes = chunk_of_groups(known, settled);
  return prepared;
}

// ---- The laws of size: no effort is larger than a quicker one, and none is larger than plain bytes

/// The effort below, and how it packs where it searches for repeats.
struct Quicker {
  Effort effort;
  int level;
  Packing packing;
};
constexpr Quicker quicker_than(Effort effort) {
  if (effort == Effort::best) return {Effort::normal, kDefaultLevel, Packing::moderate};
  return {Effort::fast, 1, Packing::quick};
}

constexpr std::size_t kMiB = std::size_t{1} << 20;

/// Level 1 may have taken what is faster to read. Of long inputs only --best takes the time for two searches.
bool may_lose_to_quicker(const Known& known, const CompressOptions& options) {
  const Effort effort = options.search->effort;
  if (effort == Effort::fast || prefers_quick_reading(options.level, effort)) return false;
  return effort == Effort::best || known.input.size() <= kCheapToTryOn;
}

/// What is coded to compare: all of an input of at most `whole` bytes, else some stretches.
struct Looked {
  std::uint64_t whole;
  Stretches stretches;

  Stretches at(std::uint64_t bytes) const { return bytes <= whole ? Stretches{} : stretches; }
};
/// Where plain bytes come near, or something repeats: in a short stretch the first copy of it is the most.
constexpr Looked kWidely{16 * kMiB, {2, 8 * kMiB}};
/// With room for repeats as far apart as zstd -3 sees them.
constexpr Looked looked_at(Effort effort, bool repeats) {
  if (repeats) return kWidely;
  if (effort == Effort::best) return {12 * kMiB, {2, 4 * kMiB}};  // high levels take long
  return effort == Effort::normal ? Looked{12 * kMiB, {2, 2 * kMiB}} : Looked{2 * kMiB, {2, kMiB}};
}

bool heeds_repeats(const Known& known, Effort effort) {
  return known.repeats_after != 0 && known.repeats_after <= limits_of(effort).farthest_repeat;
}

/// Settles for what is stored smallest: what the effort of `options` finds, what the quicker one finds, plain
/// bytes, and chunks long enough for repeats that are far apart.
class Smallest {
 public:
  /// `asked`: what the caller wants. `options`: the same for one effort, with raw_prefix, type and level
  /// settled.
  Smallest(Known& known, const CompressOptions& asked, const CompressOptions& options)
      : known_(known),
        asked_(asked),
        options_(options),
        effort_(options.search->effort),
        stretches_(looked_at(effort_, heeds_repeats(known, effort_)).at(known.input.size())) {}

  Result<Prepared> run() {
    auto own = searched(known_, options_);
    if (!own || own->found.samples.pieces.empty()) return own;
    auto rivals = rivals_of(*own);
    if (!rivals) return rivals.error();
    // Frames for a GPU cost what their caller allows.
    const Plan& plan = own->options.plan;
    const bool for_gpu = plan.coding == Coding::uniform || std::ranges::any_of(plan.columns, is_packed);
    const bool asked_for = options_.gpu && for_gpu;
    if (asked_for || (!rivals->quicker && !rivals->plain)) return own;
    own_ = *std::move(own);
    auto size = size_of(own_);
    if (!size) return size.error();
    size_ = *size;
    if (rivals->quicker) {
      if (auto done = try_quicker(); !done) return done.error();
    }
    if (rivals->plain) {
      if (auto done = try_plain(); !done) return done.error();
    }
    if (auto done = try_highest_level(); !done) return done.error();
    return std::move(own_);
  }

 private:
  /// What may be smaller than what the effort found.
  struct Rivals {
    bool quicker = false, plain = false;
  };
  /// Of a short input that shrinks by steps, only where something repeats, and another search only where much
  /// does: of a long input, comparing takes little time beside packing. --best compares in any case.
  Result<Rivals> rivals_of(const Prepared& own) const {
    constexpr std::size_t kManyMatches = 8;
    Rivals rivals{may_lose_to_quicker(known_, options_), may_lose_to_plain(own.found)};
    const bool any = rivals.quicker || rivals.plain;
    if (!any || effort_ == Effort::best || known_.input.size() > kCheapToTryOn) return rivals;
    if (has_no_steps(own.options.plan)) {
      rivals.quicker = rivals.quicker && !steps_are_far_larger(own.found.tried);
      return rivals;
    }
    const auto matches = matches_in(known_.input);
    if (!matches) return matches.error();
    rivals.quicker = rivals.quicker && matches->without_runs_are_one_in(kManyMatches);
    rivals.plain = rivals.plain && matches->are_one_in(kFewMatches);
    return rivals;
  }
  /// Than plain bytes, with all steps that were tried: then those of another effort are too.
  static bool steps_are_far_larger(const std::vector<Candidate>& tried) {
    constexpr std::uint64_t kFarLarger = 4;  // 25 %
    std::uint64_t plain = UINT64_MAX, with_steps = UINT64_MAX;
    for (const Candidate& one : tried) {
      std::uint64_t& least = has_no_steps(one.plan) ? plain : with_steps;
      least = std::min(least, one.packed_bytes);
    }
    return plain != UINT64_MAX && clearly_smaller(plain, with_steps, kFarLarger);
  }
  /// Nothing is asked for that only steps give. Stretches do not show repeats that the search found with long
  /// chunks.
  bool may_lose_to_plain(const Found& found) const {
    const SearchOptions& asked = *options_.search;
    const bool steps = asked.word || asked.tuple || asked.order || asked.zigzag || asked.layout || asked.row;
    const bool far = found.repeats_after != 0 && stretches_.length != 0;
    return !steps && asked.fields.empty() && !asked.big_endian && !far;
  }

  Result<std::uint64_t> size_of(const Prepared& prepared) {
    return stored_size(known_.input, {prepared.options, prepared.found.recipes, prepared.chunk_sample},
                       stretches_);
  }

  /// Takes these recipes if they are smaller by more than one part in `parts`.
  Status try_recipes(CompressOptions options, std::vector<Recipe> recipes, std::uint64_t parts) {
    options.plan = recipes.front().plan;
    auto size = stored_size(known_.input, {options, recipes, own_.chunk_sample}, stretches_);
    if (!size) return size.error();
    if (!clearly_smaller(*size, size_, parts)) return ok();
    own_.options = std::move(options);
    own_.found.recipes = std::move(recipes);
    size_ = *size;
    return ok();
  }

  Status try_quicker() {
    const Quicker quicker = quicker_than(effort_);
    CompressOptions options = options_;
    options.search->effort = quicker.effort;
    options.level = quicker.level;
    auto other = Smallest(known_, asked_, options).run();
    if (!other) return other.error();
    other->options.search->effort = effort_;
    other->chunk_sample = own_.chunk_sample;
    const std::vector<Recipe> recipes = other->found.recipes;
    const int level = other->options.level;
    // A much higher level is not always smaller, so --best compares the quicker effort's own level too.
    Result<std::uint64_t> as_found = std::numeric_limits<std::uint64_t>::max();
    if (effort_ == Effort::best) as_found = size_of(*other);
    if (!as_found) return as_found.error();
    for (Recipe& recipe : other->found.recipes) {
      for (Packing& packing : recipe.packing.packing)
        if (without_cuts(packing) == Packing::search) packing = quicker.packing;
    }
    other->options.level = own_.options.level;
    auto size = size_of(*other);
    if (!size) return size.error();
    if (*as_found < *size) {
      other->found.recipes = recipes;
      other->options.level = level;
      size = as_found;
    }
    if (*size < size_) own_ = *std::move(other), size_ = *size;
    return ok();
  }

  /// Plain bytes as zstd -3 packs them are the least that people expect; with --fast they take more time than
  /// steps. Where they come near, something repeats that steps or short chunks cut.
  Status try_plain() {
    const bool slow = effort_ == Effort::best && known_.input.size() <= kCheapToTryOn;
    const std::uint64_t near = slow ? 2 : 10;  // half as large again; a tenth larger
    constexpr std::uint64_t kWorthTime = 66;   // 1.5 %
    const CompressOptions with_steps = own_.options;
    const std::vector<Recipe> recipes = own_.found.recipes;
    const std::vector<Recipe> plain = plain_recipe(Packing::moderate);
    auto size = stored_size(known_.input, {plain_options(), plain, own_.chunk_sample}, stretches_);
    if (!size) return size.error();
    if (clearly_smaller(size_, *size, near)) return ok();
    if (auto done = look_wider(); !done) return done;
    if (auto done = try_recipes(plain_options(), plain, effort_ == Effort::fast ? kWorthTime : kAnything);
        !done)
      return done;
    if (effort_ == Effort::best) {
      for (const Packing packing : {Packing::search, Packing::distant})
        if (auto done = try_recipes(plain_options(), plain_recipe(packing), kAnything); !done) return done;
    }
    return try_long_chunks(with_steps, recipes);
  }
  Status look_wider() {
    if (stretches_.length == 0 || effort_ == Effort::best) return ok();
    stretches_ = kWidely.at(known_.input.size());
    auto size = size_of(own_);
    if (size) size_ = *size;
    return size ? ok() : Status(size.error());
  }
  static std::vector<Recipe> plain_recipe(Packing packing) {
    return {Recipe{plain_plan(), {}, one_packing(packing)}};
  }
  CompressOptions plain_options() const {
    CompressOptions options = own_.options;
    options.raw_prefix = asked_.raw_prefix;
    options.type = options_.type;
    options.plan = plain_plan();
    options.chunk_bytes = long_chunk();
    return options;
  }
  std::uint32_t long_chunk() const {
    if (asked_.chunk_bytes != 0) return asked_.chunk_bytes;
    return effort_ == Effort::best ? kBestChunkWithoutNumbers : kChunkWithoutNumbers;
  }

  /// Recipes with steps, in chunks as long as those of plain bytes. Frames for a GPU hold no repeats.
  Status try_long_chunks(const CompressOptions& with_steps, std::vector<Recipe> recipes) {
    if (has_no_steps(recipes.front().plan) || asked_.chunk_bytes != 0) return ok();
    CompressOptions options = with_steps;
    options.chunk_bytes = std::max(chunk_bytes(options), long_chunk());
    for (Recipe& recipe : recipes) recipe.plan.coding = Coding::zstd;
    for (const Packing packing : {Packing::moderate, Packing::distant_quick}) {
      for (Recipe& recipe : recipes) recipe.packing = one_packing(packing);
      if (auto done = try_recipes(options, recipes, kWorthLong); !done) return done;
    }
    return ok();
  }

  /// Short inputs take little time at the highest level.
  Status try_highest_level() {
    constexpr int kHighest = 19;  // the last one whose window other decoders must be able to hold
    if (effort_ != Effort::best || asked_.level != 0 || known_.input.size() > kCheapToTryOn) return ok();
    CompressOptions options = own_.options;
    options.level = kHighest;
    return try_recipes(std::move(options), own_.found.recipes, kAnything);
  }

  static constexpr std::uint64_t kAnything = UINT64_MAX;
  static constexpr std::uint64_t kWorthLong = 50;  // 2 %: long chunks take more memory, and leave the caches

  Known& known_;
  const CompressOptions& asked_;
  const CompressOptions& options_;
  const Effort effort_;
  Stretches stretches_;
  Prepared own_;
  std::uint64_t size_ = 0;  ///< of own_, on the stretches
};

/// What was found for an earlier input of this kind, or else a search. `asked`: what the caller wants.
/// `settled`: with raw_prefix, type and level settled.
Result<Prepared> prepared_with(PlanCache::Entries& plans, Known& known, const CompressOptions& asked,
                               const CompressOptions& settled) {
  auto kind = KindOfInput::of(known.input, known.hint, settled);
  if (!kind) return kind.error();
  auto recalled = kind->recall(plans, settled);
  if (!recalled) return recalled.error();
  if (*recalled) return **std::move(recalled);
  auto found = Smallest(known, asked, settled).run();
  if (!found) return found;
  if (auto done = kind->remember(plans, *found); !done) return done.error();
  return found;
}

}  // namespace

Result<Prepared> prepare(PrefixSource& source, const CompressOptions& options) {
  Prepared prepared;
  prepared.options = options;
  prepared.found.recipes = {recipe_of(options.plan)};
  CompressOptions& settled = prepared.options;
  if (settled.level == 0) settled.level = level_of(options.search ? options.search->effort : Effort::normal);
  if (!options.search) return prepared;
  const FloatEnvironment usual;
  RandomAccess* input = source.random_access();
  std::optional<MemoryRandomAccess> ahead;
  if (input == nullptr) {
    if (auto done = source.read_ahead(kReadAhead); !done) return done.error();
    input = &ahead.emplace(source.prefix());
  }
  const bool is_whole = !ahead;
  const auto hint = sniffed(*input);
  if (hint && settled.raw_prefix == 0) settled.raw_prefix = hint->offset;
  if (hint && settled.type.empty() && hint->type != NumberType{})
    settled.type = formats::type_name(hint->type);
  if (settled.search->effort == Effort::fastest) return prepared_packed({*input, is_whole, hint, 0}, settled);
  auto repeats_after = repeat_distance(*input, settled.raw_prefix);
  if (!repeats_after) return repeats_after.error();
  Known known{*input, is_whole, hint, *repeats_after};
  known.searched_twice = may_lose_to_quicker(known, settled);
  // What is known is tried on stretches, which do not show repeats.
  const bool remembers = options.plans != nullptr && source.random_access() != nullptr &&
                         input->size() >= kWorthKnowing && *repeats_after == 0;
  if (remembers) return prepared_with(options.plans->entries(), known, options, settled);
  return Smallest(known, options, settled).run();
}

/// A chunk has no more bytes to try recipes on; a single recipe is not tried.
MemoryNeeds encoding_needs(const Prepared& prepared) {
  const auto& recipes = prepared.found.recipes;
  const std::uint32_t chunk = chunk_bytes(prepared.options);
  const std::size_t sample = sample_with_lines(recipes, prepared.chunk_sample);
  const std::size_t trial = recipes.size() > 1 ? std::min<std::size_t>(sample, chunk) : 0;
  return encoding_needs(recipes, prepared.options.level, chunk, frame_bytes(prepared.options), trial);
}

}  // namespace tdz
