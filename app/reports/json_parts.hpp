// SPDX-License-Identifier: Apache-2.0
// What the JSON reports have in common. Pure functions.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "formats/error.hpp"
#include "formats/transform.hpp"

namespace tdz::app {

using Json = nlohmann::ordered_json;

/// One line. Names are bytes and JSON is UTF-8: what is none becomes U+FFFD.
std::string dump(const Json& value);

/// Null where nothing is stored.
Json ratio_json(std::uint64_t original, std::uint64_t stored);
/// {"word", "steps": [string...]}
Json transform_json(const Transform& transform);
/// {"kind", "message", "at"?}
Json error_json(const Error& error);

}  // namespace tdz::app
