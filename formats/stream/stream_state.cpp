// SPDX-License-Identifier: Apache-2.0
#include "formats/stream/stream_state.hpp"

namespace tdz::formats {
namespace {

std::string key_of(const std::vector<std::byte>& plan) {
  return {reinterpret_cast<const char*>(plan.data()), plan.size()};
}

}  // namespace

StreamState::StreamState(const StreamHeader& header, std::span<const std::byte> record)
    : header_(header), header_record_(record.begin(), record.end()), offset_(record.size()) {}

Allowed StreamState::allowed() const {
  const bool complete = closed_ || chunks_ == 0;
  return {.chunk = !closed_, .index = has_unlisted(), .end = complete && !has_unlisted(), .note = true};
}

std::uint64_t StreamState::tag_of_chunk(std::uint64_t digest) const {
  return tag_ ? *tag_ : stream_id(header_record_, digest);
}

std::uint64_t StreamState::tag_of_end() const {
  return tag_ ? *tag_ : stream_id(header_record_, {});
}

bool StreamState::notes_have(std::uint64_t tag) const {
  return !note_tags_differ_ && (!note_tag_ || *note_tag_ == tag);
}

ChunkRules StreamState::chunk_rules() const {
  ChunkRules rules{.largest_chunk = header_.largest_chunk,
                   .largest_frame = header_.largest_frame,
                   .original_bytes = header_.original_bytes};
  rules.place = ChunkPlace{offset_, chunks_, original_, chain_};
  rules.is_tag = [this](std::uint64_t tag, std::uint64_t digest) {
    return tag == tag_of_chunk(digest) && notes_have(tag);
  };
  rules.can_list = [this](const std::vector<std::byte>& plan) { return can_list(plan); };
  return rules;
}

void StreamState::place(ChunkRecord& chunk) const {
  chunk.tag = tag_of_chunk(chunk.digest);
  chunk.offset = offset_;
  chunk.number = chunks_;
  chunk.original_offset = original_;
  chunk.chain = chain_;
}

bool StreamState::can_list(const std::vector<std::byte>& plan) const {
  const std::size_t more = plan_numbers_.contains(key_of(plan)) ? 0 : plan.size();
  return entries_.size() < kMaxEntries && plan_bytes_ + more <= kMaxPlanTable;
}

void StreamState::add(const ChunkRecord& chunk, std::uint64_t stored_bytes) {
  const auto next = static_cast<std::uint16_t>(plans_.size());
  const auto [found, is_new] = plan_numbers_.try_emplace(key_of(chunk.plan), next);
  if (is_new) {
    plans_.push_back(chunk.plan);
    plan_bytes_ += chunk.plan.size();
  }
  entries_.push_back({offset_, original_, chunk.digest, chunk.original_bytes,
                      static_cast<std::uint32_t>(stored_bytes), found->second});
  tag_ = chunk.tag;
  note_tag_.reset();
  offset_ += stored_bytes;
  original_ += chunk.original_bytes;
  chain_ = next_chain(chain_, chunk.digest);
  ++chunks_;
}

IndexPart StreamState::index_part(bool last) const {
  return {.tag = tag_of_end(),
          .offset = offset_,
          .first_chunk = chunks_ - entries_.size(),
          .previous = last_part_,
          .last = last,
          .plans = plans_,
          .entries = entries_};
}

void StreamState::add(const IndexPart& part, std::uint64_t record_bytes) {
  last_part_ = offset_;
  offset_ += record_bytes;
  closed_ = part.last;
  entries_.clear();
  plans_.clear();
  plan_numbers_.clear();
  plan_bytes_ = 0;
}

EndRecord StreamState::end() const {
  return {.tag = tag_of_end(),
          .stream_bytes = offset_ + kEndLength,
          .chunks = chunks_,
          .original_bytes = original_,
          .last_index = last_part_,
          .chain = chain_};
}

EndRules StreamState::end_rules() const {
  return {
      .expected = end(), .original_bytes = header_.original_bytes, .tag_is_wrong = !notes_have(tag_of_end())};
}

Fault StreamState::add(const Note& note, std::uint64_t record_bytes, std::uint64_t where) {
  if (tag_ && note.tag != *tag_) return corrupt("a note with the tag of another stream", where);
  if (note.offset != offset_) return corrupt("a note that belongs to another place", where);
  if (!tag_) {
    note_tags_differ_ = note_tags_differ_ || !notes_have(note.tag);
    note_tag_ = note.tag;
  }
  offset_ += record_bytes;
  return {};
}

}  // namespace tdz::formats
