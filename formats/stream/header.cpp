// SPDX-License-Identifier: Apache-2.0
#include "formats/stream/header.hpp"

#include <string_view>

namespace tdz::formats {
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

// The zero between the lengths and the texts comes last: it lies behind the lengths.
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

}  // namespace tdz::formats
