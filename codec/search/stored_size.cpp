// SPDX-License-Identifier: Apache-2.0
#include "codec/search/stored_size.hpp"

#include <algorithm>

#include "codec/search/search.hpp"
#include "codec/stream/memory_io.hpp"
#include "codec/stream/options.hpp"
#include "formats/plan/plan_bytes.hpp"
#include "formats/stream/chunk.hpp"

namespace tdz {
namespace {

constexpr std::uint64_t kIndexEntry = 40;  // of each chunk: formats/FORMAT.md, INDX

Result<std::vector<std::byte>> read(RandomAccess& input, std::uint64_t offset, std::uint64_t length) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(length));
  if (auto done = input.read_at(offset, bytes); !done) return done.error();
  return bytes;
}

}  // namespace

SettledEncoder::SettledEncoder(const Settled& settled)
    : settled_(settled), encoder_(settled.options.level), trial_(level_to_choose(settled.options.level)) {}

Result<const Recipe*> SettledEncoder::choose(const Cut& chunk) {
  if (chunk.raw) return &raw_;
  const auto choice = choose_recipe(chunk.bytes, settled_.recipes, settled_.chunk_sample, trial_);
  if (!choice) return choice.error();
  return &settled_.recipes[*choice];
}

Status SettledEncoder::encode(std::span<const std::byte> original, const Recipe& recipe, EncodedChunk& out) {
  return encoder_.encode(original, recipe, frame_bytes(settled_.options), out);
}

Status SettledEncoder::encode(const Cut& chunk, EncodedChunk& out) {
  const auto recipe = choose(chunk);
  return recipe ? encode(chunk.bytes, **recipe, out) : Status(recipe.error());
}

Status SettledEncoder::encode_all(Source& source, const CutRules& rules, const Take& take) {
  ChunkCutter cutter(source, rules);
  for (;;) {
    const auto chunk = cutter.next(memory_);
    if (!chunk) return chunk.error();
    if (chunk->bytes.empty()) return ok();
    if (auto done = encode(*chunk, encoded_); !done) return done;
    if (auto done = take(*chunk, encoded_); !done) return done;
  }
}

Result<std::uint64_t> stored_size(RandomAccess& input, const Settled& settled, Stretches stretches) {
  CutRules rules = cut_rules(settled.options, settled.recipes);
  std::uint64_t sum = 0;
  for (const Recipe& recipe : settled.recipes) sum += formats::plan_bytes(recipe.plan);
  SettledEncoder encoder(settled);
  const auto count = [&](const Cut&, const EncodedChunk& chunk) {
    sum += formats::serialize(chunk.record).size() + chunk.packed.size() + kIndexEntry;
    return ok();
  };
  const auto add = [&](std::uint64_t offset, std::uint64_t length) -> Status {
    auto bytes = read(input, offset, length);
    if (!bytes) return bytes.error();
    MemorySource source(*bytes);
    return encoder.encode_all(source, rules, count);
  };
  const std::uint64_t all = input.size();
  if (stretches.length == 0) {
    auto done = add(0, all);
    return done ? Result<std::uint64_t>(sum) : done.error();
  }
  const std::uint64_t begin = std::min(rules.raw_prefix, all),
                      length = std::min<std::uint64_t>(stretches.length, all - begin);
  const std::uint64_t apart = stretches.count == 1 ? 0 : (all - begin - length) / (stretches.count - 1);
  rules.raw_prefix = 0;
  for (std::size_t i = 0; i < stretches.count; ++i) {
    const std::uint64_t at = begin + apart * i / rules.unit_bytes * rules.unit_bytes;
    if (auto done = add(at, length); !done) return done.error();
  }
  return sum;
}

}  // namespace tdz
