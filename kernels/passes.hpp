// SPDX-License-Identifier: Apache-2.0
// Cuts the steps of a column into passes: a pass is a group of steps that run together over a chunk. The CPU
// and the devices use this file. Pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "formats/plan/plan.hpp"

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

/// Adds a step at the end of a pass. False, and nothing changes, where the step cannot follow the steps that
/// are there, or where no pass has it.
struct AddStep {
  Pass& pass;

  bool operator()(const ByteswapStep&) const {
    if (!has_no_residuals() || pass.byteswap) return false;
    pass.byteswap = true;
    return true;
  }
  bool operator()(const DifferenceStep& s) const {
    if (!has_no_residuals() || s.run != 0) return false;
    pass.order = s.order;
    pass.tuple = s.tuple;
    return true;
  }
  bool operator()(const ZigzagStep&) const {
    if (!has_no_layout() || pass.zigzag) return false;
    pass.zigzag = true;
    return true;
  }
  bool operator()(const PlanesStep&) const { return set(Layout::planes); }
  bool operator()(const TuplePlanesStep& s) const {
    if (!set(Layout::tuple_planes)) return false;
    pass.layout_tuple = s.tuple;
    if (pass.order == 0) pass.tuple = s.tuple;
    return true;
  }
  bool operator()(const BitPlanesStep&) const { return set(Layout::bit_planes); }
  template <class OtherStep>
  bool operator()(const OtherStep&) const {
    return false;
  }

 private:
  bool has_no_layout() const { return pass.layout == Layout::interleaved; }
  bool has_no_residuals() const { return has_no_layout() && !pass.zigzag && pass.order == 0; }
  bool set(Layout layout) const {
    if (!has_no_layout()) return false;
    pass.layout = layout;
    return true;
  }
};

/// Whether passes have this step: byteswap, zigzag, a difference without runs, or a layout that moves the
/// words (not tokens).
inline bool is_of_passes(const PlanStep& step) {
  Pass pass;
  return std::visit(AddStep{pass}, step);
}

/// The passes of a list of steps, in the order of the steps.
struct PassList {
  std::array<Pass, kMaxSteps> storage{};
  std::size_t count = 0;

  constexpr std::span<const Pass> all() const { return {storage.data(), count}; }
};

/// Cuts the steps into as few passes as possible. `fuses(pass)` says whether a pass of several steps can run.
/// A list without steps is one pass, a copy. Precondition: word is 1, 2, 4 or 8; at most kMaxSteps steps, and
/// is_of_passes(each).
template <class Fuses>
PassList passes(unsigned word, std::span<const PlanStep> steps, const Fuses& fuses) {
  const Pass none{.word = static_cast<std::uint8_t>(word)};
  PassList list;
  list.storage[list.count++] = none;
  for (const PlanStep& step : steps) {
    Pass& last = list.storage[list.count - 1];
    Pass longer = last;
    if (std::visit(AddStep{longer}, step) && (last == none || fuses(longer))) {
      last = longer;
      continue;
    }
    Pass& next = list.storage[list.count++];
    next = none;
    std::visit(AddStep{next}, step);
  }
  return list;
}

/// The same where every pass can run.
inline PassList passes(unsigned word, std::span<const PlanStep> steps) {
  return passes(word, steps, [](const Pass&) { return true; });
}

/// All steps of a column.
template <class Fuses>
PassList passes(const Column& column, const Fuses& fuses) {
  return passes(column.width, column.steps, fuses);
}
inline PassList passes(const Column& column) {
  return passes(column.width, column.steps);
}

}  // namespace tdz
