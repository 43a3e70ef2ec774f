// SPDX-License-Identifier: Apache-2.0
// With which words and tuples the search for steps begins.
#pragma once

#include <vector>

#include "codec/search/column/climb.hpp"
#include "codec/search/column/column_draft.hpp"
#include "codec/search/column/kinds.hpp"

namespace tdz {

/// A draft, whether its order and layout were searched for, and what its words propose for scale, best first.
struct Start {
  ColumnDraft draft;
  bool climbed = false;
  std::vector<DraftScale> scales;
  std::size_t row = 0;  ///< in bytes: a length of rows that is worth trying; 0: none is known
};

/// What the words propose for scale before the steps of `base`. The pieces begin with the first word of a
/// tuple.
std::vector<DraftScale> propose_scales(const formats::Parameters& base, const Pieces& pieces);

/// Some words of 4 or 8 bytes look like IEEE numbers of like size, in one order of bytes.
bool may_hold_reals(const Pieces& pieces);

/// The best of the tried candidates; if its record is long, the best narrow tuple too; records of other
/// lengths that are not much worse; words of another length in records of the same length, where they are
/// multiples of some step: differences of bytes may hide what they are. What scale changes comes first.
/// Precondition, also above: the usual floating-point environment.
std::vector<Start> starts_of(const Samples& samples, const Kind& kind, const Climbed& climbed,
                             const SearchOptions& request, const SearchLimits& limits);

/// Pieces that are of another sort than the rest of their kind, and with what to begin there.
struct PartStart {
  Pieces pieces;
  Start start;
};

/// Starts that read the same record as IEEE numbers, for the pieces in which scale promises much: the other
/// pieces of the kind would hide that promise. Returns the largest such parts, fewer than `limits.recipes`.
std::vector<PartStart> scaled_parts_of(const Samples& samples, const Kind& kind, const Climbed& climbed,
                                       const SearchOptions& request, const SearchLimits& limits);

}  // namespace tdz
