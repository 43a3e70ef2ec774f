// SPDX-License-Identifier: Apache-2.0
#include "codec/c/chunk_reader.hpp"

#include <algorithm>

#include "codec/chunk/open_block.hpp"
#include "codec/pipe/memory_limit.hpp"
#include "codec/pipe/pipeline.hpp"

namespace tdz::c {
namespace {

/// An error in a chunk that begins at `where` in the file.
Error placed(Error error, std::uint64_t where) {
  error.where = error.where == Error::kNowhere ? where : where + error.where;
  return error;
}

}  // namespace

ChunkReader::ChunkReader(RandomAccess& file, unsigned threads, std::uint64_t memory)
    : file_(&file), threads_(worker_count(threads)), memory_(memory != 0 ? memory : usual_memory()) {
  decoders_.emplace_back();
}

Result<ChunkReader> ChunkReader::open(RandomAccess& file, unsigned threads, const InspectOptions& limits) {
  ChunkReader reader(file, threads, limits.memory);
  const auto streams = inspect(file, limits);
  if (!streams) return streams.error();
  if (!streams->empty()) reader.type_ = streams->front().type;
  for (const StreamInfo& stream : *streams) {
    if (auto done = reader.list(stream, limits); !done) return done.error();
  }
  return reader;
}

Status ChunkReader::list(const StreamInfo& stream, const InspectOptions& limits) {
  const std::uint64_t before = size_;
  bool fits = true;
  const auto take = [&](const ChunkInfo& chunk) {
    fits = (entries_.size() + 1) * sizeof(Entry) <= memory_;
    if (!fits) return false;
    entries_.push_back({chunk.stored_offset, before + chunk.original_offset, chunk.digest, chunk.stored_bytes,
                        chunk.original_bytes});
    return true;
  };
  size_ += stream.original_bytes;
  auto done = for_each_chunk(*file_, stream, take, limits);
  if (done && !fits)
    return too_little_memory("the list of chunks", stream.chunks * sizeof(Entry), memory_, stream.offset);
  return done;
}

std::size_t ChunkReader::chunk_at(std::uint64_t offset) const {
  const auto behind = std::ranges::upper_bound(entries_, offset, {}, &Entry::original_end);
  return static_cast<std::size_t>(behind - entries_.begin());
}

// ---- One chunk

Status ChunkReader::fetch(const Entry& entry, Buffer& memory, std::span<std::byte>& stored) {
  const std::uint64_t end = file_->size();
  if (entry.stored_at > end || entry.stored_bytes > end - entry.stored_at)
    return truncated("the file ends before a chunk of its index", entry.stored_at);
  if (entry.stored_bytes > memory_)
    return Error{ErrorKind::limit, "a chunk is larger than the memory limit", entry.stored_at};
  stored = memory.take(entry.stored_bytes);
  return file_->read_at(entry.stored_at, stored);
}

/// CHK and frames are a lone block. That it is the chunk of the index is proved by the digest.
Result<OpenBlock> ChunkReader::open(const Entry& entry, std::span<const std::byte> stored) const {
  auto open = open_block(stored, entry.original_bytes);
  if (!open) return placed(open.error(), entry.stored_at);
  const auto& record = open->chunk.record;
  if (record.digest != entry.digest || record.original_bytes != entry.original_bytes)
    return corrupt("a chunk is not the one of the index", entry.stored_at);
  if (auto good = check_memory(open->chunk, memory_, entry.stored_at); !good) return good.error();
  return open;
}

Status ChunkReader::read_part(std::size_t chunk, std::uint64_t offset, std::span<std::byte> into) {
  const Entry& entry = entries_[chunk];
  if (kept_chunk_ != chunk) {
    kept_chunk_.reset();
    std::span<std::byte> stored;
    if (auto done = fetch(entry, stored_, stored); !done) return done;
    const auto block = open(entry, stored);
    if (!block) return block.error();
    kept_ = kept_memory_.take(entry.original_bytes);
    if (auto done = decoders_[0].decode(block->chunk, block->behind, kept_); !done)
      return placed(done.error(), entry.stored_at);
    kept_chunk_ = chunk;
  }
  std::ranges::copy(kept_.subspan(static_cast<std::size_t>(offset - entry.original_at), into.size()),
                    into.begin());
  return ok();
}

// ---- Many chunks

unsigned ChunkReader::workers_for(std::size_t first, std::size_t count) const {
  MemoryNeeds needs;
  for (std::size_t i = first; i < first + count; ++i)
    needs = larger_of(needs, {entries_[i].stored_bytes, 2 * std::uint64_t{entries_[i].original_bytes}});
  const auto wanted = static_cast<unsigned>(std::min<std::size_t>(threads_, count));
  return size_within(memory_, usual_size(wanted), needs).value_or(PipelineSize{}).workers;
}

Status ChunkReader::read_whole(std::size_t first, std::size_t count, std::span<std::byte> into) {
  struct Slot {
    Buffer memory;
    std::span<std::byte> stored;
    std::size_t chunk = 0;
  };
  const unsigned workers = workers_for(first, count);
  while (decoders_.size() < workers) decoders_.emplace_back();
  std::vector<Slot> ring(ring_size(workers));
  std::size_t next = first;
  const std::uint64_t begin = entries_[first].original_at;
  const PipelineStages stages{
      [&](std::size_t slot) -> Result<bool> {
        if (next == first + count) return false;
        ring[slot].chunk = next++;
        if (auto done = fetch(entries_[ring[slot].chunk], ring[slot].memory, ring[slot].stored); !done)
          return done.error();
        return true;
      },
      [&](std::size_t slot, unsigned worker) {
        const Entry& entry = entries_[ring[slot].chunk];
        const auto block = open(entry, ring[slot].stored);
        if (!block) return Status(block.error());
        const auto part =
            into.subspan(static_cast<std::size_t>(entry.original_at - begin), entry.original_bytes);
        auto done = decoders_[worker].decode(block->chunk, block->behind, part);
        return done ? done : Status(placed(done.error(), entry.stored_at));
      },
      [](std::size_t) { return ok(); }};
  return Pipeline(ring.size(), workers).run(stages, {});
}

/// How many chunks from `chunk` on lie in [at, end) as a whole. 0: a part of the first one comes next, or it
/// is at hand.
std::size_t ChunkReader::count_whole(std::size_t chunk, std::uint64_t at, std::uint64_t end) const {
  if (entries_[chunk].original_at != at || kept_chunk_ == chunk) return 0;
  std::size_t behind = chunk;
  while (behind < entries_.size() && entries_[behind].original_end() <= end) ++behind;
  return behind - chunk;
}

Result<std::size_t> ChunkReader::read(std::uint64_t offset, std::span<std::byte> into) {
  if (offset >= size_) return std::size_t{0};
  const std::uint64_t end = offset + std::min<std::uint64_t>(into.size(), size_ - offset);
  for (std::uint64_t at = offset; at < end;) {
    const std::size_t chunk = chunk_at(at);
    if (chunk == entries_.size()) return corrupt("the index has fewer bytes than the end of the stream says");
    const std::size_t whole = count_whole(chunk, at, end);
    const std::uint64_t to = std::min(end, entries_[whole > 0 ? chunk + whole - 1 : chunk].original_end());
    const auto part = into.subspan(static_cast<std::size_t>(at - offset), static_cast<std::size_t>(to - at));
    if (auto done = whole > 0 ? read_whole(chunk, whole, part) : read_part(chunk, at, part); !done)
      return done.error();
    at = to;
  }
  return static_cast<std::size_t>(end - offset);
}

}  // namespace tdz::c
