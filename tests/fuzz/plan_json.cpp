// SPDX-License-Identifier: Apache-2.0
// Any text as a plan in JSON: an error in printable text, or a valid plan, which its own JSON gives again.
#include "tdz/plan.hpp"

#include "formats/plan/plan_rules.hpp"
#include "tests/fuzz/support.hpp"

using namespace tdz;

TDZ_FUZZ_TARGET(plan_json, bytes) {
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto plan = plan_from_json(text);
  if (!plan) {
    TDZ_MUST(plan.error().kind == ErrorKind::usage || plan.error().kind == ErrorKind::unsupported);
    for (const char letter : plan.error().message) TDZ_MUST(static_cast<unsigned char>(letter) >= 0x20);
    return;
  }
  TDZ_MUST(formats::check(*plan));
  const auto again = plan_from_json(to_json(*plan));
  TDZ_MUST(again && *again == *plan);
}
