// SPDX-License-Identifier: Apache-2.0
// The results of a report as one flat table: a heading and a line for each. A column is called as the path of
// its field in report_json; quoting is that of RFC 4180. Pure.
#pragma once

#include <string>

#include "app/bench/results.hpp"

namespace tdz::app::bench {

std::string report_csv(const Report& report);

}  // namespace tdz::app::bench
