// SPDX-License-Identifier: Apache-2.0
// Are chunks of uniform blocks what FORMAT.md, section 4, says: readable by libzstd and by the list alone,
// and does the list never give other bytes than libzstd?
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "formats/plan/plan_rules.hpp"
#include "kernels/uniform/block.hpp"
#include "kernels/uniform/frame.hpp"
#include "kernels/uniform/tree_text.hpp"
#include "kernels/uniform/tree_weights.hpp"
#include "tests/codec/uniform_chunks.hpp"
#include "tests/rounds.hpp"

namespace tdz::test {
namespace {

/// Empty if FSE has no code for them.
Bytes written_weights(const std::vector<std::uint8_t>& weights) {
  uniform::TextSpace space;
  std::ranges::copy(weights, space.weights);
  Bytes packed(uniform::pack_weights(uniform::OneThread(), static_cast<unsigned>(weights.size()), space));
  for (unsigned i = 0; i < packed.size(); ++i)
    packed[i] = static_cast<std::byte>(uniform::packed_byte(space, i));
  return packed;
}

/// Empty if the bytes are not exactly a table and a stream.
std::vector<std::uint8_t> read_weights(std::span<const std::byte> bytes) {
  std::vector<std::uint8_t> weights(uniform::kMostListed);
  uniform::FseSpace space;
  weights.resize(uniform::fse_weights(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                      static_cast<std::uint32_t>(bytes.size()), space, weights.data()));
  return weights;
}

}  // namespace

TEST_CASE("uniform chunks come back, by libzstd and by the list") {
  BlockEncoder encoder;
  BlockDecoder decoder;
  std::size_t uniform = 0, fallen = 0;
  for (std::uint64_t seed = 0; seed < rounds_by_chance(300); ++seed) {
    CAPTURE(seed);
    Chance chance(seed);
    const Plan plan = random_uniform_plan(chance);
    REQUIRE(formats::check(plan));
    const Bytes original =
        pieces(chance, 1 + chance.below(400'000), 1 + chance.below(60'000), plan.columns[0].width);
    Bytes block(block_bound(original.size()));
    const auto length = encoder.encode(plan, original, block);
    REQUIRE(length);
    block.resize(*length);
    const auto restored = decoder.decode(block, original.size());
    REQUIRE(restored);
    CHECK(*restored == original);
    CHECK(*encode_block(plan, original) == block);
    const Made made = made_of(block);
    if (made.chunk.plan.coding != Coding::uniform) {
      ++fallen;
      CHECK(made.chunk.record.blocks.empty());
      continue;
    }
    ++uniform;
    const auto found = oracle::read_by_list(made.chunk, made.packed);
    CHECK(found.has_value());
    CHECK(found == by_libzstd(made.chunk, made.packed));
  }
  CHECK(uniform > rounds_by_chance(100));
  CHECK(fallen > rounds_by_chance(5));
}

TEST_CASE("codes keep their limit, and every type of block occurs") {
  with_all_types();
  Chance chance(5);
  const Bytes original = pieces(chance, 1'000'000, 100'000, 4);
  for (const unsigned limit : {8u, 9u, 10u, 11u}) {
    Plan plan = tokens_plan(4, {5, 2});
    plan.packing.code_limit = static_cast<std::uint8_t>(limit);
    const Made made = made_of(*encode_block(plan, original));
    unsigned longest = 0;
    for (const auto& entry : made.chunk.record.blocks) longest = std::max<unsigned>(longest, entry.bits);
    CHECK(longest <= limit);
    CHECK(longest >= 8);
  }
}

TEST_CASE("a frame that is too short for a group of blocks gives zstd's coding") {
  Chance chance(5);
  const Bytes original = pieces(chance, 100'000, 10'000, 1);
  Plan plan = tokens_plan(1, {7, 7});
  plan.packing.frame_bytes = 8 * 4096;
  CHECK(made_of(*encode_block(plan, original)).chunk.plan.coding == Coding::uniform);
  plan.packing.frame_bytes = 8 * 4096 - 1;
  CHECK(made_of(*encode_block(plan, original)).chunk.plan.coding == Coding::zstd);
  CHECK(*decode_block(*encode_block(plan, original), original.size()) == original);
  // A lane of fewer blocks needs no more than their length.
  const Bytes little(original.begin(), original.begin() + 9000);
  plan.packing.frame_bytes = 8192;
  CHECK(made_of(*encode_block(plan, little)).chunk.plan.coding == Coding::uniform);
}

TEST_CASE("every field of the list, changed alone, gives silence") {
  const Made made = with_all_types();
  const auto change = [&](auto&& edit) {
    for (std::size_t i = 0; i < made.chunk.record.blocks.size(); ++i) {
      CAPTURE(i);
      ParsedChunk chunk = made.chunk;
      edit(chunk.record.blocks[i]);
      CHECK_FALSE(oracle::read_by_list(chunk, made.packed));
    }
  };
  change([](auto& e) { ++e.length; });
  change([](auto& e) { --e.length; });
  change([](auto& e) { e.length ^= 0x8000; });
  for (const unsigned type : {1u, 2u, 3u, 4u, 7u, 128u})
    change([&](auto& e) { e.type ^= static_cast<std::uint8_t>(type); });
  change([](auto& e) { ++e.bits; });
  for (const std::size_t run : {0u, 1u, 2u, 3u}) {
    change([&](auto& e) { ++e.raw[run]; });
    change([&](auto& e) { e.raw[run] ^= 0x4000; });
  }
  for (std::size_t i = 0; i < made.chunk.record.blocks.size(); ++i) {
    ParsedChunk chunk = made.chunk;
    chunk.record.blocks.erase(chunk.record.blocks.begin() + static_cast<std::ptrdiff_t>(i));
    CHECK_FALSE(oracle::read_by_list(chunk, made.packed));
  }
  ParsedChunk chunk = made.chunk;
  chunk.record.blocks.emplace_back();
  CHECK_FALSE(oracle::read_by_list(chunk, made.packed));
}

TEST_CASE("bits of 0 say nothing, and nothing is missed") {
  Made made = with_all_types();
  for (auto& entry : made.chunk.record.blocks) entry.bits = 0;
  CHECK(oracle::read_by_list(made.chunk, made.packed) == by_libzstd(made.chunk, made.packed));
}

TEST_CASE("every bit of headers, trees, jumps and ends, flipped alone, gives libzstd's bytes or silence") {
  const Made made = with_all_types();
  std::vector<std::size_t> places;  // bytes that are worth all eight bits
  std::size_t at = 0;
  for (const auto& frame : made.chunk.record.frames) {
    for (std::size_t b = 0; b < 12; ++b) places.push_back(at + b);
    at += frame.packed;
    for (std::size_t b = 1; b <= 8; ++b) places.push_back(at - b);
  }
  std::size_t block = 9;  // the first frame has a content size of 4 bytes
  for (const auto& entry : made.chunk.record.blocks) {
    if (entry.type == 4) break;
    for (std::size_t b = 0; b < 20; ++b) places.push_back(block + b);
    block += 3 + entry.length;
    for (std::size_t b = 1; b <= 2; ++b) places.push_back(block - b);
  }
  const std::uint64_t bits = rounds_by_chance(8);  // of each byte, by turns
  std::uint64_t silent = 0;
  for (const std::size_t place : places) {
    if (place >= made.packed.size()) continue;
    for (std::uint64_t bit = 0; bit < bits; ++bit) {
      Bytes damaged = made.packed;
      damaged[place] ^= static_cast<std::byte>(1u << (place * bits + bit) % 8);
      CAPTURE(place);
      const auto found = oracle::read_by_list(made.chunk, damaged);
      if (found) CHECK(found == by_libzstd(made.chunk, damaged));
      silent += found ? 0u : 1u;
    }
  }
  CHECK(silent * 8 > places.size() * bits);
}

TEST_CASE("damage by chance gives libzstd's bytes or silence") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Chance chance(seed);
    const Plan plan = random_uniform_plan(chance);
    const Bytes original =
        pieces(chance, 1 + chance.below(60'000), 1 + chance.below(20'000), plan.columns[0].width);
    const Made made = made_of(*encode_block(plan, original));
    for (int i = 0; i < 40; ++i) {
      CAPTURE(seed);
      CAPTURE(i);
      Bytes damaged = made.packed;
      damaged[chance.below(damaged.size())] ^= static_cast<std::byte>(1u << chance.below(8));
      CHECK(is_silent_or_right(made.chunk, damaged));
    }
  }
}

TEST_CASE("lengths of codes are a full tree, within the limit, and the best without one") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Chance chance(seed);
    uniform::Counts counts{};
    const std::uint64_t symbols = 2 + chance.below(255);
    for (std::uint64_t i = 0; i < symbols; ++i)
      counts[chance.below(256)] += 1 + static_cast<std::uint32_t>(chance.bits() >> (48 + chance.below(16)));
    if (std::ranges::count(counts, 0u) > 254) continue;
    const unsigned limit = 8 + static_cast<unsigned>(chance.below(4));
    const auto lengths = uniform::code_lengths(counts, limit);
    unsigned sum = 0;
    for (std::size_t s = 0; s < 256; ++s) {
      CHECK((lengths[s] == 0) == (counts[s] == 0));
      if (lengths[s] != 0) sum += 1u << (limit - lengths[s]);
    }
    CHECK(sum == 1u << limit);
    const auto tree = uniform::write_tree(lengths);
    if (!tree) continue;
    const auto again = oracle::read_tree(tree->description);
    REQUIRE(again);
    CHECK(again->lengths == lengths);
    CHECK(again->longest == tree->longest);
    CHECK(again->description == tree->description);
  }
  uniform::Counts counts{};  // Fibonacci's numbers make the longest codes
  for (std::uint32_t i = 0, a = 1, b = 1; i < 10; ++i, std::swap(a, b), b += a) counts[i] = a;
  const auto lengths = uniform::code_lengths(counts, 11);
  CHECK(std::vector(lengths.begin(), lengths.begin() + 10) ==
        std::vector<std::uint8_t>{9, 9, 8, 7, 6, 5, 4, 3, 2, 1});
}

TEST_CASE("weights come back from FSE, and nothing else does") {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Chance chance(seed);
    std::vector<std::uint8_t> weights(2 + chance.below(254));
    const std::uint64_t most = 2 + chance.below(11);
    for (auto& w : weights) w = static_cast<std::uint8_t>(chance.below(1 + chance.below(most)));
    const Bytes bytes = written_weights(weights);
    CHECK(bytes.empty() == (std::ranges::count(weights, weights[0]) == std::ssize(weights)));
    if (bytes.empty()) continue;
    CAPTURE(seed);
    CHECK(read_weights(bytes) == weights);
    Bytes longer = bytes;
    longer.push_back(std::byte{0});
    CHECK(read_weights(longer).empty());
    CHECK(read_weights(std::span(bytes).first(1)).empty());
  }
}

TEST_CASE("a stream of uniform chunks comes back, and chunks end where lanes have no remainder") {
  const Bytes original = walk(500'000, 2);
  Plan plan{Coding::uniform,
            {{2, 1, {DifferenceStep{3, 1, 1024}, ZigzagStep{}, TokensStep{3, {3, 1}, 1024}}}}};
  const Bytes stored = packed(original, options_for(plan, 1u << 18));
  CHECK(decompress(stored, one_thread()).value() == original);
  const auto pieces_of = dissect(stored);
  std::size_t remainders = 0, chunks = 0;
  for (const Piece& piece : pieces_of) {
    if (piece.kind != formats::RecordKind::chunk) continue;
    ++chunks;
    const Made made = made_of(piece.bytes);
    CHECK(oracle::read_by_list(made.chunk, made.packed));
    remainders += static_cast<std::size_t>(
        std::ranges::count(made.chunk.record.blocks, 4u, &formats::BlockEntry::type));
  }
  CHECK(chunks == 3);
  CHECK(remainders <= 3);  // only the last chunk has them
}

}  // namespace tdz::test
