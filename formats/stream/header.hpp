// SPDX-License-Identifier: Apache-2.0
// HDR, the begin of a stream: FORMAT.md, section 2. Pure functions, thread-safe.
#pragma once

#include <string>

#include "formats/stream/envelope.hpp"

namespace tdz::formats {

struct StreamHeader {
  std::uint8_t minor = kVersionMinor;
  std::uint16_t may_ignore = 0;  ///< features that a reader need not understand
  std::uint64_t original_bytes = kNone;
  std::uint32_t largest_chunk = 1u << 20;
  std::uint32_t largest_frame = 1u << 20;
  std::string type{};  ///< what a person calls the numbers; escape it before you print it

  friend bool operator==(const StreamHeader&, const StreamHeader&) = default;
};

/// The longest type for which HDR stays within its limit.
inline constexpr std::size_t kMaxType = 3900;

/// The sentence for whoever opens the file in an editor goes behind the type. Precondition: the type has at
/// most kMaxType bytes.
std::vector<std::byte> serialize(const StreamHeader& header);
/// The sentence is not judged and not kept.
Result<StreamHeader> parse_header(std::span<const std::byte> record, std::uint64_t where);

/// Judged before anything behind the prefix, because another major version may mean something else there.
Fault check_header_tag(std::uint64_t tag, std::uint64_t where);

}  // namespace tdz::formats
