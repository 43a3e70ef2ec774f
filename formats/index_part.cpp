// SPDX-License-Identifier: Apache-2.0
#include "formats/record_fields.hpp"
#include "formats/records.hpp"

namespace tdz::formats {
namespace {

constexpr std::size_t kLeastTransformBytes = 4;
constexpr std::size_t kEntryTailZeros = 6;

struct Counts {
  std::uint32_t entries = 0;
  std::uint32_t transforms = 0;
  std::uint32_t table_bytes = 0;
};

Fault check_counts(const OpenRecord& in, const Counts& counts) {
  if (counts.entries == 0 || counts.entries > kMaxIndexEntries) {
    return in.corrupt(std::to_string(counts.entries) + " entries, but only 1 to 65536 are allowed");
  }
  if (counts.transforms == 0 || counts.transforms > counts.entries) {
    return in.corrupt(std::to_string(counts.transforms) + " transforms for " +
                      std::to_string(counts.entries) + " entries");
  }
  const std::uint64_t needed = round_up_8(counts.table_bytes) + kIndexEntryBytes * counts.entries;
  if (in.body.left() < needed || counts.table_bytes < kLeastTransformBytes * counts.transforms) {
    return in.corrupt("too short for its number of entries");
  }
  return {};
}

Fault read_fields(OpenRecord& in, IndexPart& part, Counts& counts) {
  part.first_chunk = in.body.get<std::uint64_t>();
  part.previous = in.body.get<std::uint64_t>();
  counts.entries = in.body.get<std::uint32_t>();
  counts.transforms = in.body.get<std::uint32_t>();
  if (auto fault = read_digest_kind(in)) return fault;
  counts.table_bytes = in.body.get<std::uint32_t>();
  if (in.body.overran()) return in.corrupt("too short");
  return check_counts(in, counts);
}

Fault read_transforms(OpenRecord& in, const Counts& counts, IndexPart& part) {
  OpenRecord table = in;
  table.body = ByteReader(in.body.take(counts.table_bytes));
  part.transforms.resize(counts.transforms);
  for (Transform& transform : part.transforms) {
    if (auto fault = read_transform_head(table, transform)) return fault;
    if (auto fault = read_steps(table, transform)) return fault;
  }
  if (table.body.left() != 0) return in.corrupt("the transforms do not fill their table");
  return read_padding(in);
}

Fault read_entry(OpenRecord& in, std::size_t transforms, IndexEntry& entry) {
  entry.record_offset = in.body.get<std::uint64_t>();
  entry.original_offset = in.body.get<std::uint64_t>();
  entry.digest = in.body.get<std::uint64_t>();
  entry.original_bytes = in.body.get<std::uint32_t>();
  entry.stored_bytes = in.body.get<std::uint32_t>();
  entry.transform = in.body.get<std::uint16_t>();
  const auto zeros = in.body.take(kEntryTailZeros);
  if (in.body.overran()) return in.corrupt("too short");
  if (!all_zero(zeros)) return in.unsupported("a reserved byte of an entry is set");
  if (entry.transform >= transforms)
    return in.corrupt("an entry names transform " + std::to_string(entry.transform));
  if (entry.original_bytes == 0 || entry.original_bytes > kMaxChunk) {
    return in.corrupt("a chunk of " + std::to_string(entry.original_bytes) +
                      " bytes, but only 1 to 2^30 are allowed");
  }
  if (entry.stored_bytes > kUnknown - entry.record_offset ||
      entry.original_bytes > kUnknown - entry.original_offset) {
    return in.corrupt("an entry reaches beyond 2^64");
  }
  return {};
}

bool follows(const IndexEntry& entry, const IndexEntry& before) {
  return entry.record_offset >= before.record_offset + before.stored_bytes &&
         entry.original_offset == before.original_offset + before.original_bytes;
}

Fault read_entries(OpenRecord& in, const Counts& counts, IndexPart& part) {
  part.entries.resize(counts.entries);
  for (std::size_t i = 0; i < part.entries.size(); ++i) {
    if (auto fault = read_entry(in, part.transforms.size(), part.entries[i])) return fault;
    if (i > 0 && !follows(part.entries[i], part.entries[i - 1])) {
      return in.corrupt("entry " + std::to_string(i) + " does not follow the one before it");
    }
  }
  return {};
}

// Links must point backwards, so no reader can follow them in a circle.
Fault check_links(const OpenRecord& in, const IndexPart& part) {
  const bool first = part.first_chunk == 0;
  if (first != (part.previous == kUnknown))
    return in.corrupt("only the index part of chunk 0 has no part before it");
  if (!first && part.previous >= part.entries.front().record_offset) {
    return in.corrupt("the previous index part lies after the first chunk of this one");
  }
  if (part.entries.size() > kUnknown - part.first_chunk) return in.corrupt("chunk numbers reach beyond 2^64");
  return {};
}

void put_entry(std::vector<std::byte>& out, const IndexEntry& entry) {
  put_le(out, entry.record_offset);
  put_le(out, entry.original_offset);
  put_le(out, entry.digest);
  put_le(out, entry.original_bytes);
  put_le(out, entry.stored_bytes);
  put_le(out, entry.transform);
  out.resize(out.size() + kEntryTailZeros);
}

std::vector<std::byte> transform_table(std::span<const Transform> transforms) {
  std::vector<std::byte> table;
  for (const Transform& transform : transforms) {
    put_transform_head(table, transform);
    put_steps(table, transform);
  }
  return table;
}

}  // namespace

std::vector<std::byte> serialize(const IndexPart& part) {
  const auto table = transform_table(part.transforms);
  std::vector<std::byte> body;
  put_le(body, part.first_chunk);
  put_le(body, part.previous);
  put_le(body, static_cast<std::uint32_t>(part.entries.size()));
  put_le(body, static_cast<std::uint32_t>(part.transforms.size()));
  put_digest_kind(body);
  put_le(body, static_cast<std::uint32_t>(table.size()));
  put_bytes(body, table);
  pad_to_8(body);
  for (const IndexEntry& entry : part.entries) put_entry(body, entry);
  return build_record(RecordKind::index, part.stream, body);
}

Result<IndexPart> parse_index(std::span<const std::byte> record, std::uint64_t where) {
  auto in = open_record(record, RecordKind::index, where);
  if (!in) return in.error();
  IndexPart part;
  part.stream = in->tag;
  Counts counts;
  if (auto fault = read_fields(*in, part, counts)) return *fault;
  if (auto fault = read_transforms(*in, counts, part)) return *fault;
  if (auto fault = read_entries(*in, counts, part)) return *fault;
  if (auto fault = check_links(*in, part)) return *fault;
  return part;
}

}  // namespace tdz::formats
