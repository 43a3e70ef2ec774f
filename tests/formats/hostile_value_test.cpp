// SPDX-License-Identifier: Apache-2.0
// If the checks are right and one value is not: which values are unsupported, because a later version may use
// them, and which are corrupt, because no version can? FORMAT.md, "Corrupt, truncated, unsupported".
#include <doctest/doctest.h>

#include <array>
#include <string_view>

#include "support/samples.hpp"

namespace tdz::test {

using namespace tdz::formats;

namespace {

// One edit: `bytes` of the record from `at` on become `value`, little-endian.
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
    REQUIRE(edit.at + edit.bytes <= edited.size() - 8);
    for (std::size_t i = 0; i < edit.bytes; ++i)
      edited[edit.at + i] = static_cast<std::byte>(edit.value >> (8 * i));
    reseal(edited);
    const auto result = parse(edited);
    CHECK(to_string(result ? ok() : Status(result.error())) == edit.verdict);
    if (!result) CHECK(result.error().where == 1000);
  }
}

// 5000 bytes in two frames; every kind of step that has parameters.
ChunkRecord plain_chunk() {
  ChunkRecord chunk{.stream = 9, .number = 3, .original_offset = 300, .original_bytes = 5000, .digest = 77};
  chunk.transform.word = 2;
  chunk.transform.append(Step::difference(2, 1)).append(Step::zigzag()).append(Step::tuple_planes(2));
  chunk.frames = {{90, 4000}, {60, 1000}};
  return chunk;
}

StreamHeader plain_header() {
  return {.original_bytes = 5300, .largest_chunk = kMinChunk, .largest_frame = kMinFrame};
}

// Two transforms of 16 and 4 bytes; three entries of 40 bytes, which start at 64 + 24 = 88.
IndexPart plain_index() {
  IndexPart part{.stream = 9, .first_chunk = 5, .previous = 900};
  part.transforms.resize(2);
  part.transforms[0].word = 4;
  part.transforms[0].append(Step::difference(3, 2));
  part.entries = {{1000, 5000, 1, 100, 60, 0}, {1060, 5100, 2, 50, 40, 1}, {1100, 5150, 3, 10, 30, 0}};
  return part;
}

EndRecord plain_end() {
  return {.stream = 9,
          .chunks = 4,
          .original_bytes = 400,
          .stream_bytes = 1000,
          .last_index = 700,
          .seek_bytes = 57,
          .seek_check = 5};
}

constexpr std::array kHeaderEdits = {
    Edit{"nothing", 32, 8, 5300, "accepted"},
    Edit{"major version 0", 16, 1, 0, "unsupported"},
    Edit{"major version 2", 16, 1, 2, "unsupported"},
    Edit{"a feature to be understood", 18, 2, 0x8000, "unsupported"},
    Edit{"zero in the tag", 22, 2, 1, "unsupported"},
    Edit{"chunks of 64 KiB - 1", 40, 4, kMinChunk - 1, "unsupported"},
    Edit{"chunks of 1 GiB", 40, 4, kMaxChunk, "accepted"},
    Edit{"chunks of 1 GiB + 1", 40, 4, kMaxChunk + 1, "unsupported"},
    Edit{"frames of 4095", 44, 4, kMinFrame - 1, "unsupported"},
    Edit{"frames as long as chunks", 44, 4, kMinChunk, "accepted"},
    Edit{"frames longer than chunks", 44, 4, kMinChunk + 1, "corrupt"},
    Edit{"nominal kind", 48, 1, 'x', "unsupported"},
    Edit{"nominal word 3", 49, 1, 3, "unsupported"},
    Edit{"nominal word 16", 49, 1, 16, "unsupported"},
    Edit{"nominal f8", 48, 2, 0x0100 + 'f', "unsupported"},
    Edit{"zero behind the word", 50, 2, 1, "unsupported"},
    Edit{"nominal tuple 0", 52, 4, 0, "unsupported"},
    Edit{"no sentence", 56, 2, 0, "accepted"},
    Edit{"a sentence beyond the record", 56, 2, 500, "corrupt"},
    Edit{"the longest sentence", 56, 2, 0xFFFF, "corrupt"},
};

constexpr std::array kChunkEdits = {
    Edit{"nothing", 32, 8, 3, "accepted"},
    Edit{"the last place in the original", 40, 8, 300, "accepted"},
    Edit{"one byte beyond the original", 40, 8, 301, "corrupt"},
    Edit{"offset beyond the original", 40, 8, 5301, "corrupt"},
    Edit{"offset + bytes overflow", 40, 8, kUnknown - 10, "corrupt"},
    Edit{"no bytes", 48, 4, 0, "corrupt"},
    Edit{"other bytes than the frames", 48, 4, 4999, "corrupt"},
    Edit{"more bytes than a chunk may have", 48, 4, kMinChunk + 1, "corrupt"},
    Edit{"the longest chunk", 48, 4, 0xFFFFFFFF, "corrupt"},
    Edit{"word 0", 52, 1, 0, "unsupported"},
    Edit{"word 3", 52, 1, 3, "unsupported"},
    Edit{"word 8", 52, 1, 8, "accepted"},
    Edit{"word 16", 52, 1, 16, "unsupported"},
    Edit{"coding 1", 53, 1, 1, "unsupported"},
    Edit{"9 steps", 54, 1, 9, "unsupported"},
    Edit{"255 steps", 54, 1, 255, "unsupported"},
    Edit{"2 steps: the third lies in the padding", 54, 1, 2, "corrupt"},
    Edit{"zero behind the steps", 55, 1, 1, "unsupported"},
    Edit{"digest kind 0", 56, 2, 0, "unsupported"},
    Edit{"digest kind 2", 56, 2, 2, "unsupported"},
    Edit{"digest of 4 bytes", 58, 2, 4, "corrupt"},
    Edit{"digest of 65535 bytes", 58, 2, 0xFFFF, "corrupt"},
    Edit{"no frames", 60, 4, 0, "corrupt"},
    Edit{"one frame", 60, 4, 1, "corrupt"},
    Edit{"a frame beyond the record", 60, 4, 3, "corrupt"},
    Edit{"the most frames of this chunk", 60, 4, max_frames(5000), "corrupt"},
    Edit{"2^32 - 1 frames", 60, 4, 0xFFFFFFFF, "corrupt"},
    Edit{"step 0", 72, 2, 0, "unsupported"},
    Edit{"step 7", 72, 2, 7, "unsupported"},
    Edit{"step 65535", 72, 2, 0xFFFF, "unsupported"},
    Edit{"a difference of 12 bytes", 74, 2, 12, "corrupt"},
    Edit{"a difference of 65535 bytes", 74, 2, 0xFFFF, "corrupt"},
    Edit{"tuple 0", 76, 4, 0, "unsupported"},
    Edit{"the longest tuple", 76, 4, 0xFFFFFFFF, "accepted"},
    Edit{"order 0", 80, 1, 0, "unsupported"},
    Edit{"order 8", 80, 1, 8, "accepted"},
    Edit{"order 9", 80, 1, 9, "unsupported"},
    Edit{"zero behind the order", 81, 1, 1, "unsupported"},
    Edit{"zero before the next step", 83, 1, 1, "unsupported"},
    Edit{"a zigzag with parameters", 86, 2, 4, "corrupt"},
    Edit{"tuple-planes of tuple 0", 92, 4, 0, "unsupported"},
    Edit{"a frame of no bytes", 100, 4, 0, "corrupt"},
    Edit{"a frame longer than the header allows", 100, 4, kMinFrame + 1, "corrupt"},
    Edit{"frames too long together", 100, 4, 4001, "corrupt"},
    Edit{"a frame packed into nothing", 96, 4, 0, "corrupt"},
    Edit{"a frame packed into too much", 96, 4, max_packed_bytes(4000) + 1, "corrupt"},
    Edit{"a frame packed into the most", 96, 4, max_packed_bytes(4000), "accepted"},
    Edit{"a frame packed into 2^32 - 1", 104, 4, 0xFFFFFFFF, "corrupt"},
};

constexpr std::array kIndexEdits = {
    Edit{"nothing", 32, 8, 5, "accepted"},
    Edit{"the first chunk with a part before it", 32, 8, 0, "corrupt"},
    Edit{"chunk numbers overflow", 32, 8, kUnknown - 2, "corrupt"},
    Edit{"a later chunk with no part before it", 40, 8, kUnknown, "corrupt"},
    Edit{"a part before it that lies behind", 40, 8, 1000, "corrupt"},
    Edit{"no entries", 48, 4, 0, "corrupt"},
    Edit{"an entry beyond the record", 48, 4, 4, "corrupt"},
    Edit{"65537 entries", 48, 4, kMaxIndexEntries + 1, "corrupt"},
    Edit{"2^32 - 1 entries", 48, 4, 0xFFFFFFFF, "corrupt"},
    Edit{"no transforms", 52, 4, 0, "corrupt"},
    Edit{"one transform in the table of two", 52, 4, 1, "corrupt"},
    Edit{"a transform beyond the table", 52, 4, 3, "corrupt"},
    Edit{"more transforms than entries", 52, 4, 4, "corrupt"},
    Edit{"2^32 - 1 transforms", 52, 4, 0xFFFFFFFF, "corrupt"},
    Edit{"digest kind 2", 56, 2, 2, "unsupported"},
    Edit{"digest of 16 bytes", 58, 2, 16, "corrupt"},
    Edit{"a shorter table", 60, 4, 16, "corrupt"},
    Edit{"a longer table", 60, 4, 24, "corrupt"},
    Edit{"a table beyond the record", 60, 4, 0xFFFFFFFF, "corrupt"},
    Edit{"word 5", 64, 1, 5, "unsupported"},
    Edit{"coding 1", 65, 1, 1, "unsupported"},
    Edit{"9 steps", 66, 1, 9, "unsupported"},
    Edit{"zero behind the steps", 67, 1, 1, "unsupported"},
    Edit{"step 9", 68, 2, 9, "unsupported"},
    Edit{"a difference of 4 bytes", 70, 2, 4, "corrupt"},
    Edit{"order 9", 76, 1, 9, "unsupported"},
    Edit{"padding behind the table", 84, 1, 1, "unsupported"},
    Edit{"an entry inside the one before it", 88 + 40, 8, 1059, "corrupt"},
    Edit{"a gap in the file", 88 + 80, 8, 1101, "accepted"},
    Edit{"a gap in the original", 88 + 48, 8, 5101, "corrupt"},
    Edit{"an offset that overflows", 88, 8, kUnknown - 59, "corrupt"},
    Edit{"an original offset that overflows", 88 + 8, 8, kUnknown - 99, "corrupt"},
    Edit{"an entry of no bytes", 88 + 80 + 24, 4, 0, "corrupt"},
    Edit{"an entry of more than 1 GiB", 88 + 80 + 24, 4, kMaxChunk + 1, "corrupt"},
    Edit{"a transform that is not there", 88 + 32, 2, 2, "corrupt"},
    Edit{"zero in an entry", 88 + 34, 1, 1, "unsupported"},
    Edit{"zero at an entry's end", 88 + 39, 1, 1, "unsupported"},
};

constexpr std::array kEndEdits = {
    Edit{"nothing", 32, 8, 4, "accepted"},
    Edit{"more chunks than bytes", 32, 8, 401, "corrupt"},
    Edit{"bytes without chunks", 32, 8, 0, "corrupt"},
    Edit{"chunks without bytes", 40, 8, 0, "corrupt"},
    Edit{"an index behind the stream", 56, 8, 1000, "corrupt"},
    Edit{"no index", 56, 8, kUnknown, "accepted"},
    Edit{"no seek table but a check", 88, 4, 0, "corrupt"},
    Edit{"a seek table of a broken length", 88, 4, 58, "corrupt"},
    Edit{"a seek table shorter than its footer", 88, 4, 9, "corrupt"},
    Edit{"the longest seek table", 88, 4, seek_table_bytes(1'048'573), "accepted"},
    Edit{"a longer seek table", 88, 4, seek_table_bytes(1'048'574), "corrupt"},
    Edit{"zero behind the seek length", 92, 4, 1, "unsupported"},
};

}  // namespace

TEST_CASE("hostile values in a header") {
  judge(serialize(plain_header()), kHeaderEdits, [](const Bytes& r) { return parse_header(r, 1000); });
}

TEST_CASE("hostile values in a chunk record") {
  judge(serialize(plain_chunk()), kChunkEdits,
        [](const Bytes& r) { return parse_chunk(r, plain_header(), 1000); });
}

TEST_CASE("padding between steps and frames is zero") {
  ChunkRecord chunk = plain_chunk();
  chunk.transform = Transform{.word = 2}.append(Step::zigzag());
  constexpr std::array kEdits = {
      Edit{"nothing", 76, 4, 0, "accepted"},
      Edit{"the first byte", 76, 1, 1, "unsupported"},
      Edit{"the last byte", 79, 1, 0x80, "unsupported"},
  };
  judge(serialize(chunk), kEdits, [](const Bytes& r) { return parse_chunk(r, plain_header(), 1000); });
}

TEST_CASE("hostile values in an index part") {
  judge(serialize(plain_index()), kIndexEdits, [](const Bytes& r) { return parse_index(r, 1000); });
}

TEST_CASE("hostile values in an end record") {
  judge(serialize(plain_end()), kEndEdits, [](const Bytes& r) { return parse_end(r, 1000); });
}

TEST_CASE("bodies that end inside their fields are corrupt") {
  for (Specimen& specimen : specimens(61)) {
    if (specimen.name == "END") continue;
    CAPTURE(specimen.name);
    for (const std::size_t body : {0u, 8u, 16u, 24u}) {
      CAPTURE(body);
      Bytes record(specimen.record.begin(), specimen.record.begin() + static_cast<std::ptrdiff_t>(40 + body));
      reseal(record);
      CHECK(to_string(specimen.parse(record)) == "corrupt");
    }
  }
}

}  // namespace tdz::test
