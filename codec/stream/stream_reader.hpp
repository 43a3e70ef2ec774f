// SPDX-License-Identifier: Apache-2.0
// The events that a reader of streams returns. There are two readers: the one here reads from the beginning,
// the one of ranged_reader.hpp uses the index. And a thread that reads events before anyone asks for them.
#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <variant>

#include "codec/chunk/parsed_chunk.hpp"
#include "codec/stream/stream_input.hpp"
#include "formats/error.hpp"
#include "formats/stream/stream_records.hpp"
#include "formats/stream/stream_state.hpp"
#include "kernels/buffer.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

// ---- Events

/// A chunk with an intact record in its right place. Its frames are not yet decoded, its digest not yet
/// checked.
struct StoredChunk {
  ParsedChunk chunk;
  std::span<const std::byte> packed;  ///< the frames; empty if they were left in the file
  std::uint64_t packed_at = 0;        ///< of the frames in the input
  std::uint64_t where = 0;            ///< of the record in the input
  std::uint64_t original_offset = 0;  ///< of the chunk in the whole original, concatenated streams included
  std::uint64_t output_offset = 0;    ///< where the wanted bytes go
  std::uint32_t skip = 0;             ///< the number of bytes before the wanted ones in the chunk
  std::uint32_t wanted = 0;           ///< the number of wanted bytes
};
/// A stream's end. Everything was checked except the digest of the whole original, which decides nothing.
struct StoredEnd {
  formats::EndRecord end;
};
/// Whether a reader reads the frames of chunks, or leaves them in the file for others to read.
enum class Frames : std::uint8_t { read, left };
struct EndOfInput {};
using StreamEvent = std::variant<StoredChunk, StoredEnd, EndOfInput>;

class EventReader {
 public:
  virtual ~EventReader() = default;
  /// The next event. A chunk's frames are read into `memory`. Not thread-safe. Must not be called again after
  /// an error or EndOfInput.
  virtual Result<StreamEvent> next(Buffer& memory) = 0;
  /// Bytes read so far.
  virtual std::uint64_t position() const = 0;
  /// If a chunk cannot be decoded within `bytes` bytes of memory, next() returns Error limit.
  virtual void limit_memory(std::uint64_t bytes) = 0;
  /// What the first stream calls its numbers. Known after the first event.
  virtual const std::string& type() const = 0;
};

/// An error of decoding the chunk with this number, whose record is at `where`.
inline Error in_chunk(std::uint64_t number, std::uint64_t where, Error error) {
  error.message = "chunk " + std::to_string(number) + ": " + error.message;
  error.where = where;
  return error;
}

/// A chunk that the caller wants completely. `original_before` are the bytes of the streams before its own.
inline StoredChunk whole_chunk(ParsedChunk&& chunk, std::span<const std::byte> packed,
                               std::uint64_t packed_at, std::uint64_t where, std::uint64_t original_before) {
  const std::uint64_t offset = original_before + chunk.record.original_offset;
  const std::uint32_t bytes = chunk.record.original_bytes;
  return {std::move(chunk), packed, packed_at, where, offset, offset, 0, bytes};
}

// ---- Events ahead

/// Reads events in a thread of its own, before anyone asks for them. For readers that leave frames in the
/// file.
class EventsAhead {
 public:
  struct Event {
    Result<StreamEvent> event;
    std::uint64_t position;  ///< of the reader after it
  };

  /// The reader lives longer, and nobody else uses it before this object ends. At most about `memory` bytes
  /// of records wait. Throws std::system_error if there is no thread.
  EventsAhead(EventReader& reader, std::uint64_t memory);
  ~EventsAhead();
  EventsAhead(const EventsAhead&) = delete;
  EventsAhead& operator=(const EventsAhead&) = delete;

  /// As EventReader::next(). For one thread at a time.
  Event next();

 private:
  void read();
  bool put(Event event);

  EventReader& reader_;
  const std::uint64_t most_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Event> events_;
  std::uint64_t memory_ = 0;  ///< of events_
  bool stopped_ = false;
  bool ended_ = false;   ///< nothing comes after events_
  std::jthread thread_;  // the last one: it uses all others
};

// ---- From the beginning

/// Reads streams in order from an input that may be a pipe, judges every record in the order of FORMAT.md,
/// section 5, and returns chunks to decode.
class StreamReader final : public EventReader {
 public:
  explicit StreamReader(Source& source) : input_(source) {}
  /// From the beginning of a file. Frames are left there.
  explicit StreamReader(RandomAccess& file) : file_(std::in_place, file), input_(*file_) {}
  /// Errors: truncated, corrupt, unsupported, limit, and those of the source.
  Result<StreamEvent> next(Buffer& memory) override;

  std::uint64_t position() const override { return input_.position(); }
  void limit_memory(std::uint64_t bytes) override { memory_ = bytes; }
  const std::string& type() const override { return type_; }

 private:
  /// A whole record in record_memory_. Its prefix was judged, its check was not.
  struct Record {
    formats::RecordKind kind;
    std::span<const std::byte> bytes;
    std::uint64_t where;  ///< in the input
  };

  Result<bool> begin_stream();
  Result<std::size_t> read_head();
  Result<Record> next_record();
  Result<Record> read_record(std::size_t have, formats::Allowed allowed);
  Result<StreamEvent> read_chunk(const Record& record, Buffer& memory);
  Result<std::span<const std::byte>> frames(Buffer& memory, std::uint64_t bytes);
  Result<StreamEvent> read_end(const Record& record);
  Status step_over(const Record& record);
  Status read_index(const Record& record);
  Status read_note(const Record& record);

  std::optional<FileSource> file_;  // whose frames are left in place
  ExactReader input_;
  std::optional<formats::StreamState> stream_;  // each HDR starts a new one
  std::string type_;
  bool any_stream_ = false;
  std::uint64_t memory_ = ~std::uint64_t{0};
  std::uint64_t original_before_ = 0;  // bytes of the streams before this one
  std::array<std::byte, formats::kPrefixBytes> head_{};
  Buffer record_memory_;
};

}  // namespace tdz
