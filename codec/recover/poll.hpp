// SPDX-License-Identifier: Apache-2.0
// A heavy-hitters counter in bounded memory (Misra, Gries, "Finding repeated elements", 1982). It has kSeats
// counters. A candidate with more than 1 / (kSeats + 1) of all weight always has one of them at the end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

namespace tdz {

class Poll {
 public:
  static constexpr std::size_t kSeats = 64;

  void add(std::uint64_t candidate, std::uint64_t weight) {
    while (weight > 0 && seats_.size() == kSeats && !seats_.contains(candidate)) weight -= unseat(weight);
    if (weight > 0) seats_[candidate] += weight;
  }

  std::optional<std::uint64_t> winner() const {
    std::optional<std::uint64_t> best;
    for (const auto& [candidate, weight] : seats_) {
      if (!best || weight > seats_.at(*best)) best = candidate;
    }
    return best;
  }

 private:
  /// Subtracts the smallest weight, but at most `most`, from all counters and removes those that become 0.
  /// Returns what it subtracted.
  std::uint64_t unseat(std::uint64_t most) {
    std::uint64_t taken = most;
    for (const auto& [candidate, weight] : seats_) taken = std::min(taken, weight);
    for (auto& seat : seats_) seat.second -= taken;
    std::erase_if(seats_, [](const auto& seat) { return seat.second == 0; });
    return taken;
  }

  std::map<std::uint64_t, std::uint64_t> seats_;
};

}  // namespace tdz
