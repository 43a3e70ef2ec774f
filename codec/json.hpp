// SPDX-License-Identifier: Apache-2.0
// JSON that comes from strangers, and JSON that goes to people. What is read must be exactly what was asked
// for: every member is known, stands once, and has a value in range. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "formats/error.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

using Json = nlohmann::ordered_json;

/// The JSON, in one line where `indent` is negative. JSON is UTF-8; bytes of a name that are not UTF-8 become
/// U+FFFD. Characters that show nothing or turn the text (formats/hidden_characters.hpp) become \uNNNN: they
/// mean the same to a reader of JSON, and a terminal shows them.
std::string dump(const Json& value, int indent = -1);

/// The last `digits` hexadecimal digits of a number, with lower-case letters.
std::string hex_digits(std::uint64_t number, int digits);

/// Bounds of a text from a stranger.
struct JsonLimits {
  std::size_t bytes;
  int depth;  ///< of arrays and objects in one another
};

/// Error usage: the text is too long or too deep, is not JSON, or has a member twice.
Result<Json> parse_json(std::string_view text, const JsonLimits& limits);

/// Reads a JSON value and all that is in it. The first error counts; after it every value is a default.
class JsonReader {
 public:
  /// `place` is how errors name the value: "columns[0].steps[1]"; empty: the value that holds all others.
  JsonReader(const Json& value, std::string place, formats::Fault& fault)
      : value_(value), place_(std::move(place)), fault_(fault) {}

  /// Every other member than these is an error.
  void knows(std::initializer_list<std::string_view> names) const;

  bool has(std::string_view name) const;
  std::uint64_t number(std::string_view name, std::uint64_t least, std::uint64_t most) const;
  /// Any number, with a fraction or not.
  double real(std::string_view name) const;
  bool truth(std::string_view name) const;
  std::string text(std::string_view name) const;
  JsonReader object(std::string_view name) const;
  /// As many readers as the array has elements.
  std::vector<JsonReader> array(std::string_view name) const;
  /// An array of strings.
  std::vector<std::string> texts(std::string_view name) const;

  /// A rule that this value breaks: "must be ...".
  void refuse(std::string_view name, std::string_view why) const;

 private:
  const Json& member(std::string_view name) const;
  std::string place_of(std::string_view name) const;
  void fail(std::string message) const;

  const Json& value_;
  std::string place_;
  formats::Fault& fault_;
};

// ---- What `info` says, as JSON

/// {"columns": [{"bytes", "count", "steps": [string...]}...]}
Json plan_json(const Plan& plan);
Json stream_json(const StreamInfo& stream);
Json chunk_json(const ChunkInfo& chunk);

/// As `xxhsum -H2` and `-H3` print them.
std::string digest_text(std::span<const std::byte> digest);
std::string digest_text(std::uint64_t digest);

/// Null if nothing is stored.
inline Json ratio_json(std::uint64_t original, std::uint64_t stored) {
  if (stored == 0) return nullptr;
  return static_cast<double>(original) / static_cast<double>(stored);
}

/// {"kind", "message", "at"?}
inline Json error_json(const Error& error) {
  Json json = {{"kind", name_of(error.kind)}, {"message", error.message}};
  if (error.where != Error::kNowhere) json["at"] = error.where;
  return json;
}

/// All streams of a file, with lists of their chunks if they are wanted. Errors: those of inspect.
Result<std::string> file_json(RandomAccess& file, bool with_chunks);

}  // namespace tdz
