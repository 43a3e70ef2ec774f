// SPDX-License-Identifier: Apache-2.0
// With which words and tuples the search for steps begins.
#pragma once

#include <vector>

#include "codec/search/column_draft.hpp"
#include "codec/search/kinds.hpp"

namespace tdz {

/// A draft, and whether its order and layout were searched for.
struct Start {
  ColumnDraft draft;
  bool climbed = false;
};

/// The best of the tried candidates; records of other lengths that are not much worse. Also words of another length in records of the same length, if they are multiples
/// of some step: differences of bytes may hide what they are. Precondition: the usual floating-point environment.
std::vector<Start> starts_of(const Samples& samples, const Kind& kind, const std::vector<Candidate>& tried,
                                   const SearchOptions& request, const SearchLimits& limits);

}  // namespace tdz
