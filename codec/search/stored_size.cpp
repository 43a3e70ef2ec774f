// SPDX-License-Identifier: Apache-2.0
#include "codec/search/stored_size.hpp"

#include <algorithm>

#include "codec/chunk/chunk_coder.hpp"
#include "codec/search/search.hpp"
#include "codec/stream/chunk_cutter.hpp"
#include "codec/stream/memory_io.hpp"
#include "codec/stream/options.hpp"
#include "formats/plan/plan_bytes.hpp"
#include "formats/stream/chunk.hpp"

namespace tdz {
namespace {

constexpr std::uint64_t kIndexEntry = 40;  // of each chunk: formats/FORMAT.md, INDX

class Coder {
 public:
  explicit Coder(const Settled& settled)
      : settled_(settled),
        encoder_(cpu_backend(), settled.options.level),
        trial_(cpu_backend(), level_to_choose(settled.options.level)) {}

  /// The chunks of these bytes.
  Result<std::uint64_t> size_of(std::span<const std::byte> bytes, const CutRules& rules) {
    MemorySource source(bytes);
    ChunkCutter cutter(source, rules);
    std::uint64_t sum = 0;
    for (;;) {
      auto cut = cutter.next(memory_);
      if (!cut) return cut.error();
      if (cut->bytes.empty()) return sum;
      auto size = size_of(*cut);
      if (!size) return size;
      sum += *size;
    }
  }

 private:
  Result<std::uint64_t> size_of(const Cut& cut) {
    const Recipe* recipe = &raw_;
    if (!cut.raw) {
      auto choice = choose_recipe(cut.bytes, settled_.recipes, settled_.chunk_sample, trial_);
      if (!choice) return choice.error();
      recipe = &settled_.recipes[*choice];
    }
    if (auto done = encoder_.encode(cut.bytes, *recipe, frame_bytes(settled_.options), encoded_); !done)
      return done.error();
    return formats::serialize(encoded_.record).size() + encoded_.packed.size() + kIndexEntry;
  }

  const Settled& settled_;
  const Recipe raw_{};
  ChunkEncoder encoder_;
  Trial trial_;
  Buffer memory_;
  EncodedChunk encoded_;
};

Result<std::vector<std::byte>> read(RandomAccess& input, std::uint64_t offset, std::uint64_t length) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(length));
  if (auto done = input.read_at(offset, bytes); !done) return done.error();
  return bytes;
}

}  // namespace

Result<std::uint64_t> stored_size(RandomAccess& input, const Settled& settled, Stretches stretches) {
  CutRules rules = cut_rules(settled.options, settled.recipes);
  std::uint64_t sum = 0;
  for (const Recipe& recipe : settled.recipes) sum += formats::plan_bytes(recipe.plan);
  Coder coder(settled);
  const auto add = [&](std::uint64_t offset, std::uint64_t length) -> Status {
    auto bytes = read(input, offset, length);
    if (!bytes) return bytes.error();
    auto size = coder.size_of(*bytes, rules);
    if (size) sum += *size;
    return size ? ok() : Status(size.error());
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
