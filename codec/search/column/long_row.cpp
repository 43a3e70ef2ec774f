// SPDX-License-Identifier: Apache-2.0
#include "codec/search/column/long_row.hpp"

#include "codec/search/column/draft_words.hpp"
#include "codec/search/column/kinds.hpp"
#include "codec/search/column/proposals.hpp"

namespace tdz {

Result<std::optional<ColumnDraft>> with_long_row(ColumnDraft draft, const Pieces& pieces, Trial& trial) {
  constexpr std::size_t kShortest = std::size_t{16} << 10;  // bytes: pieces of steps hold two shorter rows
  formats::Parameters& base = draft.base;
  const bool possible =
      base.order != 0 && base.tuple <= kWidestUsualTuple && is_word_size(base.word) && base.word > 1;
  if (!possible) return std::optional<ColumnDraft>{};
  ColumnDraft residuals = before_differences(draft);
  residuals.base.row = 0;
  residuals.base.order = 1;
  residuals.base.zigzag = true;
  auto words = words_after(residuals, pieces, trial);
  if (!words) return words.error();
  const auto row = propose_long_row(words->pieces, {base.word, base.tuple}, kShortest / base.word);
  if (!row || *row == base.row) return std::optional<ColumnDraft>{};
  if (base.row == 0 && base.order > 1) --base.order;
  base.row = *row;
  draft.row_order = 1;
  return std::optional(std::move(draft));
}

}  // namespace tdz
