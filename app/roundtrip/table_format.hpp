// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "app/roundtrip/report.hpp"

namespace tdz::app::roundtrip {

enum class CellLines : unsigned char { hidden, shown };

/// For people: a line a word and layout of each file, every failure in full, and the sum. Every cell if asked
/// for.
std::string table_text(const Report& report, CellLines cells);

}  // namespace tdz::app::roundtrip
