// SPDX-License-Identifier: Apache-2.0
// Finds records of mixed fields, like an array of C structs, and a column for each field.
//
// The length of a record is a distance at which bytes are alike (column/proposals.hpp). Statistics cut the
// record into fields (records/fields.hpp), the search for one column finds the steps of each
// (climb.hpp, steps_search.hpp), and the whole plan is tried with zstd against the best plan of one column.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "codec/search/limits.hpp"
#include "codec/search/samples.hpp"
#include "codec/search/trial.hpp"
#include "formats/plan/plan.hpp"
#include "kernels/steps/column_encoder.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

struct RecordChoice {
  Plan plan;
  std::vector<ColumnHints> hints;  ///< one for each column
  std::uint64_t packed_bytes = 0;  ///< of all pieces together, at zstd -1
  std::uint64_t phase = 0;         ///< bytes behind the raw prefix before the first record, less than 8
};

/// The packed size of the pieces with the best plan of one column: as finalists are packed, and at zstd -1,
/// which is what guesses are made for.
struct SingleColumn {
  std::uint64_t packed_bytes = 0;
  std::uint64_t quickly_packed = 0;
};
using MeasureColumn = std::function<Result<SingleColumn>()>;

/// `pieces`: some of `samples`. `said`: the fields that a header names, or none. They are tried first, in the
/// byte order of the request, and must prove themselves too. `single_column` is called at most once, where
/// there is something to compare. Nothing is found unless the records save more than one part in 50 of that
/// size, because columns take time; nor where the request sets word or tuple. Its order, zigzag and layout
/// hold for all columns. Errors: those of Trial and of `single_column`.
Result<std::optional<RecordChoice>> search_record(const Samples& samples, const Pieces& pieces,
                                                  std::span<const NumberType> said,
                                                  const SearchOptions& request, const SearchLimits& limits,
                                                  const MeasureColumn& single_column, Trial& trial);

/// The steps for fields that the caller knows, in the byte order of the request: a column for each, or one
/// for several equal ones that stand together. Nothing if the pieces hold too few rows. Errors: those of
/// Trial.
Result<std::optional<RecordChoice>> search_fields(const Samples& samples, const Pieces& pieces,
                                                  std::span<const NumberType> fields,
                                                  const SearchOptions& request, const SearchLimits& limits,
                                                  Trial& trial);

}  // namespace tdz
