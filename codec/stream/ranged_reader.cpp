// SPDX-License-Identifier: Apache-2.0
#include "codec/stream/ranged_reader.hpp"

#include <algorithm>
#include <string>

#include "codec/stream/indexed_reader.hpp"
#include "codec/stream/stream_reader.hpp"
#include "formats/type_name.hpp"

namespace tdz {
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

std::unique_ptr<EventReader> records_of(RandomAccess& file, const std::optional<Range>& range) {
  if (!range) return std::make_unique<StreamReader>(file);
  auto reader = through_index(file, *range, Frames::left);
  if (reader == nullptr)
    reader = std::make_unique<RangedReader>(std::make_unique<StreamReader>(file), *range, 0);
  return reader;
}

}  // namespace tdz
