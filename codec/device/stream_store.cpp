// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "codec/device/chunk_store.hpp"
#include "codec/stream/memory_io.hpp"
#include "codec/stream/memory_limit.hpp"
#include "codec/stream/ranged_reader.hpp"
#include "codec/stream/stream_index.hpp"
#include "codec/stream/stream_input.hpp"

namespace tdz {
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
    return in_chunk(chunk.chunk.record.number, chunk.where, std::move(error));
  }

 private:
  Result<Selection> through_index(const Range& range) {
    auto streams = find_streams(file_);
    if (!streams) return streams.error();
    IndexedReader reader(file_, *std::move(streams));
    reader.limit_memory(options_.memory != 0 ? options_.memory : usual_memory());
    const auto bytes = byte_range(range, reader.type());
    if (!bytes) return bytes.error();
    const std::uint64_t end = std::min(bytes->end, reader.original_bytes());
    if (bytes->begin > end || (range.length && bytes->end != end)) return usage("the range is too long");
    if (auto done = reader.go_to(bytes->begin); !done) return done.error();
    return chunks_until(reader, {bytes->begin, end});
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
      found.chunks.back().values = found.original;
      found.original += found.chunks.back().chunk.record.original_bytes;
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

}  // namespace tdz
