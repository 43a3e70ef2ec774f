// SPDX-License-Identifier: Apache-2.0
// Steps that run together in one sweep of the CPU, and the form of words that such a sweep may keep.
#include <cstring>

#include "formats/plan/plan.hpp"
#include "formats/steps/packed.hpp"
#include "kernels/cpu/steps/packed.hpp"
#include "kernels/cpu/steps/steps.hpp"
#include "kernels/cpu/sweep.hpp"
#include "kernels/steps/step_coding.hpp"

namespace tdz {

// ---- The words of a column

namespace {

/// Packed words of a machine's width in one lane lie as they are.
bool lies_packed(const ColumnWords& x, std::uint32_t tuple) {
  return tuple == 0 || (tuple == 1 && std::has_single_bit(unsigned{x.width}));
}

/// In the order of the rows, in machine words.
std::span<const std::byte> in_rows(const ColumnWords& x, StepMemory& memory) {
  const LaneMap map = x.map(x.tuple == 0 ? 1 : x.tuple);
  if (x.tuple == 1 || (x.tuple == 0 && map.word == map.width)) return x.bytes;
  const auto rows = memory.take(map.words * map.word);
  if (x.tuple == 0) {
    cpu::widen(x.width, octets(x.bytes), octets(rows), x.words);
  } else {
    cpu::interleave(map, octets(x.bytes), octets(rows));
  }
  return rows;
}

}  // namespace

ColumnWords to_lanes(const ColumnWords& x, std::uint32_t tuple, StepMemory& memory) {
  if (x.tuple == tuple || (lies_packed(x, x.tuple) && lies_packed(x, tuple))) {
    return {x.bytes, x.width, x.words, tuple};
  }
  // Each of the two moves takes one buffer, so what comes out does not overlap what goes in.
  const auto rows = in_rows(x, memory);
  if (tuple == 1) return {rows, x.width, x.words, tuple};
  const LaneMap map = x.map(tuple);
  const auto lanes = memory.take(map.words * map.word);
  cpu::deinterleave(map, octets(rows), octets(lanes));
  return {lanes, x.width, x.words, tuple};
}

ColumnWords to_packed(const ColumnWords& x, StepMemory& memory) {
  if (lies_packed(x, x.tuple)) return {x.bytes, x.width, x.words, 0};
  const auto rows = in_rows(x, memory);
  if (is_word_size(x.width)) return {rows, x.width, x.words, 0};
  const auto packed = memory.take(x.words * x.width);
  cpu::narrow(x.width, octets(rows), octets(packed), x.words);
  return {packed, x.width, x.words, 0};
}

void pack_into(const ColumnWords& x, StepMemory& memory, std::span<std::byte> out) {
  if (out.empty()) return;
  if (lies_packed(x, x.tuple)) {
    std::memcpy(out.data(), x.bytes.data(), out.size());
  } else if (is_word_size(x.width)) {
    cpu::interleave(x.map(x.tuple), octets(x.bytes), octets(out));
  } else {
    cpu::narrow(x.width, octets(in_rows(x, memory)), octets(out), x.words);
  }
}

// ---- Which steps run together

namespace {

/// How many of the steps run together, from the first one on.
std::size_t group_length(std::span<const PlanStep> steps, unsigned width) {
  const bool packed = is_word_size(width) && runs_as_packed(steps);
  const auto join = [&](std::size_t i) { return packed && pass_before_packed(steps.subspan(i), width); };
  if (join(0)) return steps.size();
  if (runs_as_lanes(steps.first(1)))
    return steps.size() > 1 && std::holds_alternative<ZigzagStep>(steps[1]) ? 2 : 1;
  if (!runs_as_passes(steps.first(1), width)) return 1;
  std::size_t count = 1;
  while (count < steps.size() && is_of_passes(steps[count]) && !join(count)) ++count;
  return count;
}

// ---- Words that lie lane after lane: zigzag and planes need not move them to the order of the rows and
// back.

/// What the steps do to each lane, if they are one pass that treats lanes alike: no difference, and no
/// layout except tuple-planes of this tuple.
std::optional<Pass> pass_of_lane(const PassList& list, std::uint32_t tuple) {
  Pass pass = list.all().front();
  const bool alike = pass.layout == Layout::interleaved ||
                     (pass.layout == Layout::tuple_planes && pass.layout_tuple == tuple);
  if (tuple < 2 || list.count != 1 || pass.order != 0 || !alike) return {};
  if (pass.layout == Layout::tuple_planes) pass.layout = Layout::planes;
  pass.tuple = pass.layout_tuple = 1;
  return pass;
}

/// Calls run(first byte, bytes) for each lane.
template <class Run>
void for_each_lane(const LaneMap& map, const Run& run) {
  for (std::size_t lane = 0; lane < map.lanes(); ++lane) {
    run(map.first(lane) * map.word, map.length(lane) * map.word);
  }
}

/// Each lane from `in` to its place in `out`.
void encode_lanes_alike(const Pass& pass, const LaneMap& map, std::span<const std::byte> in,
                        std::span<std::byte> out) {
  for_each_lane(map, [&](std::size_t at, std::size_t bytes) {
    cpu::forward(pass, octets(in) + at, octets(out) + at, bytes);
  });
}
void decode_lanes_alike(const Pass& pass, const LaneMap& map, std::span<const std::byte> in,
                        std::span<std::byte> out) {
  for_each_lane(map, [&](std::size_t at, std::size_t bytes) {
    cpu::inverse(pass, octets(in) + at, octets(out) + at, bytes);
  });
}

}  // namespace

std::vector<std::span<const PlanStep>> groups_of(const Column& column) {
  std::vector<std::span<const PlanStep>> groups;
  for (std::span<const PlanStep> left = column.steps; !left.empty();) {
    const std::size_t count = group_length(left, column.width);
    groups.push_back(left.first(count));
    left = left.subspan(count);
  }
  return groups;
}

bool runs_as_passes(std::span<const PlanStep> group, unsigned width) {
  return is_word_size(width) && is_of_passes(group[0]) && !runs_as_packed(group);
}

bool runs_as_packed(std::span<const PlanStep> group) {
  return std::holds_alternative<PackedStep>(group.back());
}

std::optional<PassBeforePacked> pass_before_packed(std::span<const PlanStep> group, unsigned word) {
  PassBeforePacked made{{.word = static_cast<std::uint8_t>(word)}};
  const AddStep add{made.pass};
  for (const PlanStep& step : group.first(group.size() - 1)) {
    const auto* difference = std::get_if<DifferenceStep>(&step);
    if (difference != nullptr) made.run = std::uint64_t{difference->run} * difference->tuple;
    const bool added = difference != nullptr ? add(DifferenceStep{difference->tuple, difference->order})
                                             : std::visit(add, step);
    if (!added) return {};
  }
  if (made.run % (kGroupWords * tuple_of(group.back())) != 0) return {};
  return made;
}

bool runs_as_lanes(std::span<const PlanStep> group) {
  const auto* difference = std::get_if<DifferenceStep>(&group[0]);
  return !runs_as_packed(group) && difference != nullptr && difference->run != 0 &&
         difference->tuple <= kMaxSideTuple;
}

LanesStep lanes_of(std::span<const PlanStep> group) {
  const auto& difference = std::get<DifferenceStep>(group[0]);
  const LaneRule rule{.order = difference.order, .zigzag = group.size() > 1};
  return {std::vector<LaneRule>(difference.tuple, rule), difference.run};
}

ColumnWords encode_passes(std::span<const PlanStep> group, const ColumnWords& words, const Encoding& how) {
  const PassList list = passes(words.width, group);
  const auto pass = pass_of_lane(list, words.tuple);
  const bool layout = pass && pass->layout != Layout::interleaved;
  if (pass && layout == how.last) {
    const auto out = how.place(words.bytes.size());
    encode_lanes_alike(*pass, words.map(words.tuple), words.bytes, out);
    return {out, words.width, words.words, layout ? 0 : words.tuple};
  }
  const ColumnWords packed = to_packed(words, how.memory);
  const auto out = how.place(packed.bytes.size());
  const auto scratch = how.memory.pass_scratch(cpu::scratch_bytes(list, out.size()));
  cpu::forward({words.width, group, packed.bytes, out, scratch});
  return {out, words.width, words.words, 0};
}

ColumnWords decode_passes(std::span<const PlanStep> group, const ColumnWords& words, const Decoding& how) {
  const PassList list = passes(words.width, group);
  const auto pass = pass_of_lane(list, how.wanted);
  if (pass && (pass->layout != Layout::interleaved || words.tuple == how.wanted)) {
    const auto out = how.memory.take(words.bytes.size());
    decode_lanes_alike(*pass, words.map(how.wanted), words.bytes, out);
    return {out, words.width, words.words, how.wanted};
  }
  const ColumnWords packed = to_packed(words, how.memory);
  // Words that no other step needs stay in their place.
  const auto own = how.target.empty() ? how.memory.newest() : how.target;
  const bool stays = own.data() == packed.bytes.data() && cpu::inverts_in_place(list);
  const auto out = stays ? own.first(packed.bytes.size()) : how.place(packed.bytes.size());
  const auto scratch = how.memory.pass_scratch(cpu::inverse_scratch_bytes(list, out.size()));
  cpu::inverse({words.width, group, packed.bytes, out, scratch});
  return {out, words.width, words.words, 0};
}

// ---- The layout `packed`, alone or together with the pass before it

namespace {

cpu::PackedWords packed_words(std::span<const PlanStep> group, const ColumnWords& words) {
  const LaneMap map = words.map(1);
  const auto before = pass_before_packed(group, map.word);
  const std::size_t run = before->run < words.words ? static_cast<std::size_t>(before->run) : 0;
  return {before->pass, map.bits(), tuple_of(group.back()), words.words, run};
}

/// The words of the rows, in machine words.
std::span<const std::byte> words_in_rows(const ColumnWords& words, StepMemory& memory) {
  return is_word_size(words.width) ? to_packed(words, memory).bytes : to_lanes(words, 1, memory).bytes;
}

}  // namespace

ColumnWords encode_packed(std::span<const PlanStep> group, const ColumnWords& words, const Encoding& how) {
  const cpu::PackedWords packed = packed_words(group, words);
  const auto in = words_in_rows(words, how.memory);
  const std::size_t groups = packed.groups(), codes = cpu::packed_code_bytes(groups);
  const std::size_t places = cpu::packed_place_bytes(groups), front = kMostGroupWidths + codes + places;
  std::uint8_t* room = octets(how.out.room(front + cpu::most_packed_bits(packed) + cpu::kPackedSlack));
  std::uint8_t* after = room + kMostGroupWidths;
  const auto lengths = cpu::encode_packed(
      packed, octets(in),
      {room, after, after + codes, after + codes + places, octets(how.memory.scratch(groups))});
  if (lengths.widths < kMostGroupWidths)
    std::memmove(room + lengths.widths, after, codes + places + lengths.bits);
  for (const std::size_t length : {lengths.widths, codes, places, lengths.bits}) how.out.keep(length);
  return words;
}

Result<ColumnWords> decode_packed(std::span<const PlanStep> group, const ColumnWords& words,
                                  const Decoding& how) {
  const cpu::PackedWords packed = packed_words(group, words);
  const bool fills = is_word_size(words.width);
  const std::size_t bytes = words.words * packed.pass.word;
  const auto out = fills ? how.place(bytes) : how.memory.take(bytes);
  const auto part = [&](std::size_t i) { return octet_span(how.side[i]); };
  const auto bits = how.bits != nullptr ? *how.bits : cpu::PackedBits{part(3).data(), part(3).size()};
  auto fault = cpu::decode_packed(packed, {part(0), part(1), part(2), bits},
                                  octets(how.memory.scratch(packed.groups())), octets(out));
  if (fault) return *std::move(fault);
  return ColumnWords{out, words.width, words.words, fills ? 0u : 1u};
}

ColumnWords encode(const PackedStep& step, const ColumnWords& words, const Encoding& how) {
  const PlanStep alone = step;
  return encode_packed({&alone, 1}, words, how);
}

Result<ColumnWords> decode(const PackedStep& step, const ColumnWords& words, const Decoding& how) {
  const PlanStep alone = step;
  return decode_packed({&alone, 1}, words, how);
}

}  // namespace tdz
