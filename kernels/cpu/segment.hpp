// SPDX-License-Identifier: Apache-2.0
// A transform, cut into the pieces that run fused.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "formats/transform.hpp"

namespace tdz::cpu {

/// The usual list, [byteswap] [difference] [zigzag] [one layout], as plain fields. It runs in one sweep over
/// memory. Planes are tuple-planes of tuple 1, so there is one field for both.
struct Segment {
  std::uint8_t word = 1;
  bool byteswap = false;
  bool zigzag = false;
  bool bit_planes = false;
  std::uint8_t order = 0;          ///< 0: no difference
  std::uint32_t tuple = 1;         ///< of the difference
  std::uint32_t layout_tuple = 0;  ///< 0: no byte planes
};

/// Whether steps share sweeps. `stepwise` exists for the tests, which compare the two.
enum class Fusion : std::uint8_t { fused, stepwise };

struct SegmentList {
  std::size_t count = 0;
  std::array<Segment, kMaxSteps> storage{};
};

/// Cuts the list wherever a step does not follow the usual order. No steps at all are one empty segment, a
/// copy.
SegmentList split(const Transform& transform, Fusion fusion = Fusion::fused);

}  // namespace tdz::cpu
