// SPDX-License-Identifier: Apache-2.0
// Compresses standard input by a plan in JSON, for plans that no option of the program names.
//     tdz_write_plan PLAN <ORIGINAL >STREAM
#include <cstdio>
#include <span>
#include <vector>

#include "tdz/plan.hpp"
#include "tdz/tdz.hpp"

namespace {

std::vector<std::byte> standard_input() {
  std::vector<std::byte> all;
  for (int c = std::getchar(); c != EOF; c = std::getchar()) all.push_back(static_cast<std::byte>(c));
  return all;
}

int failed(const tdz::Error& error) {
  return std::fprintf(stderr, "%s\n", error.message.c_str()), 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fputs("usage: tdz_write_plan PLAN <ORIGINAL >STREAM\n", stderr), 1;
  const auto plan = tdz::plan_from_json(argv[1]);
  if (!plan) return failed(plan.error());
  tdz::CompressOptions options;
  options.plan = *plan;
  const auto stored = tdz::compress(standard_input(), options);
  if (!stored) return failed(stored.error());
  return std::fwrite(stored->data(), 1, stored->size(), stdout) == stored->size() ? 0 : 1;
}
