// SPDX-License-Identifier: Apache-2.0
// The steps lanes, predict, tokens and grid. Words that come out lie lane after lane for the tuple of the
// step.
#include <cstdint>
#include <new>

#include "kernels/cpu/steps/grid/grid.hpp"
#include "kernels/cpu/steps/steps.hpp"
#include "kernels/steps/step_coding.hpp"

namespace tdz {
namespace {

std::span<std::byte> room_for(const LaneMap& map, StepMemory& memory) {
  return memory.take(map.words * map.word);
}

/// The words of one lane are those of the rows, if they fill machine words.
std::span<std::byte> room_for(const LaneMap& map, std::span<std::byte> target, StepMemory& memory) {
  const bool packed = map.tuple == 1 && map.width == map.word && !target.empty();
  return packed ? target : room_for(map, memory);
}

std::span<std::byte> longest_lane(const LaneMap& map, StepMemory& memory) {
  return memory.scratch(map.length(0) * map.word);
}

}  // namespace

// ---- lanes

ColumnWords encode(const LanesStep& step, const ColumnWords& words, const Encoding& how) {
  const ColumnWords x = to_lanes(words, tuple_of(step), how.memory);
  const LaneMap map = x.map(x.tuple);
  const auto out = room_for(map, how.memory);
  cpu::encode_lanes(map, step, octets(x.bytes), octets(out), octets(longest_lane(map, how.memory)));
  return {out, x.width, x.words, x.tuple};
}

Result<ColumnWords> decode(const LanesStep& step, const ColumnWords& words, const Decoding& how) {
  const ColumnWords x = to_lanes(words, tuple_of(step), how.memory);
  const LaneMap map = x.map(x.tuple);
  const auto out = room_for(map, how.target, how.memory);
  cpu::decode_lanes(map, step, octets(x.bytes), octets(out), octets(longest_lane(map, how.memory)));
  return ColumnWords{out, x.width, x.words, x.tuple};
}

// ---- predict

/// The words, and the highest order that the hints allow, choose the predictors.
ColumnWords encode(const PredictStep& step, const ColumnWords& words, const Encoding& how) {
  const ColumnWords x = to_lanes(words, step.tuple, how.memory);
  const LaneMap map = x.map(step.tuple);
  const auto predictors = cpu::choose_predictors(map, step.sign, octets(x.bytes), how.hints.highest_order);
  const auto side = write_predictors(predictors);
  how.out.put(std::as_bytes(std::span(side)));
  const auto residuals = room_for(map, how.memory);
  cpu::encode_predict(map, step.sign, predictors, octets(x.bytes), octets(residuals));
  return {residuals, x.width, x.words, x.tuple};
}

Result<ColumnWords> decode(const PredictStep& step, const ColumnWords& words, const Decoding& how) {
  const ColumnWords x = to_lanes(words, step.tuple, how.memory);
  const LaneMap map = x.map(step.tuple);
  const auto predictors = read_predictors(octet_span(how.side[0]), predict_blocks(map));
  if (!predictors) return predictors.error();
  const auto restored = room_for(map, how.target, how.memory);
  cpu::decode_predict(map, step.sign, *predictors, octets(x.bytes), octets(restored));
  return ColumnWords{restored, x.width, x.words, x.tuple};
}

// ---- tokens

ColumnWords encode(const TokensStep& step, const ColumnWords& words, const Encoding& how) {
  const ColumnWords x = to_lanes(words, step.tuple, how.memory);
  const LaneMap map = x.map(step.tuple);
  std::vector<std::uint32_t> runs(runs_of(map, step.run));
  const auto room = how.out.room(map.words + map.words * map.width);
  const std::size_t raw = cpu::encode_tokens(map, step.code, step.run, octets(x.bytes), octets(room),
                                             octets(room.subspan(map.words)), runs);
  how.out.keep(map.words);
  how.out.keep(raw);
  return words;
}

Result<ColumnWords> decode(const TokensStep& step, const ColumnWords& words, const Decoding& how) {
  const LaneMap map = words.map(step.tuple);
  const auto out = room_for(map, how.target, how.memory);
  auto fault = cpu::decode_tokens(map, step.code, step.run, octet_span(how.side[0]), octet_span(how.side[1]),
                                  {}, octets(out));
  if (fault) return *std::move(fault);
  return ColumnWords{out, words.width, words.words, step.tuple};
}

// ---- grid

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
  const auto residuals = room_for(map, how.memory);
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
  const auto restored = room_for(map, how.target, how.memory);
  cpu::decode_grid(step, map, choices, *predictors, octets(x.bytes), octets(restored), scratch);
  return ColumnWords{restored, x.width, x.words, x.tuple};
}

}  // namespace tdz
