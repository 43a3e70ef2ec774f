// SPDX-License-Identifier: Apache-2.0
// Where a decoder for devices finds chunks: in streams, or in a list of lone blocks. Used by one thread,
// except as is_thread_safe() says.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "codec/chunk/parsed_chunk.hpp"
#include "kernels/buffer.hpp"
#include "kernels/cuda/host/decode_queue.hpp"
#include "tdz/block.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// A chunk of a selection. Its record was judged, its frames were not read.
struct SelectedChunk {
  ParsedChunk parsed;
  std::uint64_t store_at = 0;      ///< of its frames, in the store's bytes
  std::uint64_t packed_bytes = 0;  ///< of its frames
  std::uint64_t where = 0;         ///< of the record in the file
  std::size_t number = 0;          ///< of a lone block
  std::uint64_t values_at = 0;     ///< of its original in the selection
};

/// Whole chunks, and the range that a caller asked for.
struct Selection {
  std::vector<SelectedChunk> chunks;
  /// There are no chunks, and this is the range: the index cannot be used, but decompress() could restore it.
  std::vector<std::byte> restored;
  std::uint64_t original = 0;  ///< bytes of the whole chunks
  std::uint64_t skip = 0;      ///< bytes of these before the range
  std::uint64_t wanted = 0;    ///< bytes of the range

  /// For so many chunks more.
  void make_room(std::size_t count) {
    const std::size_t needed = chunks.size() + count;
    if (needed > chunks.capacity()) chunks.reserve(std::max(needed, 2 * chunks.size()));
  }
  /// Behind the others.
  void add(SelectedChunk&& chunk) {
    chunk.values_at = original;
    original += chunk.parsed.record.original_bytes;
    chunks.push_back(std::move(chunk));
  }
};

class ChunkStore {
 public:
  virtual ~ChunkStore() = default;
  /// Errors: those of the CPU's reader for this range.
  virtual Result<Selection> select(const std::optional<Range>& range) = 0;
  /// Bytes of a chunk's frames, from `at` on.
  virtual Status read(const SelectedChunk& chunk, std::uint64_t at, std::span<std::byte> into) = 0;
  /// Whether several threads may call read() at once.
  virtual bool is_thread_safe() const = 0;
  /// An error of decoding this chunk, as the CPU's reader gives it.
  virtual Error named(const SelectedChunk& chunk, Error error) const = 0;
};

struct StoreOptions {
  unsigned threads = 0;         ///< of decompress()
  std::uint64_t memory = 0;     ///< for each chunk; 0: a quarter of the machine's memory
  bool is_thread_safe = false;  ///< several threads may read the file at once
  /// Told where records lie that will be read.
  std::function<void(std::vector<std::uint64_t>)> expect = {};
};

/// The file lives longer than the store.
std::unique_ptr<ChunkStore> stream_store(RandomAccess& file, const StoreOptions& options);
/// The blocks live longer than the store.
std::unique_ptr<ChunkStore> block_store(std::span<const std::span<const std::byte>> blocks,
                                        const StoreOptions& options);
/// Blocks in one file, of which one thread at a time reads. The file lives longer than the store.
std::unique_ptr<ChunkStore> block_store(RandomAccess& file, std::span<const PackedBlock> blocks,
                                        const StoreOptions& options);

/// Bytes in device memory, read from the host. Records that it was told of come many at once. Of all else it
/// copies whole pages, and keeps the last ones. For one thread.
class DeviceAccess final : public RandomAccess {
 public:
  /// Both live longer than this.
  DeviceAccess(cuda::DecodeQueue& queue, const std::byte* bytes, std::uint64_t size)
      : queue_(queue), bytes_(bytes), size_(size) {}

  std::uint64_t size() const override { return size_; }
  Status read_at(std::uint64_t offset, std::span<std::byte> into) override;
  /// Instead of what was expected before.
  void expect(std::vector<std::uint64_t> places);

 private:
  /// A copied page: its bytes, from `at` on.
  struct Page {
    std::vector<std::byte> bytes;
    std::uint64_t at = 0;
  };

  Status read_page(std::uint64_t offset, std::span<std::byte> into);
  std::span<const std::byte> gathered(std::uint64_t offset, std::size_t bytes);
  static std::uint64_t longer_beginning(std::uint64_t bytes);
  std::uint64_t beginning_of(std::uint64_t place) const;
  Status gather_from(std::size_t first);

  cuda::DecodeQueue& queue_;
  const std::byte* bytes_;
  std::uint64_t size_;
  std::array<Page, 4> pages_;                            // HDR, END and the index are read in turn
  std::size_t next_page_ = 0;                            // that is given up
  std::vector<std::uint64_t> expected_;                  // places, ascending
  Buffer memory_;                                        // of gathered_
  std::span<const std::byte> gathered_;                  // the beginnings of some of them, side by side
  std::size_t first_gathered_ = 0, gathered_count_ = 0;  // of these, in expected_
  std::size_t last_found_ = 0;                           // of these
  std::size_t at_once_ = 0;                              // how many the next copy takes
  std::uint64_t beginning_ = 0;                          // bytes of each in the last copy; 0: there was none
  std::uint64_t longest_ = 0;                            // that was asked for of one
};

}  // namespace tdz
