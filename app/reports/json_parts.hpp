// SPDX-License-Identifier: Apache-2.0
// The parts that all JSON reports share, beside those of the library. Pure functions.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "codec/info_json.hpp"
#include "formats/error.hpp"

namespace tdz::app {

using Json = nlohmann::ordered_json;

/// Null if nothing is stored.
Json ratio_json(std::uint64_t original, std::uint64_t stored);
/// {"kind", "message", "at"?}
Json error_json(const Error& error);

}  // namespace tdz::app
