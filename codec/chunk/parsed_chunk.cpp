// SPDX-License-Identifier: Apache-2.0
#include "codec/chunk/parsed_chunk.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "formats/plan/plan_bytes.hpp"

namespace tdz {

using namespace formats;

Result<ParsedChunk> parse_with_plan(std::span<const std::byte> record, ChunkRules rules,
                                    std::uint64_t where) {
  LastPlan none;
  return parse_with_plan(record, std::move(rules), where, none);
}

Fault LastPlan::read(std::span<const std::byte> bytes, std::uint64_t where) {
  if (!bytes_.empty() && std::ranges::equal(bytes, bytes_)) return {};
  bytes_.clear();
  auto parsed = parse_plan(bytes, where);
  if (!parsed) return parsed.error();
  plan_ = *std::move(parsed);
  original_ = 0;
  bytes_.assign(bytes.begin(), bytes.end());
  return {};
}

std::span<const Substream> LastPlan::substreams(std::uint64_t original) {
  if (original_ == 0 || original_ != original) substreams_ = formats::substreams(plan_, original);
  original_ = original;
  return substreams_;
}

Result<ParsedChunk> parse_with_plan(std::span<const std::byte> record, ChunkRules rules, std::uint64_t where,
                                    LastPlan& last) {
  rules.plan = [&](std::span<const std::byte> bytes) { return last.read(bytes, where); };
  rules.lengths = [&](std::span<const std::uint32_t> lengths, std::uint32_t original) {
    return check_lengths(last.substreams(original), lengths, original);
  };
  auto parsed = parse_chunk(record, rules, where);
  if (!parsed) return parsed.error();
  return ParsedChunk{*std::move(parsed), last.plan()};
}

std::uint64_t substream_bytes(const ChunkRecord& record) {
  return std::accumulate(record.substreams.begin(), record.substreams.end(), std::uint64_t{0});
}

}  // namespace tdz
