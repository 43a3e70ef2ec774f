// SPDX-License-Identifier: Apache-2.0
// What `tdz info --json` and tdz_info say of a file: docs/json.md, "tdz-info/1".
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "tdz/tdz.hpp"

namespace tdz {

/// The JSON, in one line where `indent` is negative. JSON is UTF-8; bytes of a name that are not UTF-8 become
/// U+FFFD. Characters that show nothing or turn the text (formats/hidden_characters.hpp) become \uNNNN: they
/// mean the same to a reader of JSON, and a terminal shows them.
std::string dump(const nlohmann::ordered_json& value, int indent = -1);

/// {"columns": [{"bytes", "count", "steps": [string...]}...]}
nlohmann::ordered_json plan_json(const Plan& plan);
nlohmann::ordered_json stream_json(const StreamInfo& stream);
nlohmann::ordered_json chunk_json(const ChunkInfo& chunk);

/// As `xxhsum -H2` and `-H3` print them.
std::string digest_text(std::span<const std::byte> digest);
std::string digest_text(std::uint64_t digest);

/// All streams of a file, with lists of their chunks if they are wanted. Errors: those of inspect.
Result<std::string> file_json(RandomAccess& file, bool with_chunks);

}  // namespace tdz
