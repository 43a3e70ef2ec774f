// SPDX-License-Identifier: Apache-2.0
// Any bytes as a lone block, with their checks as they are and with right checks: a verdict, or an original of
// the length that the record names. And any bytes with a plan by chance: the block gives them again.
#include "tdz/block.hpp"
#include "tests/codec/random_plans.hpp"
#include "tests/fuzz/support.hpp"

using namespace tdz;

namespace {

void decode(std::span<const std::byte> block) {
  const auto length = block_original_bytes(block);
  const auto original = decode_block(block, fuzz::kMaxOutput);
  if (!length) TDZ_MUST(fuzz::is_verdict(length.error()));
  if (!original) TDZ_MUST(fuzz::is_verdict(original.error()));
  if (original) TDZ_MUST(length && *length == original->size());
}

void comes_back(const Plan& plan, std::span<const std::byte> original) {
  const auto block = encode_block(plan, original);
  if (plan.coding == Coding::uniform || original.empty()) {
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
  decode(fuzz::with_right_checks(bytes));
  fuzz::Choices choices(bytes);
  test::Chance chance(choices.number<std::uint64_t>());
  comes_back(test::random_plan(chance), choices.rest());
}
