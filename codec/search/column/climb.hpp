// SPDX-License-Identifier: Apache-2.0
// The second stage of the search is hill climbing: for a few shapes it finds the order, the layout, zigzag,
// the byte order, and a second difference over rows. steps_search.cpp climbs again, on the words after scale
// and for starts that were not climbed.
#pragma once

#include <optional>
#include <vector>

#include "codec/search/column/kinds.hpp"

namespace tdz {

/// The candidates, and the pieces on which each of them was tried.
struct Climbed {
  std::vector<Candidate> tried;
  Pieces pieces;
  std::size_t row = 0;  ///< in bytes: the row of the smallest candidate that has one; 0: none has
};

/// Tries candidates on a part of the kind's pieces and returns all of them, in the order of the trials. Plain
/// bytes are among them if the request allows it. `tried` before, on the same pieces, are not packed again,
/// and come first. Errors: those of Trial.
Result<Climbed> climb(const Kind& kind, const SearchOptions& request,
                      const std::optional<formats::SniffedHint>& hint, const SearchLimits& limits,
                      Trial& trial, std::vector<Candidate> tried = {});

}  // namespace tdz
