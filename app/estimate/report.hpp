// SPDX-License-Identifier: Apache-2.0
// The report of `tdz analyze -r`: for people, and for programs. Pure functions.
#pragma once

#include <cstdint>
#include <string>

#include "app/estimate/estimate.hpp"
#include "app/reports/screen.hpp"

namespace tdz::app {

/// "20 ms", "0.3 s", "45 s", "12 min", "3.4 h", "2.1 days".
std::string duration_text(double seconds);

/// One table with a row for each kind, what was found in each, and what every effort makes of all.
std::string estimate_text(const FolderEstimate& folder, const Screen& screen);

/// Schema tdz-estimate/1, docs/json.md.
std::string estimate_json(const FolderEstimate& folder);

}  // namespace tdz::app
