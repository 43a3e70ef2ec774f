// SPDX-License-Identifier: Apache-2.0
#include "codec/device/chunk_store.hpp"

#include <algorithm>
#include <utility>

#include "codec/chunk/open_block.hpp"
#include "codec/stream/memory_io.hpp"
#include "codec/stream/memory_limit.hpp"
#include "codec/stream/ranged_reader.hpp"
#include "codec/stream/stream_index.hpp"
#include "codec/stream/stream_input.hpp"
#include "tdz/block.hpp"

namespace tdz {

// ---- Device memory

namespace {

constexpr std::uint64_t kPage = 16u << 10;
/// What is copied of each expected record, and of how many at once: of a few, and when these were asked for
/// in order, of many that follow. Records of packed groups have about 250 bytes; those of frames for a GPU
/// have a list of their blocks: where one is longer than what was copied of it, more is copied of it and of
/// all that follow.
constexpr std::uint64_t kShortBeginning = 2u << 10;
constexpr std::size_t kFewestGathered = 32, kMostGathered = 4096;
constexpr std::uint64_t kMostGatheredBytes = 16u << 20;

}  // namespace

Status DeviceAccess::read_at(std::uint64_t offset, std::span<std::byte> into) {
  if (offset > size_ || into.size() > size_ - offset) {
    return Error{ErrorKind::io, "reading beyond the end of the bytes in device memory"};
  }
  if (into.size() >= kPage) return queue_.copy_down(into, bytes_ + offset);
  auto found = gathered(offset, into.size());
  const auto place = std::ranges::lower_bound(expected_, offset);
  if (found.empty() && place != expected_.end() && *place == offset) {
    if (into.size() > wanted_beginning_) wanted_beginning_ = longer_beginning(into.size());
    if (gather_from(static_cast<std::size_t>(place - expected_.begin())))
      found = gathered(offset, into.size());
    else
      expected_.clear();  // there is no memory for it: pages come one after another
  }
  if (!found.empty()) {
    std::ranges::copy(found, into.begin());
    return ok();
  }
  const bool there = offset >= page_at_ && offset + into.size() <= page_at_ + page_.size();
  if (!there) {
    std::vector<std::byte> page(static_cast<std::size_t>(std::min(kPage, size_ - offset)));
    if (auto done = queue_.copy_down(page, bytes_ + offset); !done) return done;
    page_ = std::move(page);
    page_at_ = offset;
  }
  std::ranges::copy_n(page_.begin() + static_cast<std::ptrdiff_t>(offset - page_at_),
                      static_cast<std::ptrdiff_t>(into.size()), into.begin());
  return ok();
}

void DeviceAccess::expect(std::vector<std::uint64_t> places) {
  std::erase_if(places, [&](std::uint64_t place) { return place >= size_; });
  std::ranges::sort(places);
  expected_ = std::move(places);
  gathered_.clear();
  at_once_ = kFewestGathered;
  beginning_ = wanted_beginning_ = kShortBeginning;
}

/// With room for records that are a little longer than this one.
std::uint64_t DeviceAccess::longer_beginning(std::uint64_t bytes) {
  return std::min(kPage, (bytes + bytes / 4 + kShortBeginning - 1) / kShortBeginning * kShortBeginning);
}

std::uint64_t DeviceAccess::beginning_of(std::uint64_t place) const {
  return std::min(beginning_, size_ - place);
}

/// These bytes, or none where they were not gathered.
std::span<const std::byte> DeviceAccess::gathered(std::uint64_t offset, std::size_t bytes) const {
  const std::size_t count = gathered_.size() / beginning_;
  const auto there = std::span(expected_).subspan(count == 0 ? 0 : first_gathered_, count);
  const auto after = std::ranges::upper_bound(there, offset);
  if (after == there.begin()) return {};
  const auto number = static_cast<std::size_t>(after - there.begin()) - 1;
  const std::uint64_t at = offset - there[number], kept = beginning_of(there[number]);
  if (at > kept || bytes > kept - at) return {};
  return std::span(gathered_).subspan(static_cast<std::size_t>(number * beginning_ + at), bytes);
}

Status DeviceAccess::gather_from(std::size_t first) {
  // Lone blocks may be asked for in any order: then what lies after a place is not what is read next.
  if (first != first_gathered_ + gathered_.size() / beginning_) at_once_ = kFewestGathered;
  beginning_ = wanted_beginning_;
  const auto fit = static_cast<std::size_t>(kMostGatheredBytes / beginning_);
  const std::size_t count = std::min({at_once_, expected_.size() - first, fit});
  at_once_ = kMostGathered;
  std::vector<cuda::PutPiece> pieces;
  for (std::size_t i = 0; i < count; ++i)
    pieces.push_back({expected_[first + i], i * beginning_, beginning_of(expected_[first + i])});
  gathered_.resize(static_cast<std::size_t>(count * beginning_));
  first_gathered_ = first;
  const Status done = queue_.gather(gathered_, bytes_, pieces);
  if (!done) gathered_.clear();
  return done;
}

// ---- Streams

namespace {

SelectedChunk selected(ListedChunk&& listed) {
  const std::uint64_t packed = formats::packed_bytes(listed.chunk.record);
  return {std::move(listed.chunk), listed.packed_at, packed, listed.where, 0, 0};
}

class StreamStore final : public ChunkStore {
 public:
  StreamStore(RandomAccess& file, const StoreOptions& options) : file_(file), options_(options) {}

  /// What the index cannot do is done from the beginning of the file, as decompress() does it. That also
  /// tells what is wrong.
  Result<Selection> select(const std::optional<Range>& range) override {
    auto chunks = through_index(range.value_or(Range{}));
    return chunks ? std::move(chunks) : restore(range);
  }

  Status read(const SelectedChunk& chunk, std::uint64_t at, std::span<std::byte> into) override {
    return file_.read_at(chunk.store_at + at, into);
  }

  bool is_thread_safe() const override { return options_.is_thread_safe; }

  Error named(const SelectedChunk& chunk, Error error) const override {
    return in_chunk(chunk.parsed.record.number, chunk.where, std::move(error));
  }

 private:
  Result<Selection> through_index(const Range& range) {
    auto streams = find_streams(file_);
    if (!streams) return streams.error();
    IndexedReader reader(file_, *std::move(streams));
    reader.limit_memory(memory_or_usual(options_.memory));
    reader.tell_places(options_.expect);
    const auto bytes = byte_range(range, reader.type());
    if (!bytes) return bytes.error();
    const std::uint64_t end = std::min(bytes->end, reader.original_bytes());
    if (bytes->begin > end || (range.length && bytes->end != end)) return usage("the range is too long");
    if (auto done = reader.go_to(bytes->begin); !done) return done.error();
    auto found = chunks_until(reader, {bytes->begin, end});
    if (!found || range.length) return found;
    // Only empty streams can be left; they are judged too.
    if (auto more = reader.next_listed(); !more) return more.error();
    return found;
  }

  static Result<Selection> chunks_until(IndexedReader& reader, const ByteRange& range) {
    Selection found;
    found.wanted = range.end - range.begin;
    while (found.original < found.skip + found.wanted) {
      auto listed = reader.next_listed();
      if (!listed) return listed.error();
      if (!*listed) return usage("the range is too long");
      const auto begin = (*listed)->original_before + (*listed)->chunk.record.original_offset;
      if (found.chunks.empty()) found.skip = range.begin - begin;
      found.chunks.push_back(selected(**std::move(listed)));
      found.chunks.back().values_at = found.original;
      found.original += found.chunks.back().parsed.record.original_bytes;
    }
    return found;
  }

  Result<Selection> restore(const std::optional<Range>& range) {
    FileSource source(file_);
    MemorySink sink;
    const auto done =
        decompress(source, sink, {.range = range, .threads = options_.threads, .memory = options_.memory});
    if (!done) return done.error();
    Selection found;
    found.restored = std::move(sink).take();
    found.original = found.wanted = found.restored.size();
    return found;
  }

  RandomAccess& file_;
  StoreOptions options_;
};

}  // namespace

std::unique_ptr<ChunkStore> stream_store(RandomAccess& file, const StoreOptions& options) {
  return std::make_unique<StreamStore>(file, options);
}

// ---- Lone blocks

namespace {

/// Blocks one after another.
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
      const std::uint64_t end = begin + chunk->parsed.record.original_bytes;
      if (end > bytes->begin) {
        if (found.chunks.empty()) found.skip = bytes->begin - begin;
        chunk->values_at = found.original;
        found.original += end - begin;
        found.chunks.push_back(*std::move(chunk));
      }
      begin = end;
    }
    const std::uint64_t end = range && range->length ? bytes->end : begin;
    if (end > begin || bytes->begin > begin) return usage("the range ends beyond the last block");
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
    const std::uint64_t limit = memory_or_usual(options_.memory);
    if (auto done = check_memory(found->parsed, limit, 0); !done) return done.error();
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
    return SelectedChunk{
        std::move(block->chunk), block->record_bytes, block->after_record.size(), 0, number, 0};
  }

  std::vector<std::span<const std::byte>> blocks_;
};

/// Blocks of which only the records are read.
class FileBlocks final : public BlockStore {
 public:
  FileBlocks(RandomAccess& file, std::span<const PackedBlock> blocks, const StoreOptions& options)
      : BlockStore(options), file_(file), blocks_(blocks.begin(), blocks.end()) {
    if (!options.expect) return;
    std::vector<std::uint64_t> places;
    for (const PackedBlock& block : blocks_) places.push_back(block.offset);
    options.expect(std::move(places));
  }

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
    const auto good = check_after_record(found->chunk.record, record, behind, kMaxBlockOriginal);
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
