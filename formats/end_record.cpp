// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "formats/record_fields.hpp"
#include "formats/records.hpp"

namespace tdz::formats {
namespace {

// The length of END is fixed, so the body is never too short.
std::uint32_t read_fields(OpenRecord& in, EndRecord& end) {
  end.chunks = in.body.get<std::uint64_t>();
  end.original_bytes = in.body.get<std::uint64_t>();
  end.stream_bytes = in.body.get<std::uint64_t>();
  end.last_index = in.body.get<std::uint64_t>();
  end.digest_of_digests = in.body.get<std::uint64_t>();
  std::ranges::copy(in.body.take(end.whole.size()), end.whole.begin());
  end.seek_bytes = in.body.get<std::uint32_t>();
  const auto zero = in.body.get<std::uint32_t>();
  end.seek_check = in.body.get<std::uint64_t>();
  return zero;
}

Fault check_totals(const OpenRecord& in, const EndRecord& end) {
  // A chunk holds at least one byte.
  if (end.chunks > end.original_bytes || (end.chunks == 0 && end.original_bytes != 0)) {
    return in.corrupt(std::to_string(end.chunks) + " chunks for " + std::to_string(end.original_bytes) +
                      " bytes");
  }
  if (end.stream_bytes < kMinHeaderBytes + kEndBytes) {
    return in.corrupt("a stream of " + std::to_string(end.stream_bytes) + " bytes");
  }
  if (end.last_index != kUnknown && (end.chunks == 0 || end.last_index >= end.stream_bytes)) {
    return in.corrupt("an index at " + std::to_string(end.last_index) + " of " +
                      std::to_string(end.stream_bytes) + " bytes");
  }
  return {};
}

bool is_seek_length(std::uint32_t length) {
  return length >= seek_table_bytes(0) && length <= kMaxSeekTableBytes &&
         (length - seek_table_bytes(0)) % 8 == 0;
}

Fault check_seek(const OpenRecord& in, const EndRecord& end) {
  if (end.seek_bytes == 0 && end.seek_check == 0) return {};
  if (is_seek_length(end.seek_bytes)) return {};
  return in.corrupt("a seek table of " + std::to_string(end.seek_bytes) + " bytes");
}

}  // namespace

std::vector<std::byte> serialize(const EndRecord& end) {
  std::vector<std::byte> body;
  put_le(body, end.chunks);
  put_le(body, end.original_bytes);
  put_le(body, end.stream_bytes);
  put_le(body, end.last_index);
  put_le(body, end.digest_of_digests);
  put_bytes(body, end.whole);
  put_le(body, end.seek_bytes);
  put_le(body, std::uint32_t{0});
  put_le(body, end.seek_check);
  return build_record(RecordKind::end, end.stream, body);
}

Result<EndRecord> parse_end(std::span<const std::byte> record, std::uint64_t where) {
  auto in = open_record(record, RecordKind::end, where);
  if (!in) return in.error();
  EndRecord end;
  end.stream = in->tag;
  if (read_fields(*in, end) != 0) return in->unsupported("a reserved byte is set");
  if (auto fault = check_totals(*in, end)) return *fault;
  if (auto fault = check_seek(*in, end)) return *fault;
  return end;
}

}  // namespace tdz::formats
