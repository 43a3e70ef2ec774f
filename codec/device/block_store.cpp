// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "codec/chunk/open_block.hpp"
#include "codec/device/chunk_store.hpp"
#include "codec/pipe/memory_limit.hpp"
#include "codec/stream/ranged_reader.hpp"
#include "tdz/block.hpp"

namespace tdz {
namespace {

class BlockStore final : public ChunkStore {
 public:
  BlockStore(std::span<const std::span<const std::byte>> blocks, const StoreOptions& options)
      : blocks_(blocks.begin(), blocks.end()), options_(options) {}

  Result<Selection> select(const std::optional<Range>& range) override {
    const auto bytes = byte_range(range.value_or(Range{}), {});
    if (!bytes) return bytes.error();
    Selection found;
    std::uint64_t begin = 0;  // of the block
    for (std::size_t i = 0; i < blocks_.size() && begin < bytes->end; ++i) {
      auto chunk = open(i);
      if (!chunk) return chunk.error();
      const std::uint64_t end = begin + chunk->chunk.record.original_bytes;
      if (end > bytes->begin) {
        if (found.chunks.empty()) found.skip = bytes->begin - begin;
        chunk->values = found.original;
        found.original += end - begin;
        found.chunks.push_back(*std::move(chunk));
      }
      begin = end;
    }
    const std::uint64_t end = range && range->length ? bytes->end : begin;
    if (end > begin || bytes->begin > begin) return usage("the range ends behind the last block");
    found.wanted = end - bytes->begin;
    return found;
  }

  Status read(const SelectedChunk& chunk, std::uint64_t at, std::span<std::byte> into) override {
    const auto bytes =
        blocks_[chunk.number].subspan(static_cast<std::size_t>(chunk.store_at + at), into.size());
    std::ranges::copy(bytes, into.begin());
    return ok();
  }

  bool is_thread_safe() const override { return true; }

  Error named(const SelectedChunk& chunk, Error error) const override {
    return in_block(chunk.number, std::move(error));
  }

 private:
  static Error in_block(std::size_t number, Error error) {
    error.message = "block " + std::to_string(number) + ": " + error.message;
    return error;
  }

  Result<SelectedChunk> open(std::size_t number) const {
    auto block = open_block(blocks_[number], kMaxBlockOriginal);
    if (!block) return in_block(number, block.error());
    const std::uint64_t limit = options_.memory != 0 ? options_.memory : usual_memory();
    if (auto done = check_memory(block->chunk, limit, 0); !done) return in_block(number, done.error());
    return SelectedChunk{std::move(block->chunk), block->record_bytes, block->behind.size(), 0, number, 0};
  }

  std::vector<std::span<const std::byte>> blocks_;
  StoreOptions options_;
};

}  // namespace

std::unique_ptr<ChunkStore> block_store(std::span<const std::span<const std::byte>> blocks,
                                        const StoreOptions& options) {
  return std::make_unique<BlockStore>(blocks, options);
}

}  // namespace tdz
