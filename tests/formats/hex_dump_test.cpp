// SPDX-License-Identifier: Apache-2.0
// Does the code write and read the example file in FORMAT.md? The zstd frame comes from the dump: zstd's
// bytes may change, the records may not.
#include <doctest/doctest.h>

#include <array>

#include "support/document.hpp"
#include "support/naive_steps.hpp"
#include "support/raw_stream.hpp"

namespace tdz::test {

using namespace tdz::formats;

namespace {

constexpr std::array<int, 6> kNumbers = {100, -3, 101, -5, 103, -6};

Bytes original() {
  Bytes bytes;
  for (const int number : kNumbers) put_le(bytes, static_cast<std::uint16_t>(number));
  return bytes;
}

Transform transform() {
  return Transform{.word = 2}
      .append(Step::difference(2, 1))
      .append(Step::zigzag())
      .append(Step::tuple_planes(2));
}

StreamHeader header() {
  return {.original_bytes = 12, .nominal = {'i', 2, 2}};
}

// Where the frame of the dump lies, computed from the lengths of the records before it.
std::span<const std::byte> frame_in(std::span<const std::byte> dump) {
  const auto length_at = [&](std::size_t at) {
    return static_cast<std::size_t>(parse_prefix(dump.subspan(at), at)->total_bytes);
  };
  const std::size_t chunk_at = length_at(0), frame_at = chunk_at + length_at(chunk_at);
  const auto chunk = parse_chunk(dump.subspan(chunk_at, frame_at - chunk_at), header(), chunk_at);
  REQUIRE(chunk);
  return dump.subspan(frame_at, static_cast<std::size_t>(chunk->packed_bytes()));
}

}  // namespace

TEST_CASE("the records of the dump are the records of the code") {
  const Bytes dump = dump_bytes();
  const auto frame = frame_in(dump);
  StoredChunk chunk;
  chunk.original = original();
  chunk.frames.assign(frame.begin(), frame.end());
  chunk.record.original_bytes = 12;
  chunk.record.digest = xxh3_64(chunk.original);
  chunk.record.transform = transform();
  chunk.record.frames = {{static_cast<std::uint32_t>(frame.size()), 12}};
  CHECK(stream_of(header(), {&chunk, 1}) == dump);
}

TEST_CASE("the frame of the dump stores the residual bytes as the text explains them") {
  const Bytes dump = dump_bytes();
  const auto frame = frame_in(dump);
  constexpr std::size_t kFrameAndBlockHeader = 9;
  const auto stored = frame.subspan(kFrameAndBlockHeader, 12);
  const Bytes residuals = naive_transform(transform(), original());
  CHECK(Bytes(stored.begin(), stored.end()) == residuals);
  CHECK(residuals[0] == std::byte{200});
  CHECK(residuals[6] == std::byte{5});
}

TEST_CASE("the dump explains every byte") {
  for (const std::string& line : fenced_block(format_document(), "hex")) {
    CAPTURE(line);
    if (line.starts_with("--")) continue;
    const unsigned long offset = std::stoul(line.substr(0, 4), nullptr, 16);
    const bool inside_the_sentence = offset > 0x3A && offset < 0x9C;
    CHECK((inside_the_sentence || line.size() > 55));
  }
}

}  // namespace tdz::test
