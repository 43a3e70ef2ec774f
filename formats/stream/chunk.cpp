// SPDX-License-Identifier: Apache-2.0
#include "formats/stream/chunk.hpp"

#include <numeric>

namespace tdz::formats {
namespace {

/// The numbers of CHK that say something about the record itself.
struct Counts {
  std::uint32_t plan_bytes = 0;
  std::uint32_t substreams = 0;
  std::uint32_t frames = 0;
  std::uint32_t blocks = 0;
  std::uint8_t digest_kind = 0;
  std::uint8_t features = 0;
  std::uint16_t zero = 0;
};

// The shortest CHK has these 64 bytes, so the body does not run out.
Counts read_numbers(ByteReader& body, ChunkRecord& chunk) {
  Counts counts;
  body.read(chunk.offset, chunk.number, chunk.original_offset, chunk.digest, chunk.original_bytes,
            counts.plan_bytes, counts.substreams, counts.frames, counts.blocks, counts.digest_kind,
            counts.features, counts.zero, chunk.chain);
  return counts;
}

Fault check_place(const OpenRecord& in, const ChunkRecord& chunk, const ChunkRules& rules) {
  if (!rules.place) return {};
  const ChunkPlace& place = *rules.place;
  if (rules.is_tag && !rules.is_tag(chunk.tag, chunk.digest)) return in.corrupt("the tag of another stream");
  if (chunk.offset != place.offset) {
    return in.corrupt("it says that it stands at " + std::to_string(chunk.offset) + ", but it stands at " +
                      std::to_string(place.offset));
  }
  if (chunk.number != place.number) {
    return in.corrupt("chunk " + std::to_string(chunk.number) + " stands where " +
                      std::to_string(place.number) + " belongs");
  }
  if (chunk.original_offset == place.original_offset) return {};
  return in.corrupt("original offset " + std::to_string(chunk.original_offset) + " instead of " +
                    std::to_string(place.original_offset));
}

bool reaches_beyond_end(const ChunkRecord& chunk, std::uint64_t original_bytes) {
  const std::uint64_t end = original_bytes == kNone ? kNone - 1 : original_bytes;
  return chunk.original_offset > end || chunk.original_bytes > end - chunk.original_offset;
}

Fault check_size(const OpenRecord& in, const ChunkRecord& chunk, const ChunkRules& rules) {
  if (chunk.original_bytes == 0 || chunk.original_bytes > rules.largest_chunk) {
    return in.corrupt("a chunk of " + std::to_string(chunk.original_bytes) + " bytes, but only 1 to " +
                      std::to_string(rules.largest_chunk) + " are allowed");
  }
  if (rules.place && reaches_beyond_end(chunk, rules.original_bytes))
    return in.corrupt("the chunk reaches beyond the end of the original");
  return {};
}

Fault check_counts(const OpenRecord& in, const ChunkRecord& chunk, const Counts& counts) {
  if (counts.plan_bytes > kMaxPlanBytes || counts.substreams > kMaxSubstreams ||
      counts.frames > max_frame_count(chunk.original_bytes, counts.substreams) ||
      counts.blocks > max_block_entries(chunk.original_bytes)) {
    return in.corrupt("a plan of " + std::to_string(counts.plan_bytes) + " bytes, " +
                      std::to_string(counts.substreams) + " substreams, " + std::to_string(counts.frames) +
                      " frames, " + std::to_string(counts.blocks) + " blocks: more than a chunk can have");
  }
  return {};
}

Fault check_known(const OpenRecord& in, const Counts& counts) {
  if (counts.digest_kind != kDigestXxh3)
    return in.unsupported("a digest of kind " + std::to_string(counts.digest_kind));
  if (counts.features != 0) return in.unsupported("the chunk uses features that this tdz does not know");
  if (counts.zero != 0) return in.unsupported("a reserved byte is set");
  return {};
}

Fault check_chain(const OpenRecord& in, const ChunkRecord& chunk, const ChunkRules& rules) {
  if (!rules.place || !rules.place->chain || *rules.place->chain == chunk.chain) return {};
  return in.corrupt("its chain is not the one of the chunks before");
}

Fault check_fit(const OpenRecord& in, const Counts& counts) {
  const std::uint64_t needed = round_up_8(counts.plan_bytes) +
                               round_up_8(std::uint64_t{4} * counts.substreams) +
                               kFrameBytes * counts.frames + kBlockEntryBytes * counts.blocks;
  if (needed <= in.body.left()) return {};
  return in.corrupt("too short for what it counts");
}

Fault check_numbers(const OpenRecord& in, const ChunkRecord& chunk, const Counts& counts,
                    const ChunkRules& rules) {
  if (auto fault = check_place(in, chunk, rules)) return fault;
  if (auto fault = check_size(in, chunk, rules)) return fault;
  if (auto fault = check_counts(in, chunk, counts)) return fault;
  if (auto fault = check_known(in, counts)) return fault;
  if (auto fault = check_chain(in, chunk, rules)) return fault;
  return check_fit(in, counts);
}

Fault read_plan(OpenRecord& in, std::uint32_t length, const ChunkRules& rules, ChunkRecord& chunk) {
  const auto plan = in.body.take(length);
  chunk.plan.assign(plan.begin(), plan.end());
  if (rules.plan) {
    if (auto fault = rules.plan(plan)) return fault;
  }
  if (auto fault = read_padding(in)) return fault;
  if (rules.can_list && !rules.can_list(chunk.plan)) return in.corrupt("no part of the index can list it");
  return {};
}

Fault read_lengths(OpenRecord& in, std::uint32_t count, const ChunkRules& rules, ChunkRecord& chunk) {
  chunk.substreams.resize(count);
  for (std::uint32_t& length : chunk.substreams) in.body.read(length);
  if (rules.lengths) {
    if (auto fault = rules.lengths(chunk.substreams, chunk.original_bytes)) return fault;
  }
  const auto sum = std::accumulate(chunk.substreams.begin(), chunk.substreams.end(), std::uint64_t{0});
  if (sum > max_substream_bytes(chunk.original_bytes))
    return in.corrupt("substreams of " + std::to_string(sum) + " bytes together");
  return read_padding(in);
}

Fault check_frame(const OpenRecord& in, const FrameLengths& frame, std::uint32_t largest) {
  if (frame.unpacked == 0 || frame.unpacked > largest) {
    return in.corrupt("a frame of " + std::to_string(frame.unpacked) + " bytes, but only 1 to " +
                      std::to_string(largest) + " are allowed");
  }
  if (frame.packed < min_packed(frame.unpacked) || frame.packed > max_packed(frame.unpacked)) {
    return in.corrupt("a frame packs " + std::to_string(frame.unpacked) + " bytes into " +
                      std::to_string(frame.packed));
  }
  return {};
}

Fault read_frames(OpenRecord& in, std::uint32_t count, const ChunkRules& rules, ChunkRecord& chunk) {
  chunk.frames.resize(count);
  std::uint64_t sum = 0;
  for (FrameLengths& frame : chunk.frames) {
    in.body.read(frame.packed, frame.unpacked);
    if (auto fault = check_frame(in, frame, rules.largest_frame)) return fault;
    sum += frame.unpacked;
  }
  if (sum == std::accumulate(chunk.substreams.begin(), chunk.substreams.end(), std::uint64_t{0})) return {};
  return in.corrupt("frames of " + std::to_string(sum) + " bytes, but the substreams have another sum");
}

/// A list may be long. So its room is made once, and an entry is written as two numbers.
void put_blocks(std::vector<std::byte>& out, std::span<const BlockEntry> blocks) {
  const std::size_t at = out.size();
  out.resize(at + kBlockEntryBytes * blocks.size());
  auto to = std::span(out).subspan(at);
  for (const BlockEntry& block : blocks) {
    std::uint64_t raw = 0;
    for (std::size_t r = block.raw.size(); r-- > 0;) raw = raw << 16 | block.raw[r];
    const std::uint32_t type_and_bits = std::uint32_t{block.type} | std::uint32_t{block.bits} << 8;
    set_le(to, block.length | type_and_bits << 16);
    set_le(to.subspan(4), raw);
    to = to.subspan(kBlockEntryBytes);
  }
}

BlockEntry read_block(ByteReader& body) {
  BlockEntry block;
  body.read(block.length, block.type, block.bits);
  for (std::uint16_t& raw : block.raw) body.read(raw);
  return block;
}

void put_numbers(std::vector<std::byte>& out, const ChunkRecord& chunk) {
  const auto count = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
  put_le(out, chunk.offset, chunk.number, chunk.original_offset, chunk.digest, chunk.original_bytes,
         count(chunk.plan), count(chunk.substreams), count(chunk.frames), count(chunk.blocks), kDigestXxh3,
         std::uint8_t{0}, std::uint16_t{0}, chunk.chain);
}

}  // namespace

std::uint64_t packed_bytes(const ChunkRecord& chunk) {
  std::uint64_t sum = 0;
  for (const FrameLengths& frame : chunk.frames) sum += frame.packed;
  return sum;
}

std::vector<std::byte> serialize(const ChunkRecord& chunk) {
  std::vector<std::byte> body;
  body.reserve(static_cast<std::size_t>(serialized_bytes(chunk)));
  put_numbers(body, chunk);
  put_bytes(body, chunk.plan);
  pad_to_8(body);
  for (const std::uint32_t length : chunk.substreams) put_le(body, length);
  pad_to_8(body);
  for (const FrameLengths& frame : chunk.frames) put_le(body, frame.packed, frame.unpacked);
  put_blocks(body, chunk.blocks);
  return build_record(RecordKind::chunk, chunk.tag, body);
}

std::uint64_t serialized_bytes(const ChunkRecord& chunk) {
  const std::uint64_t tables = round_up_8(chunk.plan.size()) + round_up_8(4 * chunk.substreams.size()) +
                               kFrameBytes * chunk.frames.size() + kBlockEntryBytes * chunk.blocks.size();
  return round_up_8(kChunkFields + tables) + kRecordCheckBytes;
}

Result<ChunkRecord> parse_chunk(std::span<const std::byte> record, const ChunkRules& rules,
                                std::uint64_t where) {
  auto in = open_record(record, {.chunk = true}, where);
  if (!in) return in.error();
  ChunkRecord chunk{.tag = in->tag};
  const Counts counts = read_numbers(in->body, chunk);
  if (auto fault = check_numbers(*in, chunk, counts, rules)) return *fault;
  if (auto fault = read_plan(*in, counts.plan_bytes, rules, chunk)) return *fault;
  if (auto fault = read_lengths(*in, counts.substreams, rules, chunk)) return *fault;
  if (auto fault = read_frames(*in, counts.frames, rules, chunk)) return *fault;
  chunk.blocks.resize(counts.blocks);
  for (BlockEntry& block : chunk.blocks) block = read_block(in->body);
  return chunk;
}

Fault check_frames_are_there(const ChunkRecord& chunk, std::uint64_t available, std::uint64_t where) {
  const std::uint64_t needed = packed_bytes(chunk);
  if (needed <= available) return {};
  return truncated("the frames of a chunk need " + std::to_string(needed) + " bytes, " +
                       std::to_string(available) + " are left",
                   where);
}

}  // namespace tdz::formats
