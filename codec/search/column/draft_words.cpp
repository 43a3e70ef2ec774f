// SPDX-License-Identifier: Apache-2.0
#include "codec/search/column/draft_words.hpp"

namespace tdz {

Result<DraftWords> words_after(const ColumnDraft& draft, const Pieces& pieces, Trial& trial) {
  DraftWords words;
  const ColumnHints hints = hints_of(draft);
  const Plan plan = plan_of(draft);
  for (const auto piece : pieces) {
    // A part of a word would be one more substream.
    auto coded =
        trial.substreams(plan, piece.first(piece.size() / draft.base.word * draft.base.word), {&hints, 1});
    if (!coded) return coded.error();
    const auto last = coded->bytes.last(coded->lengths.back());
    words.memory.emplace_back(last.begin(), last.end());
  }
  for (const auto& memory : words.memory) words.pieces.emplace_back(memory);
  return words;
}

}  // namespace tdz
