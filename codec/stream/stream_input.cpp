// SPDX-License-Identifier: Apache-2.0
#include "codec/stream/stream_input.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "formats/stream/record.hpp"

namespace tdz {

// ---- Exact lengths

Error ends_too_early(std::uint64_t position) {
  return truncated("the input ends too early; the end of this file is missing", position);
}

Result<std::size_t> ExactReader::read_up_to(std::span<std::byte> into) {
  std::size_t filled = 0;
  while (filled < into.size()) {
    auto came = source_.read(into.subspan(filled));
    if (!came) return came.error();
    if (*came == 0) break;
    filled += *came;
    position_ += *came;
  }
  return filled;
}

Status ExactReader::read(std::span<std::byte> into) {
  auto came = read_up_to(into);
  if (!came) return came.error();
  return *came < into.size() ? Status(ends_too_early(position_)) : ok();
}

Result<std::span<std::byte>> ExactReader::read_claimed(Buffer& memory, std::size_t keep, std::size_t bytes) {
  // Most chunks fit in the first step; then nothing is copied.
  constexpr std::size_t kFirstStep = std::size_t{4} << 20;
  const std::size_t goal = keep + bytes;
  std::size_t have = keep;
  while (have < goal) {
    const std::size_t next = std::min(goal, std::max(2 * have, keep + kFirstStep));
    if (auto done = read(memory.grow(next, have).subspan(have)); !done) return done.error();
    have = next;
  }
  return memory.grow(goal, goal);
}

// ---- Streams of tdz, and other formats

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
