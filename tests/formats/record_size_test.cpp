// SPDX-License-Identifier: Apache-2.0
// Are the longest records of a writer exactly as long as FORMAT.md allows?
#include <doctest/doctest.h>

#include "support/document.hpp"
#include "support/samples.hpp"

namespace tdz::test {

using namespace tdz::formats;

namespace {

Transform longest_transform() {
  Transform transform{.word = 8};
  while (transform.step_count < kMaxSteps) transform.append(Step::difference(0xFFFFFFFF, kMaxOrder));
  return transform;
}

ChunkRecord longest_chunk_record() {
  ChunkRecord chunk{.original_bytes = kMaxChunk, .transform = longest_transform()};
  const std::uint32_t count = max_frames(kMaxChunk);
  const std::uint32_t each = kMaxChunk / count;
  chunk.frames.assign(count, {each, each});
  chunk.frames.back().unpacked = kMaxChunk - each * (count - 1);
  return chunk;
}

IndexPart longest_index_part() {
  IndexPart part{.transforms = std::vector(kMaxIndexEntries, longest_transform())};
  for (std::uint32_t i = 0; i < kMaxIndexEntries; ++i) {
    part.entries.push_back({.record_offset = i,
                            .original_offset = i,
                            .original_bytes = 1,
                            .stored_bytes = 1,
                            .transform = static_cast<std::uint16_t>(i)});
  }
  return part;
}

}  // namespace

TEST_CASE("a header is far shorter than its limit") {
  CHECK(serialize(StreamHeader{}).size() <= 200);
  CHECK(max_record_bytes(RecordKind::header) == 4096);
}

TEST_CASE("the longest chunk record is accepted, and later versions may make it longer") {
  StreamHeader header;
  header.largest_chunk = header.largest_frame = kMaxChunk;
  const ChunkRecord chunk = longest_chunk_record();
  const Bytes record = serialize(chunk);
  CHECK(record.size() == max_record_bytes(RecordKind::chunk) - kGrowthBytes);
  const auto parsed = parse_chunk(record, header, 0);
  REQUIRE(parsed);
  CHECK(*parsed == chunk);
}

TEST_CASE("one frame more than the limit is corrupt") {
  StreamHeader header;
  header.largest_chunk = header.largest_frame = kMinChunk;
  ChunkRecord chunk{.original_bytes = kMinChunk};
  chunk.frames.assign(max_frames(kMinChunk), {400, 400});
  chunk.frames.back().unpacked = kMinChunk - 400 * (max_frames(kMinChunk) - 1);
  REQUIRE(parse_chunk(serialize(chunk), header, 0));
  chunk.frames.front().unpacked = 399;
  chunk.frames.push_back({1, 1});
  const auto parsed = parse_chunk(serialize(chunk), header, 0);
  REQUIRE_FALSE(parsed);
  CHECK(parsed.error().kind == ErrorKind::corrupt);
}

TEST_CASE("the longest index part is accepted, and later versions may make it longer") {
  const IndexPart part = longest_index_part();
  const Bytes record = serialize(part);
  CHECK(record.size() == max_record_bytes(RecordKind::index) - kGrowthBytes);
  const auto parsed = parse_index(record, 0);
  REQUIRE(parsed);
  CHECK(*parsed == part);
}

TEST_CASE("an end record always has 112 bytes") {
  Random random(7);
  CHECK(serialize(EndRecord{}).size() == 112);
  CHECK(serialize(random_end(random)).size() == kEndBytes);
}

TEST_CASE("FORMAT.md names the lengths that the code computes") {
  CHECK(max_record_bytes(RecordKind::chunk) == 2'102'448);
  CHECK(max_record_bytes(RecordKind::index) == 9'179'208);
  const std::string text = format_document();
  CHECK(text.find("HDR 4096, META 65536, CHK 2 102 448, INDX 9 179 208, END 112") != std::string::npos);
}

}  // namespace tdz::test
