// SPDX-License-Identifier: Apache-2.0
// Steps by chance, for laws, plans and fuzzers: every step there is, with any parameters that it may have. A
// step whose parameters are plain numbers needs nothing here; any other one needs a random_step() of its own,
// and does not compile without it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "formats/plan/plan.hpp"
#include "tests/random.hpp"

namespace tdz::test {

inline constexpr std::uint32_t kRuns[] = {0, 0, 1024, 2048, 65536};
inline constexpr std::uint32_t kSideTuples[] = {1, 1, 2, 3, 5, 16, 256};
inline constexpr std::uint32_t kTuples[] = {1, 1, 2, 3, 7, 300, 70'000, 0xFFFFFFFF};

// ---- Parameters of each step, for words of `width` bytes

/// Mostly near `least`, sometimes `most`.
inline std::uint64_t random_number(Chance& chance, std::uint64_t least, std::uint64_t most) {
  return std::clamp<std::uint64_t>(least - 1 + chance.one_of(kTuples), least, most);
}

template <formats::StepOfNumbers T>
T random_step(std::type_identity<T>, Chance& chance, unsigned width) {
  T step;
  [[maybe_unused]] const auto draw = [&]<class Number>(const formats::NumberParameter<T, Number>& number) {
    step.*number.place = static_cast<Number>(random_number(chance, number.least, number.most));
  };
  do {
    std::apply([&](const auto&... number) { (draw(number), ...); }, T::numbers());
  } while (step.flaw(width));
  return step;
}

inline DifferenceStep random_step(std::type_identity<DifferenceStep>, Chance& chance, unsigned) {
  const auto order = static_cast<std::uint8_t>(1 + chance.below(chance.once_in(4) ? 8 : 2));
  const std::uint32_t tuple = chance.one_of(kTuples);
  return {tuple, order, chance.one_of(kRuns)};
}

inline ScaleStep random_step(std::type_identity<ScaleStep>, Chance& chance, unsigned width) {
  const bool real = (width == 4 || width == 8) && !chance.once_in(4);
  return {chance.one_of(kSideTuples), real ? ScaleKind::real : ScaleKind::integer};
}

inline LaneRule random_rule(Chance& chance, std::size_t lane) {
  LaneRule rule{static_cast<std::uint8_t>(chance.below(4)), chance.once_in(2)};
  if (lane == 0 || chance.once_in(3)) return rule;
  // Sources are within 8 lanes of an origin, so no chain is longer than 8.
  const std::size_t origin = lane / 8 * 8;
  rule.source = static_cast<std::uint16_t>(lane == origin ? 0 : origin + chance.below(lane - origin));
  if (lane == origin) rule.source = LaneRule::kNoSource;
  if (!rule.has_source()) return rule;
  rule.lag = static_cast<std::uint8_t>(chance.below(2));
  rule.after = chance.once_in(2);
  return rule;
}

inline LanesStep random_step(std::type_identity<LanesStep>, Chance& chance, unsigned) {
  LanesStep step{{}, chance.one_of(kRuns)};
  const std::uint32_t tuple = chance.one_of(kSideTuples);
  for (std::size_t lane = 0; lane < tuple; ++lane) step.lanes.push_back(random_rule(chance, lane));
  return step;
}

inline PredictStep random_step(std::type_identity<PredictStep>, Chance& chance, unsigned) {
  const std::uint32_t tuple = chance.one_of(kSideTuples);
  return {tuple, chance.once_in(2) ? Sign::is_signed : Sign::is_unsigned};
}

inline GridStep random_step(std::type_identity<GridStep>, Chance& chance, unsigned) {
  constexpr std::uint32_t kNeighbourSets[] = {0x0000FF, 0x003FFF, 0xFFC09F, 1u << 23, 0x00FFFF};
  constexpr std::uint32_t kGridTuples[] = {1, 1, 2, 3, 16},
                          kGridLengths[] = {16, 16, 17, 40, 150, 0xFFFFFFFF};
  GridStep step;
  step.tuple = chance.one_of(kGridTuples);
  step.sign = chance.once_in(2) ? Sign::is_signed : Sign::is_unsigned;
  step.line = chance.one_of(kGridLengths);
  step.height = static_cast<std::uint32_t>(chance.below(12));
  step.neighbours = chance.one_of(kNeighbourSets);
  return step;
}

inline TokensStep random_step(std::type_identity<TokensStep>, Chance& chance, unsigned width) {
  TokensStep step{chance.one_of(kSideTuples), {}, chance.one_of(kRuns)};
  do {
    step.code.k = static_cast<std::uint8_t>(chance.below(8));
    step.code.m = static_cast<std::uint8_t>(chance.below(8));
  } while (!is_token_code(step.code, 8 * width));
  return step;
}

// ---- Any step

/// A random step of each kind.
inline std::vector<PlanStep> every_step(Chance& chance, unsigned width) {
  std::vector<PlanStep> steps;
  for_each_step(
      [&]<class T>(std::type_identity<T> kind) { steps.push_back(random_step(kind, chance, width)); });
  return steps;
}

/// How often a step is drawn, against the others: twice as often where it has more to go wrong.
template <class T>
inline constexpr unsigned kShare = 1;
template <>
inline constexpr unsigned kShare<DifferenceStep> = 2;
template <>
inline constexpr unsigned kShare<TokensStep> = 2;

enum class Drawn { layout, other_step };

inline PlanStep random_step(Chance& chance, unsigned width, Drawn drawn) {
  const bool layout = drawn == Drawn::layout;
  unsigned shares = 0;
  for_each_step([&]<class T>(std::type_identity<T>) {
    if (T::kTraits.is_layout == layout) shares += kShare<T>;
  });
  auto left = static_cast<unsigned>(chance.below(shares));
  PlanStep found;
  bool done = false;
  for_each_step([&]<class T>(std::type_identity<T> kind) {
    if (T::kTraits.is_layout != layout || done) return;
    done = left < kShare<T>;
    if (done)
      found = random_step(kind, chance, width);
    else
      left -= kShare<T>;
  });
  return found;
}

}  // namespace tdz::test
