// SPDX-License-Identifier: Apache-2.0
// Reading at any offset, of tdz.h: the index is read once, and any part of a file is restored, again and
// again.
#include <algorithm>
#include <cstdint>
#include <deque>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "codec/c/call.hpp"
#include "codec/chunk/chunk_coder.hpp"
#include "codec/chunk/open_block.hpp"
#include "codec/stream/memory_limit.hpp"
#include "codec/stream/pipeline.hpp"
#include "codec/stream/stream_index.hpp"
#include "formats/digest.hpp"
#include "kernels/buffer.hpp"
#include "kernels/float_environment.hpp"
#include "tdz/block.hpp"
#include "tdz/tdz.hpp"

namespace tdz::c {
namespace {

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
    std::uint64_t chain = 0;
    std::uint32_t stored_bytes = 0;
    std::uint32_t original_bytes = 0;
    std::uint32_t plan = 0;  ///< the low half of its digest
    std::uint64_t original_end() const { return original_at + original_bytes; }
  };
  struct Stream {
    FoundStream found;
    std::size_t first_entry = 0;
    std::uint64_t original_at = 0;
  };

  ChunkReader(RandomAccess& file, unsigned threads, std::uint64_t memory);
  Status list(const StreamInfo& stream);
  Status list_part(const IndexWalk& walk);
  std::size_t chunk_at(std::uint64_t offset) const;
  formats::ChunkRules rules_for(std::size_t chunk) const;

  Status fetch(const Entry& entry, Buffer& memory, std::span<std::byte>& stored);
  Result<OpenBlock> open(std::size_t chunk, std::span<const std::byte> stored) const;
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
  std::vector<Stream> streams_;
  std::vector<Entry> entries_;

  std::deque<ChunkDecoder> decoders_;  // one for each worker; a deque because decoders cannot be moved
  Buffer stored_, kept_memory_;
  std::optional<std::size_t> kept_chunk_;
  std::span<std::byte> kept_;
};

/// An error in a chunk that begins at `where` in the file.
Error placed(Error error, std::uint64_t where) {
  error.where = error.where == Error::kNowhere ? where : where + error.where;
  return error;
}

ChunkReader::ChunkReader(RandomAccess& file, unsigned threads, std::uint64_t memory)
    : file_(&file), threads_(worker_count(threads)), memory_(memory_or_usual(memory)) {
  decoders_.emplace_back();
}

Result<ChunkReader> ChunkReader::open(RandomAccess& file, unsigned threads, const InspectOptions& limits) {
  ChunkReader reader(file, threads, limits.memory);
  const auto streams = inspect(file, limits);
  if (!streams) return streams.error();
  if (!streams->empty()) reader.type_ = streams->front().type;
  for (const StreamInfo& stream : *streams) {
    if (auto done = reader.list(stream); !done) return done.error();
  }
  return reader;
}

Status ChunkReader::list(const StreamInfo& stream) {
  LimitedFile file(*file_, memory_);
  auto found = last_stream(file, stream.offset + stream.stored_bytes);
  if (!found) return found.error();
  streams_.push_back({*std::move(found), entries_.size(), size_});
  auto walk = IndexWalk::begin(file, streams_.back().found);
  if (!walk) return walk.error();
  for (;;) {
    const auto more = walk->next();
    if (!more) return more.error();
    if (!*more) break;
    if (auto done = list_part(*walk); !done) return done;
  }
  size_ += stream.original_bytes;
  return ok();
}

std::uint32_t short_digest(std::span<const std::byte> plan) {
  return static_cast<std::uint32_t>(formats::xxh3_64(plan));
}

Status ChunkReader::list_part(const IndexWalk& walk) {
  const formats::IndexPart& part = walk.part();
  const Stream& stream = streams_.back();
  if (const std::uint64_t bytes = (entries_.size() + part.entries.size()) * sizeof(Entry); bytes > memory_)
    return too_little_memory("the list of chunks", bytes, memory_, stream.found.begin);
  std::vector<std::uint32_t> plans;
  for (const auto& plan : part.plans) plans.push_back(short_digest(plan));
  std::uint64_t chain = walk.chain();
  for (const formats::IndexEntry& listed : part.entries) {
    entries_.push_back({stream.found.begin + listed.record_offset,
                        stream.original_at + listed.original_offset, listed.digest, chain,
                        listed.stored_bytes, listed.original_bytes, plans[listed.plan]});
    chain = formats::next_chain(chain, listed.digest);
  }
  return ok();
}

std::size_t ChunkReader::chunk_at(std::uint64_t offset) const {
  const auto behind = std::ranges::upper_bound(entries_, offset, {}, &Entry::original_end);
  return static_cast<std::size_t>(behind - entries_.begin());
}

// ---- One chunk

/// Where it must stand, and in which stream.
formats::ChunkRules ChunkReader::rules_for(std::size_t chunk) const {
  const auto after = std::ranges::upper_bound(streams_, chunk, {}, &Stream::first_entry);
  const Stream& stream = *std::prev(after);
  const Entry& entry = entries_[chunk];
  formats::ChunkRules rules{.largest_chunk = stream.found.header.largest_chunk,
                            .largest_frame = stream.found.header.largest_frame,
                            .original_bytes = stream.found.header.original_bytes};
  rules.place = formats::ChunkPlace{entry.stored_at - stream.found.begin, chunk - stream.first_entry,
                                    entry.original_at - stream.original_at, entry.chain};
  rules.is_tag = [tag = stream.found.end.tag](std::uint64_t own, std::uint64_t) { return own == tag; };
  return rules;
}

Status ChunkReader::fetch(const Entry& entry, Buffer& memory, std::span<std::byte>& stored) {
  const std::uint64_t end = file_->size();
  if (entry.stored_at > end || entry.stored_bytes > end - entry.stored_at)
    return truncated("the file ends before a chunk of its index", entry.stored_at);
  if (entry.stored_bytes > memory_)
    return Error{ErrorKind::limit, "a chunk is larger than the memory limit", entry.stored_at};
  stored = memory.take(entry.stored_bytes);
  return file_->read_at(entry.stored_at, stored);
}

/// CHK and frames, which must be what the index says.
Result<OpenBlock> ChunkReader::open(std::size_t chunk, std::span<const std::byte> stored) const {
  const Entry& entry = entries_[chunk];
  auto open = open_block(stored, kMaxBlockOriginal, rules_for(chunk));
  if (!open && open.error().kind == ErrorKind::truncated)  // the file goes on
    return corrupt("a chunk is longer than the index says", entry.stored_at);
  if (!open) return placed(open.error(), entry.stored_at);
  const auto& record = open->chunk.record;
  if (record.digest != entry.digest || record.original_bytes != entry.original_bytes ||
      short_digest(record.plan) != entry.plan)
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
    const auto block = open(chunk, stored);
    if (!block) return block.error();
    kept_ = kept_memory_.take(entry.original_bytes);
    if (auto done = decoders_[0].decode(block->chunk, block->after_record, kept_); !done)
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
        const auto block = open(ring[slot].chunk, ring[slot].stored);
        if (!block) return Status(block.error());
        const auto part =
            into.subspan(static_cast<std::size_t>(entry.original_at - begin), entry.original_bytes);
        auto done = decoders_[worker].decode(block->chunk, block->after_record, part);
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

}  // namespace
}  // namespace tdz::c

struct tdz_reader {
  explicit tdz_reader(const tdz_input& from) : file(from) {}

  tdz::c::CallbackFile file;
  std::optional<tdz::c::ChunkReader> chunks;
  std::string type;
};

using namespace tdz;
using namespace tdz::c;

namespace {

/// The type comes from the file.
std::string printable(std::string text) {
  for (char& letter : text)
    if (letter < 0x20 || letter > 0x7E) letter = '?';
  return text;
}

Status check(const tdz_decompress_options& said) {
  if (said.offset != 0 || said.length != 0 || said.compare_digest != 0 || said.progress != nullptr)
    return usage("a reader has only the options threads, memory and max_output");
  return ok();
}

}  // namespace

tdz_status tdz_reader_open(const tdz_input* from, const tdz_decompress_options* options, tdz_reader** reader,
                           tdz_error* error) {
  return guarded(error, {{reader, "reader"}}, [&]() -> Status {
    const auto said = read_struct(options);
    if (!said) return said.error();
    if (auto good = check(*said); !good) return good;
    const auto input = read_file(from);
    if (!input) return input.error();
    auto opened = std::make_unique<tdz_reader>(*input);
    InspectOptions limits{.memory = said->memory};
    if (said->max_output != 0) limits.max_output = said->max_output;
    auto chunks = ChunkReader::open(opened->file, said->threads, limits);
    if (!chunks) return chunks.error();
    opened->chunks.emplace(std::move(chunks).value());
    opened->type = printable(opened->chunks->type());
    *reader = opened.release();
    return ok();
  });
}

void tdz_reader_free(tdz_reader* reader) {
  delete reader;
}

uint64_t tdz_reader_size(const tdz_reader* reader) {
  return reader != nullptr ? reader->chunks->size() : 0;
}

const char* tdz_reader_type(const tdz_reader* reader) {
  return reader != nullptr ? reader->type.c_str() : nullptr;
}

tdz_status tdz_reader_read(tdz_reader* reader, uint64_t offset, void* into, size_t bytes, size_t* got,
                           tdz_error* error) {
  return guarded(error, {{reader, "reader"}, {into, "into", bytes}, {got, "got"}}, [&]() -> Status {
    const FloatEnvironment usual;
    const auto length = reader->chunks->read(offset, room_at(into, bytes));
    if (!length) return length.error();
    *got = *length;
    return ok();
  });
}
