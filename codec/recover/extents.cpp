// SPDX-License-Identifier: Apache-2.0
// Which of the streams that were found are streams of the file: FORMAT.md, section 5, "After damage",
// point 5.
#include "codec/recover/groups.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace tdz {

using namespace formats;

namespace {

constexpr std::uint64_t kMostInBlock = 128u << 10;  // the bytes of a zstd block

/// A zstd block has at most 128 KiB, and the header of the next block moves all bytes after it. So records
/// that lie in frames and are farther apart have different begins.
bool may_lie_in_frames(const Group& group) {
  return group.widest_span <= kMostInBlock;
}

bool is_over(const Group& group) {
  return group.end || group.has_last_index_part || has_all_chunks(group);
}

/// Whether the begin of the stream is known from the stream before it, or from its own header.
bool begin_is_proven(const FileStream& stream) {
  return stream.is_at_front || (stream.group.header && stream.group.header->header);
}

/// The extent of a stream without what is lost at its begin and end: to its last record, or to the end of the
/// frames that a CHK promises. What lies inside the extent of another stream goes.
std::vector<FileStream> without_inner(std::vector<Group> streams) {
  std::vector<FileStream> kept;
  std::size_t outer = 0;
  for (Group& stream : streams) {
    if (!kept.empty() && stream.records_end <= kept[outer].group.extent_end) {
      if (stream.first >= kept[outer].group.records_end) kept[outer].last_may_hide = true;
      continue;
    }
    if (kept.empty() || stream.extent_end > kept[outer].group.extent_end) outer = kept.size();
    kept.push_back({std::move(stream)});
  }
  return kept;
}

Status mark_front(std::vector<FileStream>& streams, RandomAccess& file) {
  std::int64_t from = 0, to = 0;
  for (FileStream& stream : streams) {
    const Group& group = stream.group;
    stream.is_at_front = group.begin >= from && group.begin <= to;
    if (!stream.is_at_front || !(group.end || group.has_last_index_part)) continue;
    const std::uint64_t stream_end = group.records_end + (group.end ? 0 : kEndLength);
    auto zeros = group.end ? after_zeros(file, stream_end) : Result<std::uint64_t>(stream_end);
    if (!zeros) return zeros.error();
    from = static_cast<std::int64_t>(stream_end);
    to = static_cast<std::int64_t>(*zeros);
  }
  return ok();
}

/// The number of streams at the end of the file that end where the next one begins: they lie in no other one.
Result<std::size_t> streams_at_back(const std::vector<FileStream>& streams, RandomAccess& file) {
  auto back = static_cast<std::int64_t>(file.size());
  std::size_t count = 0;
  for (; count < streams.size(); ++count) {
    const Group& group = streams[streams.size() - 1 - count].group;
    if (!group.end) break;
    auto zeros = after_zeros(file, group.records_end);
    if (!zeros) return zeros.error();
    const auto stream_end = static_cast<std::int64_t>(group.records_end);
    if (back < stream_end || back > static_cast<std::int64_t>(*zeros)) break;
    back = group.begin;
  }
  return count;
}

/// All that is left of a stream is its header.
bool is_header_alone(const Group& group) {
  return group.tag == 0 && group.header->header;
}

/// May `next` lie in a chunk that `stream` has lost at its end?
bool may_hide(const FileStream& stream, const Group& next) {
  const Group& group = stream.group;
  if (is_header_alone(group) || is_over(group)) return false;
  if (group.tag == next.tag || !may_lie_in_frames(next)) return false;
  if (next.begin < static_cast<std::int64_t>(group.first) && !begin_is_proven(stream)) return false;
  return !group.original_bytes() || next.records_end <= farthest_end(group);
}

/// Does `before` lie in what `stream` has lost at its begin? Parts of one stream that were not joined do not
/// lie in one another. An index or END alone may have been moved.
bool holds(const FileStream& stream, const FileStream& before) {
  const Group &outer = stream.group, &inner = before.group;
  const bool is_known = stream.is_at_front || !outer.chunks.empty();
  return is_known && !before.is_at_front && outer.tag != inner.tag && may_lie_in_frames(inner) &&
         outer.begin <= static_cast<std::int64_t>(inner.first) && inner.records_end <= outer.extent_end;
}

/// An INDX or END that bytes put in or left out have moved, and nothing proves of which chunks.
bool is_stray(const Group& stream, const Group& before) {
  return stream.tag == before.tag && stream.chunks.empty() && !stream.header &&
         stream.begin < static_cast<std::int64_t>(before.extent_end);
}

}  // namespace

bool has_all_chunks(const Group& group) {
  const auto bytes = group.original_bytes();
  return bytes && *bytes == (group.chunks.empty() ? 0 : group.chunks.back().original_end());
}

/// Bytes that do not compress grow by less than 1/128, and each chunk has a record.
std::uint64_t farthest_end(const Group& group) {
  const std::uint64_t known = group.chunks.empty() ? 0 : group.chunks.back().original_end();
  const std::uint64_t bytes = group.original_bytes().value_or(0) - known;
  if (bytes > *group.original_bytes()) return group.extent_end;
  const std::uint64_t most = std::max(kChunkLength.least + 64, group.longest_record);
  return group.extent_end + bytes + bytes / 128 + (bytes / kMinChunk + 1) * most;
}

Result<std::uint64_t> after_zeros(RandomAccess& file, std::uint64_t from) {
  std::array<std::byte, 4096> block;
  while (from < file.size()) {
    const auto length = std::min<std::uint64_t>(block.size(), file.size() - from);
    const auto bytes = std::span(block).first(static_cast<std::size_t>(length));
    if (auto done = file.read_at(from, bytes); !done) return done.error();
    const auto content = std::ranges::find_if(bytes, [](std::byte b) { return b != std::byte{0}; });
    from += static_cast<std::uint64_t>(content - bytes.begin());
    if (content != bytes.end()) break;
  }
  return from;
}

Result<std::vector<FileStream>> streams_of_file(std::vector<Group> groups, RandomAccess& file) {
  auto streams = without_inner(std::move(groups));
  if (auto done = mark_front(streams, file); !done) return done.error();
  const auto at_back = streams_at_back(streams, file);
  if (!at_back) return at_back.error();
  const std::size_t open = streams.size() - *at_back;
  std::vector<FileStream> kept;
  for (std::size_t i = 0; i < streams.size(); ++i) {
    FileStream& next = streams[i];
    if (!kept.empty() && (is_stray(next.group, kept.back().group) ||
                          (i < open && !next.is_at_front && may_hide(kept.back(), next.group)))) {
      kept.back().hides_others = true;
      continue;
    }
    while (!kept.empty() && holds(next, kept.back())) {
      kept.pop_back();
      next.hides_others = !next.is_at_front;
    }
    kept.push_back(std::move(next));
  }
  return kept;
}

}  // namespace tdz
