// SPDX-License-Identifier: Apache-2.0
// Any bytes as XML 1.0. Pure functions.
#pragma once

#include <string>
#include <string_view>

namespace tdz::app::roundtrip {

/// Between tags: lines stay lines. What is no UTF-8 or no character of XML becomes \xNN.
std::string xml_text(std::string_view bytes);
/// Within double quotes: line feeds become &#10;, or readers would turn them into blanks.
std::string xml_attribute(std::string_view bytes);

}  // namespace tdz::app::roundtrip
