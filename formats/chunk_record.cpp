// SPDX-License-Identifier: Apache-2.0
#include "formats/record_fields.hpp"
#include "formats/records.hpp"

namespace tdz::formats {
namespace {

constexpr std::size_t kFrameEntryBytes = 8;

Fault read_fields(OpenRecord& in, ChunkRecord& chunk, std::uint32_t& frame_count) {
  chunk.number = in.body.get<std::uint64_t>();
  chunk.original_offset = in.body.get<std::uint64_t>();
  chunk.original_bytes = in.body.get<std::uint32_t>();
  if (auto fault = read_transform_head(in, chunk.transform)) return fault;
  if (auto fault = read_digest_kind(in)) return fault;
  frame_count = in.body.get<std::uint32_t>();
  chunk.digest = in.body.get<std::uint64_t>();
  if (in.body.overran()) return in.corrupt("too short");
  if (auto fault = read_steps(in, chunk.transform)) return fault;
  return read_padding(in);
}

Fault check_place(const OpenRecord& in, const ChunkRecord& chunk, const StreamHeader& header) {
  if (chunk.original_bytes == 0 || chunk.original_bytes > header.largest_chunk) {
    return in.corrupt("a chunk of " + std::to_string(chunk.original_bytes) +
                      " bytes, but the header allows 1 to " + std::to_string(header.largest_chunk));
  }
  // An unknown length is the largest 64-bit number. So one comparison covers both cases, and nothing
  // overflows.
  if (chunk.original_offset > header.original_bytes ||
      chunk.original_bytes > header.original_bytes - chunk.original_offset) {
    return in.corrupt("a chunk at original offset " + std::to_string(chunk.original_offset) +
                      " reaches beyond the end");
  }
  return {};
}

Fault read_frames(OpenRecord& in, std::uint32_t count, ChunkRecord& chunk) {
  if (count > max_frames(chunk.original_bytes) || in.body.left() / kFrameEntryBytes < count) {
    return in.corrupt(std::to_string(count) + " frames, more than the chunk or the record can hold");
  }
  chunk.frames.resize(count);
  for (FrameLengths& frame : chunk.frames) {
    frame.packed = in.body.get<std::uint32_t>();
    frame.unpacked = in.body.get<std::uint32_t>();
  }
  return {};
}

Fault check_frames(const OpenRecord& in, const ChunkRecord& chunk, const StreamHeader& header) {
  std::uint64_t sum = 0;
  for (const FrameLengths& frame : chunk.frames) {
    if (frame.unpacked == 0 || frame.unpacked > header.largest_frame) {
      return in.corrupt("a frame of " + std::to_string(frame.unpacked) +
                        " bytes, but the header allows 1 to " + std::to_string(header.largest_frame));
    }
    if (frame.packed == 0 || frame.packed > max_packed_bytes(frame.unpacked)) {
      return in.corrupt("a frame packs " + std::to_string(frame.unpacked) + " bytes into " +
                        std::to_string(frame.packed));
    }
    sum += frame.unpacked;
  }
  if (sum == chunk.original_bytes) return {};
  return in.corrupt("frames of " + std::to_string(sum) + " bytes for a chunk of " +
                    std::to_string(chunk.original_bytes));
}

}  // namespace

std::uint64_t ChunkRecord::packed_bytes() const {
  std::uint64_t sum = 0;
  for (const FrameLengths& frame : frames) sum += frame.packed;
  return sum;
}

std::vector<std::byte> serialize(const ChunkRecord& chunk) {
  std::vector<std::byte> body;
  put_le(body, chunk.number);
  put_le(body, chunk.original_offset);
  put_le(body, chunk.original_bytes);
  put_transform_head(body, chunk.transform);
  put_digest_kind(body);
  put_le(body, static_cast<std::uint32_t>(chunk.frames.size()));
  put_le(body, chunk.digest);
  put_steps(body, chunk.transform);
  pad_to_8(body);
  for (const FrameLengths& frame : chunk.frames) {
    put_le(body, frame.packed);
    put_le(body, frame.unpacked);
  }
  return build_record(RecordKind::chunk, chunk.stream, body);
}

Result<ChunkRecord> parse_chunk(std::span<const std::byte> record, const StreamHeader& header,
                                std::uint64_t where) {
  auto in = open_record(record, RecordKind::chunk, where);
  if (!in) return in.error();
  ChunkRecord chunk;
  chunk.stream = in->tag;
  std::uint32_t frame_count = 0;
  if (auto fault = read_fields(*in, chunk, frame_count)) return *fault;
  if (auto fault = check_place(*in, chunk, header)) return *fault;
  if (auto fault = read_frames(*in, frame_count, chunk)) return *fault;
  if (auto fault = check_frames(*in, chunk, header)) return *fault;
  return chunk;
}

}  // namespace tdz::formats
