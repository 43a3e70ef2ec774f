// SPDX-License-Identifier: Apache-2.0
// Any bytes as XML 1.0. Pure functions.
#pragma once

#include <string>
#include <string_view>

namespace tdz::app::roundtrip {

/// For text between tags. Line feeds stay. Bytes that are not UTF-8 or not allowed in XML become \xNN.
std::string xml_text(std::string_view bytes);
/// For text in double quotes. Line feeds become &#10;, because readers turn plain ones into blanks.
std::string xml_attribute(std::string_view bytes);

}  // namespace tdz::app::roundtrip
