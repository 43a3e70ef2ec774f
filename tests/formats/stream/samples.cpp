// SPDX-License-Identifier: Apache-2.0
#include "samples.hpp"

#include <algorithm>

namespace tdz::test::stream {

using namespace tdz::formats;
using formats::RecordKind;

namespace {

template <class T>
Status status_of(const Result<T>& result) {
  return result ? ok() : Status(result.error());
}

std::vector<FrameLengths> random_frames(RandomValues& random, std::uint64_t left) {
  std::vector<FrameLengths> frames;
  while (left > 0) {
    const auto unpacked = static_cast<std::uint32_t>(left < 5000 ? left : random.between(4096, left));
    frames.push_back(
        {static_cast<std::uint32_t>(random.between(min_packed(unpacked), max_packed(unpacked))), unpacked});
    left -= unpacked;
  }
  return frames;
}

BlockEntry random_block(RandomValues& random) {
  BlockEntry block{static_cast<std::uint16_t>(random.any()), static_cast<std::uint8_t>(random.any()),
                   static_cast<std::uint8_t>(random.any())};
  for (auto& raw : block.raw) raw = static_cast<std::uint16_t>(random.any());
  return block;
}

}  // namespace

StreamHeader any_header(RandomValues& random) {
  const auto chunk = static_cast<std::uint32_t>(random.between(kMinChunk, kMaxChunk));
  return {.minor = static_cast<std::uint8_t>(random.any()),
          .may_ignore = static_cast<std::uint16_t>(random.any()),
          .original_bytes = random.any(),
          .largest_chunk = chunk,
          .largest_frame = static_cast<std::uint32_t>(random.between(kMinFrame, chunk)),
          .type = std::string(random.length_between(0, 20), 'u')};
}

ChunkRecord any_chunk(RandomValues& random) {
  ChunkRecord chunk{.tag = random.any(),
                    .offset = random.any(),
                    .number = random.any(),
                    .original_offset = random.any(),
                    .chain = random.any(),
                    .digest = random.any(),
                    .original_bytes = static_cast<std::uint32_t>(random.between(1, 200000))};
  chunk.plan = random.bytes(random.length_between(0, 40));
  std::uint64_t sum = 0;
  for (std::uint64_t i = random.between(1, 8); i > 0; --i) {
    chunk.substreams.push_back(static_cast<std::uint32_t>(random.between(0, chunk.original_bytes / 4)));
    sum += chunk.substreams.back();
  }
  chunk.frames = random_frames(random, sum);
  for (std::uint64_t i = random.between(0, 5); i > 0; --i) chunk.blocks.push_back(random_block(random));
  return chunk;
}

IndexPart any_index(RandomValues& random) {
  const bool first = random.any() % 2 == 0;
  IndexPart part{.tag = random.any(), .first_chunk = first ? 0 : random.between(1, 1u << 30)};
  IndexEntry entry{.record_offset = random.between(5000, 1u << 30), .original_offset = random.any() >> 4};
  part.previous = first ? kNone : random.between(0, entry.record_offset - 1);
  part.last = random.any() % 2 == 0;
  const std::uint64_t plans = random.between(1, 4);
  for (unsigned i = 0; i < plans; ++i) part.plans.push_back(plan_of_width(i + 1));
  for (std::uint64_t i = random.between(plans, 20); i > 0; --i) {
    entry.digest = random.any();
    entry.original_bytes = static_cast<std::uint32_t>(random.between(1, kMaxChunk));
    entry.stored_bytes = static_cast<std::uint32_t>(random.between(120, 1u << 30));
    entry.plan = static_cast<std::uint16_t>(random.between(0, plans - 1));
    part.entries.push_back(entry);
    entry.record_offset += entry.stored_bytes + random.between(0, 100);
    entry.original_offset += entry.original_bytes;
  }
  part.offset = entry.record_offset;
  return part;
}

EndRecord any_end(RandomValues& random) {
  EndRecord end{.tag = random.any(), .stream_bytes = random.between(400, std::uint64_t{1} << 40)};
  end.chunks = random.between(1, 1000);
  end.original_bytes = end.chunks + random.between(0, 1u << 30);
  end.last_index = random.between(0, end.stream_bytes - kEndLength - 1);
  end.chain = random.any();
  std::ranges::copy(random.bytes(end.whole.size()), end.whole.begin());
  end.whole_kind = static_cast<std::uint8_t>(random.any());
  return end;
}

Note any_note(RandomValues& random) {
  const auto kind = RecordKind{0x65746F00u | static_cast<std::uint32_t>(random.between('a', 'z'))};
  return {kind, random.any(), random.any(), random.bytes(8 * random.length_between(0, 10))};
}

std::vector<std::byte> plan_of_width(unsigned width) {
  return {std::byte{1}, {}, {}, {}, std::byte(width), {}, std::byte{1}, {}};
}

Result<std::size_t> eight_bytes(std::span<const std::byte> bytes) {
  if (bytes.size() < 8) return corrupt("a plan is cut");
  return std::size_t{8};
}

std::vector<Specimen> specimens(std::uint64_t seed) {
  RandomValues random(seed);
  using Record = std::span<const std::byte>;
  return {{"HDR", serialize(any_header(random)), [](Record r) { return status_of(parse_header(r, 0)); }},
          {"CHK", serialize(any_chunk(random)), [](Record r) { return status_of(parse_chunk(r, {}, 0)); }},
          {"INDX", serialize(any_index(random)),
           [](Record r) { return status_of(parse_index(r, eight_bytes, 0)); }},
          {"END", serialize(any_end(random)), [](Record r) { return status_of(parse_end(r, {}, 0)); }},
          {"note", serialize(any_note(random)), [](Record r) { return status_of(parse_note(r, 0)); }}};
}

}  // namespace tdz::test::stream
