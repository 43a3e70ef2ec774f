// SPDX-License-Identifier: Apache-2.0
// Do the tables for a device lead to the right bytes, and do the functions that host and device share judge
// as the reader by the list does? A simulation takes the device's place.
#include <doctest/doctest.h>

#include "kernels/uniform/block.hpp"
#include "kernels/uniform/tree_weights.hpp"
#include "tests/codec/device_batch.hpp"
#include "tests/rounds.hpp"

namespace tdz::test {

TEST_CASE("a device's tables lead to the original") {
  const std::uint64_t rounds = rounds_by_chance(150);
  std::size_t added = 0, whole = 0;
  for (std::uint64_t seed = 0; seed < rounds; ++seed) {
    CAPTURE(seed);
    Chance chance(seed);
    DeviceBatch batch;
    for (std::uint64_t chunks = 1 + chance.below(3); chunks > 0; --chunks) {
      const Plan plan = random_device_plan(chance);
      const Bytes original = random_original(chance, plan, 300'000);
      const Made made = made_of(*encode_block(plan, original));
      const bool may = !made.chunk.record.blocks.empty() && made.chunk.plan.coding == Coding::uniform;
      const bool is = batch.add(made, original, chance.below(70));
      if (!may) CHECK_FALSE(is);
      added += is ? 1 : 0;
    }
    const Decoded decoded = BatchSimulation(batch).run();
    for (const BatchChunk& chunk : batch.chunks) {
      CHECK(decoded.status[chunk.base.chunk] == 0);
      CHECK(fault_of(chunk, decoded) == "");
      for (const auto& column : chunk.left.columns) whole += column.uniform && column.steps_left == 0 ? 1 : 0;
    }
  }
  CHECK(added * 5 > rounds * 2);
  CHECK(whole * 4 > rounds);
}

TEST_CASE("raw bits are found behind every border of a block, and in short frames") {
  Chance chance(3);
  const Bytes original = noise(3'000'000);
  for (const std::uint32_t frame : {0u, 131'072u, 140'000u, 1'000'000u}) {
    CAPTURE(frame);
    Plan plan = tokens_plan(4, {3, 1}, 4096);
    plan.packing.frame_bytes = frame;
    DeviceBatch batch;
    REQUIRE(batch.add(made_of(*encode_block(plan, original)), original, 3));
    CHECK(batch.tables.joins.size() > 10);
    const Decoded decoded = BatchSimulation(batch).run();
    CHECK(decoded.status[0] == 0);
    CHECK(fault_of(batch.chunks[0], decoded) == "");
  }
}

TEST_CASE("a damaged chunk is refused, or what the reader by the list makes of it") {
  const std::uint64_t rounds = rounds_by_chance(150);
  std::size_t refused = 0, accepted = 0;
  for (std::uint64_t seed = 0; seed < rounds; ++seed) {
    Chance chance(seed);
    const Plan plan = random_device_plan(chance);
    const Bytes original = random_original(chance, plan, 60'000);
    const Made made = made_of(*encode_block(plan, original));
    for (int i = 0; i < 20; ++i) {
      CAPTURE(seed);
      CAPTURE(i);
      const Made bad = damaged(chance, made);
      DeviceBatch batch;
      const bool added = batch.add(bad, original);
      const auto found = oracle::read_by_list(bad.chunk, bad.packed);
      const bool good = added && !batch.chunk_is_damaged && BatchSimulation(batch).run().status[0] == 0;
      if (good) CHECK(found.has_value());
      (good ? accepted : refused) += 1;
    }
  }
  CHECK(refused * 3 > rounds * 10);
  CHECK(accepted * 15 > rounds);
}

TEST_CASE("a chunk that is not for a device leaves the tables as they were") {
  Chance chance(9);
  const Bytes original = pieces(chance, 200'000, 20'000, 2);
  Made made = made_of(*encode_block(tokens_plan(2, {3, 1}), original));
  DeviceBatch batch;
  REQUIRE(batch.add(made, original));
  const std::size_t blocks = batch.tables.blocks.size(), checks = batch.tables.checks.size();
  made.chunk.record.blocks.back().raw[3] ^= 1;
  CHECK_FALSE(batch.add(made, original));
  CHECK(batch.tables.blocks.size() == blocks);
  CHECK(batch.tables.checks.size() == checks);
  CHECK(batch.tables.lanes.size() == 1);
}

TEST_CASE("trees by chance: host and device read the same") {
  std::size_t trees = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    CAPTURE(seed);
    Chance chance(seed);
    Bytes bytes(1 + chance.below(140));
    for (auto& b : bytes) b = static_cast<std::byte>(chance.bits() >> (56 + chance.below(8)));
    if (chance.once_in(2)) {
      uniform::Counts counts{};
      for (std::uint64_t i = 0; i < 2 + chance.below(255); ++i)
        counts[chance.below(256)] += 1 + static_cast<std::uint32_t>(chance.below(1000));
      if (std::ranges::count(counts, 0u) > 254) continue;
      const auto tree =
          uniform::write_tree(uniform::code_lengths(counts, 8 + static_cast<unsigned>(chance.below(4))));
      if (!tree) continue;
      bytes = tree->description;
      if (chance.once_in(2))
        bytes[chance.below(bytes.size())] ^= static_cast<std::byte>(1u << chance.below(8));
    }
    const auto expected = oracle::read_tree(bytes);
    uniform::FseSpace space;
    uniform::TreeWeights tree;
    const auto length = oracle::read_weights(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                             static_cast<std::uint32_t>(bytes.size()), space, tree);
    REQUIRE((length != 0) == expected.has_value());
    if (!expected) continue;
    ++trees;
    CHECK(length == expected->description.size());
    CHECK(tree.longest == expected->longest);
    for (std::uint32_t s = 0; s < 256; ++s) {
      const bool coded = s < tree.symbols && tree.of[s] != 0;
      CHECK(expected->lengths[s] == (coded ? tree.longest + 1 - tree.of[s] : 0));
    }
  }
  CHECK(trees > 500);
}

}  // namespace tdz::test
