// SPDX-License-Identifier: Apache-2.0
#include "codec/json.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/hidden_characters.hpp"
#include "formats/names.hpp"

namespace tdz {

// ---- Writing

std::string hex_digits(std::uint64_t number, int digits) {
  std::string text;
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) text += "0123456789abcdef"[number >> shift & 15];
  return text;
}

namespace {

/// "\u200b"; above U+FFFF two, as UTF-16 has them.
std::string escape(char32_t code) {
  if (code <= 0xFFFF) return "\\u" + hex_digits(code, 4);
  return "\\u" + hex_digits(0xD7C0 + (code >> 10), 4) + "\\u" + hex_digits(0xDC00 + (code & 0x3FF), 4);
}

}  // namespace

std::string dump(const Json& value, int indent) {
  const std::string text = value.dump(indent, ' ', false, Json::error_handler_t::replace);
  std::string shown;
  for (std::string_view rest = text; !rest.empty();) {
    std::size_t bytes = 1;
    while (bytes < rest.size() && (static_cast<unsigned char>(rest[bytes]) & 0xC0) == 0x80) ++bytes;
    const char32_t code = formats::code_point(rest.substr(0, bytes));
    // The library has escaped the characters before the blank, and breaks lines with line feeds.
    if (code >= 0x7F && formats::is_hidden(code))
      shown += escape(code);
    else
      shown += rest.substr(0, bytes);
    rest.remove_prefix(bytes);
  }
  return shown;
}

// ---- Reading

namespace {

/// A name from a stranger, as a message may show it.
std::string shown(std::string_view name) {
  constexpr std::size_t kMost = 40;
  const std::string cut(name.substr(0, kMost));
  const auto text = Json(cut).dump(-1, ' ', true, Json::error_handler_t::replace);
  return name.size() > kMost ? text + ".." : text;
}

/// Follows the parser and keeps what it would pass over: depth, and names that come twice.
class Watcher {
 public:
  explicit Watcher(int depth) : depth_(depth) {}

  /// False: the parser keeps nothing of the value that begins here.
  bool operator()(int depth, Json::parse_event_t event, const Json& parsed) {
    if (fault_) return false;
    const bool begins =
        event == Json::parse_event_t::object_start || event == Json::parse_event_t::array_start;
    if (begins && depth >= depth_) fault_ = usage("JSON that is nested too deep");
    if (event == Json::parse_event_t::object_start) names_.emplace_back();
    if (event == Json::parse_event_t::object_end) names_.pop_back();
    if (event == Json::parse_event_t::key) take_name(parsed.get_ref<const std::string&>());
    return !fault_;
  }
  const formats::Fault& fault() const { return fault_; }

 private:
  void take_name(const std::string& name) {
    if (!names_.back().insert(name).second) fault_ = usage("the member " + shown(name) + " stands twice");
  }

  int depth_;
  std::vector<std::set<std::string>> names_;
  formats::Fault fault_;
};

}  // namespace

Result<Json> parse_json(std::string_view text, const JsonLimits& limits) {
  if (text.size() > limits.bytes)
    return usage("JSON of " + std::to_string(text.size()) + " bytes, but it may have " +
                 std::to_string(limits.bytes));
  Watcher watcher(limits.depth);
  try {
    Json value = Json::parse(text, [&](int depth, Json::parse_event_t event, const Json& parsed) {
      return watcher(depth, event, parsed);
    });
    if (watcher.fault()) return *watcher.fault();
    return value;
  } catch (const Json::parse_error& error) {
    if (watcher.fault()) return *watcher.fault();
    return usage("not JSON from byte " + std::to_string(error.byte) + " on");
  } catch (const Json::out_of_range&) {
    if (watcher.fault()) return *watcher.fault();
    return usage("JSON with a number that is too large");
  }
}

std::string JsonReader::place_of(std::string_view name) const {
  return place_.empty() ? std::string(name) : place_ + '.' + std::string(name);
}

void JsonReader::fail(std::string message) const {
  if (!fault_) fault_ = usage(std::move(message));
}

void JsonReader::refuse(std::string_view name, std::string_view why) const {
  fail(place_of(name) + ' ' + std::string(why));
}

void JsonReader::knows(std::initializer_list<std::string_view> names) const {
  if (!value_.is_object()) return fail((place_.empty() ? "it" : place_) + " must be an object");
  for (const auto& item : value_.items()) {
    if (std::ranges::find(names, item.key()) != names.end()) continue;
    return fail("unknown member " + shown(item.key()) + (place_.empty() ? "" : " in " + place_));
  }
}

bool JsonReader::has(std::string_view name) const {
  return value_.is_object() && value_.contains(name);
}

const Json& JsonReader::member(std::string_view name) const {
  static const Json kNothing;
  if (has(name)) return value_.at(std::string(name));
  fail(place_of(name) + " is missing");
  return kNothing;
}

std::uint64_t JsonReader::number(std::string_view name, std::uint64_t least, std::uint64_t most) const {
  const Json& value = member(name);
  if (value.is_number_unsigned() && value >= least && value <= most) return value.get<std::uint64_t>();
  refuse(name, "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  return least;
}

double JsonReader::real(std::string_view name) const {
  const Json& value = member(name);
  if (value.is_number()) return value.get<double>();
  refuse(name, "must be a number");
  return 0;
}

bool JsonReader::truth(std::string_view name) const {
  const Json& value = member(name);
  if (value.is_boolean()) return value.get<bool>();
  refuse(name, "must be true or false");
  return false;
}

std::string JsonReader::text(std::string_view name) const {
  const Json& value = member(name);
  if (value.is_string()) return value.get<std::string>();
  refuse(name, "must be a string");
  return {};
}

JsonReader JsonReader::object(std::string_view name) const {
  const Json& value = member(name);
  if (!value.is_object()) refuse(name, "must be an object");
  return {value, place_of(name), fault_};
}

std::vector<JsonReader> JsonReader::array(std::string_view name) const {
  const Json& value = member(name);
  if (!value.is_array()) {
    refuse(name, "must be an array");
    return {};
  }
  std::vector<JsonReader> readers;
  for (const Json& element : value)
    readers.push_back({element, place_of(name) + '[' + std::to_string(readers.size()) + ']', fault_});
  return readers;
}

std::vector<std::string> JsonReader::texts(std::string_view name) const {
  const Json& value = member(name);
  if (value.is_array() && std::ranges::all_of(value, &Json::is_string))
    return value.get<std::vector<std::string>>();
  refuse(name, "must be an array of strings");
  return {};
}

// ---- What `info` says, as JSON

std::string digest_text(std::span<const std::byte> digest) {
  std::string text;
  for (const std::byte byte : digest) text += hex_digits(std::to_integer<std::uint64_t>(byte), 2);
  return text;
}

std::string digest_text(std::uint64_t digest) {
  return hex_digits(digest, 16);
}

Json plan_json(const Plan& plan) {
  Json columns = Json::array();
  for (const Column& column : plan.columns) {
    Json steps = Json::array();
    for (const PlanStep& step : column.steps) steps.push_back(formats::step_name(step));
    columns.push_back({{"bytes", column.width}, {"count", column.count}, {"steps", std::move(steps)}});
  }
  Json json = {{"columns", std::move(columns)}};
  if (plan.coding == Coding::uniform) json["uniform"] = true;
  return json;
}

namespace {

Json protection_json(const Protection& protection) {
  return {{"area_bytes", protection.area_bytes}, {"piece_bytes", protection.piece_bytes},
          {"stripes", protection.stripes},       {"pieces", protection.pieces},
          {"parity", protection.parity},         {"hole_bytes", protection.hole_bytes()}};
}

}  // namespace

Json stream_json(const StreamInfo& stream) {
  Json plans = Json::array();
  for (const Plan& plan : stream.plans) plans.push_back(plan_json(plan));
  const Json digest = stream.digest_kind == 0 ? Json(nullptr) : Json(digest_text(stream.digest));
  Json json = {
      {"offset", stream.offset},
      {"stored_bytes", stream.stored_bytes},
      {"original_bytes", stream.original_bytes},
      {"chunks", stream.chunks},
      {"chunk_bytes", stream.largest_chunk},
      {"frame_bytes", stream.largest_frame},
      {"format_version", std::to_string(stream.version_major) + "." + std::to_string(stream.version_minor)},
      {"type", stream.type.empty() ? "bytes" : stream.type},
      {"plans", std::move(plans)},
      {"xxh3_128", digest}};
  if (stream.protection) json["protection"] = protection_json(*stream.protection);
  return json;
}

Json chunk_json(const ChunkInfo& chunk) {
  return {{"number", chunk.number},
          {"stored_offset", chunk.stored_offset},
          {"stored_bytes", chunk.stored_bytes},
          {"original_offset", chunk.original_offset},
          {"original_bytes", chunk.original_bytes},
          {"xxh3_64", digest_text(chunk.digest)},
          {"plan", plan_json(chunk.plan)}};
}

namespace {

/// An object without its closing brace, so that more members may follow.
std::string open_object(const Json& object) {
  std::string text = dump(object);
  text.pop_back();
  return text;
}

/// A list of chunks can be long, so only one of its elements is a JSON object in memory.
Status append_chunks(RandomAccess& file, const StreamInfo& stream, std::string& text) {
  text += R"(,"chunk_list":[)";
  bool first = true;
  const auto append = [&](const ChunkInfo& chunk) {
    text += (std::exchange(first, false) ? "" : ",") + dump(chunk_json(chunk));
    return true;
  };
  auto done = for_each_chunk(file, stream, append);
  text += "]";
  return done;
}

}  // namespace

Result<std::string> file_json(RandomAccess& file, bool with_chunks) {
  const auto streams = inspect(file);
  if (!streams) return streams.error();
  std::uint64_t original = 0, stored = 0;
  for (const StreamInfo& stream : *streams) {
    original += stream.original_bytes;
    stored += stream.stored_bytes;
  }
  std::string text =
      open_object({{"original_bytes", original}, {"stored_bytes", stored}}) + R"(,"streams":[)";
  for (const StreamInfo& stream : *streams) {
    text += (&stream == &streams->front() ? "" : ",") + open_object(stream_json(stream));
    if (with_chunks)
      if (auto done = append_chunks(file, stream, text); !done) return done.error();
    text += "}";
  }
  return text + "]}";
}

}  // namespace tdz
