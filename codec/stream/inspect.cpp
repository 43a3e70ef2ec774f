// SPDX-License-Identifier: Apache-2.0
// Looks into streams from their ends, without decoding.
#include <optional>

#include "codec/stream/memory_limit.hpp"
#include "codec/stream/pipeline.hpp"
#include "codec/stream/stream_index.hpp"
#include "codec/stream/stream_input.hpp"
#include "codec/stream/stream_reader.hpp"
#include "formats/plan/plan_bytes.hpp"
#include "formats/stream/parity.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

using namespace formats;

namespace {

using ChunkVisitor = std::function<bool(const ChunkInfo&)>;

/// The plans of a part. Nobody judged them: a plan that this version does not know has no column.
std::vector<Plan> plans_of(const IndexPart& part) {
  std::vector<Plan> plans;
  for (const auto& bytes : part.plans) {
    auto plan = parse_plan(bytes);
    plans.push_back(plan ? *std::move(plan) : Plan{});
  }
  return plans;
}

/// CHK of chunk 0. Only notes may stand before it.
Result<RawRecord> first_chunk(RandomAccess& file, const FoundStream& stream) {
  std::uint64_t where = stream.begin + stream.header_bytes;
  for (;;) {
    auto record = read_record(file, {.chunk = true, .note = true}, where, stream.begin + stream.end_offset());
    if (!record || record->prefix.kind == RecordKind::chunk) return record;
    where += record->bytes.size();
  }
}

Result<std::optional<std::uint64_t>> first_digest(RandomAccess& file, const FoundStream& stream) {
  if (stream.end.chunks == 0) return std::optional<std::uint64_t>{};
  const auto record = first_chunk(file, stream);
  if (!record) return record.error();
  const auto chunk = parse_chunk(record->bytes, {}, stream.begin);
  if (!chunk) return chunk.error();
  return std::optional(chunk->digest);
}

/// The parity whose notes stand at `at` in the stream, where only notes may stand. What is damaged there is
/// no parity.
std::optional<Protection> protection_at(RandomAccess& file, const FoundStream& stream, std::uint64_t at) {
  while (at < stream.end_offset()) {
    const auto record =
        read_record(file, {.note = true}, stream.begin + at, stream.begin + stream.end_offset());
    const auto note = record ? parse_note(record->bytes, stream.begin + at) : record.error();
    if (!note) return std::nullopt;
    if (const auto parity = parse_parity(*note)) {
      const Area& area = parity->area;
      return Protection{area.bytes, area.piece_bytes(), area.stripes, area.pieces_of(0), area.parity};
    }
    at += record->bytes.size();
  }
  return std::nullopt;
}

/// What the last part of the index says, and what stands after it.
struct Tail {
  std::vector<Plan> plans;
  std::optional<Protection> protection;
};

Result<Tail> tail_of(RandomAccess& file, const FoundStream& stream) {
  if (stream.end.last_index == kNone) return Tail{{}, protection_at(file, stream, stream.header_bytes)};
  const auto stored = read_part(file, stream, stream.end.last_index, stream.end_offset());
  if (!stored) return stored.error();
  return Tail{plans_of(stored->part), protection_at(file, stream, stream.end.last_index + stored->bytes)};
}

Result<StreamInfo> describe(RandomAccess& file, const FoundStream& found) {
  const auto digest = first_digest(file, found);
  if (!digest) return digest.error();
  if (auto done = check_id(file, found, *digest); !done) return done.error();
  auto tail = tail_of(file, found);
  if (!tail) return tail.error();
  const EndRecord& end = found.end;
  return StreamInfo{.offset = found.begin,
                    .stored_bytes = end.stream_bytes,
                    .original_bytes = end.original_bytes,
                    .chunks = end.chunks,
                    .largest_chunk = found.header.largest_chunk,
                    .largest_frame = found.header.largest_frame,
                    .version_major = kVersionMajor,
                    .version_minor = found.header.minor,
                    .type = found.header.type,
                    .plans = std::move(tail->plans),
                    .digest_kind = end.whole_kind,
                    .digest = end.whole,
                    .protection = tail->protection};
}

std::uint64_t memory_of(const StreamInfo& stream) {
  std::uint64_t sum = sizeof stream + stream.type.size() + sizeof(Plan) * stream.plans.size();
  for (const Plan& plan : stream.plans) sum += plan_memory(plan);
  return sum;
}

Result<std::vector<StreamInfo>> inspect_all(RandomAccess& file, std::uint64_t memory, std::uint64_t most) {
  auto found = find_streams(file, memory);
  if (!found) return found.error();
  std::vector<StreamInfo> streams;
  std::uint64_t original = 0, listed = found->size() * sizeof(FoundStream);
  for (const FoundStream& stream : *found) {
    original += stream.end.original_bytes;  // at most 2^64 - 2
    if (original > most) return Error{ErrorKind::limit, longer_than(most), stream.begin};
    auto info = describe(file, stream);
    if (!info) return info.error();
    listed += memory_of(*info);
    if (listed > memory) return too_little_memory("the list of streams", listed, memory, stream.begin);
    streams.push_back(std::move(*info));
  }
  return streams;
}

std::uint64_t memory_of(const InspectOptions& options) {
  return memory_or_usual(options.memory);
}

/// All but the plan.
void set_chunk(const StreamInfo& stream, const IndexPart& part, std::size_t i, ChunkInfo& info) {
  const IndexEntry& entry = part.entries[i];
  info.number = part.first_chunk + i;
  info.stored_offset = stream.offset + entry.record_offset;
  info.original_offset = entry.original_offset;
  info.original_bytes = entry.original_bytes;
  info.stored_bytes = entry.stored_bytes;
  info.digest = entry.digest;
}

/// False: the visitor wants no more. A plan may be a thousand times as long as an entry, so no entry copies
/// one.
bool visit_part(const StreamInfo& stream, const IndexPart& part, const ChunkVisitor& visit) {
  std::vector<ChunkInfo> chunk_of_plan;
  for (Plan& plan : plans_of(part)) chunk_of_plan.push_back({.plan = std::move(plan)});
  for (std::size_t i = 0; i < part.entries.size(); ++i) {
    ChunkInfo& info = chunk_of_plan[part.entries[i].plan];
    set_chunk(stream, part, i, info);
    if (!visit(info)) return false;
  }
  return true;
}

Status visit_chunks(RandomAccess& file, const StreamInfo& stream, const ChunkVisitor& visit) {
  const auto found = last_stream(file, stream.offset + stream.stored_bytes);
  if (!found) return found.error();
  if (found->begin != stream.offset) return corrupt("the stream is not in its place any more", stream.offset);
  auto walk = IndexWalk::begin(file, *found);
  if (!walk) return walk.error();
  for (;;) {
    const auto more = walk->next();
    if (!more) return more.error();
    if (!*more || !visit_part(stream, walk->part(), visit)) return ok();
  }
}

/// Finds the first error from the file's beginning, without decoding. From the end, most damaged files only
/// look like files without an end.
Error first_error_in(RandomAccess& file, Error error_from_the_end, std::uint64_t memory) {
  FileSource source(file);
  StreamReader reader(source);
  reader.limit_memory(memory);
  Buffer frames;
  for (;;) {
    auto event = reader.next(frames);
    if (!event) return event.error();
    if (std::holds_alternative<EndOfInput>(*event)) return error_from_the_end;
  }
}

}  // namespace

Result<std::vector<StreamInfo>> inspect(RandomAccess& file, const InspectOptions& options) {
  return guarded([&]() -> Result<std::vector<StreamInfo>> {
    const std::uint64_t memory = memory_of(options);
    LimitedFile limited(file, memory);
    auto streams = inspect_all(limited, memory, options.max_output);
    if (streams || streams.error().kind == ErrorKind::io || streams.error().kind == ErrorKind::limit)
      return streams;
    return first_error_in(file, streams.error(), memory);
  });
}

Status for_each_chunk(RandomAccess& file, const StreamInfo& stream,
                      const std::function<bool(const ChunkInfo&)>& visit, const InspectOptions& options) {
  return guarded([&] {
    LimitedFile limited(file, memory_of(options));
    return visit_chunks(limited, stream, visit);
  });
}

}  // namespace tdz
