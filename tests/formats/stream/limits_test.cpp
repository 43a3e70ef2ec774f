// SPDX-License-Identifier: Apache-2.0
// Behind intact checks: is each field accepted up to its limit, and refused with the right word beyond it?
// Lone blocks, parts of the index and ENDs are judged here without their stream; vectors_test.cpp has the
// streams.
#include <doctest/doctest.h>

#include <array>
#include <string_view>

#include "samples.hpp"

namespace tdz::test::stream {

using namespace tdz::formats;

namespace {

/// `bytes` of the record from `at` on become `value`.
struct Edit {
  std::string_view what;
  std::size_t at;
  std::size_t bytes;
  std::uint64_t value;
  std::string_view verdict;
};

template <class Parse>
void judge(const Bytes& record, std::span<const Edit> edits, Parse parse) {
  REQUIRE(parse(record));
  for (const Edit& edit : edits) {
    CAPTURE(edit.what);
    Bytes edited = record;
    for (std::size_t i = 0; i < edit.bytes; ++i)
      edited[edit.at + i] = static_cast<std::byte>(edit.value >> (8 * i));
    reseal(edited);
    const auto result = parse(edited);
    CHECK(verdict_of(result) == edit.verdict);
    if (!result) CHECK(result.error().where == 1000);
  }
}

constexpr std::array kHeaderEdits = {
    Edit{"major version 0", 16, 1, 0, "unsupported"},
    Edit{"major version 2", 16, 1, 2, "unsupported"},
    Edit{"a later minor version", 17, 1, 255, "accepted"},
    Edit{"a draft", 18, 2, 0, "unsupported"},
    Edit{"a feature to be understood", 18, 2, 0x8001, "unsupported"},
    Edit{"features to be ignored", 20, 2, 0xFFFF, "accepted"},
    Edit{"zero in the tag", 22, 2, 1, "unsupported"},
    Edit{"an unknown size", 32, 8, kNone, "accepted"},
    Edit{"chunks of 64 KiB - 1", 40, 4, kMinChunk - 1, "unsupported"},
    Edit{"chunks of 1 GiB", 40, 4, kMaxChunk, "accepted"},
    Edit{"chunks of 1 GiB + 1", 40, 4, kMaxChunk + 1, "unsupported"},
    Edit{"frames of 4 KiB", 44, 4, kMinFrame, "accepted"},
    Edit{"frames of 4095", 44, 4, kMinFrame - 1, "unsupported"},
    Edit{"frames longer than chunks", 44, 4, (1u << 20) + 1, "unsupported"},
    Edit{"a type beyond the record", 48, 2, 0xFFFF, "corrupt"},
    Edit{"a sentence beyond the record", 50, 2, 0xFFFF, "corrupt"},
    Edit{"no type and no sentence", 48, 4, 0, "accepted"},
    Edit{"zero behind the lengths", 52, 4, 1, "unsupported"},
    Edit{"bytes of the type", 56, 1, 0xFF, "accepted"},
};

// Plan of 8 bytes at 96, two lengths at 104, two frames at 112 and 120, one block at 128.
ChunkRecord plain_block() {
  return {.original_bytes = 5000,
          .plan = plan_of_width(1),
          .substreams = {4000, 1000},
          .frames = {{90, 4500}, {60, 500}},
          .blocks = {BlockEntry{}}};
}

constexpr std::array kBlockEdits = {
    Edit{"tag", 16, 8, kNone, "accepted"},
    Edit{"offset", 32, 8, kNone, "accepted"},
    Edit{"number", 40, 8, kNone, "accepted"},
    Edit{"original offset", 48, 8, kNone, "accepted"},
    Edit{"chain", 88, 8, kNone, "accepted"},
    Edit{"no bytes", 64, 4, 0, "corrupt"},
    Edit{"1 GiB", 64, 4, kMaxChunk, "accepted"},
    Edit{"1 GiB + 1", 64, 4, kMaxChunk + 1, "corrupt"},
    Edit{"a plan of 65537 bytes", 68, 4, kMaxPlanBytes + 1, "corrupt"},
    Edit{"a plan beyond the record", 68, 4, kMaxPlanBytes, "corrupt"},
    Edit{"no substream", 72, 4, 0, "corrupt"},
    Edit{"1025 substreams", 72, 4, kMaxSubstreams + 1, "corrupt"},
    Edit{"no frame", 76, 4, 0, "corrupt"},
    Edit{"more frames than S allows", 76, 4, max_frame_count(5000, 2) + 1, "corrupt"},
    Edit{"2^32 - 1 frames", 76, 4, 0xFFFFFFFF, "corrupt"},
    Edit{"no blocks", 80, 4, 0, "accepted"},
    Edit{"blocks beyond the record", 80, 4, 3, "corrupt"},
    Edit{"more blocks than D allows", 80, 4, max_block_entries(5000) + 1, "corrupt"},
    Edit{"digest kind 0", 84, 1, 0, "unsupported"},
    Edit{"digest kind 2", 84, 1, 2, "unsupported"},
    Edit{"a feature", 85, 1, 0x80, "unsupported"},
    Edit{"zero at 86", 86, 2, 0x8000, "unsupported"},
    Edit{"a frame of no bytes", 124, 4, 0, "corrupt"},
    Edit{"frames with another sum", 124, 4, 501, "corrupt"},
    Edit{"packed into 3 bytes", 112, 4, 3, "corrupt"},
    Edit{"packed into 4 bytes", 112, 4, 4, "accepted"},
    Edit{"packed into the most", 112, 4, max_packed(4500), "accepted"},
    Edit{"packed into more", 112, 4, max_packed(4500) + 1, "corrupt"},
    Edit{"a block of any values", 128, 8, kNone, "accepted"},
};

// Two plans at 72 and 80, entries at 88, 128 and 168.
IndexPart plain_index() {
  return {
      .tag = 9,
      .offset = 2000,
      .first_chunk = 5,
      .previous = 900,
      .plans = {plan_of_width(1), plan_of_width(2)},
      .entries = {{1000, 5000, 1, 100, 160, 0}, {1160, 5100, 2, 50, 140, 1}, {1300, 5150, 3, 10, 130, 0}}};
}

constexpr std::array kIndexEdits = {
    Edit{"the first chunk with a part before it", 40, 8, 0, "corrupt"},
    Edit{"a later chunk without a part before it", 48, 8, kNone, "corrupt"},
    Edit{"a part before it that lies behind", 48, 8, 2000, "corrupt"},
    Edit{"no entries", 56, 4, 0, "corrupt"},
    Edit{"an entry beyond the record", 56, 4, 4, "corrupt"},
    Edit{"65537 entries", 56, 4, kMaxEntries + 1, "corrupt"},
    Edit{"no plans", 60, 4, 0, "corrupt"},
    Edit{"one plan in the table of two", 60, 4, 1, "corrupt"},
    Edit{"more plans than entries", 60, 4, 4, "corrupt"},
    Edit{"a table beyond its limit", 64, 4, kMaxPlanTable + 1, "corrupt"},
    Edit{"a table beyond the record", 64, 4, kMaxPlanTable, "corrupt"},
    Edit{"a table that cuts a plan", 64, 4, 12, "corrupt"},
    Edit{"the last part", 68, 1, 1, "accepted"},
    Edit{"flag 2", 68, 1, 2, "unsupported"},
    Edit{"digest kind 2", 69, 1, 2, "unsupported"},
    Edit{"zero at 70", 70, 2, 1, "unsupported"},
    Edit{"a plan with another width", 76, 1, 99, "accepted"},
    Edit{"an entry inside the one before it", 128, 8, 1159, "corrupt"},
    Edit{"a gap in the original", 136, 8, 5101, "corrupt"},
    Edit{"an entry behind the part", 168, 8, 2000, "corrupt"},
    Edit{"an entry that reaches into the part", 168, 8, 1871, "corrupt"},
    Edit{"an entry that ends at the part", 168, 8, 1870, "accepted"},
    Edit{"an entry of no bytes", 168 + 24, 4, 0, "corrupt"},
    Edit{"an entry of more than 1 GiB", 168 + 24, 4, kMaxChunk + 1, "corrupt"},
    Edit{"a plan that is not there", 88 + 32, 2, 2, "corrupt"},
    Edit{"zero in an entry", 88 + 34, 1, 1, "unsupported"},
    Edit{"zero at an entry's end", 88 + 39, 1, 1, "unsupported"},
};

EndRecord plain_end() {
  return {.tag = 9, .stream_bytes = 1000, .chunks = 4, .original_bytes = 400, .last_index = 700, .chain = 5};
}

constexpr std::array kEndEdits = {
    Edit{"a stream of 167 bytes", 32, 8, kMinStream - 1, "corrupt"},
    Edit{"more chunks than bytes", 40, 8, 401, "corrupt"},
    Edit{"bytes without chunks", 40, 8, 0, "corrupt"},
    Edit{"an original of 2^64 - 1 bytes", 48, 8, kNone, "corrupt"},
    Edit{"an original of 2^64 - 2 bytes", 48, 8, kNone - 1, "accepted"},
    Edit{"chunks without an index", 56, 8, kNone, "corrupt"},
    Edit{"an index at END", 56, 8, 896, "corrupt"},
    Edit{"another chain", 64, 8, 6, "accepted"},
    Edit{"an unknown digest", 88, 1, 255, "accepted"},
    Edit{"zero at 89", 89, 1, 1, "unsupported"},
    Edit{"zero at 95", 95, 1, 1, "unsupported"},
};

}  // namespace

TEST_CASE("limits of HDR") {
  judge(serialize(StreamHeader{.type = "u8"}), kHeaderEdits,
        [](const Bytes& r) { return parse_header(r, 1000); });
}

TEST_CASE("limits of a lone block") {
  judge(serialize(plain_block()), kBlockEdits, [](const Bytes& r) { return parse_chunk(r, {}, 1000); });
}

TEST_CASE("limits of INDX") {
  judge(serialize(plain_index()), kIndexEdits,
        [](const Bytes& r) { return parse_index(r, eight_bytes, 1000); });
}

TEST_CASE("limits of END") {
  judge(serialize(plain_end()), kEndEdits, [](const Bytes& r) { return parse_end(r, {}, 1000); });
}

TEST_CASE("pads between fields are judged, the last one is not") {
  ChunkRecord chunk = plain_block();
  chunk.plan.resize(5);
  chunk.substreams = {5000};
  constexpr std::array kEdits = {Edit{"behind the plan", 101, 1, 1, "unsupported"},
                                 Edit{"before the lengths", 103, 1, 1, "unsupported"},
                                 Edit{"behind the lengths", 108, 1, 1, "unsupported"},
                                 Edit{"behind the blocks", 140, 4, 0xFFFFFFFF, "accepted"}};
  judge(serialize(chunk), kEdits, [](const Bytes& r) { return parse_chunk(r, {}, 1000); });
}

TEST_CASE("substreams have at most S bytes together") {
  ChunkRecord chunk{.original_bytes = 1, .substreams = {65538}, .frames = {{100, 65538}}};
  CHECK(parse_chunk(serialize(chunk), {}, 0));
  chunk.substreams[0] = chunk.frames[0].unpacked = 65539;
  CHECK(verdict_of(parse_chunk(serialize(chunk), {}, 0)) == "corrupt");
}

TEST_CASE("numbers and offsets of a chunk end below 2^64") {
  ChunkRecord chunk = plain_block();
  chunk.original_offset = kNone - 1 - 5000;
  ChunkRules rules{.place = ChunkPlace{.original_offset = chunk.original_offset}};
  CHECK(parse_chunk(serialize(chunk), rules, 0));
  rules.place->original_offset = ++chunk.original_offset;
  CHECK(verdict_of(parse_chunk(serialize(chunk), rules, 0)) == "corrupt");
  rules.place->original_offset = chunk.original_offset = kNone;
  CHECK(verdict_of(parse_chunk(serialize(chunk), rules, 0)) == "corrupt");
}

}  // namespace tdz::test::stream
