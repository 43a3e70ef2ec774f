// SPDX-License-Identifier: Apache-2.0
// The step grid. Words that come out lie lane after lane for its tuple.
#include <cstdint>
#include <new>

#include "kernels/cpu/steps/grid/grid.hpp"
#include "kernels/cpu/steps/steps.hpp"
#include "kernels/steps/step_coding.hpp"

namespace tdz {
namespace {

std::span<std::uint8_t> grid_scratch(const GridStep& step, const LaneMap& map, StepMemory& memory) {
  const std::uint64_t bytes = cpu::grid_scratch_bytes(step, map);
  if (bytes > SIZE_MAX) throw std::bad_alloc();
  const auto scratch = memory.scratch(static_cast<std::size_t>(bytes));
  return {octets(scratch), scratch.size()};
}

}  // namespace

ColumnWords encode(const GridStep& step, const ColumnWords& words, const Encoding& how) {
  const ColumnWords x = to_lanes(words, step.tuple, how.memory);
  const LaneMap map = x.map(step.tuple);
  const auto scratch = grid_scratch(step, map, how.memory);
  const cpu::GridSide side = cpu::choose_grid(step, map, octets(x.bytes), scratch);
  how.out.put(std::as_bytes(std::span(side.choices)));
  const auto predictors = write_grid_predictors(step, side.predictors);
  how.out.put(std::as_bytes(std::span(predictors)));
  const auto residuals = how.memory.take(map.words * map.word);
  cpu::encode_grid(step, map, side, octets(x.bytes), octets(residuals), scratch);
  return {residuals, x.width, x.words, x.tuple};
}

Result<ColumnWords> decode(const GridStep& step, const ColumnWords& words, const Decoding& how) {
  const ColumnWords x = to_lanes(words, step.tuple, how.memory);
  const LaneMap map = x.map(step.tuple);
  const auto choices = octet_span(how.side[0]);
  const auto predictors = read_grid_predictors(step, choices, octet_span(how.side[1]));
  if (!predictors) return predictors.error();
  const auto scratch = grid_scratch(step, map, how.memory);
  const bool fits = map.tuple == 1 && map.width == map.word && !how.target.empty();
  const auto restored = fits ? how.target : how.memory.take(map.words * map.word);
  cpu::decode_grid(step, map, choices, *predictors, octets(x.bytes), octets(restored), scratch);
  return ColumnWords{restored, x.width, x.words, x.tuple};
}

}  // namespace tdz
