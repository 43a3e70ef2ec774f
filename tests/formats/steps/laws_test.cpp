// SPDX-License-Identifier: Apache-2.0
// Does every step say of itself what general code asks, and is that true?
#include <doctest/doctest.h>

#include <concepts>
#include <set>
#include <string>
#include <type_traits>

#include "formats/names.hpp"
#include "formats/plan/made_plans.hpp"
#include "formats/plan/plan_rules.hpp"
#include "formats/plan/substreams.hpp"
#include "tests/steps/random_steps.hpp"

namespace tdz::test {
namespace {

using Bytes = std::vector<std::byte>;

constexpr int kRounds = 50;

/// Calls use(step, width) for many steps of every kind.
template <class Use>
void for_random_steps(const Use& use) {
  Chance chance(1);
  for (int round = 0; round < kRounds; ++round) {
    for (unsigned width = 1; width <= kMaxWidth; ++width) {
      for (const PlanStep& step : every_step(chance, width)) {
        CAPTURE(formats::step_name(step));
        CAPTURE(width);
        std::visit([&](const auto& s) { use(s, width); }, step);
      }
    }
  }
}

}  // namespace

TEST_CASE("no two steps have one number, one name, or one place in the help") {
  std::set<std::uint16_t> ids;
  std::set<std::string_view> names;
  std::set<unsigned> places;
  for_each_step([&]<class T>(std::type_identity<T>) {
    CHECK(ids.insert(T::kTraits.id).second);
    CHECK(names.insert(T::kTraits.name).second);
    CHECK(places.insert(T::kTraits.help.place).second);
    CHECK(T::kTraits.help.name.starts_with(T::kTraits.name));
    CHECK_FALSE(T::kTraits.help.meaning.empty());
  });
}

TEST_CASE("a step without parameters has no field, which its bytes and its JSON would lose") {
  for_each_step([]<class T>(std::type_identity<T>) {
    if constexpr (std::derived_from<T, formats::StepWithoutParameters<T>>) CHECK(std::is_empty_v<T>);
  });
}

TEST_CASE("what is drawn for a step has no flaw, a name and words") {
  for_random_steps([]<class T>(const T& step, unsigned width) {
    CHECK_FALSE(step.flaw(width));
    CHECK(step.name().starts_with(T::kTraits.name));
    CHECK_FALSE(step.words().empty());
  });
}

TEST_CASE("parameters come back from their bytes, and any other length is corrupt") {
  for_random_steps([]<class T>(const T& step, unsigned) {
    Bytes bytes;
    step.write(bytes);
    formats::ParameterReader in(T::kTraits.id, bytes, 7);
    const auto again = T::read(in);
    REQUIRE(again);
    CHECK(*again == step);
    bytes.push_back(std::byte{0});
    formats::ParameterReader longer(T::kTraits.id, bytes, 7);
    const auto other = T::read(longer);
    REQUIRE_FALSE(other);
    CHECK(other.error().kind == ErrorKind::corrupt);
    CHECK(other.error().where == 7);
  });
}

TEST_CASE("a step gives as many substreams as it says") {
  for_random_steps([]<class T>(const T& step, unsigned width) {
    const Plan plan{Coding::zstd, {{static_cast<std::uint8_t>(width), 1, {step}}}};
    const auto substreams = formats::substreams(plan, 1000 * width);
    CHECK(substreams.size() == formats::substream_count(plan.columns[0]));
    CHECK(substreams.size() == T::kTraits.substreams + (T::kTraits.is_layout ? 0 : 1));
  });
}

}  // namespace tdz::test
