// SPDX-License-Identifier: Apache-2.0
#include "codec/search/column/draft_words.hpp"

#include "codec/search/column/proposals.hpp"

namespace tdz {

Result<DraftWords> words_behind(const ColumnDraft& draft, const Pieces& pieces, Trial& trial) {
  DraftWords words;
  const ColumnHints hints = hints_of(draft);
  const Plan plan = plan_of(draft);
  for (const auto piece : pieces) {
    auto coded = trial.substreams(plan, piece, {&hints, 1});
    if (!coded) return coded.error();
    const auto last = coded->bytes.last(coded->lengths.back());
    words.memory.emplace_back(last.begin(), last.end());
  }
  for (const auto& memory : words.memory) words.pieces.emplace_back(memory);
  return words;
}

Result<std::optional<ColumnDraft>> with_long_row(ColumnDraft draft, const Pieces& pieces, std::size_t shortest, Trial& trial) {
  ColumnDraft residuals = before_differences(draft);
  residuals.base.row = 0;
  residuals.base.order = 1;
  residuals.base.zigzag = true;
  auto words = words_behind(residuals, pieces, trial);
  if (!words) return words.error();
  const std::uint8_t word = draft.base.word;
  const auto row = propose_long_row(words->pieces, {word, draft.base.tuple}, shortest / word);
  if (!row) return std::optional<ColumnDraft>{};
  draft.base.row = *row;
  draft.row_order = 1;
  if (draft.base.order > 1) --draft.base.order;
  return std::optional(std::move(draft));
}

}  // namespace tdz
