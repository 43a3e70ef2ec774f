// SPDX-License-Identifier: Apache-2.0
#include "codec/column/column_words.hpp"

#include <cstring>

#include "kernels/cpu/steps/steps.hpp"
#include "kernels/steps/any_width.hpp"

namespace tdz {
namespace {

/// Packed words of a machine's width in one lane lie as they are.
bool lies_packed(const ColumnWords& x, std::uint32_t tuple) {
  return tuple == 0 || (tuple == 1 && std::has_single_bit(unsigned{x.width}));
}

/// Interleaved words in machine words.
std::span<const std::byte> widened(const ColumnWords& x, StepMemory& memory) {
  const LaneMap map = x.map(1);
  if (map.word == map.width) return x.bytes;
  const auto wide = memory.take(map.words * map.word);
  widen(x.width, octets(x.bytes), octets(wide), x.words);
  return wide;
}

}  // namespace

ColumnWords to_lanes(const ColumnWords& x, std::uint32_t tuple, StepMemory& memory) {
  if (x.tuple == tuple || (lies_packed(x, x.tuple) && lies_packed(x, tuple))) {
    return {x.bytes, x.width, x.words, tuple};
  }
  const ColumnWords packed = to_packed(x, memory);
  const auto wide = widened(packed, memory);
  if (tuple == 1) return {wide, x.width, x.words, tuple};
  const LaneMap map = x.map(tuple);
  const auto lanes = memory.take(map.words * map.word);
  cpu::deinterleave(map, octets(wide), octets(lanes));
  return {lanes, x.width, x.words, tuple};
}

ColumnWords to_packed(const ColumnWords& x, StepMemory& memory) {
  if (lies_packed(x, x.tuple)) return {x.bytes, x.width, x.words, 0};
  // An interleaving and a narrowing take one buffer each, so what comes out does not overlap what goes in.
  const LaneMap map = x.map(x.tuple);
  std::span<const std::byte> wide = x.bytes;
  if (x.tuple != 1) {
    const auto interleaved = memory.take(map.words * map.word);
    cpu::interleave(map, octets(wide), octets(interleaved));
    wide = interleaved;
  }
  if (map.word == map.width) return {wide, x.width, x.words, 0};
  const auto packed = memory.take(map.words * map.width);
  narrow(x.width, octets(wide), octets(packed), x.words);
  return {packed, x.width, x.words, 0};
}

void pack_into(const ColumnWords& x, StepMemory& memory, std::span<std::byte> out) {
  const LaneMap map = x.map(x.tuple == 0 ? 1 : x.tuple);
  if (!lies_packed(x, x.tuple) && map.word == map.width) {
    return cpu::interleave(map, octets(x.bytes), octets(out));
  }
  const ColumnWords packed = to_packed(x, memory);
  if (!out.empty()) std::memcpy(out.data(), packed.bytes.data(), out.size());
}

}  // namespace tdz
