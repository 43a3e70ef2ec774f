// SPDX-License-Identifier: Apache-2.0
#include "codec/stream/stream_writer.hpp"

#include "formats/plan/plan_bytes.hpp"
#include "kernels/cuda/packed/packed_plan.hpp"

namespace tdz {

using namespace formats;

StreamWriter::StreamWriter(Sink& sink, const StreamHeader& header, bool whole_digest, Protect protect)
    : StreamWriter(sink, header, serialize(header), whole_digest, protect) {}

StreamWriter::StreamWriter(Sink& sink, const StreamHeader& header, std::vector<std::byte> header_record,
                           bool whole_digest, Protect protect)
    : sink_(sink),
      header_record_(std::move(header_record)),
      state_(header, header_record_),
      whole_digest_(whole_digest) {
  if (protect.percent != 0) parity_.emplace(protect);
}

/// Nothing is written before the first chunk is there: so an input that cannot be read leaves an empty
/// output.
Status StreamWriter::begin() {
  if (begun_) return ok();
  begun_ = true;
  return put(header_record_);
}

Status StreamWriter::put(std::span<const std::byte> bytes) {
  if (parity_) parity_->add(bytes);
  return sink_.write(bytes);
}

/// The tag of notes is that of chunk 0, or of END if there is no chunk.
Status StreamWriter::put_notes(const std::optional<EndRecord>& end) {
  auto length = parity_->write_notes(sink_, state_.end().tag, state_.offset(), end);
  if (!length) return length.error();
  state_.add_notes(*length);
  return ok();
}

Status StreamWriter::write_chunk(std::span<const std::byte> original, EncodedChunk& chunk) {
  if (auto done = write_encoded(chunk); !done) return done;
  add_to_digest(original);
  return ok();
}

void StreamWriter::add_to_digest(std::span<const std::byte> original) {
  if (whole_digest_) whole_.update(original);
}

Status StreamWriter::write_encoded(EncodedChunk& chunk) {
  if (auto done = begin(); !done) return done;
  if (!state_.can_list(chunk.record.plan)) {
    if (auto done = close_part(false); !done) return done;
  }
  const std::uint64_t length = serialized_bytes(chunk.record) + chunk.packed.size();
  if (parity_ && chunks_ > 0 && !parity_->has_room(length)) {
    if (auto done = put_notes(std::nullopt); !done) return done;
  }
  state_.place(chunk.record);
  const auto record = serialize(chunk.record);
  if (auto done = put(record); !done) return done;
  if (auto done = put(chunk.packed); !done) return done;
  state_.add(chunk.record, record.size() + chunk.packed.size());
  original_bytes_ += chunk.record.original_bytes;
  ++chunks_;
  gpu_chunks_ += is_for_gpu(chunk.record) ? 1u : 0u;
  return ok();
}

/// A stream has few plans, and neighbours mostly share one.
bool StreamWriter::is_for_gpu(const formats::ChunkRecord& record) {
  if (!record.blocks.empty()) return true;
  if (record.plan != last_plan_) {
    last_plan_ = record.plan;
    const auto plan = formats::parse_plan(last_plan_);
    last_is_packed_ = plan && cuda::is_packed_for_device(*plan);
  }
  return last_is_packed_;
}

Status StreamWriter::close_part(bool last) {
  const auto part = state_.index_part(last);
  const auto record = serialize(part);
  state_.add(part, record.size());
  return put(record);
}

Result<Totals> StreamWriter::finish(const EndRecord* whole) {
  if (auto done = begin(); !done) return done.error();
  if (chunks_ > 0) {
    if (auto done = close_part(true); !done) return done.error();
  }
  auto end = state_.end();
  if (whole != nullptr) end.whole = whole->whole, end.whole_kind = whole->whole_kind;
  if (whole == nullptr && whole_digest_) end.whole = whole_.digest(), end.whole_kind = 1;
  if (parity_) {
    if (auto done = put_notes(end); !done) return done.error();
    end.stream_bytes = state_.end().stream_bytes;
  }
  if (auto done = sink_.write(serialize(end)); !done) return done.error();
  return Totals{end.original_bytes, end.stream_bytes, end.chunks, 1, end.whole, gpu_chunks_};
}

}  // namespace tdz
