// SPDX-License-Identifier: Apache-2.0
#include "codec/json.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "formats/hidden_characters.hpp"

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

}  // namespace tdz
