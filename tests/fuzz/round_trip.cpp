// SPDX-License-Identifier: Apache-2.0
// Any data with any plan, packed in any way, is restored.
#include "formats/plan/plan_rules.hpp"
#include "tests/codec/random_plans.hpp"
#include "tests/fuzz/transforms.hpp"

using namespace tdz;

namespace {

Plan any_plan(fuzz::Choices& choices) {
  if (choices.yes()) {
    Plan plan = formats::plan_of(fuzz::any_column(choices));
    auto& steps = plan.columns[0].steps;
    if (!steps.empty())
      std::erase_if(steps, [&](const PlanStep& s) { return &s != &steps.back() && is_layout(s); });
    return plan;
  }
  test::Chance chance(choices.number<std::uint32_t>());
  Plan plan = test::random_plan(chance);
  plan.coding = Coding::zstd;
  return plan;
}

}  // namespace

TDZ_FUZZ_TARGET(round_trip, bytes) {
  fuzz::Choices choices(bytes);
  CompressOptions options;
  options.plan = any_plan(choices);
  options.chunk_bytes = formats::kMinChunk;
  options.frame_bytes = formats::kMinFrame << choices.below(5);
  options.raw_prefix = choices.number<std::uint8_t>();
  options.level = static_cast<int>(1 + choices.below(5));
  options.threads = 1 + choices.below(2);
  for (unsigned planes = choices.below(4); planes > 0; --planes)
    options.plan.packing.planes.push_back(static_cast<Packing>(choices.below(kPackings)));
  const unsigned repeats = 1 + choices.below(40);
  fuzz::Bytes data;
  const auto rest = choices.rest();
  for (unsigned i = 0; i < repeats; ++i) data.insert(data.end(), rest.begin(), rest.end());
  const auto stored = compress(data, options);
  if (!formats::check(options.plan)) {  // the orders are too high together
    TDZ_MUST(!stored && stored.error().kind == ErrorKind::usage);
    return;
  }
  TDZ_MUST(stored);
  auto compared = fuzz::limited();
  compared.compare_digest = true;
  const auto restored = decompress(*stored, compared);
  TDZ_MUST(restored && *restored == data);
}
