// SPDX-License-Identifier: Apache-2.0
// The steps that stand before and behind the differences of a column: scale, lanes, predict, tokens. Each is
// proposed by statistics of the words (step_proposals.hpp), tried with the real steps and zstd, and kept only
// where it saves enough, because it takes time.
#pragma once

#include "codec/search/column/starts.hpp"
#include "codec/search/trial.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// A draft with its packed size on the pieces.
struct TriedDraft {
  ColumnDraft draft;
  std::uint64_t packed_bytes = 0;
};

struct FoundSteps {
  TriedDraft best;
  std::vector<TriedDraft> close;  ///< others that are hardly larger
  std::uint64_t bytes_of_start =
      0;  ///< packed size of the draft with which the search began, on the same pieces
};

/// Begins with what the first stages found. Without much hope to become smaller than `give_up` bytes the
/// search ends early. What the caller set in the request stays. Every piece begins with the first word of a
/// tuple. Errors: those of Trial. Precondition: the usual floating-point environment.
Result<FoundSteps> search_steps(const Start& start, const Pieces& pieces, const SearchOptions& request,
                                const SearchLimits& limits, std::uint64_t give_up, Trial& trial);

}  // namespace tdz
