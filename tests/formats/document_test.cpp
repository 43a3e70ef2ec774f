// SPDX-License-Identifier: Apache-2.0
// Do FORMAT.md and the code agree: the example byte for byte, and the lengths of records? The zstd frame
// comes from the example: zstd's bytes may change, the records may not.
#include <doctest/doctest.h>

#include <array>

#include "formats/plan/made_plans.hpp"
#include "formats/plan/plan_bytes.hpp"
#include "formats/stream/stream_state.hpp"
#include "support/document.hpp"

namespace tdz::test {

using namespace tdz::formats;

namespace {

constexpr std::size_t kFrame = 0x140, kFrameBytes = 26;

Bytes original() {
  Bytes bytes;
  for (const int number : {100, -3, 101, -5, 103, -6}) put_le(bytes, static_cast<std::uint16_t>(number));
  bytes.push_back(std::byte{0x2A});
  return bytes;
}

Plan plan() {
  return plan_of(std::array{NumberType{'i', 2, 2}}).value();
}

ChunkRecord chunk_record() {
  return {.digest = xxh3_64(original()),
          .original_bytes = 13,
          .plan = serialize(plan()),
          .substreams = {12, 1},
          .frames = {{kFrameBytes, 13}}};
}

/// The example, with this frame.
Bytes written(std::span<const std::byte> frame) {
  const StreamHeader header{.original_bytes = 13, .type = "i16x2"};
  Bytes out = serialize(header);
  StreamState state(header, out);
  ChunkRecord chunk = chunk_record();
  state.place(chunk);
  put_bytes(out, serialize(chunk));
  put_bytes(out, frame);
  state.add(chunk, serialize(chunk).size() + frame.size());
  const Bytes part = serialize(state.index_part(true));
  put_bytes(out, part);
  state.add(state.index_part(true), part.size());
  EndRecord end = state.end();
  end.whole = xxh3_128(original());
  end.whole_kind = 1;
  put_bytes(out, serialize(end));
  return out;
}

std::string in_thousands(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, " ");
  return text;
}

}  // namespace

TEST_CASE("the code writes the example of FORMAT.md") {
  const Bytes dump = dump_bytes();
  CHECK(written(std::span(dump).subspan(kFrame, kFrameBytes)) == dump);
}

TEST_CASE("the example explains every byte") {
  constexpr std::size_t kExplanation = 55, kFullLine = 53;  // 16 bytes, and the next line goes on
  bool goes_on = false;
  for (const std::string& line : fenced_block(format_document(), "hex")) {
    CAPTURE(line);
    CHECK((line.starts_with("--") || goes_on || line.size() > kExplanation));
    goes_on = line.substr(0, kFullLine).find_last_not_of(' ') == kFullLine - 1;
  }
}

TEST_CASE("FORMAT.md names the lengths that the code computes") {
  const auto range = [](LengthRange length) {
    return std::to_string(length.least) + " to " + in_thousands(length.most);
  };
  CHECK(format_document().find("HDR 64 to " + std::to_string(kHeaderLength.most) + ", CHK " +
                               range(kChunkLength) + ", INDX " + range(kIndexLength) + ", END " +
                               std::to_string(kEndLength) + ", notes 48 to " +
                               std::to_string(kNoteLength.most)) != std::string::npos);
}

}  // namespace tdz::test
