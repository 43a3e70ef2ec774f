// SPDX-License-Identifier: Apache-2.0
#include "formats/stream/end.hpp"

#include <algorithm>

namespace tdz::formats {
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

}  // namespace tdz::formats
