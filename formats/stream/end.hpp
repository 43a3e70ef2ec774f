// SPDX-License-Identifier: Apache-2.0
// END: FORMAT.md, section 2. Pure functions, thread-safe.
#pragma once

#include <optional>

#include "formats/digest.hpp"
#include "formats/stream/envelope.hpp"

namespace tdz::formats {

struct EndRecord {
  std::uint64_t tag = 0;
  std::uint64_t stream_bytes = 0;  ///< HDR's first to END's last
  std::uint64_t chunks = 0;
  std::uint64_t original_bytes = 0;
  std::uint64_t last_index = kNone;  ///< offset of the last INDX
  std::uint64_t chain = 0;           ///< that the next chunk would have
  Digest128 whole{};                 ///< of the whole original; decides nothing
  std::uint8_t whole_kind = 0;       ///< 0 none, 1 XXH3-128; another one is ignored

  friend bool operator==(const EndRecord&, const EndRecord&) = default;
};

/// What a reader of a whole stream knows about END.
struct EndRules {
  std::optional<EndRecord> expected{};   ///< its digest of the whole original is not compared
  std::uint64_t original_bytes = kNone;  ///< from HDR
  bool tag_is_wrong = false;             ///< notes of a stream without chunks have another tag
};

std::vector<std::byte> serialize(const EndRecord& end);
/// Without an expected END: its fields must agree with one another.
Result<EndRecord> parse_end(std::span<const std::byte> record, const EndRules& rules, std::uint64_t where);

}  // namespace tdz::formats
