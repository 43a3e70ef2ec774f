// SPDX-License-Identifier: Apache-2.0
#include "codec/stream/index_walk.hpp"

#include <optional>
#include <utility>

#include "formats/stream/stream_records.hpp"

namespace tdz {

using namespace formats;

Result<IndexWalk> IndexWalk::begin(RandomAccess& file, const FoundStream& stream) {
  IndexWalk walk(file, stream);
  if (auto done = walk.go_back(); !done) return done.error();
  std::optional<std::uint64_t> first;
  if (!walk.offsets_.empty()) first = walk.part().entries.front().digest;
  if (auto done = check_id(file, stream, first); !done) return done.error();
  return walk;
}

/// A part must end before the first chunk of the part behind it. So parts cannot lie inside one another, and
/// no byte is hashed twice.
Status IndexWalk::go_back() {
  std::uint64_t limit = stream_->end_offset();
  for (std::uint64_t at = stream_->end.last_index; at != kNone; at = stored_.part.previous) {
    auto stored = read_part(*file_, *stream_, at, limit);
    if (!stored) return stored.error();
    stored_ = *std::move(stored);
    limit = stored_.part.entries.front().record_offset;
    offsets_.push_back(at);
  }
  return ok();
}

Result<bool> IndexWalk::next() {
  const bool first = !std::exchange(begun_, true);
  if (offsets_.empty()) {
    if (auto done = check_totals(); !done) return done.error();
    return false;
  }
  if (!first) {
    auto stored = read_part(*file_, *stream_, offsets_.back(), stream_->end_offset());
    if (!stored) return stored.error();
    stored_ = *std::move(stored);
  }
  offsets_.pop_back();
  if (auto done = check_part(); !done) return done.error();
  return true;
}

Status IndexWalk::check_part() {
  part_chain_ = chain_;
  if (part().first_chunk != chunks_) return broken("a part of the index begins with another chunk");
  for (const IndexEntry& entry : part().entries) {
    if (entry.original_offset != original_)
      return broken("an entry of the index has a wrong original offset");
    if (entry.original_bytes > stream_->header.largest_chunk)
      return broken("an entry of the index has a longer chunk than the header allows");
    if (auto done = step_over_notes(entry.record_offset); !done) return done;
    behind_ = entry.record_offset + entry.stored_bytes;
    original_ += entry.original_bytes;
    chain_ = next_chain(chain_, entry.digest);
  }
  chunks_ += part().entries.size();
  if (auto done = step_over_notes(part().offset); !done) return done;
  behind_ += stored_.bytes;
  return ok();
}

Status IndexWalk::check_totals() {
  const EndRecord& end = stream_->end;
  if (chunks_ != end.chunks || original_ != end.original_bytes || chain_ != end.chain)
    return broken("the index lists other chunks than the end of the stream");
  return step_over_notes(stream_->end_offset());
}

/// Only notes may stand between what was read and this offset in the stream.
Status IndexWalk::step_over_notes(std::uint64_t until) {
  while (behind_ < until) {
    const std::uint64_t where = stream_->begin + behind_;
    const auto record = read_record(*file_, {.note = true}, where, stream_->begin + until);
    if (!record) return record.error();
    const auto note = parse_note(record->bytes, where);
    if (!note) return note.error();
    if (note->tag != stream_->end.tag || note->offset != behind_)
      return broken("a note belongs to another place");
    behind_ += record->bytes.size();
  }
  return behind_ == until ? ok() : Status(broken("records overlap"));
}

Error IndexWalk::broken(const char* what) const {
  return corrupt(what, stream_->begin + behind_);
}

}  // namespace tdz
