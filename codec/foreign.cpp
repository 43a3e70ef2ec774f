// SPDX-License-Identifier: Apache-2.0
#include "codec/foreign.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "formats/record.hpp"

namespace tdz {
namespace {

struct Known {
  std::string_view magic;
  std::string_view advice;
};
constexpr std::array kKnown = {
    Known{"\x28\xB5\x2F\xFD", "this is a plain zstd file; use zstd -d"},
    Known{"\x1F\x8B", "this is a gzip file; use gzip -d"},
    Known{"\xFD" "7zXZ", "this is an xz file; use xz -d"},
};
/// How every stream begins, but for the four length bytes in the middle.
constexpr std::string_view kMagic = "\x5A\x2A\x4D\x18";
constexpr std::string_view kCookie = "tdz\x1A";
constexpr std::size_t kCookieOffset = 8;

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Could these bytes, too few to tell, be the beginning of a stream?
bool may_become_stream(std::string_view head) {
  const auto agrees = [](std::string_view have, std::string_view wanted) {
    return have.substr(0, wanted.size()) == wanted.substr(0, have.size());
  };
  const auto after = head.substr(std::min(head.size(), kCookieOffset));
  return agrees(head, kMagic) && agrees(after, kCookie);
}

}  // namespace

Status check_is_stream(std::span<const std::byte> head, std::uint64_t where, bool after_stream) {
  const auto text = as_text(head);
  const bool complete = head.size() >= formats::kPrefixBytes;
  if (may_become_stream(text)) {
    if (complete) return ok();
    const char* found = text.empty() ? "the input is empty; a tdz stream has at least a header and an end"
                                     : "the input ends too early; the end of this file is missing";
    return Error{ErrorKind::truncated, found, where + head.size()};
  }
  if (after_stream) return Error{ErrorKind::corrupt, "something that is no tdz stream follows the stream", where};
  for (const Known& known : kKnown) {
    if (text.starts_with(known.magic)) return Error{ErrorKind::corrupt, std::string(known.advice), where};
  }
  return Error{ErrorKind::corrupt, "this is no tdz file", where};
}

}  // namespace tdz
