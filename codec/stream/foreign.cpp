// SPDX-License-Identifier: Apache-2.0
#include "codec/stream/foreign.hpp"

#include <array>
#include <string>

#include "codec/stream/exact_reader.hpp"
#include "formats/stream/record.hpp"

namespace tdz {
namespace {

struct Known {
  std::string_view magic;
  std::string_view advice;
};
constexpr std::array kKnown = {
    Known{"\x28\xB5\x2F\xFD", "this is a plain zstd file; use zstd -d"},
    Known{"\x1F\x8B", "this is a gzip file; use gzip -d"},
    Known{"\xFD"
          "7zXZ",
          "this is an xz file; use xz -d"},
    Known{"BZh", "this is a bzip2 file; use bzip2 -d"},
    Known{"\x04\x22\x4D\x18", "this is an lz4 file; use lz4 -d"},
    Known{"LZIP", "this is an lzip file; use lzip -d"},
    Known{"PK\x03\x04", "this is a zip archive; use unzip"},
    Known{"7z\xBC\xAF\x27\x1C", "this is a 7z archive; use 7z x"},
};

}  // namespace

std::string_view foreign_format(std::span<const std::byte> head) {
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  for (const Known& known : kKnown)
    if (text.starts_with(known.magic)) return known.advice;
  return {};
}

Status check_is_stream(std::span<const std::byte> head, std::uint64_t where, bool after_stream) {
  const auto prefix = formats::read_prefix(head, where);
  if (!prefix && prefix.error().kind == ErrorKind::truncated) {
    if (!head.empty()) return ends_too_early(where + head.size());
    return truncated("the input is empty; a tdz stream has at least a header and an end", where);
  }
  if (prefix || formats::looks_like_record(head)) return ok();
  if (after_stream) return corrupt("the data after the stream is not a tdz stream", where);
  if (const auto foreign = foreign_format(head); !foreign.empty())
    return corrupt(std::string(foreign), where);
  return corrupt("this is not a tdz file, or its header is damaged; if it was one, try tdz recover", where);
}

}  // namespace tdz
