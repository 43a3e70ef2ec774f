// SPDX-License-Identifier: Apache-2.0
// Does the kernel that goes from groups to values give the CPU's values, and does it refuse what the CPU
// calls corrupt? It runs on a simulated device, every thread of it.
#include "tests/cuda/packed/groups_simulation.hpp"
#include "kernels/uniform/frame.hpp"
#include "tests/rounds.hpp"

namespace tdz::test {
namespace {

void check_simulated(const PackedBatch& batch) {
  const SimulatedGroups found = simulated_groups(batch);
  batch.check(found.values, found.status);
  batch.check_rows(found.digest_rows, found.status);
}

TEST_CASE("bytes of raw frames stand where the layout says") {
  Chance chance(1);
  for (const std::uint32_t segment : {200u, 65'000u, 131'072u, 131'073u, 300'000u, 1'000'000u})
    for (const auto checksum : {uniform::Checksum::none, uniform::Checksum::written}) {
      Bytes content(segment < 1000 ? 700 : 700'001), frames;
      for (std::byte& byte : content) byte = static_cast<std::byte>(chance.below(256));
      const bool sum = checksum == uniform::Checksum::written;
      const uniform::RawLayout layout{static_cast<std::uint32_t>(content.size()), segment, sum ? 4u : 0u};
      for (std::uint32_t f = 0; f < layout.frames(); ++f) {
        Bytes frame(layout.content(f) + 100);
        const auto part = std::span(content).subspan(std::size_t{f} * segment, layout.content(f));
        frame.resize(uniform::write_raw_frame(part, frame.data(), checksum));
        CHECK(frame.size() == layout.frame_bytes(layout.content(f)));
        CHECK(frames.size() == layout.frame_at(f));
        frames = frames + frame;
      }
      CHECK(frames.size() == layout.total());
      for (std::uint32_t at = 0; at < content.size(); ++at) {
        if (frames[static_cast<std::size_t>(layout.at(at))] != content[at]) FAIL_CHECK(at);
        const std::uint32_t beside = layout.side_by_side(at);
        if (!layout.is_one_piece(at, beside)) FAIL_CHECK(at);
        if (at + beside < content.size() && layout.is_one_piece(at, beside + 1)) FAIL_CHECK(at);
      }
    }
}

TEST_CASE("chunks by chance") {
  std::size_t several_frames = 0, several_blocks = 0;
  for (std::uint64_t seed = 0; seed < rounds_by_chance(48); ++seed) {
    CAPTURE(seed);
    Chance chance(seed);
    PackedBatch batch;
    for (std::uint64_t count = 1 + chance.below(8); count > 0; --count) {
      const Made made = random_packed(chance, 600'000);
      if (!batch.add(made, chance.once_in(2) ? 0 : chance.below(70))) continue;
      CHECK_FALSE(batch.cases.back().refused);
      several_frames += made.chunk.record.frames.size() > 1;
      several_blocks += made.chunk.record.frames[0].unpacked > uniform::kRawBlock;
    }
    check_simulated(batch);
  }
  CHECK(several_frames > rounds_by_chance(10));
  CHECK(several_blocks > rounds_by_chance(20));
}

TEST_CASE("all lengths of a short chunk, with more lanes than words and without") {
  for (const unsigned width : {1u, 2u, 4u, 8u})
    for (const std::uint32_t tuple : {1u, 3u, 32u}) check_simulated(short_chunks(width, tuple));
}

TEST_CASE("so many chunks that a warp takes a whole one") {
  check_simulated(many_chunks(1, 3));
  check_simulated(many_chunks(4, 1));
}

TEST_CASE("damaged chunks have the verdict of the CPU") {
  std::size_t refused = 0, good = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    const PackedBatch batch = damaged_chunks(seed, 12);
    check_simulated(batch);
    refused += batch.refused(), good += batch.cases.size() - batch.refused();
  }
  CHECK(refused > 200);
  CHECK(good > 50);
}

/// A chunk of two places and one group, in one lane.
Made two_places() {
  Chance chance(5);
  return packed_block(2, 1, words_of_groups(chance, 2, 16 * 513 - 3, 1));
}
/// The same with one byte of one substream changed by `add`.
void check_refused(std::size_t section, std::uint32_t byte, unsigned add, const char* name) {
  Made made = two_places();
  std::uint32_t at = byte, content = 0;
  for (std::size_t s = 0; s < section; ++s) at += made.chunk.record.substreams[s];
  for (const std::uint32_t length : made.chunk.record.substreams) content += length;
  const auto place = uniform::RawLayout{content, content, 0}.at(at);
  auto& found = made.packed[static_cast<std::size_t>(place)];
  found = static_cast<std::byte>(static_cast<unsigned>(found) + add);
  PackedBatch batch;
  REQUIRE(batch.add(made));
  batch.cases[0].name = name;
  CHECK(batch.cases[0].refused);
  check_simulated(batch);
}

TEST_CASE("what the format calls corrupt is refused") {
  REQUIRE(two_places().chunk.record.substreams[0] == 16);
  check_refused(0, 0, 255, "a width that does not ascend, or is 255");
  check_refused(0, 15, 1, "more bits than a word has");
  check_refused(1, 256, 0x10, "the unused half of a byte");
  check_refused(1, 0, 1, "a code of another width");
  check_refused(2, 0, 2, "the first place");
  check_refused(2, 4, 2, "the second place");
  check_refused(2, 7, 0x80, "a place far away");
  check_refused(2, 8, 254, "the last place");
}

TEST_CASE("a fill word that is not zero is refused") {
  Bytes words(2 * 17);
  for (std::size_t i = 0; i < words.size(); i += 2) words[i] = std::byte{1};
  Made made = packed_block(2, 1, words);  // the second group has one word, and 15 fill words of one bit
  PackedBatch good, bad;
  REQUIRE(good.add(made));
  check_simulated(good);
  made.packed.back() = std::byte{0x80};
  REQUIRE(bad.add(made));
  CHECK(bad.cases[0].refused);
  check_simulated(bad);
}

TEST_CASE("frames that are not those of a writer are for the CPU") {
  Chance chance(9);
  const Bytes words = words_of_groups(chance, 4, 200'000, 1);
  PackedBatch batch;
  const auto taken = [&](const Made& made) { return batch.add(made); };
  CHECK(taken(packed_block(4, 1, words)));
  CHECK(taken(packed_block(4, 1, words, 131'072)));
  CHECK_FALSE(taken(packed_block(4, 1, words, 131'071)));  // shorter than a block
  Made other = packed_block(4, 1, words, 150'000);
  auto& frames = other.chunk.record.frames;
  REQUIRE(frames.size() > 2);
  frames[0].packed += 1;
  CHECK_FALSE(taken(other));
  frames[0].packed -= 1, frames[1].unpacked -= 1, frames[1].packed -= 1;
  CHECK_FALSE(taken(other));
  frames.pop_back();
  CHECK_FALSE(taken(other));
  Made moved = packed_block(4, 1, words);  // as many bytes in all, but codes and places have other lengths
  moved.chunk.record.substreams[1] += 4, moved.chunk.record.substreams[2] -= 4;
  CHECK_FALSE(taken(moved));
  Bytes odd = words;
  odd.pop_back();
  CHECK_FALSE(taken(packed_block(4, 1, odd)));  // bytes after the last row
}

TEST_CASE("the steps that go with the groups") {
  const auto tail = [](std::vector<PlanStep> steps) {
    steps.push_back(PackedStep{3});
    const cuda::PackedTail found = cuda::packed_tail({2, 1, steps});
    return std::array<unsigned, 3>{static_cast<unsigned>(found.before), found.steps.order,
                                   found.steps.zigzag ? 1u : 0u};
  };
  using All = std::array<unsigned, 3>;
  CHECK(tail({}) == All{0, 0, 0});
  CHECK(tail({ZigzagStep{}}) == All{0, 0, 1});
  CHECK(tail({DifferenceStep{3, 8}}) == All{0, 8, 0});
  CHECK(tail({DifferenceStep{3, 1, 8192}}) == All{0, 1, 0});
  CHECK(tail({DifferenceStep{3, 1, 1024}}) == All{0, 1, 0});
  CHECK(tail({DifferenceStep{3, 2}, ZigzagStep{}}) == All{0, 2, 1});
  CHECK(tail({DifferenceStep{640, 1}, DifferenceStep{3, 2}, ZigzagStep{}}) == All{1, 2, 1});
  CHECK(tail({DifferenceStep{640, 1}, ZigzagStep{}}) == All{1, 0, 1});
  CHECK(tail({DifferenceStep{2, 1}, ZigzagStep{}}) == All{1, 0, 1});  // other lanes
  CHECK(tail({ByteswapStep{}, DifferenceStep{3, 1}}) == All{1, 1, 0});
}

TEST_CASE("plans that a device takes") {
  const auto takes = [](Plan plan) { return cuda::is_packed_for_device(plan); };
  const Column good{2, 1, {DifferenceStep{3, 2}, ZigzagStep{}, PackedStep{3}}};
  const auto with = [&](auto change) {
    Plan plan{Coding::zstd, {good}};
    change(plan);
    return plan;
  };
  CHECK(takes(with([](Plan&) {})));
  CHECK(takes(with([](Plan& p) { p.columns[0].steps = {PackedStep{32}}; })));
  CHECK(takes(with([](Plan& p) { p.columns[0].count = 3; })));
  CHECK(takes(with([](Plan& p) { p.columns[0].steps[0] = DifferenceStep{3, 2, 1024}; })));
  CHECK(takes(with([](Plan& p) { p.columns[0].steps.insert(p.columns[0].steps.begin(), ByteswapStep{}); })));
  CHECK(takes(with([](Plan& p) {
    p.columns[0].steps.insert(p.columns[0].steps.begin(), DifferenceStep{640, 1});
  })));
  CHECK_FALSE(takes(with([](Plan& p) { p.columns[0].width = 3; })));
  CHECK_FALSE(takes(with([](Plan& p) { p.columns[0].steps = {PackedStep{33}}; })));
  CHECK_FALSE(takes(with([](Plan& p) { p.coding = Coding::uniform; })));
  CHECK_FALSE(takes(with([&](Plan& p) { p.columns.push_back(good); })));
  CHECK_FALSE(takes(with([](Plan& p) { p.columns[0].steps.pop_back(); })));
  CHECK_FALSE(takes(with([](Plan& p) { p.columns[0].steps[0] = PredictStep{1, Sign::is_signed}; })));
}

}  // namespace
}  // namespace tdz::test
