// SPDX-License-Identifier: Apache-2.0
#include "codec/column/lane_coding.hpp"

#include "kernels/cpu/steps/steps.hpp"

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

ColumnWords without_sources(const LanesStep& step, const ColumnWords& words, StepMemory& memory) {
  const ColumnWords x = to_lanes(words, tuple_of(step), memory);
  const LaneMap map = x.map(x.tuple);
  const auto out = room_for(map, memory);
  cpu::leave_sources(map, step, octets(x.bytes), octets(out), octets(longest_lane(map, memory)));
  return {out, x.width, x.words, x.tuple};
}

ColumnWords with_sources(const LanesStep& step, const ColumnWords& words, std::span<std::byte> target,
                         StepMemory& memory) {
  const ColumnWords x = to_lanes(words, tuple_of(step), memory);
  const LaneMap map = x.map(x.tuple);
  const auto out = room_for(map, target, memory);
  cpu::join_sources(map, step, octets(x.bytes), octets(out), octets(longest_lane(map, memory)));
  return {out, x.width, x.words, x.tuple};
}

// ---- predict

ColumnWords predicted(const PredictStep& step, unsigned highest_order, const ColumnWords& words,
                      StepMemory& memory, SubstreamSink& out) {
  const ColumnWords x = to_lanes(words, step.tuple, memory);
  const LaneMap map = x.map(step.tuple);
  const auto predictors = cpu::choose_predictors(map, step.sign, octets(x.bytes), highest_order);
  const auto side = write_predictors(predictors);
  out.put(std::as_bytes(std::span(side)));
  const auto residuals = room_for(map, memory);
  cpu::predict(map, step.sign, predictors, octets(x.bytes), octets(residuals));
  return {residuals, x.width, x.words, x.tuple};
}

Result<ColumnWords> unpredicted(const PredictStep& step, std::span<const std::byte> side,
                                const ColumnWords& words, std::span<std::byte> target, StepMemory& memory) {
  const ColumnWords x = to_lanes(words, step.tuple, memory);
  const LaneMap map = x.map(step.tuple);
  const auto predictors = read_predictors(octet_span(side), predict_blocks(map));
  if (!predictors) return predictors.error();
  const auto restored = room_for(map, target, memory);
  cpu::undo_predict(map, step.sign, *predictors, octets(x.bytes), octets(restored));
  return ColumnWords{restored, x.width, x.words, x.tuple};
}

// ---- tokens

void put_tokens(const TokensStep& step, const ColumnWords& words, StepMemory& memory, SubstreamSink& out) {
  const ColumnWords x = to_lanes(words, step.tuple, memory);
  const LaneMap map = x.map(step.tuple);
  std::vector<std::uint32_t> runs(runs_of(map, step.run));
  const auto room = out.room(map.words + map.words * map.width);
  const std::size_t raw = cpu::split_words(map, step.code, step.run, octets(x.bytes), octets(room),
                                           octets(room.subspan(map.words)), runs);
  out.keep(map.words);
  out.keep(raw);
}

Result<ColumnWords> words_of_tokens(const TokensStep& step, SideData side, const ColumnWords& shape,
                                    std::span<std::byte> target, StepMemory& memory) {
  const LaneMap map = shape.map(step.tuple);
  const auto words = room_for(map, target, memory);
  auto fault =
      cpu::join_words(map, step.code, step.run, octet_span(side[0]), octet_span(side[1]), {}, octets(words));
  if (fault) return *std::move(fault);
  return ColumnWords{words, shape.width, shape.words, step.tuple};
}

}  // namespace tdz
