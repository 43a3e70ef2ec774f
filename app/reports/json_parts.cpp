// SPDX-License-Identifier: Apache-2.0
#include "app/reports/json_parts.hpp"

namespace tdz::app {

Json ratio_json(std::uint64_t original, std::uint64_t stored) {
  if (stored == 0) return nullptr;
  return static_cast<double>(original) / static_cast<double>(stored);
}

Json error_json(const Error& error) {
  Json json = {{"kind", name_of(error.kind)}, {"message", error.message}};
  if (error.where != Error::kNowhere) json["at"] = error.where;
  return json;
}

}  // namespace tdz::app
