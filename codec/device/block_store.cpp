// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "codec/chunk/open_block.hpp"
#include "codec/device/chunk_store.hpp"
#include "codec/stream/memory_limit.hpp"
#include "codec/stream/ranged_reader.hpp"
#include "tdz/block.hpp"

namespace tdz {
namespace {

/// Blocks one behind the other.
class BlockStore : public ChunkStore {
 public:
  explicit BlockStore(const StoreOptions& options) : options_(options) {}

  Result<Selection> select(const std::optional<Range>& range) override {
    const auto bytes = byte_range(range.value_or(Range{}), {});
    if (!bytes) return bytes.error();
    Selection found;
    std::uint64_t begin = 0;  // of the block
    for (std::size_t i = 0; i < count() && begin < bytes->end; ++i) {
      auto chunk = judged(i);
      if (!chunk) return in_block(i, chunk.error());
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

  Error named(const SelectedChunk& chunk, Error error) const override {
    return in_block(chunk.number, std::move(error));
  }

 protected:
  virtual std::size_t count() const = 0;
  virtual Result<SelectedChunk> open(std::size_t number) = 0;

 private:
  static Error in_block(std::size_t number, Error error) {
    error.message = "block " + std::to_string(number) + ": " + error.message;
    return error;
  }

  Result<SelectedChunk> judged(std::size_t number) {
    auto found = open(number);
    if (!found) return found;
    const std::uint64_t limit = options_.memory != 0 ? options_.memory : usual_memory();
    if (auto done = check_memory(found->chunk, limit, 0); !done) return done.error();
    return found;
  }

  StoreOptions options_;
};

class HostBlocks final : public BlockStore {
 public:
  HostBlocks(std::span<const std::span<const std::byte>> blocks, const StoreOptions& options)
      : BlockStore(options), blocks_(blocks.begin(), blocks.end()) {}

  Status read(const SelectedChunk& chunk, std::uint64_t at, std::span<std::byte> into) override {
    const auto bytes =
        blocks_[chunk.number].subspan(static_cast<std::size_t>(chunk.store_at + at), into.size());
    std::ranges::copy(bytes, into.begin());
    return ok();
  }
  bool is_thread_safe() const override { return true; }

 private:
  std::size_t count() const override { return blocks_.size(); }
  Result<SelectedChunk> open(std::size_t number) override {
    auto block = open_block(blocks_[number], kMaxBlockOriginal);
    if (!block) return block.error();
    return SelectedChunk{std::move(block->chunk), block->record_bytes, block->behind.size(), 0, number, 0};
  }

  std::vector<std::span<const std::byte>> blocks_;
};

/// Blocks of which only the records are read.
class FileBlocks final : public BlockStore {
 public:
  FileBlocks(RandomAccess& file, std::span<const PackedBlock> blocks, const StoreOptions& options)
      : BlockStore(options), file_(file), blocks_(blocks.begin(), blocks.end()) {}

  Status read(const SelectedChunk& chunk, std::uint64_t at, std::span<std::byte> into) override {
    return file_.read_at(chunk.store_at + at, into);
  }
  bool is_thread_safe() const override { return false; }

 private:
  std::size_t count() const override { return blocks_.size(); }

  /// The block's first bytes: its record, or all where it has fewer.
  Status read_record(const PackedBlock& block) {
    const auto up_to = [&](std::uint64_t bytes) {
      record_.resize(static_cast<std::size_t>(std::min(block.bytes, bytes)));
      return file_.read_at(block.offset, record_);
    };
    if (auto done = up_to(formats::kPrefixBytes); !done) return done;
    const auto prefix = formats::parse_prefix(record_, {.chunk = true}, 0);
    return prefix ? up_to(prefix->total_bytes) : Status(prefix.error());
  }

  Result<SelectedChunk> open(std::size_t number) override {
    const PackedBlock& block = blocks_[number];
    if (auto done = read_record(block); !done) return done.error();
    auto found = open_record(record_);
    if (!found) return found.error();
    const std::uint64_t record = found->record_bytes, behind = block.bytes - record;
    const auto good = check_behind(found->chunk.record, record, behind, kMaxBlockOriginal);
    if (!good) return good.error();
    return SelectedChunk{std::move(found->chunk), block.offset + record, behind, 0, number, 0};
  }

  RandomAccess& file_;
  std::vector<PackedBlock> blocks_;
  std::vector<std::byte> record_;
};

}  // namespace

std::unique_ptr<ChunkStore> block_store(std::span<const std::span<const std::byte>> blocks,
                                        const StoreOptions& options) {
  return std::make_unique<HostBlocks>(blocks, options);
}

std::unique_ptr<ChunkStore> block_store(RandomAccess& file, std::span<const PackedBlock> blocks,
                                        const StoreOptions& options) {
  return std::make_unique<FileBlocks>(file, blocks, options);
}

}  // namespace tdz
