// SPDX-License-Identifier: Apache-2.0
// Does every record of format 1.0 come back as it was written, also the longest one, and with later fields?
#include <doctest/doctest.h>

#include "samples.hpp"

namespace tdz::test::stream {

using namespace tdz::formats;

namespace {

template <class Value, class Parse>
void round_trip(const Value& value, Parse parse) {
  const Bytes record = serialize(value);
  CHECK(record.size() % 8 == 0);
  const auto parsed = parse(record);
  REQUIRE(parsed);
  CHECK(*parsed == value);
  CHECK(serialize(*parsed) == record);
}

auto as_block(const Bytes& record) {
  return parse_chunk(record, {}, 0);
}

ChunkRecord longest_chunk() {
  ChunkRecord chunk{.original_bytes = kMaxChunk, .plan = Bytes(kMaxPlanBytes)};
  const auto count = static_cast<std::uint32_t>(max_frame_count(kMaxChunk, kMaxSubstreams));
  const auto sum = max_substream_bytes(kMaxChunk);
  const auto each = static_cast<std::uint32_t>(sum / count);
  chunk.frames.assign(count, {each, each});
  chunk.frames.back().unpacked = static_cast<std::uint32_t>(sum - std::uint64_t{each} * (count - 1));
  chunk.frames.back().packed = chunk.frames.back().unpacked;
  const auto length = static_cast<std::uint32_t>(sum / kMaxSubstreams);
  chunk.substreams.assign(kMaxSubstreams, length);
  chunk.substreams.back() += static_cast<std::uint32_t>(sum % kMaxSubstreams);
  chunk.blocks.resize(max_block_entries(kMaxChunk));
  return chunk;
}

IndexPart longest_index() {
  IndexPart part{.offset = kMaxEntries, .plans = std::vector(16, Bytes(kMaxPlanBytes))};
  for (std::uint32_t i = 0; i < kMaxEntries; ++i) {
    part.entries.push_back(
        {.record_offset = i, .original_offset = i, .original_bytes = 1, .stored_bytes = 1});
  }
  return part;
}

}  // namespace

TEST_CASE("records of format 1.0 come back") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    RandomValues random(seed);
    round_trip(any_header(random), [](const Bytes& r) { return parse_header(r, 0); });
    round_trip(any_chunk(random), as_block);
    round_trip(any_index(random), [](const Bytes& r) { return parse_index(r, eight_bytes, 0); });
    round_trip(any_end(random), [](const Bytes& r) { return parse_end(r, {}, 0); });
    round_trip(any_note(random), [](const Bytes& r) { return parse_note(r, 0); });
  }
}

TEST_CASE("the longest CHK is accepted, and leaves room to grow") {
  const ChunkRecord chunk = longest_chunk();
  CHECK(serialize(chunk).size() == kChunkLength.most - kGrowth);
  round_trip(chunk, as_block);
}

TEST_CASE("the longest INDX is accepted, and leaves room to grow") {
  const IndexPart part = longest_index();
  CHECK(serialize(part).size() == kIndexLength.most - kGrowth);
  round_trip(part, [](const Bytes& r) {
    return parse_index(
        r, [](auto) { return Result<std::size_t>(kMaxPlanBytes); }, 0);
  });
}

TEST_CASE("the longest type leaves HDR within its limit") {
  round_trip(StreamHeader{.type = std::string(kMaxType, 'u')},
             [](const Bytes& r) { return parse_header(r, 0); });
}

TEST_CASE("an END always has 104 bytes") {
  CHECK(serialize(EndRecord{}).size() == kEndLength);
}

TEST_CASE("fields of a later minor version are ignored, except in END") {
  for (Specimen& specimen : specimens(3)) {
    CAPTURE(specimen.name);
    const Bytes appended(24, std::byte{0xA5});
    specimen.record.insert(specimen.record.end() - 8, appended.begin(), appended.end());
    reseal(specimen.record);
    CHECK(verdict_of(specimen.parse(specimen.record)) == (specimen.name == "END" ? "corrupt" : "accepted"));
  }
}

}  // namespace tdz::test::stream
