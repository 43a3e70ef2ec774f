// SPDX-License-Identifier: Apache-2.0
#include "codec/search/column/column_search.hpp"

#include <algorithm>

#include "codec/search/column/climb.hpp"
#include "codec/search/column/steps_search.hpp"
#include "formats/plan/made_plans.hpp"
#include "kernels/float_environment.hpp"

namespace tdz {

using namespace formats;

namespace {

SearchOptions for_column(std::uint8_t width, std::uint16_t count, SearchOptions request) {
  request.word = width;
  if (!request.tuple) request.tuple = count;
  return request;
}

/// The steps without side data: the order, the layout, rows.
Result<Parameters> usual_steps(const Pieces& words, const SearchOptions& request, const SearchLimits& limits,
                               Trial& trial) {
  Kind kind{words, {apply_request(request, {.order = 1, .zigzag = true, .layout = Layout::tuple_planes})}};
  kind.shapes.front().row = 0;
  auto climbed = climb(kind, request, std::nullopt, limits, trial);
  if (!climbed) return climbed.error();
  const auto best = std::ranges::min_element(climbed->tried, {}, &Candidate::packed_bytes);
  Parameters steps = parameters_of(best->plan, kind.shapes.front().tuple).value();
  if (steps.order == 0 && steps.tuple > kMaxSideTuple) steps.tuple = 1;  // so it may have side data
  return steps;
}

}  // namespace

Result<ColumnChoice> search_column(std::uint8_t width, std::uint16_t count, const Pieces& words,
                                   const SearchOptions& request, const SearchLimits& limits, Trial& trial) {
  const FloatEnvironment usual;
  const SearchOptions of_column = for_column(width, count, request);
  auto steps = usual_steps(words, of_column, limits, trial);
  if (!steps) return steps.error();
  auto tried = search_steps({{.base = *steps, .count = count}, true, propose_scales(*steps, words)}, words,
                            of_column, limits, UINT64_MAX / 2, trial);
  if (!tried) return tried.error();
  const TriedDraft& best = tried->best;
  return ColumnChoice{column_of(best.draft), hints_of(best.draft), best.packed_bytes};
}

}  // namespace tdz
