// SPDX-License-Identifier: Apache-2.0
// Reads streams in order from an input that may be a pipe, checks every record, and returns chunks to decode.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "codec/chunk/buffer.hpp"
#include "codec/stream/exact_reader.hpp"
#include "codec/stream/ledger.hpp"
#include "codec/stream/stream_events.hpp"
#include "formats/records.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

class StreamReader final : public EventReader {
 public:
  explicit StreamReader(Source& source) : input_(source) {}
  /// Errors: truncated, corrupt, unsupported, limit, and those of the source.
  Result<StreamEvent> next(Buffer& memory) override;

  std::uint64_t position() const override { return input_.position(); }
  void limit_memory(std::uint64_t bytes) override { memory_ = bytes; }
  NumberType nominal() const override { return nominal_; }

 private:
  /// The state for one stream. Each HDR starts a new one.
  struct Stream {
    formats::StreamHeader header;
    std::vector<std::byte> header_record;
    std::uint64_t begin = 0;  ///< in the input
    Ledger ledger;
  };
  using Record = std::span<const std::byte>;

  Result<bool> begin_stream();
  Result<std::size_t> read_head();
  Result<Record> read_record(const formats::RecordPrefix& prefix);
  Status read_meta(Record record, std::uint64_t where);
  Result<StreamEvent> read_chunk(Record record, std::uint64_t where, Buffer& memory);
  Status check_place(const formats::ChunkRecord& chunk, std::uint64_t where);
  Status read_index(Record record, std::uint64_t where);
  Result<StreamEvent> read_end(Record record, std::uint64_t where);
  Status read_seek_table(const Ledger::Closing& expected);

  ExactReader input_;
  std::optional<Stream> stream_;
  NumberType nominal_;
  bool any_stream_ = false;
  std::uint64_t memory_ = ~std::uint64_t{0};
  std::uint64_t original_before_ = 0;  // bytes of the streams before this one
  std::array<std::byte, formats::kPrefixBytes> head_{};
  Buffer record_memory_;
};

}  // namespace tdz
