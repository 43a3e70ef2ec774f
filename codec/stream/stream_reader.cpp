// SPDX-License-Identifier: Apache-2.0
#include "codec/stream/stream_reader.hpp"

#include <algorithm>
#include <utility>

#include "codec/stream/memory_limit.hpp"
#include "codec/stream/pipeline.hpp"
#include "codec/stream/stream_input.hpp"

namespace tdz {

using namespace formats;

// ---- Events ahead

namespace {

std::uint64_t memory_of(const EventsAhead::Event& event) {
  const auto* chunk = event.event ? std::get_if<StoredChunk>(&*event.event) : nullptr;
  return sizeof(event) + (chunk != nullptr ? record_memory(chunk->chunk) : 0);
}

bool is_last(const EventsAhead::Event& event) {
  return !event.event || std::holds_alternative<EndOfInput>(*event.event);
}

}  // namespace

EventsAhead::EventsAhead(EventReader& reader, std::uint64_t memory)
    : reader_(reader), most_(memory), thread_([this] { read(); }) {}

EventsAhead::~EventsAhead() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  changed_.notify_all();
}

void EventsAhead::read() {
  static_cast<void>(guarded([this] {
    Buffer none;
    for (bool more = true; more;) {
      auto event = reader_.next(none);
      more = put({std::move(event), reader_.position()});
    }
    return ok();
  }));
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

/// False if nobody wants the event after this one.
bool EventsAhead::put(Event event) {
  const bool last = is_last(event);
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return stopped_ || events_.empty() || memory_ < most_; });
  memory_ += memory_of(event);
  events_.push_back(std::move(event));
  changed_.notify_all();
  return !last && !stopped_;
}

EventsAhead::Event EventsAhead::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return ended_ || !events_.empty(); });
  if (events_.empty()) return {out_of_memory(), 0};
  Event event = std::move(events_.front());
  events_.pop_front();
  memory_ -= memory_of(event);
  changed_.notify_all();
  return event;
}

// ---- From the beginning

Result<StreamEvent> StreamReader::next(Buffer& memory) {
  for (;;) {
    if (!stream_) {
      auto more = begin_stream();
      if (!more) return more.error();
      if (!*more) return StreamEvent(EndOfInput{});
    }
    auto record = next_record();
    if (!record) return record.error();
    if (record->kind == RecordKind::chunk) return read_chunk(*record, memory);
    if (record->kind == RecordKind::end) return read_end(*record);
    if (auto done = step_over(*record); !done) return done.error();
  }
}

/// Reads HDR. False at the end of the input.
Result<bool> StreamReader::begin_stream() {
  auto have = read_head();
  if (!have) return have.error();
  if (*have == 0 && any_stream_) return false;
  const std::uint64_t where = input_.position() - *have;
  if (auto done = check_is_stream(std::span(head_).first(*have), where, any_stream_); !done)
    return done.error();
  auto record = read_record(*have, {.header = true});
  if (!record) return record.error();
  auto header = parse_header(record->bytes, where);
  if (!header) return header.error();
  stream_.emplace(*header, record->bytes);
  if (!any_stream_) type_ = header->type;
  any_stream_ = true;
  return true;
}

/// Reads up to 32 bytes into head_ and skips the zero padding that may follow a stream. Returns their number.
Result<std::size_t> StreamReader::read_head() {
  std::size_t have = 0;
  for (;;) {
    auto came = input_.read_up_to(std::span(head_).subspan(have));
    if (!came) return came.error();
    have += *came;
    const auto begin = head_.begin();
    const auto end = begin + static_cast<std::ptrdiff_t>(have);
    const auto first =
        any_stream_ ? std::find_if(begin, end, [](std::byte b) { return b != std::byte{0}; }) : begin;
    if (first == begin) return have;
    std::move(first, end, begin);
    have = static_cast<std::size_t>(end - first);
    if (*came == 0) return have;
  }
}

/// The next record of the stream.
Result<StreamReader::Record> StreamReader::next_record() {
  auto have = input_.read_up_to(head_);
  if (!have) return have.error();
  return read_record(*have, stream_->allowed());
}

/// Reads the whole record; its first `have` bytes, 32 if they are there, are already in head_.
Result<StreamReader::Record> StreamReader::read_record(std::size_t have, Allowed allowed) {
  const std::uint64_t where = input_.position() - have;
  const auto prefix = parse_prefix(std::span(head_).first(have), allowed, where);
  if (!prefix && prefix.error().kind == ErrorKind::truncated) return ends_too_early(input_.position());
  if (!prefix) return prefix.error();
  std::ranges::copy(head_, record_memory_.take(kPrefixBytes).begin());
  auto bytes = input_.read_claimed(record_memory_, kPrefixBytes,
                                   static_cast<std::size_t>(prefix->total_bytes) - kPrefixBytes);
  if (!bytes) return bytes.error();
  return Record{prefix->kind, *bytes, where};
}

/// The frames are read before anything is sized by what they decode to: a file that ends inside them is
/// truncated, however much memory the chunk would need.
Result<StreamEvent> StreamReader::read_chunk(const Record& record, Buffer& memory) {
  const std::size_t record_bytes = record.bytes.size();
  auto chunk = parse_with_plan(record.bytes, stream_->chunk_rules(), record.where);
  if (!chunk) return chunk.error();
  const std::uint64_t packed_length = packed_bytes(chunk->record);
  if (auto done = check_packed_memory(*chunk, memory_, record.where); !done) return done.error();
  const std::uint64_t packed_at = input_.position();
  auto packed = frames(memory, packed_length);
  if (!packed) return packed.error();
  if (auto done = check_memory(*chunk, memory_, record.where); !done) return done.error();
  stream_->add(chunk->record, record_bytes + packed_length);
  return StreamEvent(whole_chunk(*std::move(chunk), *packed, packed_at, record.where, original_before_));
}

/// Reads them, or passes over them.
Result<std::span<const std::byte>> StreamReader::frames(Buffer& memory, std::uint64_t bytes) {
  if (!file_) {
    auto packed = input_.read_claimed(memory, 0, static_cast<std::size_t>(bytes));
    if (!packed) return packed.error();
    return std::span<const std::byte>(*packed);
  }
  const std::uint64_t passed = file_->pass(bytes);
  input_.add_passed(passed);
  if (passed < bytes) return ends_too_early(input_.position());
  return std::span<const std::byte>();
}

Status StreamReader::step_over(const Record& record) {
  return record.kind == RecordKind::index ? read_index(record) : read_note(record);
}

Status StreamReader::read_index(const Record& record) {
  const auto part = parse_index(record.bytes, stream_->index_part(false), record.where);
  if (!part) return part.error();
  stream_->add(*part, record.bytes.size());
  return ok();
}

Status StreamReader::read_note(const Record& record) {
  const auto note = parse_note(record.bytes, record.where);
  if (!note) return note.error();
  auto fault = stream_->add(*note, record.bytes.size(), record.where);
  return fault ? Status(*std::move(fault)) : ok();
}

Result<StreamEvent> StreamReader::read_end(const Record& record) {
  auto end = parse_end(record.bytes, stream_->end_rules(), record.where);
  if (!end) return end.error();
  original_before_ += end->original_bytes;
  stream_.reset();
  return StreamEvent(StoredEnd{*end});
}

}  // namespace tdz
