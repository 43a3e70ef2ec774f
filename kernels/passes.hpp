// SPDX-License-Identifier: Apache-2.0
// Cuts a transform into passes: a pass is a group of steps that run together over a chunk. Every backend uses
// this file. Pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "formats/transform.hpp"

namespace tdz {

/// The steps of one pass, [byteswap] [difference] [zigzag] [one layout], as plain fields. For host and
/// device.
struct Pass {
  std::uint8_t word = 1;
  std::uint8_t order = 0;  ///< 0: no difference
  bool zigzag = false;
  Layout layout = Layout::interleaved;
  std::uint32_t tuple = 1;         ///< of the difference; if there is no difference, of the layout
  std::uint32_t layout_tuple = 1;  ///< of tuple-planes; planes are tuple-planes with a tuple of 1
  bool byteswap = false;

  friend constexpr bool operator==(const Pass&, const Pass&) = default;
};

/// Adds a step at the end of the pass. If the step cannot follow the steps that are there, returns false and
/// changes nothing.
constexpr bool add_step(Pass& pass, const Step& step) {
  const bool plain = pass.layout == Layout::interleaved;
  const bool no_codes = plain && !pass.zigzag;
  const bool no_residuals = no_codes && pass.order == 0;
  switch (step.id) {
    case StepId::byteswap:
      if (!no_residuals || pass.byteswap) return false;
      pass.byteswap = true;
      return true;
    case StepId::difference:
      if (!no_residuals) return false;
      pass.order = step.order;
      pass.tuple = step.tuple;
      return true;
    case StepId::zigzag:
      if (!no_codes) return false;
      pass.zigzag = true;
      return true;
    case StepId::planes:
    case StepId::tuple_planes:
    case StepId::bit_planes:
      if (!plain) return false;
      pass.layout = layout_of(step.id);
      if (step.id != StepId::tuple_planes) return true;
      pass.layout_tuple = step.tuple;
      if (pass.order == 0) pass.tuple = step.tuple;
      return true;
  }
  return false;
}

/// The passes of a transform, in the order of its steps.
struct PassList {
  std::array<Pass, kMaxSteps> storage{};
  std::size_t count = 0;

  constexpr std::span<const Pass> all() const { return {storage.data(), count}; }
};

/// Cuts the steps into as few passes as possible. `fuses(pass)` says whether the backend can run a pass of
/// several steps. A transform without steps is one pass, a copy.
template <class Fuses>
constexpr PassList passes(const Transform& transform, const Fuses& fuses) {
  const Pass none{.word = transform.word};
  PassList list;
  list.storage[list.count++] = none;
  for (const Step& step : transform.steps()) {
    Pass& last = list.storage[list.count - 1];
    Pass longer = last;
    if (add_step(longer, step) && (last == none || fuses(longer))) {
      last = longer;
      continue;
    }
    Pass& next = list.storage[list.count++];
    next = none;
    add_step(next, step);
  }
  return list;
}

/// The same for a backend that can run every pass.
constexpr PassList passes(const Transform& transform) {
  return passes(transform, [](const Pass&) { return true; });
}

}  // namespace tdz
