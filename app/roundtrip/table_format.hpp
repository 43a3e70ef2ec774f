// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "app/roundtrip/report.hpp"

namespace tdz::app::roundtrip {

enum class CellLines : unsigned char { hidden, shown };

/// For people: of each file one line for each word and layout, every failure in full, and the sum. With
/// CellLines::shown also a line for each cell.
std::string table_text(const Report& report, CellLines cells);

}  // namespace tdz::app::roundtrip
