// SPDX-License-Identifier: Apache-2.0
#include "kernels/steps/step_coding.hpp"

#include <cstring>

#include "formats/plan/plan.hpp"
#include "kernels/cpu/steps/steps.hpp"

namespace tdz {
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

}  // namespace tdz
