// SPDX-License-Identifier: Apache-2.0
#include "codec/recover/groups.hpp"

#include <algorithm>
#include <iterator>

namespace tdz {

using namespace formats;

// ---- One group --------------------------------------------------------------------------------------------

std::optional<std::uint64_t> Group::digest(std::uint64_t number) const {
  const auto chunk = std::ranges::lower_bound(chunks, number, {}, &FoundChunk::number);
  if (chunk != chunks.end() && chunk->number == number && !chunk->has_left) return chunk->digest;
  const Listed* entry = entry_of(listed, number);
  return entry != nullptr ? std::optional(entry->digest) : std::nullopt;
}

std::optional<std::uint64_t> Group::original_bytes() const {
  if (end) return end->original_bytes;
  if (has_last_index_part) return listed_end;
  const bool is_known = header && header->header && header->header->original_bytes != kNone;
  return is_known ? std::optional(header->header->original_bytes) : std::nullopt;
}

void Group::cover(const Place& place) {
  records_end = std::max(records_end, place.record_end);
  extent_end = std::max(extent_end, place.record_end);
  widest_span = records_end - first;
}

namespace {

bool is_as_listed(const Group& group, const FoundChunk& chunk) {
  const Listed* entry = entry_of(group.listed, chunk.number);
  return entry == nullptr || is_same(*entry, chunk);
}

/// Whether the chunk may be the next one of the group: its number is higher, the index does not contradict
/// it, and its chain follows from the nearest CHK before it, if all digests in between are known.
bool can_follow(const Group& group, const FoundChunk& chunk, std::uint64_t& work) {
  if (!group.chunks.empty() && chunk.number <= group.chunks.back().number) return false;
  const auto digest_of = [&](std::uint64_t number) {
    ++work;
    return group.digest(number);
  };
  const auto chain = group.chunks.empty() ? chain_at(chunk.number, 0, kFirstChain, digest_of)
                                          : chain_at(chunk.number, group.chunks.back().number,
                                                     group.chunks.back().chain, digest_of);
  return (!chain || *chain == chunk.chain) && is_as_listed(group, chunk);
}

bool is_of(const FoundHeader& header, const Group& group) {
  const auto first = group.digest(0);
  if (!first && !(group.end && group.end->chunks == 0)) return false;
  return stream_id(header.record, first) == group.tag;
}

}  // namespace

// ---- From records to groups -------------------------------------------------------------------------------

Group& Grouping::begin_group(const Place& place) {
  return groups_.emplace_back(Group{.tag = place.tag, .begin = place.begin, .first = place.where});
}

/// A group ends at its END.
Group& Grouping::group_of(const Place& place) {
  const auto [latest, is_new] = latest_.try_emplace({place.tag, place.begin}, groups_.size());
  if (is_new || groups_[latest->second].end) {
    latest->second = groups_.size();
    begin_group(place);
  }
  Group& group = groups_[latest->second];
  group.cover(place);
  return group;
}

void Grouping::add(const Place& place) {
  group_of(place);
}

void Grouping::add(const Place& place, const FoundChunk& chunk) {
  ++work_;
  const auto known = latest_.find({place.tag, place.begin});
  if (known != latest_.end() && !can_follow(groups_[known->second], chunk, work_)) latest_.erase(known);
  Group& group = group_of(place);
  group.chunks.push_back(chunk);
  group.extent_end = std::max(group.extent_end, chunk.frames_end());
}

/// Takes the chunks with numbers in [from, to) out of the group that are not as its index says. They keep
/// their places for now: moving all chunks after them for each part would take too long.
std::vector<FoundChunk> Grouping::strangers(Group& group, std::uint64_t from, std::uint64_t to) {
  std::vector<FoundChunk> others;
  auto chunk = std::ranges::lower_bound(group.chunks, from, {}, &FoundChunk::number);
  for (; chunk != group.chunks.end() && chunk->number < to; ++chunk, ++work_) {
    if (chunk->has_left || is_as_listed(group, *chunk)) continue;
    others.push_back(*chunk);
    chunk->has_left = true;
  }
  while (!group.chunks.empty() && group.chunks.back().has_left) group.chunks.pop_back();
  return others;
}

/// Takes the entries; a chunk that is not as they say begins another group. The parts of an index come in
/// order, so each chunk is judged by one of them.
void Grouping::add(const Place& place, const IndexPart& part) {
  const std::size_t at = static_cast<std::size_t>(&group_of(place) - groups_.data());
  Group& group = groups_[at];
  if (!group.listed.empty() && part.first_chunk <= group.listed.back().number) return;
  std::uint64_t number = part.first_chunk;
  for (const IndexEntry& entry : part.entries)
    group.listed.push_back({number++, entry.original_offset, entry.digest});
  group.listed_end = part.entries.back().original_offset + part.entries.back().original_bytes;
  group.has_last_index_part = part.last;
  work_ += part.entries.size();
  for (const FoundChunk& chunk : strangers(group, part.first_chunk, number)) {
    Group& other = begin_group({place.tag, place.begin, chunk.where, chunk.frames_begin()});
    other.cover({.record_end = chunk.frames_begin()});
    other.chunks.push_back(chunk);
    other.extent_end = chunk.frames_end();
  }
}

void Grouping::add(const Place& place, const EndRecord& end) {
  group_of(place).end = end;
}

// ---- Headers ----------------------------------------------------------------------------------------------

/// A header in the place that the other records name, if its tag is right. One header may serve two groups:
/// in a file that was written over in place, both streams have these bytes.
void Grouping::take_headers_in_place() {
  std::map<std::int64_t, std::shared_ptr<const FoundHeader>> by_place;
  for (const auto& header : headers_) by_place[static_cast<std::int64_t>(header->where)] = header;
  std::vector<std::uint64_t> taken;
  for (Group& group : groups_) {
    const auto found = by_place.find(group.begin);
    if (found == by_place.end()) continue;
    taken.push_back(found->second->where);
    if (!found->second->header || is_of(*found->second, group)) group.header = found->second;
  }
  std::ranges::sort(taken);
  std::erase_if(headers_,
                [&](const auto& header) { return std::ranges::binary_search(taken, header->where); });
}

/// Bytes put in after a header move the records away from it. It belongs to the next stream, if its tag is
/// right. Otherwise it is all that is left of its stream.
void Grouping::take_other_headers(std::vector<Group>& streams) {
  std::vector<Group> alone;
  for (const auto& header : headers_) {
    const auto next = std::ranges::upper_bound(streams, header->where, {}, &Group::first);
    if (next != streams.end() && !next->header && is_of(*header, *next)) {
      next->header = header;
      next->begin = static_cast<std::int64_t>(header->where);
      continue;
    }
    const std::uint64_t record_end = header->where + header->record.size();
    alone.push_back({.begin = static_cast<std::int64_t>(header->where),
                     .first = header->where,
                     .records_end = record_end,
                     .extent_end = record_end,
                     .header = header});
  }
  std::ranges::move(alone, std::back_inserter(streams));
}

void Grouping::forget_those_that_left() {
  for (Group& group : groups_) {
    std::erase_if(group.chunks, [](const FoundChunk& chunk) { return chunk.has_left; });
    for (const FoundChunk& chunk : group.chunks)
      group.longest_record = std::max<std::uint64_t>(group.longest_record, chunk.record_bytes);
  }
}

std::vector<Group> Grouping::streams() && {
  forget_those_that_left();
  take_headers_in_place();
  auto streams = join_groups(std::move(groups_), work_);
  std::ranges::sort(streams, {}, &Group::first);
  take_other_headers(streams);
  std::ranges::sort(streams, {}, &Group::first);
  return streams;
}

}  // namespace tdz
