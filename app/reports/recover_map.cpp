// SPDX-License-Identifier: Apache-2.0
#include "app/reports/recover_map.hpp"

#include <spdlog/fmt/fmt.h>

#include "app/options/sizes.hpp"
#include "app/reports/json_parts.hpp"

namespace tdz::app {
namespace {

Json json_of(const MissingRange& range) {
  return {{"offset", range.offset}, {"length", range.length ? Json(*range.length) : Json(nullptr)}};
}

}  // namespace

std::string recover_map(const std::string& name, Fill fill, const Recovered& recovered,
                        std::span<const MissingRange> missing) {
  Json ranges = Json::array();
  for (const MissingRange& range : missing) ranges.push_back(json_of(range));
  const Json map = {{"schema", "tdz-recover/1"},
                    {"name", name},
                    {"original_bytes", recovered.original_bytes},
                    {"recovered_bytes", recovered.recovered_bytes},
                    {"chunks", recovered.chunks},
                    {"streams", recovered.streams},
                    {"digests_match", recovered.digests_match},
                    {"fill", fill == Fill::zeros ? "zero" : "skip"},
                    {"missing", std::move(ranges)}};
  return dump(map, 1) + "\n";
}

std::string missing_text(const MissingRange& range) {
  if (!range.length)
    return fmt::format("from byte {} on, an unknown number of bytes is missing", range.offset);
  const std::uint64_t last = range.offset + *range.length - 1;
  return fmt::format("bytes {} to {} are missing ({})", range.offset, last, format_size(*range.length));
}

}  // namespace tdz::app
