// SPDX-License-Identifier: Apache-2.0
// The parts that all JSON reports share, beside those of the library. Pure functions.
#pragma once

#include <cstdint>

#include "codec/json.hpp"
#include "formats/error.hpp"

namespace tdz::app {

/// Null if nothing is stored.
inline Json ratio_json(std::uint64_t original, std::uint64_t stored) {
  if (stored == 0) return nullptr;
  return static_cast<double>(original) / static_cast<double>(stored);
}

/// {"kind", "message", "at"?}
inline Json error_json(const Error& error) {
  Json json = {{"kind", name_of(error.kind)}, {"message", error.message}};
  if (error.where != Error::kNowhere) json["at"] = error.where;
  return json;
}

}  // namespace tdz::app
