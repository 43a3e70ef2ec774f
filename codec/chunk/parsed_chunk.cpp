// SPDX-License-Identifier: Apache-2.0
#include "codec/chunk/parsed_chunk.hpp"

#include <numeric>
#include <utility>

#include "formats/plan/plan_bytes.hpp"
#include "formats/plan/substreams.hpp"

namespace tdz {

using namespace formats;

Result<ParsedChunk> parse_with_plan(std::span<const std::byte> record, ChunkRules rules,
                                    std::uint64_t where) {
  Plan plan;
  rules.plan = [&](std::span<const std::byte> bytes) -> Fault {
    auto parsed = parse_plan(bytes, where);
    if (!parsed) return parsed.error();
    plan = *std::move(parsed);
    return {};
  };
  rules.lengths = [&](std::span<const std::uint32_t> lengths, std::uint32_t original) {
    return check_lengths(substreams(plan, original), lengths, original);
  };
  auto parsed = parse_chunk(record, rules, where);
  if (!parsed) return parsed.error();
  return ParsedChunk{*std::move(parsed), std::move(plan)};
}

std::uint64_t substream_bytes(const ChunkRecord& record) {
  return std::accumulate(record.substreams.begin(), record.substreams.end(), std::uint64_t{0});
}

}  // namespace tdz
