// SPDX-License-Identifier: Apache-2.0
// Reads FORMAT.md for the tests, so that the document and the code must agree.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "samples.hpp"

namespace tdz::test {

std::string format_document();
/// The lines between ```language and ```. There must be exactly one such block.
std::vector<std::string> fenced_block(const std::string& document, std::string_view language);
/// The bytes of the annotated dump. Throws if its offsets are wrong.
Bytes dump_bytes();

}  // namespace tdz::test
