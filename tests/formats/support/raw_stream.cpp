// SPDX-License-Identifier: Apache-2.0
#include "raw_stream.hpp"

#include <algorithm>

#include "naive_steps.hpp"

namespace tdz::test {

using namespace tdz::formats;

namespace {

StoredChunk store(const Piece& piece, std::uint64_t number, std::uint64_t offset) {
  StoredChunk chunk{.original = piece.original};
  chunk.record.number = number;
  chunk.record.original_offset = offset;
  chunk.record.original_bytes = static_cast<std::uint32_t>(piece.original.size());
  chunk.record.digest = xxh3_64(piece.original);
  chunk.record.transform = piece.transform;
  const Bytes residuals = naive_transform(piece.transform, piece.original);
  for (std::size_t at = 0; at < residuals.size(); at += piece.largest_frame) {
    const std::size_t length = std::min<std::size_t>(piece.largest_frame, residuals.size() - at);
    const Bytes frame = raw_frame(std::span(residuals).subspan(at, length));
    chunk.record.frames.push_back(
        {static_cast<std::uint32_t>(frame.size()), static_cast<std::uint32_t>(length)});
    put_bytes(chunk.frames, frame);
  }
  return chunk;
}

void list(IndexPart& index, const StoredChunk& chunk, std::uint64_t offset, std::uint64_t stored) {
  const ChunkRecord& record = chunk.record;
  index.entries.push_back({offset, record.original_offset, record.digest, record.original_bytes,
                           static_cast<std::uint32_t>(stored),
                           static_cast<std::uint16_t>(index.transforms.size())});
  index.transforms.push_back(record.transform);
}

// Appends a record or a frame and its entry of the seek table.
void append(Bytes& out, std::span<const std::byte> bytes, std::uint32_t decoded,
            std::vector<SeekEntry>& seek) {
  put_bytes(out, bytes);
  seek.push_back({static_cast<std::uint32_t>(bytes.size()), decoded});
}

EndRecord totals(std::span<const StoredChunk> chunks, std::uint64_t id) {
  EndRecord end{.stream = id, .chunks = chunks.size()};
  Bytes original;
  Bytes digests;
  for (const StoredChunk& chunk : chunks) {
    put_bytes(original, chunk.original);
    put_le(digests, chunk.record.digest);
  }
  end.original_bytes = original.size();
  end.digest_of_digests = xxh3_64(digests);
  end.whole = xxh3_128(original);
  return end;
}

void append_end(Bytes& out, EndRecord end, std::vector<SeekEntry>& seek) {
  end.stream_bytes = out.size() + kEndBytes;
  seek.push_back({kEndBytes, 0});
  const Bytes table = serialize_seek_table(seek);
  end.seek_bytes = static_cast<std::uint32_t>(table.size());
  end.seek_check = xxh3_64(table);
  put_bytes(out, serialize(end));
  put_bytes(out, table);
}

}  // namespace

Bytes raw_frame(std::span<const std::byte> bytes) {
  constexpr std::size_t kBlock = 128 << 10;
  Bytes frame;
  put_le(frame, std::uint32_t{0xFD2FB528});
  put_le(frame, std::uint8_t{0xE0});  // 8-byte content size, single segment, no checksum
  put_le(frame, std::uint64_t{bytes.size()});
  for (std::size_t at = 0; at < bytes.size(); at += kBlock) {
    const std::size_t length = std::min(kBlock, bytes.size() - at);
    const std::uint32_t last = at + length == bytes.size() ? 1 : 0;
    const std::uint32_t block_header = static_cast<std::uint32_t>(length) << 3 | last;
    put_le(frame, static_cast<std::uint16_t>(block_header));
    put_le(frame, static_cast<std::uint8_t>(block_header >> 16));
    put_bytes(frame, bytes.subspan(at, length));
  }
  return frame;
}

Bytes stream_of(const StreamHeader& header, std::span<StoredChunk> chunks) {
  std::vector<SeekEntry> seek;
  Bytes out;
  append(out, serialize(header), 0, seek);
  const std::uint64_t id = stream_id(out, chunks.empty() ? nullptr : &chunks.front().record.digest);
  IndexPart index{.stream = id};
  for (StoredChunk& chunk : chunks) {
    const std::size_t start = out.size();
    chunk.record.stream = id;
    append(out, serialize(chunk.record), 0, seek);
    std::size_t at = 0;
    for (const FrameLengths& frame : chunk.record.frames) {
      append(out, std::span(chunk.frames).subspan(at, frame.packed), frame.unpacked, seek);
      at += frame.packed;
    }
    list(index, chunk, start, out.size() - start);
  }
  EndRecord end = totals(chunks, id);
  if (!chunks.empty()) {
    end.last_index = out.size();
    append(out, serialize(index), 0, seek);
  }
  append_end(out, end, seek);
  return out;
}

Bytes raw_stream(const StreamHeader& header, std::span<const Piece> pieces) {
  std::vector<StoredChunk> chunks;
  std::uint64_t offset = 0;
  for (const Piece& piece : pieces) {
    chunks.push_back(store(piece, chunks.size(), offset));
    offset += piece.original.size();
  }
  return stream_of(header, chunks);
}

}  // namespace tdz::test
