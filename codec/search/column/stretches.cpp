// SPDX-License-Identifier: Apache-2.0
#include "codec/search/column/stretches.hpp"

#include <algorithm>

#include "codec/search/column/column_draft.hpp"

namespace tdz {
namespace {

constexpr std::size_t kStretches = 3;
constexpr std::size_t kStretchBytes = std::size_t{1} << 20;

Result<std::uint64_t> size_of(const Recipe& recipe, std::span<const std::byte> piece, Trial& trial) {
  auto coded = trial.substreams(recipe.plan, piece, recipe.hints);
  if (!coded) return coded.error();
  return trial.packed(recipe.packing, coded->bytes, plane_lengths(recipe.plan, coded->lengths));
}

}  // namespace

Result<std::uint64_t> size_of_stretches(RandomAccess& input, std::uint64_t offset,
                                        const std::vector<Recipe>& recipes, Trial& trial) {
  auto samples = take_samples(input, offset, kStretches, kStretchBytes);
  if (!samples) return samples.error();
  std::uint64_t sum = 0;
  for (const auto piece : samples->pieces) {
    std::uint64_t smallest = UINT64_MAX;
    for (const Recipe& recipe : recipes) {
      const Pieces whole = aligned(*samples, {piece}, tuple_bytes(recipe.plan));
      auto size = size_of(recipe, whole.front(), trial);
      if (!size) return size.error();
      smallest = std::min(smallest, *size);
    }
    sum += smallest;
  }
  return sum;
}

}  // namespace tdz
