// SPDX-License-Identifier: Apache-2.0
// Restores any part of a file, again and again: the index is read once.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "codec/chunk/buffer.hpp"
#include "codec/chunk/chunk_coder.hpp"
#include "codec/chunk/open_block.hpp"
#include "tdz/tdz.hpp"

namespace tdz::c {

/// Used by one thread at a time.
class ChunkReader {
 public:
  /// The file lives longer than the reader.
  static Result<ChunkReader> open(RandomAccess& file, unsigned threads, const InspectOptions& limits);

  std::uint64_t size() const { return size_; }
  const std::string& type() const { return type_; }
  /// Fills `into` from `offset` on, and returns how many bytes there were before the end. Errors: corrupt,
  /// truncated, unsupported, limit, and those of the file.
  Result<std::size_t> read(std::uint64_t offset, std::span<std::byte> into);

 private:
  /// What the index says of a chunk.
  struct Entry {
    std::uint64_t stored_at = 0;  ///< of CHK in the file
    std::uint64_t original_at = 0;
    std::uint64_t digest = 0;
    std::uint32_t stored_bytes = 0;
    std::uint32_t original_bytes = 0;
    std::uint64_t original_end() const { return original_at + original_bytes; }
  };

  ChunkReader(RandomAccess& file, unsigned threads, std::uint64_t memory);
  Status list(const StreamInfo& stream, const InspectOptions& limits);
  std::size_t chunk_at(std::uint64_t offset) const;

  Status fetch(const Entry& entry, Buffer& memory, std::span<std::byte>& stored);
  Result<OpenBlock> open(const Entry& entry, std::span<const std::byte> stored) const;
  /// A part of one chunk; it stays in memory for the next call.
  Status read_part(std::size_t chunk, std::uint64_t offset, std::span<std::byte> into);
  /// Chunks as a whole, by several threads.
  Status read_whole(std::size_t first, std::size_t count, std::span<std::byte> into);
  std::size_t count_whole(std::size_t chunk, std::uint64_t at, std::uint64_t end) const;
  unsigned workers_for(std::size_t first, std::size_t count) const;

  RandomAccess* file_;
  unsigned threads_;
  std::uint64_t memory_;
  std::uint64_t size_ = 0;
  std::string type_;
  std::vector<Entry> entries_;

  std::deque<ChunkDecoder> decoders_;  // one for each worker; a deque because decoders cannot be moved
  Buffer stored_, kept_memory_;
  std::optional<std::size_t> kept_chunk_;
  std::span<std::byte> kept_;
};

}  // namespace tdz::c
