// SPDX-License-Identifier: Apache-2.0
#include "codec/search/column/stretches.hpp"

#include <algorithm>
#include <numeric>

#include "codec/pipe/options.hpp"
#include "codec/search/column/column_draft.hpp"
#include "codec/search/limits.hpp"
#include "formats/plan/plan_bytes.hpp"

namespace tdz {
namespace {

constexpr std::size_t kStretches = 3;

Result<std::uint64_t> size_of(const Recipe& recipe, std::span<const std::byte> piece, Trial& trial) {
  auto coded = trial.substreams(recipe.plan, piece, recipe.hints);
  if (!coded) return coded.error();
  auto size = trial.packed(recipe.packing, coded->bytes, plane_lengths(recipe.plan, coded->lengths));
  return size ? *size + bytes_in_chunk(recipe.plan) : size;
}

// ---- long chunks

constexpr std::size_t kLongStretches = 2;
constexpr std::uint64_t kWorthShort = 256;  // 0.4 %: short chunks must save more than this

/// With the recipe that suits it best.
Result<std::uint64_t> smallest_size(std::span<const std::byte> chunk, const std::vector<Recipe>& recipes,
                                    Trial& trial) {
  std::uint64_t smallest = UINT64_MAX;
  for (const Recipe& recipe : recipes) {
    auto size = size_of(recipe, chunk, trial);
    if (!size) return size;
    smallest = std::min(smallest, *size);
  }
  return smallest;
}

/// All pieces, cut into chunks of this length.
Result<std::uint64_t> size_in_chunks(const Pieces& pieces, std::size_t chunk, const std::vector<Recipe>& recipes,
                                     Trial& trial) {
  std::uint64_t sum = 0;
  for (auto rest : pieces) {
    for (; !rest.empty(); rest = rest.subspan(std::min(chunk, rest.size()))) {
      auto size = smallest_size(rest.first(std::min(chunk, rest.size())), recipes, trial);
      if (!size) return size;
      sum += *size;
    }
  }
  return sum;
}

/// All recipes find the begin of a tuple where a chunk begins. More than a chunk: they do not agree on one.
std::size_t unit_of(const std::vector<Recipe>& recipes) {
  std::size_t unit = 1;
  for (const Recipe& recipe : recipes)
    if (unit <= kUsualChunk) unit = std::lcm(unit, tuple_bytes(recipe.plan));
  return unit;
}

}  // namespace

Result<std::uint64_t> size_of_stretches(RandomAccess& input, std::uint64_t offset,
                                        const std::vector<Recipe>& recipes, Trial& trial) {
  auto samples = take_samples(input, offset, kStretches, kUsualChunk);
  if (!samples) return samples.error();
  std::uint64_t sum = 0;
  for (const Recipe& recipe : recipes) sum += formats::plan_bytes(recipe.plan);  // of the index
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

Result<bool> suits_long_chunks(RandomAccess& input, std::uint64_t offset, const std::vector<Recipe>& recipes,
                               Trial& trial) {
  const std::size_t unit = unit_of(recipes);
  const std::size_t usual = kUsualChunk / unit * unit;
  if (usual == 0) return true;
  auto samples = take_samples(input, offset, kLongStretches, kLongChunk);
  if (!samples) return samples.error();
  const Pieces pieces = aligned(*samples, samples->pieces, unit);
  auto of_long = size_in_chunks(pieces, kLongChunk, recipes, trial);
  if (!of_long) return of_long.error();
  auto of_usual = size_in_chunks(pieces, usual, recipes, trial);
  if (!of_usual) return of_usual.error();
  return !clearly_smaller(*of_usual, *of_long, kWorthShort);
}

}  // namespace tdz
