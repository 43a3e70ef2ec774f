// SPDX-License-Identifier: Apache-2.0
// Text on its way into HTML and SVG. A file may be called anything. Pure functions.
#pragma once

#include <string>
#include <string_view>

namespace tdz::app::bench {

/// For content and quoted attributes alike; control characters and what is no UTF-8 are made visible.
std::string escaped(std::string_view text);

/// <details> with its summary; what is within is HTML already.
std::string details(std::string_view summary, std::string_view html, bool open, std::string_view css_class);

}  // namespace tdz::app::bench
