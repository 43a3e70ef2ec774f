// SPDX-License-Identifier: Apache-2.0
// The second stage of the search: for a few shapes the order, the layout, zigzag, byte order, and a second
// difference along rows.
#pragma once

#include <optional>
#include <vector>

#include "codec/search/kinds.hpp"

namespace tdz {

/// Candidates, and what each was tried on.
struct Climbed {
  std::vector<Candidate> tried;
  Pieces pieces;
};

/// Every candidate that was tried on a part of the kind's pieces, in the order of trying. Plain bytes are
/// among them where the request allows it. Error limit or io, as trials have them.
Result<Climbed> climb(const Kind& kind, const SearchOptions& said,
                      const std::optional<formats::SniffedHint>& hint, const Reach& reach, Trial& trial);

}  // namespace tdz
