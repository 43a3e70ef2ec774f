// SPDX-License-Identifier: Apache-2.0
#include "codec/stream/ranged_reader.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "codec/stream/pipeline.hpp"
#include "codec/stream/stream_index.hpp"
#include "codec/stream/stream_reader.hpp"
#include "formats/names.hpp"

namespace tdz {

// ---- From any chunk on

using namespace formats;

namespace {

constexpr std::size_t kMostListed = 16u << 20;

bool lists(const IndexPart& part, std::uint64_t original_offset) {
  const IndexEntry& last = part.entries.back();
  return original_offset >= part.entries.front().original_offset &&
         original_offset < last.original_offset + last.original_bytes;
}

}  // namespace

IndexedReader::IndexedReader(RandomAccess& file, std::vector<FoundStream> streams, Frames frames)
    : file_(file), streams_(std::move(streams)), frames_(frames) {}

std::uint64_t IndexedReader::original_bytes() const {
  std::uint64_t sum = 0;
  for (const FoundStream& stream : streams_) sum += stream.end.original_bytes;
  return sum;
}

Status IndexedReader::go_to(std::uint64_t offset) {
  original_before_ = 0;
  for (stream_ = 0; stream_ < streams_.size(); ++stream_) {
    const std::uint64_t within = offset - original_before_, own = stream().end.original_bytes;
    if (within < own || (within == 0 && own == 0)) return enter(within);  // an empty stream is judged too
    original_before_ += stream().end.original_bytes;
  }
  return ok();
}

/// Goes through all of the index, then back to the chunk with this byte of the stream's original.
Status IndexedReader::enter(std::uint64_t within) {
  auto walk = IndexWalk::begin(file_, stream());
  if (!walk) return walk.error();
  std::optional<IndexWalk> found;
  for (;;) {
    const auto more = walk->next();
    if (!more) return more.error();
    if (!*more) break;
    if (lists(walk->part(), within)) found.emplace(*walk);
  }
  walk_.reset();
  walk_.emplace(found ? *std::move(found) : *std::move(walk));
  chain_ = walk_->chain();
  const auto& entries = walk_->part().entries;
  for (entry_ = 0; entry_ < entries.size(); ++entry_) {
    const IndexEntry& entry = entries[entry_];
    if (within < entry.original_offset + entry.original_bytes) break;
    chain_ = next_chain(chain_, entry.digest);
  }
  tell();
  return ok();
}

void IndexedReader::tell() const {
  if (!told_) return;
  std::vector<std::uint64_t> places;
  for (const IndexEntry& entry : std::span(walk_->part().entries).subspan(entry_))
    places.push_back(stream().begin + entry.record_offset);
  told_(std::move(places));
}

/// Goes on after the last entry of a part.
Status IndexedReader::go_on() {
  const auto more = walk_->next();
  if (!more) return more.error();
  entry_ = 0;
  if (*more) {
    tell();
    return ok();
  }
  original_before_ += stream().end.original_bytes;
  return ++stream_ < streams_.size() ? enter(0) : ok();
}

/// False at the end.
Result<bool> IndexedReader::has_next() {
  while (stream_ < streams_.size()) {
    if (entry_ < walk_->part().entries.size()) return true;
    if (auto done = go_on(); !done) return done.error();
  }
  return false;
}

Result<std::optional<ListedChunk>> IndexedReader::next_listed() {
  const auto more = has_next();
  if (!more) return more.error();
  if (!*more) return std::optional<ListedChunk>();
  const IndexEntry& entry = walk_->part().entries[entry_];
  const std::uint64_t where = place_of(entry);
  const auto record = read_record(file_, {.chunk = true}, where, where + entry.stored_bytes);
  if (!record) return record.error();
  LastPlan last;
  MemoryCheck memory(memory_);
  auto listed = judged({entry_, chain_, record->bytes}, last, memory);
  if (!listed) return listed.error();
  pass(entry);
  return std::optional<ListedChunk>(*std::move(listed));
}

Result<std::vector<ListedChunk>> IndexedReader::next_listed(std::uint64_t until, unsigned threads) {
  std::vector<ListedChunk> found;
  const auto more = has_next();
  if (!more) return more.error();
  if (!*more) return found;
  const auto left = std::span(walk_->part().entries).subspan(entry_);
  RecordList records;
  std::vector<Listed> listed;
  std::uint64_t chain = chain_;
  Status read = ok();
  for (const IndexEntry& entry : left) {
    const bool enough = original_before_ + entry.original_offset >= until || records.bytes() >= kMostListed;
    if (enough && !listed.empty()) break;
    const std::uint64_t where = place_of(entry);
    read = read_record(file_, {.chunk = true}, where, where + entry.stored_bytes, records);
    if (!read) break;
    listed.push_back({entry_ + listed.size(), chain, {}});
    chain = next_chain(chain, entry.digest);
  }
  found.resize(listed.size());
  const Status good = neighbours_in_parallel(found.size(), threads, [&](std::size_t first, std::size_t end) {
    LastPlan last;
    MemoryCheck memory(memory_);
    for (std::size_t i = first; i < end; ++i) {
      listed[i].record = records[i];
      auto chunk = judged(listed[i], last, memory);
      if (!chunk) return Status(chunk.error());
      found[i] = *std::move(chunk);
    }
    return ok();
  });
  if (!good) return good.error();
  if (!read) return read.error();
  for (const IndexEntry& entry : left.first(found.size())) pass(entry);
  return found;
}

Result<StreamEvent> IndexedReader::next(Buffer& memory) {
  auto listed = next_listed();
  if (!listed) return listed.error();
  if (!*listed) return StreamEvent(EndOfInput{});
  ListedChunk& found = **listed;
  std::span<std::byte> packed;
  if (frames_ == Frames::read) {
    packed = memory.take(static_cast<std::size_t>(packed_bytes(found.chunk.record)));
    if (auto done = file_.read_at(found.packed_at, packed); !done) return done.error();
  }
  return StreamEvent(
      whole_chunk(std::move(found.chunk), packed, found.packed_at, found.where, found.original_before));
}

ChunkRules IndexedReader::rules(const Listed& listed) const {
  const IndexPart& part = walk_->part();
  const IndexEntry& entry = part.entries[listed.entry];
  ChunkRules rules{.largest_chunk = stream().header.largest_chunk,
                   .largest_frame = stream().header.largest_frame,
                   .original_bytes = stream().header.original_bytes};
  rules.place =
      ChunkPlace{entry.record_offset, part.first_chunk + listed.entry, entry.original_offset, listed.chain};
  rules.is_tag = [this](std::uint64_t tag, std::uint64_t) { return tag == stream().end.tag; };
  return rules;
}

/// The record must be what its entry says. Several threads may call this.
Result<ListedChunk> IndexedReader::judged(const Listed& listed, LastPlan& last, MemoryCheck& memory) const {
  const IndexPart& part = walk_->part();
  const IndexEntry& entry = part.entries[listed.entry];
  const std::uint64_t where = place_of(entry);
  auto chunk = parse_with_plan(listed.record, rules(listed), where, last);
  if (!chunk) return chunk.error();
  const std::uint64_t packed = packed_bytes(chunk->record);
  const bool as_listed =
      chunk->record.digest == entry.digest && chunk->record.original_bytes == entry.original_bytes &&
      listed.record.size() + packed == entry.stored_bytes && chunk->record.plan == part.plans[entry.plan];
  if (!as_listed) return corrupt("the index lists another chunk here", where);
  if (auto done = memory(*chunk, where); !done) return done.error();
  return ListedChunk{*std::move(chunk), where, where + entry.stored_bytes - packed, original_before_};
}

/// Goes on to the next entry.
void IndexedReader::pass(const IndexEntry& entry) {
  bytes_read_ += entry.stored_bytes;
  chain_ = next_chain(chain_, entry.digest);
  ++entry_;
}

// ---- A range

namespace {

Error ends_before(std::uint64_t range_end, std::uint64_t original) {
  return usage("the range reaches to byte " + std::to_string(range_end) + ", but the original has only " +
               std::to_string(original) + " bytes");
}

/// The bytes of a row. No one judged the text, so it may be anything.
std::uint64_t row_of(std::string_view type) {
  const auto fields = formats::parse_types(type);
  if (!fields) return 1;
  std::uint64_t bytes = 0;
  for (const NumberType& field : *fields) bytes += std::uint64_t{field.word} * field.tuple;
  return bytes;
}

std::optional<std::uint64_t> bytes_of(const Extent& extent, std::string_view type) {
  const std::uint64_t unit = extent.values ? row_of(type) : 1;
  if (unit != 0 && extent.count > (formats::kNone - 1) / unit) return std::nullopt;
  return extent.count * unit;
}

/// Null if the index cannot be used. Then the streams are read from the beginning: this needs no index, and
/// it reports what is wrong.
std::unique_ptr<EventReader> through_index(RandomAccess& file, const Range& range, Frames frames) {
  auto streams = find_streams(file);
  if (!streams) return nullptr;
  auto reader = std::make_unique<IndexedReader>(file, std::move(*streams), frames);
  const auto bytes = byte_range(range, reader->type());
  if (!bytes || !reader->go_to(bytes->begin)) return nullptr;
  const std::uint64_t passed = std::min(bytes->begin, reader->original_bytes());
  return std::make_unique<RangedReader>(std::move(reader), range, passed);
}

}  // namespace

Result<ByteRange> byte_range(const Range& range, std::string_view type) {
  const auto begin = bytes_of(range.offset, type);
  const auto length = range.length ? bytes_of(*range.length, type) : std::uint64_t{0};
  if (!begin || !length || *length >= formats::kNone - *begin) return usage("the range ends beyond 2^64");
  return ByteRange{*begin, range.length ? *begin + *length : formats::kNone};
}

Result<StreamEvent> RangedReader::next(Buffer& memory) {
  while (!range_ || passed_ < range_->end) {
    auto event = inner_->next(memory);
    if (!event) return event;
    if (!range_) {
      auto range = byte_range(wanted_, type());
      if (!range) return range.error();
      range_ = *range;
    }
    if (std::holds_alternative<EndOfInput>(*event)) return end_of_input();
    auto* chunk = std::get_if<StoredChunk>(&*event);
    if (chunk == nullptr) continue;  // a stream's end; its digest covers more than the range
    passed_ = chunk->original_offset + chunk->chunk.record.original_bytes;
    if (cut(*chunk)) return event;
  }
  return StreamEvent(EndOfInput{});
}

Result<StreamEvent> RangedReader::end_of_input() const {
  const std::uint64_t needed = range_->end == formats::kNone ? range_->begin : range_->end;
  if (passed_ < needed) return ends_before(needed, passed_);
  return StreamEvent(EndOfInput{});
}

/// False if no byte of the chunk is wanted.
bool RangedReader::cut(StoredChunk& chunk) const {
  const std::uint64_t begin = std::max(range_->begin, chunk.original_offset);
  const std::uint64_t end = std::min(range_->end, passed_);
  if (begin >= end) return false;
  chunk.skip = static_cast<std::uint32_t>(begin - chunk.original_offset);
  chunk.wanted = static_cast<std::uint32_t>(end - begin);
  chunk.output_offset = begin - range_->begin;
  return true;
}

std::unique_ptr<EventReader> reader_for(Source& from, const std::optional<Range>& range) {
  if (!range) return std::make_unique<StreamReader>(from);
  std::unique_ptr<EventReader> reader;
  if (auto* file = from.random_access()) reader = through_index(*file, *range, Frames::read);
  if (reader == nullptr)
    reader = std::make_unique<RangedReader>(std::make_unique<StreamReader>(from), *range, 0);
  return reader;
}

std::unique_ptr<EventReader> reader_for_file(RandomAccess& file, const std::optional<Range>& range) {
  if (!range) return std::make_unique<StreamReader>(file);
  auto reader = through_index(file, *range, Frames::left);
  if (reader == nullptr)
    reader = std::make_unique<RangedReader>(std::make_unique<StreamReader>(file), *range, 0);
  return reader;
}

}  // namespace tdz
