// SPDX-License-Identifier: Apache-2.0
#include "codec/pipe/options.hpp"

#include <algorithm>
#include <numeric>

#include "formats/parameters.hpp"
#include "formats/type_name.hpp"

namespace tdz {

using namespace formats;

namespace {

Status check_transform(const Transform& transform) {
  if (!is_word_size(transform.word)) return usage("a word has 1, 2, 4 or 8 bytes");
  if (transform.step_count > kMaxSteps) return usage("a chunk has at most 8 steps");
  if (!std::ranges::all_of(transform.steps(), [](const Step& step) { return is_valid(step); })) {
    return usage("a step's parameters are out of range (tuple at least 1, order 1 to 8)");
  }
  return ok();
}

/// The length of a row in bytes: the widest tuple of all steps.
std::uint64_t row_bytes(const Transform& transform) {
  std::uint64_t widest = 1;
  for (const Step& step : transform.steps()) widest = std::max<std::uint64_t>(widest, step.tuple);
  return widest * transform.word;
}

}  // namespace

Status check(const CompressOptions& options) {
  if (auto done = check_transform(options.transform); !done) return done;
  if (options.level != 0 && (options.level < kMinLevel || options.level > kMaxLevel)) {
    return usage("the level must be 1 to 22");
  }
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
  const std::uint64_t wanted = std::min(kRowsAtLeast * row_bytes(options.transform), kCap);
  return static_cast<std::uint32_t>(std::max<std::uint64_t>(kDefaultChunk, wanted));
}

CutRules cut_rules(const CompressOptions& options, std::span<const Recipe> recipes) {
  const std::uint32_t chunk = chunk_bytes(options);
  std::uint64_t unit = 1;
  for (const Recipe& recipe : recipes) {
    for (const std::uint64_t wanted : {row_bytes(recipe.transform), std::uint64_t{recipe.transform.word}}) {
      if (wanted > chunk) continue;  // also keeps the product within 64 bits
      const std::uint64_t both = std::lcm(unit, wanted);
      if (both <= chunk) unit = both;
    }
  }
  return {options.raw_prefix, chunk, static_cast<std::uint32_t>(unit)};
}

std::uint32_t frame_bytes(const CompressOptions& options) {
  return options.frame_bytes != 0 ? options.frame_bytes : chunk_bytes(options);
}

StreamHeader stream_header(const CompressOptions& options, std::optional<std::uint64_t> original_bytes) {
  StreamHeader header;
  header.original_bytes = original_bytes.value_or(kUnknown);
  header.largest_chunk = chunk_bytes(options);
  header.largest_frame = frame_bytes(options);
  header.nominal = options.nominal;
  return header;
}

Result<Transform> steps_for(std::string_view type, unsigned order) {
  auto parsed = parse_type(type);
  if (!parsed) return parsed.error();
  if (order > kMaxOrder) return usage("the order must be 0 to 8");
  return transform_of({.word = parsed->word,
                       .tuple = parsed->tuple,
                       .order = static_cast<std::uint8_t>(order),
                       .zigzag = true,
                       .layout = Layout::tuple_planes});
}

}  // namespace tdz
