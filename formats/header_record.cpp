// SPDX-License-Identifier: Apache-2.0
#include <string_view>

#include "formats/record_fields.hpp"
#include "formats/records.hpp"

namespace tdz::formats {
namespace {

// For people who find the file when tdz is forgotten. A change of the wording would change every file.
constexpr std::string_view kSentence =
    "This is a tdz file. Plain zstd turns it into residuals, not into the data: decompress it with tdz.";

// There is no stream id yet in HDR. So its tag holds what a reader must know first.
std::uint64_t version_tag(const StreamHeader& header) {
  return header.major | std::uint64_t{header.minor} << 8 | std::uint64_t{header.must_understand} << 16 |
         std::uint64_t{header.may_ignore} << 32;
}

Fault read_version(std::uint64_t tag, StreamHeader& header, std::uint64_t where) {
  header.major = static_cast<std::uint8_t>(tag);
  header.minor = static_cast<std::uint8_t>(tag >> 8);
  header.must_understand = static_cast<std::uint16_t>(tag >> 16);
  header.may_ignore = static_cast<std::uint16_t>(tag >> 32);
  if (header.major != kVersionMajor) {
    return unsupported("this is tdz format " + std::to_string(header.major) + "." +
                           std::to_string(header.minor) + ", but this tdz reads only format 1",
                       where);
  }
  if (header.must_understand != 0 || tag >> 48 != 0) {
    return unsupported("HDR record: the stream uses features that this tdz does not know", where);
  }
  return {};
}

bool is_type(const NumberType& type) {
  const bool known_kind =
      type.kind == 0 || type.kind == 'u' || type.kind == 'i' || (type.kind == 'f' && type.word > 1);
  return known_kind && is_word_size(type.word) && type.tuple != 0;
}

Fault read_limits(OpenRecord& in, StreamHeader& header) {
  header.largest_chunk = in.body.get<std::uint32_t>();
  header.largest_frame = in.body.get<std::uint32_t>();
  if (in.body.overran()) return in.corrupt("too short");
  if (header.largest_chunk < kMinChunk || header.largest_chunk > kMaxChunk) {
    return in.unsupported("chunks of up to " + std::to_string(header.largest_chunk) +
                          " bytes, but only 65536 to 2^30 are allowed");
  }
  if (header.largest_frame < kMinFrame) {
    return in.unsupported("frames of up to " + std::to_string(header.largest_frame) +
                          " bytes, but they must have at least 4096");
  }
  if (header.largest_frame > header.largest_chunk) {
    return in.corrupt("frames of up to " + std::to_string(header.largest_frame) +
                      " bytes in chunks of up to " + std::to_string(header.largest_chunk));
  }
  return {};
}

Fault read_nominal_type(OpenRecord& in, NumberType& type) {
  type.kind = static_cast<char>(in.body.get<std::uint8_t>());
  type.word = in.body.get<std::uint8_t>();
  const auto zero = in.body.get<std::uint16_t>();
  type.tuple = in.body.get<std::uint32_t>();
  if (in.body.overran()) return in.corrupt("too short");
  if (zero != 0 || !is_type(type)) return in.unsupported("an unknown type of numbers");
  return {};
}

Fault skip_sentence(OpenRecord& in) {
  in.body.take(in.body.get<std::uint16_t>());
  if (in.body.overran()) return in.corrupt("ends inside its sentence");
  return {};
}

}  // namespace

std::vector<std::byte> serialize(const StreamHeader& header) {
  std::vector<std::byte> body;
  put_le(body, header.original_bytes);
  put_le(body, header.largest_chunk);
  put_le(body, header.largest_frame);
  put_le(body, static_cast<std::uint8_t>(header.nominal.kind));
  put_le(body, header.nominal.word);
  put_le(body, std::uint16_t{0});
  put_le(body, header.nominal.tuple);
  put_le(body, static_cast<std::uint16_t>(kSentence.size()));
  put_bytes(body, std::as_bytes(std::span(kSentence)));
  return build_record(RecordKind::header, version_tag(header), body);
}

Result<StreamHeader> parse_header(std::span<const std::byte> record, std::uint64_t where) {
  StreamHeader header;
  const auto prefix = parse_prefix(record, where);
  if (!prefix) return prefix.error();
  if (prefix->kind == RecordKind::header) {
    // This comes before the final check, because another major version may compute the check in another way.
    if (auto fault = read_version(prefix->tag, header, where)) return *fault;
  }
  auto in = open_record(record, RecordKind::header, where);
  if (!in) return in.error();
  header.original_bytes = in->body.get<std::uint64_t>();
  if (auto fault = read_limits(*in, header)) return *fault;
  if (auto fault = read_nominal_type(*in, header.nominal)) return *fault;
  if (auto fault = skip_sentence(*in)) return *fault;
  return header;
}

std::uint64_t stream_id(std::span<const std::byte> header_record, const std::uint64_t* first_digest) {
  std::vector<std::byte> bytes(header_record.begin(), header_record.end());
  if (first_digest != nullptr) put_le(bytes, *first_digest);
  return xxh3_64(bytes);
}

}  // namespace tdz::formats
