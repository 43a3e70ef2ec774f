// SPDX-License-Identifier: Apache-2.0
#include "codec/stream/options.hpp"

#include <algorithm>
#include <numeric>

#include "formats/names.hpp"
#include "formats/plan/made_plans.hpp"
#include "formats/plan/plan_rules.hpp"
#include "kernels/cuda/packed/packed_chunk.hpp"
#include "kernels/uniform/block.hpp"
#include "kernels/uniform/parts.hpp"

namespace tdz {

using namespace formats;

namespace {

/// The widest tuple of all steps of a column, in words; at least the column's words of a row.
std::uint64_t widest_tuple(const Column& column) {
  std::uint32_t widest = column.count;
  for (const PlanStep& step : column.steps) widest = std::max(widest, tuple_of(step));
  return widest;
}

/// The words of one uniform block of every lane; 0 in columns that have none.
std::uint64_t block_words(const Plan& plan, const Column& column) {
  const TokensStep* tokens = uniform::uniform_tokens(plan, column);
  return tokens == nullptr ? 0 : std::uint64_t{uniform::kRuns} * tokens->run * tokens->tuple;
}

/// The bytes after which rows and the widest tuples of all columns begin again at the same byte.
std::uint64_t unit_of(const Plan& plan, std::uint64_t longest) {
  const std::uint64_t row = row_bytes(plan);
  std::uint64_t rows = 1;
  for (const Column& column : plan.columns) {
    const std::uint64_t tuple = widest_tuple(column);
    const std::uint64_t of_column = tuple / std::gcd<std::uint64_t, std::uint64_t>(tuple, column.count);
    if (of_column > longest / row) continue;  // also keeps the product within 64 bits
    const std::uint64_t both = std::lcm(rows, of_column);
    if (both <= longest / row) rows = both;
  }
  return rows * row;
}

Status check_fields(const std::optional<SearchOptions>& search) {
  if (!search || search->fields.empty()) return ok();
  if (search->word || search->tuple || search->row)
    return usage(
        "the fields of a row already say the word and tuple of each column; leave word, tuple and row unset");
  const auto plan = plan_of(search->fields);
  return plan ? ok() : Status(plan.error());
}

}  // namespace

std::uint64_t uniform_unit(const Plan& plan, std::uint64_t longest) {
  const std::uint64_t row = row_bytes(plan);
  std::uint64_t rows = 1;
  for (const Column& column : plan.columns) {
    const std::uint64_t words = block_words(plan, column);
    if (words == 0) continue;
    const std::uint64_t both =
        std::lcm(rows, words / std::gcd<std::uint64_t, std::uint64_t>(words, column.count));
    if (both <= longest / row) rows = both;
  }
  return rows * row;
}

Status check(const CompressOptions& options) {
  if (auto done = formats::check(options.plan); !done) return done;
  if (options.type.size() > kMaxType) return usage("the type must have at most 3900 characters");
  if (options.level != 0 && (options.level < kMinLevel || options.level > kMaxLevel)) {
    return usage("the level must be 1 to 22");
  }
  if (options.protect > kMaxProtect) return usage("protect must be 0 to 100 percent");
  if (auto done = check_fields(options.search); !done) return done;
  if (options.search && options.search->effort == Effort::fastest && options.search->layout)
    return usage("the fastest effort packs numbers in groups, so it takes no other layout");
  const auto chunk = chunk_bytes(options);
  if (chunk < kMinChunk || chunk > kMaxChunk) return usage("the chunk length must be 64 KiB to 1 GiB");
  const auto frame = frame_bytes(options);
  if (frame < kMinFrame || frame > chunk) return usage("the frame length must be 4 KiB to the chunk length");
  return ok();
}

std::uint32_t chunk_bytes(const CompressOptions& options) {
  if (options.chunk_bytes != 0) return options.chunk_bytes;
  // The first row of a chunk has no row before it, so a chunk should hold several rows. The cap limits
  // memory.
  constexpr std::uint64_t kRowsAtLeast = 16;
  constexpr std::uint64_t kCap = std::uint64_t{64} << 20;
  const std::uint64_t wanted = std::min(kRowsAtLeast * unit_of(options.plan, kCap), kCap);
  return static_cast<std::uint32_t>(std::max<std::uint64_t>(kUsualChunk, wanted));
}

CutRules cut_rules(const CompressOptions& options, std::span<const Recipe> recipes) {
  const std::uint32_t chunk = chunk_bytes(options);
  std::uint64_t unit = 1;
  const auto also = [&](std::uint64_t wanted) {
    const std::uint64_t both = std::lcm(unit, wanted);
    if (both <= chunk) unit = both;
  };
  for (const Recipe& recipe : recipes) {
    for (const std::uint64_t wanted : {std::uint64_t{row_bytes(recipe.plan)},
                                       uniform_unit(recipe.plan, chunk), unit_of(recipe.plan, chunk)}) {
      also(wanted);
    }
  }
  const auto packed = [](const Recipe& recipe) {
    return std::ranges::any_of(recipe.plan.columns, is_packed);
  };
  // A device undoes the differences of many such chunks at once.
  if (std::ranges::any_of(recipes, packed)) also(cuda::kScanAlignment);
  return {options.raw_prefix, chunk, static_cast<std::uint32_t>(unit)};
}

std::uint32_t frame_bytes(const CompressOptions& options) {
  return options.frame_bytes != 0 ? options.frame_bytes : chunk_bytes(options);
}

StreamHeader stream_header(const CompressOptions& options, std::optional<std::uint64_t> original_bytes,
                           std::span<const Recipe> recipes) {
  StreamHeader header;
  header.original_bytes = original_bytes.value_or(kNone);
  header.largest_chunk = chunk_bytes(options);
  header.largest_frame = frame_bytes(options);
  header.type = options.type;
  header.minor = minor_version(options.plan);
  for (const Recipe& recipe : recipes) header.minor = std::max(header.minor, minor_version(recipe.plan));
  return header;
}

Result<Plan> plan_for(std::string_view types, unsigned order) {
  auto fields = parse_types(types);
  if (!fields) return fields.error();
  if (order > kMaxOrder) return usage("the order must be 0 to 8");
  if (fields->size() > 1) return plan_of(*fields, order);
  return plan_of(column_of({.word = fields->front().word,
                            .tuple = fields->front().tuple,
                            .order = static_cast<std::uint8_t>(order),
                            .zigzag = true,
                            .layout = Layout::tuple_planes}));
}

}  // namespace tdz
