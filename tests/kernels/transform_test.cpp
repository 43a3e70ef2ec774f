// SPDX-License-Identifier: Apache-2.0
// Do the functions for a whole column do what they promise: without steps, with several threads?
#include <thread>

#include "kernels/oracle.hpp"
#include "tests/kernels/support.hpp"

namespace tdz {
namespace {

Column usual() {
  return Column{4, 1, {DifferenceStep{2, 3}, ZigzagStep{}, TuplePlanesStep{2}}};
}

cpu::StepListJob job_of(const Column& column, const test::ByteVector& in, test::ByteVector& out) {
  out.resize(in.size());
  return {
      column.width, column.steps, std::as_bytes(std::span(in)), std::as_writable_bytes(std::span(out)), {}};
}

}  // namespace

TEST_CASE("a job gives the result of the oracle; a job without steps changes nothing") {
  const Column difference = usual(), none{1};
  const test::ByteVector a = test::random_bytes(10007), b = test::random_bytes(333, 5), nothing;
  test::ByteVector out;
  cpu::forward(job_of(difference, a, out));
  CHECK(out == oracle::forward(difference, a));
  cpu::forward(job_of(none, b, out));
  CHECK(out == b);
  cpu::forward(job_of(difference, nothing, out));
  CHECK(out.empty());
}

TEST_CASE("several threads may run kernels") {
  const Column column = usual();
  const test::ByteVector values = test::random_bytes(100003), coded = oracle::forward(column, values);
  std::vector<test::ByteVector> out(4);
  {
    std::vector<std::jthread> threads;
    for (test::ByteVector& mine : out) {
      threads.emplace_back([&] {
        for (int round = 0; round < 20; ++round) {
          cpu::inverse(job_of(column, coded, mine));
        }
      });
    }
  }
  for (const test::ByteVector& mine : out) CHECK(mine == values);
}

TEST_CASE("the other tests run these targets") {
  std::string names;
  for (const cpu::Target& target : cpu::supported_targets()) names.append(" ").append(target.name);
  MESSAGE("targets tried:" << names);
}

TEST_CASE("every target of this machine was compiled, and the fallback always runs") {
  const auto compiled = cpu::compiled_targets(), supported = cpu::supported_targets();
  REQUIRE(!supported.empty());
  CHECK(supported.back().id == compiled.back().id);
  for (const cpu::Target& target : supported) {
    CHECK(std::any_of(compiled.begin(), compiled.end(),
                      [&](const cpu::Target& t) { return t.id == target.id; }));
  }
}

}  // namespace tdz
