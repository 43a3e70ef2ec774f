// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "app/roundtrip/report.hpp"

namespace tdz::app::roundtrip {

/// For continuous integration: the XML of JUnit. A file is a suite, a cell is a test case. A cell that was
/// not checked to the end is skipped. A file that could not be read is an error.
std::string junit_text(const Report& report);

}  // namespace tdz::app::roundtrip
