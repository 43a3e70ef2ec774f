// SPDX-License-Identifier: Apache-2.0
// Reads streams in order from an input that may be a pipe, judges every record in the order of FORMAT.md,
// section 5, and returns chunks to decode.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "codec/stream/stream_events.hpp"
#include "codec/stream/stream_input.hpp"
#include "formats/stream/stream_state.hpp"
#include "kernels/buffer.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

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
