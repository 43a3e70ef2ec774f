// SPDX-License-Identifier: Apache-2.0
// A report as one page that needs no network: page.html with the report's JSON inside, from which its script
// draws. Pure.
#pragma once

#include <string>
#include <string_view>

#include "app/bench/results.hpp"

namespace tdz::app::bench {

/// The file page.html, which CMake puts into the program.
std::string_view page_template();

std::string report_html(const Report& report);

}  // namespace tdz::app::bench
