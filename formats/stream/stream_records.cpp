// SPDX-License-Identifier: Apache-2.0
#include "formats/stream/stream_records.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "formats/bytes.hpp"
#include "formats/digest.hpp"

namespace tdz::formats {

// ---- HDR

namespace {

// For whoever finds the file when tdz is forgotten. Another wording would change every file that is written.
constexpr std::string_view kSentence =
    "This is a tdz file. Plain zstd turns it into residuals, not into the data: decompress it with tdz.";

static_assert(kHeaderFields + kMaxType + kSentence.size() + 7 + kRecordCheckBytes <= kHeaderLength.most);

std::uint64_t tag_of(const StreamHeader& header) {
  return kVersionMajor | std::uint64_t{header.minor} << 8 | std::uint64_t{kFeatures} << 16 |
         std::uint64_t{header.may_ignore} << 32;
}

Fault read_limits(OpenRecord& in, StreamHeader& header) {
  in.body.read(header.largest_chunk, header.largest_frame);
  if (header.largest_chunk < kMinChunk || header.largest_chunk > kMaxChunk) {
    return in.unsupported("chunks of up to " + std::to_string(header.largest_chunk) +
                          " bytes, but only 65536 to 2^30 are allowed");
  }
  if (header.largest_frame < kMinFrame || header.largest_frame > header.largest_chunk) {
    return in.unsupported("frames of up to " + std::to_string(header.largest_frame) +
                          " bytes, but only 4096 to the largest chunk are allowed");
  }
  return {};
}

// The zero between the lengths and the texts comes last: it lies after the lengths.
Fault read_texts(OpenRecord& in, StreamHeader& header) {
  const auto type_bytes = in.body.get<std::uint16_t>();
  const auto sentence_bytes = in.body.get<std::uint16_t>();
  const auto zero = in.body.get<std::uint32_t>();
  const auto type = in.body.take(type_bytes);
  in.body.take(sentence_bytes);
  if (in.body.overran()) return in.corrupt("ends inside its type or its sentence");
  if (zero != 0) return in.unsupported("a reserved byte is set");
  for (const std::byte letter : type) header.type += static_cast<char>(letter);
  return {};
}

}  // namespace

Fault check_header_tag(std::uint64_t tag, std::uint64_t where) {
  const auto major = static_cast<std::uint8_t>(tag);
  const auto minor = static_cast<std::uint8_t>(tag >> 8);
  const auto features = static_cast<std::uint16_t>(tag >> 16);
  if (major != kVersionMajor) {
    return unsupported("this is tdz format " + std::to_string(major) + "." + std::to_string(minor) +
                           ", but this tdz reads only format 1",
                       where);
  }
  if ((features & kFeatures) == 0) return unsupported("this is a draft from before 0.1.0", where);
  if (features != kFeatures || tag >> 48 != 0)
    return unsupported("HDR record: the stream uses features that this tdz does not know", where);
  return {};
}

std::vector<std::byte> serialize(const StreamHeader& header) {
  std::vector<std::byte> body;
  put_le(body, header.original_bytes, header.largest_chunk, header.largest_frame,
         static_cast<std::uint16_t>(header.type.size()), static_cast<std::uint16_t>(kSentence.size()),
         std::uint32_t{0});
  put_bytes(body, std::as_bytes(std::span(header.type)));
  put_bytes(body, std::as_bytes(std::span(kSentence)));
  return build_record(RecordKind::header, tag_of(header), body);
}

Result<StreamHeader> parse_header(std::span<const std::byte> record, std::uint64_t where) {
  auto in = open_record(record, {.header = true}, where);
  if (!in) return in.error();
  StreamHeader header;
  header.minor = static_cast<std::uint8_t>(in->tag >> 8);
  header.may_ignore = static_cast<std::uint16_t>(in->tag >> 32);
  in->body.read(header.original_bytes);
  if (auto fault = read_limits(*in, header)) return *fault;
  if (auto fault = read_texts(*in, header)) return *fault;
  return header;
}

// ---- INDX

namespace {

constexpr std::uint32_t kLeastPlan = 4;  // a shape without columns: no plan is judged here
constexpr std::size_t kEntryZeros = 6;

struct PartCounts {
  std::uint32_t entries = 0;
  std::uint32_t plans = 0;
  std::uint32_t table_bytes = 0;
  friend bool operator==(const PartCounts&, const PartCounts&) = default;
};

/// The bytes at 68 to 71.
struct Kinds {
  std::uint8_t flag = 0;
  std::uint8_t digest = 0;
  std::uint16_t zero = 0;
};

std::vector<std::byte> table_of(const IndexPart& part) {
  std::vector<std::byte> table;
  for (const auto& plan : part.plans) put_bytes(table, plan);
  return table;
}

PartCounts counts_of(const IndexPart& part, std::size_t table_bytes) {
  return {static_cast<std::uint32_t>(part.entries.size()), static_cast<std::uint32_t>(part.plans.size()),
          static_cast<std::uint32_t>(table_bytes)};
}

// The shortest INDX has these 40 bytes, so the body does not run out.
Kinds read_numbers(ByteReader& body, IndexPart& part, PartCounts& counts) {
  Kinds kinds;
  body.read(part.offset, part.first_chunk, part.previous, counts.entries, counts.plans, counts.table_bytes,
            kinds.flag, kinds.digest, kinds.zero);
  return kinds;
}

void put_numbers(std::vector<std::byte>& out, const IndexPart& part, const PartCounts& counts) {
  put_le(out, part.offset, part.first_chunk, part.previous, counts.entries, counts.plans, counts.table_bytes,
         static_cast<std::uint8_t>(part.last ? 1 : 0), kDigestXxh3, std::uint16_t{0});
}

// A link that points backwards cannot make a reader walk in circles.
Fault check_links(const OpenRecord& in, const IndexPart& part) {
  if ((part.first_chunk == 0) != (part.previous == kNone))
    return in.corrupt("only the part of chunk 0 has no part before it");
  if (part.previous != kNone && part.previous >= part.offset)
    return in.corrupt("the part before it lies behind it");
  return {};
}

Fault check_counts(const OpenRecord& in, const PartCounts& counts) {
  if (counts.entries == 0 || counts.entries > kMaxEntries) {
    return in.corrupt(std::to_string(counts.entries) + " entries, but only 1 to 65536 are allowed");
  }
  if (counts.plans == 0 || counts.plans > counts.entries) {
    return in.corrupt(std::to_string(counts.plans) + " plans for " + std::to_string(counts.entries) +
                      " entries");
  }
  if (counts.table_bytes > kMaxPlanTable || counts.table_bytes / kLeastPlan < counts.plans)
    return in.corrupt(std::to_string(counts.table_bytes) + " bytes of plans");
  return {};
}

Fault check_known(const OpenRecord& in, const Kinds& kinds) {
  if (kinds.flag > 1) return in.unsupported("a flag of " + std::to_string(kinds.flag));
  if (kinds.digest != kDigestXxh3) return in.unsupported("a digest of kind " + std::to_string(kinds.digest));
  if (kinds.zero != 0) return in.unsupported("a reserved byte is set");
  return {};
}

Fault check_part_fit(const OpenRecord& in, const PartCounts& counts) {
  if (round_up_8(counts.table_bytes) + kEntryBytes * counts.entries <= in.body.left()) return {};
  return in.corrupt("too short for what it counts");
}

Fault check_numbers(const OpenRecord& in, const IndexPart& part, const PartCounts& counts,
                    const Kinds& kinds) {
  if (auto fault = check_links(in, part)) return fault;
  if (auto fault = check_counts(in, counts)) return fault;
  if (auto fault = check_known(in, kinds)) return fault;
  return check_part_fit(in, counts);
}

Fault cut_plans(const OpenRecord& in, std::span<const std::byte> table, std::uint32_t count,
                const PlanLength& plan_length, IndexPart& part) {
  part.plans.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto length = plan_length(table);
    if (!length) return in.corrupt("a plan ends too early");
    if (*length > table.size()) return in.corrupt("a plan is longer than its table");
    part.plans.emplace_back(table.begin(), table.begin() + static_cast<std::ptrdiff_t>(*length));
    table = table.subspan(*length);
  }
  if (table.empty()) return {};
  return in.corrupt("the plans do not fill their table");
}

IndexEntry read_entry(ByteReader& body) {
  IndexEntry entry;
  body.read(entry.record_offset, entry.original_offset, entry.digest, entry.original_bytes,
            entry.stored_bytes, entry.plan);
  return entry;
}

void put_entry(std::vector<std::byte>& out, const IndexEntry& entry) {
  put_le(out, entry.record_offset, entry.original_offset, entry.digest, entry.original_bytes,
         entry.stored_bytes, entry.plan);
  out.resize(out.size() + kEntryZeros);
}

Fault check_entry(const OpenRecord& in, const IndexEntry& entry, const IndexPart& part) {
  if (entry.plan >= part.plans.size()) return in.corrupt("an entry has plan " + std::to_string(entry.plan));
  if (entry.original_bytes == 0 || entry.original_bytes > kMaxChunk) {
    return in.corrupt("a chunk of " + std::to_string(entry.original_bytes) +
                      " bytes, but only 1 to 2^30 are allowed");
  }
  if (entry.record_offset >= part.offset || entry.stored_bytes > part.offset - entry.record_offset)
    return in.corrupt("a chunk reaches beyond the part that lists it");
  if (entry.original_offset >= kNone - entry.original_bytes) return in.corrupt("a chunk reaches beyond 2^64");
  return {};
}

// Notes may stand between chunks, so a gap in the file is no contradiction.
Fault check_follows(const OpenRecord& in, const IndexEntry& entry, const IndexPart& part) {
  if (part.entries.empty()) return {};
  const IndexEntry& before = part.entries.back();
  if (entry.record_offset >= before.record_offset + before.stored_bytes &&
      entry.original_offset == before.original_offset + before.original_bytes) {
    return {};
  }
  return in.corrupt("entry " + std::to_string(part.entries.size()) + " does not follow the one before it");
}

Fault read_entry_zeros(OpenRecord& in) {
  if (all_zero(in.body.take(kEntryZeros))) return {};
  return in.unsupported("a reserved byte of an entry is set");
}

Fault read_entries(OpenRecord& in, std::uint32_t count, IndexPart& part) {
  part.entries.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const IndexEntry entry = read_entry(in.body);
    if (auto fault = check_entry(in, entry, part)) return fault;
    if (auto fault = check_follows(in, entry, part)) return fault;
    if (auto fault = read_entry_zeros(in)) return fault;
    part.entries.push_back(entry);
  }
  return {};
}

Fault compare_numbers(const OpenRecord& in, const IndexPart& part, const PartCounts& counts,
                      const IndexPart& expected, const PartCounts& expected_counts) {
  if (part.tag != expected.tag) return in.corrupt("the tag of another stream");
  if (part.offset != expected.offset || part.first_chunk != expected.first_chunk ||
      part.previous != expected.previous) {
    return in.corrupt("its place, first chunk or part before differ from those of the stream");
  }
  if (counts == expected_counts) return {};
  return in.corrupt("it counts other chunks or plans than the stream has");
}

Fault compare_entries(OpenRecord& in, const IndexPart& expected) {
  for (std::size_t i = 0; i < expected.entries.size(); ++i) {
    if (read_entry(in.body) != expected.entries[i])
      return in.corrupt("entry " + std::to_string(i) + " differs from its chunk");
    if (auto fault = read_entry_zeros(in)) return fault;
  }
  return {};
}

}  // namespace

std::vector<std::byte> serialize(const IndexPart& part) {
  const auto table = table_of(part);
  std::vector<std::byte> body;
  put_numbers(body, part, counts_of(part, table.size()));
  put_bytes(body, table);
  pad_to_8(body);
  for (const IndexEntry& entry : part.entries) put_entry(body, entry);
  return build_record(RecordKind::index, part.tag, body);
}

Result<IndexPart> parse_index(std::span<const std::byte> record, const PlanLength& plan_length,
                              std::uint64_t where, std::optional<std::uint64_t> offset) {
  auto in = open_record(record, {.index = true}, where);
  if (!in) return in.error();
  IndexPart part{.tag = in->tag};
  PartCounts counts;
  const Kinds kinds = read_numbers(in->body, part, counts);
  if (offset && part.offset != *offset) return in->corrupt("it belongs to another place");
  if (auto fault = check_numbers(*in, part, counts, kinds)) return *fault;
  part.last = kinds.flag == 1;
  const auto table = in->body.take(counts.table_bytes);
  if (auto fault = cut_plans(*in, table, counts.plans, plan_length, part)) return *fault;
  if (auto fault = read_padding(*in)) return *fault;
  if (auto fault = read_entries(*in, counts.entries, part)) return *fault;
  return part;
}

Result<IndexPart> parse_index(std::span<const std::byte> record, const IndexPart& expected,
                              std::uint64_t where) {
  auto in = open_record(record, {.index = true}, where);
  if (!in) return in.error();
  IndexPart numbers{.tag = in->tag};
  PartCounts counts;
  const Kinds kinds = read_numbers(in->body, numbers, counts);
  const auto table = table_of(expected);
  if (auto fault = compare_numbers(*in, numbers, counts, expected, counts_of(expected, table.size())))
    return *fault;
  if (auto fault = check_known(*in, kinds)) return *fault;
  if (auto fault = check_part_fit(*in, counts)) return *fault;
  if (!std::ranges::equal(in->body.take(counts.table_bytes), table))
    return in->corrupt("its plans differ from those of its chunks");
  if (auto fault = read_padding(*in)) return *fault;
  if (auto fault = compare_entries(*in, expected)) return *fault;
  IndexPart part = expected;
  part.last = kinds.flag == 1;
  return part;
}

// ---- END

namespace {

constexpr std::size_t kZeros = 7;

Fault check_against(const OpenRecord& in, const EndRecord& end, EndRecord expected) {
  expected.whole = end.whole;
  expected.whole_kind = end.whole_kind;
  if (end.tag != expected.tag) return in.corrupt("the tag of another stream");
  if (end.stream_bytes != expected.stream_bytes) {
    return in.corrupt("a stream of " + std::to_string(end.stream_bytes) + " bytes, but it has " +
                      std::to_string(expected.stream_bytes));
  }
  if (end != expected) return in.corrupt("its totals, last index or chain differ from those of the stream");
  return {};
}

// A chunk holds at least one byte, and a stream with chunks has an index.
Fault check_totals(const OpenRecord& in, const EndRecord& end) {
  if (end.stream_bytes < kMinStream)
    return in.corrupt("a stream of " + std::to_string(end.stream_bytes) + " bytes");
  if (end.chunks > end.original_bytes || (end.chunks == 0) != (end.original_bytes == 0) ||
      end.original_bytes == kNone) {
    return in.corrupt(std::to_string(end.chunks) + " chunks for " + std::to_string(end.original_bytes) +
                      " bytes");
  }
  if ((end.chunks == 0) != (end.last_index == kNone)) return in.corrupt("chunks and index do not agree");
  if (end.last_index != kNone && end.last_index >= end.stream_bytes - kEndLength)
    return in.corrupt("an index behind the stream");
  return {};
}

}  // namespace

std::vector<std::byte> serialize(const EndRecord& end) {
  std::vector<std::byte> body;
  put_le(body, end.stream_bytes, end.chunks, end.original_bytes, end.last_index, end.chain);
  put_bytes(body, end.whole);
  put_le(body, end.whole_kind);
  body.resize(body.size() + kZeros);
  return build_record(RecordKind::end, end.tag, body);
}

Result<EndRecord> parse_end(std::span<const std::byte> record, const EndRules& rules, std::uint64_t where) {
  auto in = open_record(record, {.end = true}, where);
  if (!in) return in.error();
  EndRecord end{.tag = in->tag};
  in->body.read(end.stream_bytes, end.chunks, end.original_bytes, end.last_index, end.chain);
  std::ranges::copy(in->body.take(end.whole.size()), end.whole.begin());
  in->body.read(end.whole_kind);
  if (rules.tag_is_wrong) return in->corrupt("a note before it has the tag of another stream");
  if (rules.expected) {
    if (auto fault = check_against(*in, end, *rules.expected)) return *fault;
  }
  if (auto fault = check_totals(*in, end)) return *fault;
  if (rules.original_bytes != kNone && rules.original_bytes != end.original_bytes)
    return in->corrupt("another original size than HDR has");
  if (!all_zero(in->body.take(kZeros))) return in->unsupported("a reserved byte is set");
  return end;
}

// ---- Notes

std::vector<std::byte> serialize(const Note& note) {
  std::vector<std::byte> body;
  put_le(body, note.offset);
  put_bytes(body, note.content);
  return build_record(note.kind, note.tag, body);
}

Result<Note> parse_note(std::span<const std::byte> record, std::uint64_t where) {
  auto in = open_record(record, {.note = true}, where);
  if (!in) return in.error();
  Note note{.kind = in->kind, .tag = in->tag, .offset = in->body.get<std::uint64_t>()};
  const auto content = in->body.take(in->body.left());
  note.content.assign(content.begin(), content.end());
  return note;
}

// ---- What ties the records of a stream together

std::uint64_t stream_id(std::span<const std::byte> header_record, std::optional<std::uint64_t> first_digest) {
  std::vector<std::byte> bytes(header_record.begin(), header_record.end());
  if (first_digest) put_le(bytes, *first_digest);
  return xxh3_64(bytes);
}

std::uint64_t next_chain(std::uint64_t chain, std::uint64_t digest) {
  std::array<std::byte, 16> bytes{};
  set_le(std::span(bytes).first(8), chain);
  set_le(std::span(bytes).last(8), digest);
  return xxh3_64(bytes);
}

}  // namespace tdz::formats
