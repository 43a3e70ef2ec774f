// SPDX-License-Identifier: Apache-2.0
#include "codec/search/prepare.hpp"

#include <algorithm>
#include <bit>

#include "codec/pipe/options.hpp"
#include "codec/search/column/stretches.hpp"
#include "codec/search/limits.hpp"
#include "codec/search/quick_reading.hpp"
#include "codec/search/uniform/gpu_frames.hpp"
#include "formats/sniff.hpp"
#include "formats/type_name.hpp"
#include "kernels/float_environment.hpp"

namespace tdz {
namespace {

constexpr std::size_t kReadAhead = std::size_t{8} << 20;

int level_of(Effort effort) {
  switch (effort) {
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

/// A chunk that holds what repeats twice, or more often, as far as memory should go.
std::uint32_t chunk_of_repeats(std::uint64_t distance) {
  constexpr std::uint64_t kShortest = std::uint64_t{16} << 20, kLongest = std::uint64_t{32} << 20;
  return static_cast<std::uint32_t>(std::clamp(std::bit_ceil(2 * distance), kShortest, kLongest));
}

/// The first recipe suits every stretch of a chunk's length: the others are for shorter parts. All of a short input is looked
/// at.
Result<bool> is_first_everywhere(RandomAccess& input, std::uint64_t numbers, const Found& found, std::size_t sample,
                                 int level) {
  if (found.recipes.size() == 1) return true;
  constexpr std::size_t kLookedAt = 8;
  const FloatEnvironment environment;
  Trial trial(cpu_backend(), level_to_choose(level));
  auto stretches = take_samples(input, numbers, kLookedAt, kUsualChunk);
  if (!stretches) return stretches.error();
  for (const auto stretch : stretches->pieces) {
    auto recipe = choose_recipe(stretch, found.recipes, sample, trial);
    if (!recipe) return recipe.error();
    if (*recipe != 0) return false;
  }
  return true;
}

/// `numbers`: where they begin in the input. Chunks are long only where that is hardly larger: one of them may reach from
/// one kind of numbers into another, or numbers may drift.
Result<std::uint32_t> chunk_for(RandomAccess& input, std::uint64_t numbers, const CompressOptions& options,
                                const Found& found, int level, Backend& backend) {
  const Recipe& recipe = found.recipes.front();
  CompressOptions with = options;
  with.plan = recipe.plan;
  const std::uint32_t usual = chunk_bytes(with);
  if (options.chunk_bytes != 0) return usual;
  if (recipe.plan.coding == Coding::uniform) return chunk_of_blocks(recipe.plan, usual);
  if (found.repeats_after != 0) return std::max(usual, chunk_of_repeats(found.repeats_after));
  const bool best = options.search->effort == Effort::best;
  const auto plain = [](const Recipe& r) { return has_no_steps(r.plan); };
  if (plain(recipe)) {
    auto everywhere = is_first_everywhere(input, numbers, found, limits_of(options.search->effort).chunk_sample, level);
    if (!everywhere) return everywhere.error();
    if (*everywhere) return std::max(usual, best ? kBestChunkWithoutNumbers : kChunkWithoutNumbers);
  }
  if (!best || changes_scale(recipe)) return usual;
  const FloatEnvironment environment;
  Trial trial(backend, level);
  auto may_be_long = suits_long_chunks(input, numbers, found.recipes, trial);
  if (!may_be_long) return may_be_long.error();
  return *may_be_long ? std::max(usual, kLongChunk) : usual;
}

/// What frames for a GPU may cost, in parts of 1000. With --best less, so that it is not larger than the default.
constexpr unsigned kPerMilleAsked = 80, kPerMilleUnasked = 10, kPerMilleOfBest = 4;
constexpr unsigned kOrderPerCent = 3;

GpuFrames wish_of(const CompressOptions& options) {
  GpuFrames wish;
  const bool best = options.search->effort == Effort::best;
  wish.per_mille = options.gpu ? kPerMilleAsked : best ? kPerMilleOfBest : kPerMilleUnasked;
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

/// Frames for a GPU of the recipe that is hardly larger than the only one.
Status try_narrow_lanes(RandomAccess& input, const CompressOptions& settled, const GpuFrames& wish, Found& found) {
  if (found.recipes.size() != 1 || !found.narrow_lanes) return ok();
  Recipe& only = found.recipes.front();
  auto smaller = smaller_gpu_frames(input, settled.raw_prefix, only, *found.narrow_lanes, wish, settled.level);
  if (!smaller) return smaller.error();
  if (*smaller) only = *std::move(*smaller);
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

Result<Prepared> prepare(PrefixSource& source, const CompressOptions& options, Backend& backend) {
  Prepared prepared;
  prepared.options = options;
  prepared.found.recipes = {recipe_of(options.plan)};
  CompressOptions& settled = prepared.options;
  const Effort effort = options.search ? options.search->effort : Effort::normal;
  if (settled.level == 0) settled.level = level_of(effort);
  if (!options.search) return prepared;
  RandomAccess* input = source.random_access();
  std::optional<MemoryRandomAccess> ahead;
  if (input == nullptr) {
    if (auto done = source.read_ahead(kReadAhead); !done) return done.error();
    input = &ahead.emplace(source.prefix());
  }
  const auto hint = sniffed(*input);
  if (hint) {
    prepared.sniffed = hint->format;
    if (settled.raw_prefix == 0) settled.raw_prefix = hint->offset;
    if (settled.type.empty() && hint->type != NumberType{}) settled.type = formats::type_name(hint->type);
  }
  auto found = search(*input, settled.raw_prefix, *options.search, hint, options.chunk_bytes, settled.level, backend);
  if (!found) return found.error();
  prepared.found = *std::move(found);
  settled.raw_prefix += prepared.found.skipped;
  if (may_take_gpu_frames(options, settled.level, prepared.found)) {
    auto recipes = with_gpu_frames(*input, settled.raw_prefix, prepared.found.recipes, wish_of(options), settled.level);
    if (!recipes) return recipes.error();
    prepared.found.recipes = *std::move(recipes);
    if (auto done = try_narrow_lanes(*input, settled, wish_of(options), prepared.found); !done) return done.error();
  }
  prepared.chunk_sample = limits_of(effort).chunk_sample;
  settled.plan = prepared.found.recipes.front().plan;
  settled.type = type_for(settled.type, *options.search, settled.plan);
  auto chunk = chunk_for(*input, settled.raw_prefix, options, prepared.found, settled.level, backend);
  if (!chunk) return chunk.error();
  settled.chunk_bytes = *chunk;
  return prepared;
}

/// A chunk has no more bytes to try recipes on; a single recipe is not tried.
MemoryNeeds encoding_needs(const Prepared& prepared) {
  const auto& recipes = prepared.found.recipes;
  const std::uint32_t chunk = chunk_bytes(prepared.options);
  const std::size_t trial = recipes.size() > 1 ? std::min<std::size_t>(prepared.chunk_sample, chunk) : 0;
  return encoding_needs(recipes, prepared.options.level, chunk, frame_bytes(prepared.options), trial);
}

}  // namespace tdz
