// SPDX-License-Identifier: Apache-2.0
// The parts that all JSON reports share. Pure functions.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "formats/error.hpp"
#include "formats/plan/plan.hpp"

namespace tdz::app {

using Json = nlohmann::ordered_json;

/// The JSON in one line. JSON is UTF-8; bytes of a name that are not UTF-8 become U+FFFD.
std::string dump(const Json& value);

/// Null if nothing is stored.
Json ratio_json(std::uint64_t original, std::uint64_t stored);
/// {"columns": [{"bytes", "count", "steps": [string...]}...]}
Json plan_json(const Plan& plan);
/// {"kind", "message", "at"?}
Json error_json(const Error& error);

}  // namespace tdz::app
