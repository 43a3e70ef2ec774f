// SPDX-License-Identifier: Apache-2.0
// A report as one page that needs no network: pictures, and the numbers behind them. Pure.
#pragma once

#include <string>

#include "app/bench/report.hpp"

namespace tdz::app::bench {

std::string report_html(const Report& report);

}  // namespace tdz::app::bench
