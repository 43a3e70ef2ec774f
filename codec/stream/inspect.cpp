// SPDX-License-Identifier: Apache-2.0
// Looks into streams from their ends, without decoding.
#include <algorithm>
#include <new>

#include "codec/pipe/memory_limit.hpp"
#include "codec/pipe/pipeline.hpp"
#include "codec/stream/stream_index.hpp"
#include "codec/stream/stream_reader.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

using namespace formats;

namespace {

Result<StreamInfo> describe(RandomAccess& file, const FoundStream& found) {
  const EndRecord& end = found.end;
  const StreamHeader& header = found.header;
  StreamInfo info{found.begin,          end.stream_bytes + end.seek_bytes,
                  end.original_bytes,   end.chunks,
                  header.largest_chunk, header.largest_frame,
                  header.major,         header.minor,
                  header.nominal,       {},
                  end.whole,            end.seek_bytes != 0};
  if (end.last_index != kUnknown) {
    auto part = read_part(file, found.begin, end.last_index, found.behind_end());
    if (!part) return part.error();
    info.transforms = std::move(part->transforms);
  }
  return info;
}

Result<std::vector<StreamInfo>> inspect_all(RandomAccess& file) {
  auto found = find_streams(file);
  if (!found) return found.error();
  std::vector<StreamInfo> streams;
  for (const FoundStream& stream : *found) {
    auto info = describe(file, stream);
    if (!info) return info.error();
    streams.push_back(std::move(*info));
  }
  return streams;
}

/// The offsets of all index parts, first to last. Follows the links from the last part back to the first.
Result<std::vector<std::uint64_t>> part_offsets(RandomAccess& file, const StreamInfo& stream, std::uint64_t last) {
  std::vector<std::uint64_t> offsets;
  const std::uint64_t limit = stream.offset + stream.stored_bytes;
  for (std::uint64_t offset = last; offset != kUnknown;) {
    auto part = read_part(file, stream.offset, offset, limit);
    if (!part) return part.error();
    const bool backwards = part->previous == kUnknown || part->previous < offset;
    if (!backwards) return corrupt("the index parts are linked in a circle", stream.offset + offset);
    offsets.push_back(offset);
    offset = part->previous;
  }
  std::ranges::reverse(offsets);
  return offsets;
}

ChunkInfo chunk_info(const StreamInfo& stream, const IndexPart& part, std::size_t i) {
  const IndexEntry& entry = part.entries[i];
  return {part.first_chunk + i,    stream.offset + entry.record_offset, entry.original_offset, entry.original_bytes,
          entry.stored_bytes, entry.digest,                        part.transforms[entry.transform]};
}

Status visit_chunks(RandomAccess& file, const StreamInfo& stream, const std::function<bool(const ChunkInfo&)>& visit) {
  const std::uint64_t limit = stream.offset + stream.stored_bytes;
  auto found = find_end(file, limit);
  if (!found) return found.error();
  auto offsets = part_offsets(file, stream, found->end.last_index);
  if (!offsets) return offsets.error();
  for (const std::uint64_t offset : *offsets) {
    auto part = read_part(file, stream.offset, offset, limit);
    if (!part) return part.error();
    for (std::size_t i = 0; i < part->entries.size(); ++i) {
      if (!visit(chunk_info(stream, *part, i))) return ok();
    }
  }
  return ok();
}

/// Reads a file from its beginning.
class FrontSource final : public Source {
 public:
  explicit FrontSource(RandomAccess& file) : file_(file) {}
  Result<std::size_t> read(std::span<std::byte> into) override {
    const auto bytes =
        into.first(static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), file_.size() - at_)));
    if (auto done = file_.read_at(at_, bytes); !done) return done.error();
    at_ += bytes.size();
    return bytes.size();
  }

 private:
  RandomAccess& file_;
  std::uint64_t at_ = 0;
};

/// Finds the first error from the file's beginning, without decoding. From the end, most damaged files only
/// look like files without an end.
Error first_error_in(RandomAccess& file, Error error_from_the_end) {
  FrontSource source(file);
  StreamReader reader(source);
  reader.limit_memory(usual_memory());
  Buffer memory;
  for (;;) {
    auto event = reader.next(memory);
    if (!event) return event.error();
    if (std::holds_alternative<EndOfInput>(*event)) return error_from_the_end;
  }
}

}  // namespace

Result<std::vector<StreamInfo>> inspect(RandomAccess& file) {
  try {
    auto streams = inspect_all(file);
    if (streams || streams.error().kind == ErrorKind::io) return streams;
    return first_error_in(file, streams.error());
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  }
}

Status for_each_chunk(RandomAccess& file, const StreamInfo& stream,
                      const std::function<bool(const ChunkInfo&)>& visit) {
  try {
    return visit_chunks(file, stream, visit);
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  }
}

}  // namespace tdz
