// SPDX-License-Identifier: Apache-2.0
// What `tdz info --json` and tdz_info say of a file: docs/json.md, "tdz-info/1".
#pragma once

#include <span>
#include <string>

#include "codec/json.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// {"columns": [{"bytes", "count", "steps": [string...]}...]}
Json plan_json(const Plan& plan);
Json stream_json(const StreamInfo& stream);
Json chunk_json(const ChunkInfo& chunk);

/// As `xxhsum -H2` and `-H3` print them.
std::string digest_text(std::span<const std::byte> digest);
std::string digest_text(std::uint64_t digest);

/// All streams of a file, with lists of their chunks if they are wanted. Errors: those of inspect.
Result<std::string> file_json(RandomAccess& file, bool with_chunks);

}  // namespace tdz
