// SPDX-License-Identifier: Apache-2.0
#include "codec/device/chunk_store.hpp"

#include <algorithm>
#include <utility>

#include "codec/chunk/open_block.hpp"
#include "codec/stream/memory_io.hpp"
#include "codec/stream/memory_limit.hpp"
#include "codec/stream/pipeline.hpp"
#include "codec/stream/ranged_reader.hpp"
#include "codec/stream/stream_index.hpp"
#include "codec/stream/stream_input.hpp"
#include "tdz/block.hpp"

namespace tdz {

// ---- Device memory

namespace {

constexpr std::uint64_t kPage = 16u << 10;
/// What is copied of each expected record, and of how many at once: at first much of a few; and when these
/// were asked for in order, so much of many that follow as the longest of the few had. Records of packed
/// groups have about 200 bytes; those of frames for a GPU have a list of their blocks. Where one is longer
/// than what was copied of it, more is copied of it and of all that follow.
constexpr std::uint64_t kFirstBeginning = 2u << 10, kBeginningUnit = 256;
constexpr std::size_t kFewestGathered = 32, kMostGathered = 4096;
constexpr std::uint64_t kMostGatheredBytes = 16u << 20;

}  // namespace

Status DeviceAccess::read_at(std::uint64_t offset, std::span<std::byte> into) {
  if (offset > size_ || into.size() > size_ - offset) {
    return Error{ErrorKind::io, "reading beyond the end of the bytes in device memory"};
  }
  if (into.size() >= kPage) return queue_.copy_down(into, bytes_ + offset);
  auto found = gathered(offset, into.size());
  if (found.empty()) {
    const auto place = std::ranges::lower_bound(expected_, offset);
    if (place != expected_.end() && *place == offset) {
      longest_ = std::max<std::uint64_t>(longest_, into.size());
      if (gather_from(static_cast<std::size_t>(place - expected_.begin())))
        found = gathered(offset, into.size());
      else
        expected_.clear();  // there is no memory for it: pages come one after another
    }
  }
  if (found.empty()) return read_page(offset, into);
  std::ranges::copy(found, into.begin());
  return ok();
}

/// From the page that begins with these bytes or with others before them.
Status DeviceAccess::read_page(std::uint64_t offset, std::span<std::byte> into) {
  const auto has_all = [&](const Page& page) {
    return offset >= page.at && offset + into.size() <= page.at + page.bytes.size();
  };
  auto page = std::ranges::find_if(pages_, has_all);
  if (page == pages_.end()) {
    page = pages_.begin() + static_cast<std::ptrdiff_t>(next_page_);
    page->bytes.resize(static_cast<std::size_t>(std::min(kPage, size_ - offset)));
    page->at = offset;
    if (auto done = queue_.copy_down(page->bytes, bytes_ + offset); !done) {
      page->bytes.clear();
      return done;
    }
    next_page_ = (next_page_ + 1) % pages_.size();
  }
  std::ranges::copy_n(page->bytes.begin() + static_cast<std::ptrdiff_t>(offset - page->at),
                      static_cast<std::ptrdiff_t>(into.size()), into.begin());
  return ok();
}

void DeviceAccess::expect(std::vector<std::uint64_t> places) {
  std::erase_if(places, [&](std::uint64_t place) { return place >= size_; });
  if (!std::ranges::is_sorted(places)) std::ranges::sort(places);
  expected_ = std::move(places);
  first_gathered_ = gathered_count_ = last_found_ = 0;
  at_once_ = kFewestGathered;
  beginning_ = longest_ = 0;
}

/// With room for records that are a little longer than this one.
std::uint64_t DeviceAccess::longer_beginning(std::uint64_t bytes) {
  return std::min(kPage, (bytes + bytes / 4 + kBeginningUnit - 1) / kBeginningUnit * kBeginningUnit);
}

std::uint64_t DeviceAccess::beginning_of(std::uint64_t place) const {
  return std::min(beginning_, size_ - place);
}

/// These bytes, or none where they were not gathered.
std::span<const std::byte> DeviceAccess::gathered(std::uint64_t offset, std::size_t bytes) {
  const auto there = std::span(expected_).subspan(first_gathered_, gathered_count_);
  const auto is_of = [&](std::size_t i) {
    return i < there.size() && there[i] <= offset && (i + 1 == there.size() || offset < there[i + 1]);
  };
  // Most often it is the record that was found last, or the next one.
  if (!is_of(last_found_) && !is_of(++last_found_)) {
    const auto after = std::ranges::upper_bound(there, offset);
    last_found_ = 0;
    if (after == there.begin()) return {};
    last_found_ = static_cast<std::size_t>(after - there.begin()) - 1;
  }
  const std::uint64_t at = offset - there[last_found_], kept = beginning_of(there[last_found_]);
  if (at > kept || bytes > kept - at) return {};
  if (at == 0) longest_ = std::max<std::uint64_t>(longest_, bytes);
  return gathered_.subspan(static_cast<std::size_t>(last_found_ * beginning_ + at), bytes);
}

Status DeviceAccess::gather_from(std::size_t first) {
  // Lone blocks may be asked for in any order: then what lies after a place is not what is read next.
  if (first != first_gathered_ + gathered_count_) at_once_ = kFewestGathered;
  beginning_ = beginning_ == 0 ? std::max(kFirstBeginning, longest_) : longer_beginning(longest_);
  const auto fit = static_cast<std::size_t>(kMostGatheredBytes / beginning_);
  const std::size_t count = std::min({at_once_, expected_.size() - first, fit});
  at_once_ = kMostGathered;
  std::vector<cuda::PutPiece> pieces;
  pieces.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    pieces.push_back({expected_[first + i], i * beginning_, beginning_of(expected_[first + i])});
  gathered_count_ = 0;
  const auto into = memory_.take(static_cast<std::size_t>(count * beginning_));
  if (auto done = queue_.gather(into, bytes_, pieces); !done) return done;
  gathered_ = into;
  first_gathered_ = first, gathered_count_ = count, last_found_ = 0;
  return ok();
}

// ---- Streams

namespace {

SelectedChunk selected(ListedChunk&& listed) {
  const std::uint64_t packed = formats::packed_bytes(listed.chunk.record);
  return {std::move(listed.chunk), listed.packed_at, packed, listed.where};
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
    auto found = chunks_until(reader, {bytes->begin, end}, worker_count(options_.threads));
    if (!found || range.length) return found;
    // Only empty streams can be left; they are judged too.
    if (auto more = reader.next_listed(); !more) return more.error();
    return found;
  }

  static Result<Selection> chunks_until(IndexedReader& reader, const ByteRange& range, unsigned threads) {
    Selection found;
    found.wanted = range.end - range.begin;
    while (found.original < found.skip + found.wanted) {
      auto listed = reader.next_listed(range.end, threads);
      if (!listed) return listed.error();
      if (listed->empty()) return usage("the range is too long");
      if (found.chunks.empty()) {
        const ListedChunk& first = listed->front();
        found.skip = range.begin - (first.original_before + first.chunk.record.original_offset);
      }
      found.make_room(listed->size());
      for (ListedChunk& chunk : *listed) found.add(selected(std::move(chunk)));
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
    std::size_t at_once = range ? kFewestGathered : kMostGathered;
    for (std::size_t first = 0; first < count() && begin < bytes->end;) {
      Opened opened = open_some(first, std::min(at_once, count() - first));
      found.make_room(opened.blocks.size());
      for (SelectedChunk& block : opened.blocks) {
        if (begin >= bytes->end) break;
        const std::uint64_t end = begin + block.parsed.record.original_bytes;
        if (end > bytes->begin && found.chunks.empty()) found.skip = bytes->begin - begin;
        if (end > bytes->begin) found.add(std::move(block));
        begin = end;
      }
      first += opened.blocks.size();
      if (opened.error && begin < bytes->end) return in_block(first, *std::move(opened.error));
      at_once = kMostGathered;
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
  /// Reads the records of these blocks, if open() needs that.
  virtual Status read_records(std::size_t first, std::size_t count) = 0;
  /// Block `i` of those whose records were read; all before `first` are others. Several threads may call
  /// this.
  virtual Result<SelectedChunk> open(std::size_t first, std::size_t i, LastPlan& last) const = 0;
  /// Of how many blocks read_records() has read records.
  virtual std::size_t records() const = 0;

 private:
  /// Blocks up to the first one that is wrong.
  struct Opened {
    std::vector<SelectedChunk> blocks;
    std::optional<Error> error;
  };

  static Error in_block(std::size_t number, Error error) {
    error.message = "block " + std::to_string(number) + ": " + error.message;
    return error;
  }

  Opened open_some(std::size_t first, std::size_t count) {
    Opened opened;
    const Status read = read_records(first, count);
    opened.blocks.resize(records());
    const std::uint64_t limit = memory_or_usual(options_.memory);
    const auto open_them = [&](std::size_t begin, std::size_t end) {
      LastPlan last;
      MemoryCheck memory(limit);
      for (std::size_t i = begin; i < end; ++i) {
        auto block = open(first, i, last);
        if (!block) return Status(block.error());
        if (auto fits = memory(block->parsed, 0); !fits) return fits;
        opened.blocks[i] = *std::move(block);
      }
      return ok();
    };
    const Status good =
        neighbours_in_parallel(opened.blocks.size(), worker_count(options_.threads), open_them);
    if (!good) {
      const auto is_open = [](const SelectedChunk& block) { return block.parsed.record.original_bytes != 0; };
      opened.blocks.erase(std::ranges::find_if_not(opened.blocks, is_open), opened.blocks.end());
    }
    opened.error = !good ? error_of(good) : error_of(read);
    return opened;
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
  Status read_records(std::size_t, std::size_t count) override {
    opening_ = count;
    return ok();
  }
  std::size_t records() const override { return opening_; }
  Result<SelectedChunk> open(std::size_t first, std::size_t i, LastPlan& last) const override {
    const std::size_t number = first + i;
    auto block = open_block(blocks_[number], kMaxBlockOriginal, {}, &last);
    if (!block) return block.error();
    return SelectedChunk{std::move(block->chunk), block->record_bytes, block->after_record.size(), 0, number};
  }

  std::vector<std::span<const std::byte>> blocks_;
  std::size_t opening_ = 0;
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
  std::size_t records() const override { return records_.size(); }

  Status read_records(std::size_t first, std::size_t count) override {
    records_ = {};
    for (std::size_t i = 0; i < count; ++i)
      if (auto done = read_record(blocks_[first + i]); !done) return done;
    return ok();
  }

  /// The block's first bytes: its record, or all where it has fewer.
  Status read_record(const PackedBlock& block) {
    const auto up_to = [&](std::uint64_t bytes) -> Result<std::span<const std::byte>> {
      const auto into = records_.next(static_cast<std::size_t>(std::min(block.bytes, bytes)));
      if (auto done = file_.read_at(block.offset, into); !done) return done.error();
      return std::span<const std::byte>(into);
    };
    const auto head = up_to(formats::kPrefixBytes);
    if (!head) return head.error();
    const auto prefix = formats::parse_prefix(*head, {.chunk = true}, 0);
    if (!prefix) return prefix.error();
    if (const auto all = up_to(prefix->total_bytes); !all) return all.error();
    records_.keep();
    return ok();
  }

  Result<SelectedChunk> open(std::size_t first, std::size_t i, LastPlan& last) const override {
    const PackedBlock& block = blocks_[first + i];
    auto found = open_record(records_[i], {}, &last);
    if (!found) return found.error();
    const std::uint64_t record = found->record_bytes, behind = block.bytes - record;
    const auto good = check_after_record(found->chunk.record, record, behind, kMaxBlockOriginal);
    if (!good) return good.error();
    return SelectedChunk{std::move(found->chunk), block.offset + record, behind, 0, first + i};
  }

  RandomAccess& file_;
  std::vector<PackedBlock> blocks_;
  RecordList records_;
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
