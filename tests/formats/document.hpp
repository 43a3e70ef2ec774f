// SPDX-License-Identifier: Apache-2.0
// What the tests take from FORMAT.md itself, so that it cannot drift from the code.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "samples.hpp"

namespace tdz::test {

std::string format_document();
/// The lines between ```language and ```. There must be exactly one such block.
std::vector<std::string> fenced_block(const std::string& document, std::string_view language);
/// The bytes of the annotated dump. Throws if its offsets do not count them.
Bytes dump_bytes();

}  // namespace tdz::test
