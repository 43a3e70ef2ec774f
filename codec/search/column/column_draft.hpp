// SPDX-License-Identifier: Apache-2.0
// A column while the search works on it: which steps, with which parameters, and what its writer knows beside
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "codec/search/trial.hpp"
#include "formats/error.hpp"
#include "formats/plan/made_plans.hpp"
#include "formats/plan/plan.hpp"
#include "kernels/steps/column_encoder.hpp"

namespace tdz {

/// Pairs and fill for the step scale, and how it reads the words.
struct DraftScale {
  ScaleKind kind = ScaleKind::integer;
  ScalePlan plan;
  friend bool operator==(const DraftScale&, const DraftScale&) = default;
};

struct ColumnDraft {
  /// Word, tuple, byte order and row; order and zigzag where there are no lanes; the layout where there are
  /// no tokens.
  formats::Parameters base;
  std::uint8_t row_order = 1;           ///< of the difference over rows, where base.row is set
  std::uint16_t count = 1;              ///< words of a row
  std::optional<DraftScale> scale{};    ///< before everything else
  std::uint8_t order_before_scale = 0;  ///< of the one difference over the tuple that may stand before scale
  std::optional<GridStep> grid{};  ///< in place of lanes and predict, after the difference over the tuple
  std::optional<LanesStep>
      lanes{};  ///< in place of the difference over the tuple; of zigzag too, except with predict
  std::optional<Sign> predict{};      ///< behind lanes, in place of the difference over the tuple
  unsigned highest_order = 16;        ///< of predictors that are tried
  std::optional<TokenCode> tokens{};  ///< in place of the layout
  bool tokens_in_rows = false;        ///< tokens in the order of the words, not lane behind lane
};

/// [byteswap] [difference over the tuple] [scale] [difference over rows] [lanes | difference] [predict]
/// [zigzag] [layout]; with a grid [byteswap] [difference over the tuple] [scale] [difference over the tuple]
/// grid [zigzag] [layout].
Column column_of(const ColumnDraft& draft);
ColumnHints hints_of(const ColumnDraft& draft);
/// A plan of this column alone.
Plan plan_of(const ColumnDraft& draft);

/// Without what stands at or behind the differences over the tuple: what lanes and predict get to see.
ColumnDraft before_differences(ColumnDraft draft);
/// Without the layout: what tokens get to see.
ColumnDraft before_layout(ColumnDraft draft);

/// The parameters of a plan of one column that has them, for words of any width. `tuple`: that of the words,
/// if it is known. Then a single difference over another length is one over rows.
std::optional<formats::Parameters> parameters_of(const Plan& plan, std::optional<std::uint32_t> tuple = {});

/// The bytes after which the tuples of all steps begin anew together, where they are short enough for side
/// data; longer ones are rows.
std::size_t tuple_bytes(const Plan& plan);
/// The bytes of the longest tuple, rows included.
std::size_t longest_tuple_bytes(const Plan& plan);

/// The lanes that the step scale tells apart: those of the tuple, unless there are too many for its side
/// data.
std::uint32_t scale_tuple(const formats::Parameters& base);

/// What the steps of a draft make of samples: statistics look at these words.
struct DraftWords {
  DraftWords() = default;
  DraftWords(DraftWords&&) = default;  // a copy would have the pieces of the other
  DraftWords& operator=(DraftWords&&) = default;

  std::vector<std::vector<std::byte>> memory;
  Pieces pieces;
};

/// The whole words of each piece, after the steps of a draft without layout. Errors: those of Trial.
Result<DraftWords> words_after(const ColumnDraft& draft, const Pieces& pieces, Trial& trial);

}  // namespace tdz
