// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "app/roundtrip/report.hpp"

namespace tdz::app::roundtrip {

/// For programs: schema tdz-roundtrip/1, docs/roundtrip-json.md.
std::string json_text(const Report& report);

}  // namespace tdz::app::roundtrip
