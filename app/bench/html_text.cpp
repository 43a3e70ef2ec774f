// SPDX-License-Identifier: Apache-2.0
#include "app/bench/html_text.hpp"

#include <spdlog/fmt/fmt.h>

#include "app/options/names.hpp"

namespace tdz::app::bench {
namespace {

std::string_view entity(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return "";
  }
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    const std::string_view replaced = entity(c);
    if (replaced.empty()) {
      out += c;
    } else {
      out += replaced;
    }
  }
  return out;
}

std::string details(std::string_view summary, std::string_view html, bool open, std::string_view css_class) {
  return fmt::format("<details class=\"{}\"{}>\n<summary>{}</summary>\n{}</details>\n", css_class,
                     open ? " open" : "", escaped(summary), html);
}

}  // namespace tdz::app::bench
