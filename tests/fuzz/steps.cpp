// SPDX-License-Identifier: Apache-2.0
// The oracle and every instruction set of this machine, fused and step by step, give the same bytes in both
// directions.
#include "kernels/cpu/sweep.hpp"
#include "kernels/cpu/targets.hpp"
#include "kernels/oracle.hpp"
#include "tests/fuzz/transforms.hpp"

using namespace tdz;

namespace {

using Octets = std::vector<std::uint8_t>;

Octets run(const Column& column, const Octets& in, bool forward, const PassList& list) {
  Octets out(in.size()), scratch(list.count > 1 ? in.size() : 0);
  const cpu::StepListJob job{column.width, column.steps, std::as_bytes(std::span(in)),
                             std::as_writable_bytes(std::span(out)),
                             std::as_writable_bytes(std::span(scratch))};
  forward ? cpu::forward(job, list) : cpu::inverse(job, list);
  return out;
}

}  // namespace

TDZ_FUZZ_TARGET(steps, bytes) {
  fuzz::Choices choices(bytes);
  const Column column = fuzz::any_column(choices);
  const auto rest = choices.rest();
  Octets values(rest.size());
  std::ranges::transform(rest, values.begin(), [](std::byte b) { return std::to_integer<std::uint8_t>(b); });
  const Octets coded = oracle::forward(column, values);
  TDZ_MUST(oracle::inverse(column, coded) == values);
  const PassList stepwise = passes(column, [](const Pass&) { return false; });
  for (const cpu::Target& target : cpu::supported_targets()) {
    cpu::force_target(target);
    for (const PassList& list : {passes(column), stepwise}) {
      TDZ_MUST(run(column, values, true, list) == coded);
      TDZ_MUST(run(column, coded, false, list) == values);
    }
  }
  cpu::unforce_target();
}
