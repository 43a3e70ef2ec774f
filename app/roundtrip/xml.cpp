// SPDX-License-Identifier: Apache-2.0
#include "app/roundtrip/xml.hpp"

#include <array>
#include <utility>

#include "app/options/names.hpp"

namespace tdz::app::roundtrip {
namespace {

using Replacement = std::pair<std::string_view, std::string_view>;

// What XML forbids, control characters, U+FFFE and U+FFFF, printable() replaces.
constexpr std::array<Replacement, 5> kReplacements = {
    {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}, {"'", "&apos;"}}};

const Replacement* replacement_for(std::string_view rest) {
  for (const Replacement& candidate : kReplacements) {
    if (rest.starts_with(candidate.first)) return &candidate;
  }
  return nullptr;
}

/// The line has no line feed.
std::string escaped(std::string_view line) {
  const std::string shown = printable(line);
  std::string text;
  for (std::string_view rest = shown; !rest.empty();) {
    const Replacement* found = replacement_for(rest);
    text += found != nullptr ? found->second : rest.substr(0, 1);
    rest.remove_prefix(found != nullptr ? found->first.size() : 1);
  }
  return text;
}

std::string escaped_lines(std::string_view bytes, std::string_view line_end) {
  std::string text;
  for (;;) {
    const auto end = bytes.find('\n');
    text += escaped(bytes.substr(0, end));
    if (end == std::string_view::npos) return text;
    text += line_end;
    bytes.remove_prefix(end + 1);
  }
}

}  // namespace

std::string xml_text(std::string_view bytes) {
  return escaped_lines(bytes, "\n");
}

std::string xml_attribute(std::string_view bytes) {
  return escaped_lines(bytes, "&#10;");
}

}  // namespace tdz::app::roundtrip
