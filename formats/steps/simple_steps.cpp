// SPDX-License-Identifier: Apache-2.0
#include "formats/steps/simple_steps.hpp"

namespace tdz {

std::string DifferenceStep::name() const {
  return std::string(kTraits.name) + "(" + std::to_string(tuple) + ", " + std::to_string(order) + ")" +
         formats::run_name(run);
}

std::string DifferenceStep::words() const {
  const std::string place = tuple == 1 ? "before" : std::to_string(tuple) + " places before";
  return "difference of order " + std::to_string(order) + " to the number " + place + formats::run_words(run);
}

void DifferenceStep::write(std::vector<std::byte>& out) const {
  formats::put_le(out, tuple, order, formats::log_of_run(run), std::uint16_t{0});
}

Result<DifferenceStep> DifferenceStep::read(formats::ParameterReader& in) {
  if (in.length() != 8) return in.wrong_length();
  DifferenceStep s;
  in.read(s.tuple, s.order);
  s.run = formats::run_of_log(in.get<std::uint8_t>());
  return s;
}

formats::Flaw DifferenceStep::flaw(unsigned) const {
  if (tuple == 0 || order == 0 || order > kMaxOrder)
    return "a step with a tuple of 0, or an order outside 1 to 8";
  return formats::flaw_of_run(run);
}

}  // namespace tdz
