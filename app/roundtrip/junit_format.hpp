// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "app/roundtrip/report.hpp"

namespace tdz::app::roundtrip {

/// For continuous integration: JUnit's XML, a suite a file, a test case a cell. What was not checked to the
/// end is skipped; a file that could not be read is an error.
std::string junit_text(const Report& report);

}  // namespace tdz::app::roundtrip
