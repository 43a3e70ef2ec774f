// SPDX-License-Identifier: Apache-2.0
#include "codec/search/record_costs.hpp"

namespace tdz {

const std::array<std::uint16_t, kMostCounted + 1>& logs_of_counts() {
  static const auto logs = [] {
    std::array<std::uint16_t, kMostCounted + 1> table{};
    for (std::size_t c = 0; c < table.size(); ++c)
      table[c] = static_cast<std::uint16_t>(log2_in_parts(16 * c + 1));
    return table;
  }();
  return logs;
}

std::uint64_t logs_of_totals(std::size_t n) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += log2_in_parts(16 * (i + 16));
  return sum;
}

}  // namespace tdz
