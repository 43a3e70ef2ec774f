// SPDX-License-Identifier: Apache-2.0
// Any bytes as a lone block, with their checks as they are and with right checks: a verdict, or an original
// of the length that the record names; and the list of uniform blocks gives what zstd gives, or nothing. And
// any bytes with a plan by chance: the block gives them again.
#include "codec/chunk/zstd_coder.hpp"
#include "tdz/block.hpp"
#include "tests/codec/random_plans.hpp"
#include "tests/fuzz/support.hpp"
#include "tests/oracle/uniform.hpp"

using namespace tdz;

namespace {

void decode(std::span<const std::byte> block) {
  const auto length = block_original_bytes(block);
  const auto original = decode_block(block, fuzz::kMaxOutput);
  if (!length) TDZ_MUST(fuzz::is_verdict(length.error()));
  if (!original) TDZ_MUST(fuzz::is_verdict(original.error()));
  if (original) TDZ_MUST(length && *length == original->size());
}

std::vector<std::byte> by_zstd(const ParsedChunk& chunk, std::span<const std::byte> packed) {
  std::vector<std::byte> all(static_cast<std::size_t>(substream_bytes(chunk.record)));
  std::span<std::byte> out(all);
  ZstdDecoder zstd;
  for (const auto& frame : chunk.record.frames) {
    TDZ_MUST(zstd.decode(packed.first(frame.packed), out.first(frame.unpacked)));
    packed = packed.subspan(frame.packed);
    out = out.subspan(frame.unpacked);
  }
  return all;
}

void read_list(std::span<const std::byte> block) {
  const auto prefix = formats::parse_prefix(block, {.chunk = true}, 0);
  if (!prefix || block.size() < prefix->total_bytes) return;
  const auto length = static_cast<std::size_t>(prefix->total_bytes);
  const auto chunk = parse_with_plan(block.first(length), {}, 0);
  const auto packed = block.subspan(length);
  if (!chunk || chunk->record.original_bytes > fuzz::kMaxOutput) return;
  if (formats::packed_bytes(chunk->record) > packed.size()) return;
  const auto found = oracle::read_by_list(
      *chunk, packed.first(static_cast<std::size_t>(formats::packed_bytes(chunk->record))));
  if (found) TDZ_MUST(found == by_zstd(*chunk, packed));
}

void comes_back(const Plan& plan, std::span<const std::byte> original) {
  const auto block = encode_block(plan, original);
  if (original.empty()) {
    TDZ_MUST(!block);
    return;
  }
  TDZ_MUST(block && block->size() <= block_bound(original.size()));
  const auto again = decode_block(*block, original.size());
  TDZ_MUST(again && std::ranges::equal(*again, original));
}

}  // namespace

TDZ_FUZZ_TARGET(blocks, bytes) {
  decode(bytes);
  const auto checked = fuzz::with_right_checks(bytes);
  decode(checked);
  read_list(checked);
  fuzz::Choices choices(bytes);
  test::Chance chance(choices.number<std::uint64_t>());
  comes_back(test::random_plan(chance), choices.rest());
}
