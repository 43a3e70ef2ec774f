// SPDX-License-Identifier: Apache-2.0
// Does the backend do what its interface says: without steps, with several threads, with its description?
#include <thread>

#include "kernels/oracle.hpp"
#include "tests/kernels/support.hpp"

namespace tdz {
namespace {

Column usual() {
  return Column{4, 1, {DifferenceStep{2, 3}, ZigzagStep{}, TuplePlanesStep{2}}};
}

TransformJob job_of(const Column& transform, const test::ByteVector& in, test::ByteVector& out) {
  out.resize(in.size());
  return {&transform, std::as_bytes(std::span(in)), std::as_writable_bytes(std::span(out)), {}};
}

}  // namespace

TEST_CASE("a job gives the result of the oracle; a job without steps changes nothing") {
  const Column difference = usual(), none{1};
  const test::ByteVector a = test::random_bytes(10007), b = test::random_bytes(333, 5), nothing;
  test::ByteVector out;
  CHECK(cpu_backend().forward(job_of(difference, a, out)));
  CHECK(out == oracle::forward(difference, a));
  CHECK(cpu_backend().forward(job_of(none, b, out)));
  CHECK(out == b);
  CHECK(cpu_backend().forward(job_of(difference, nothing, out)));
  CHECK(out.empty());
}

TEST_CASE("several threads may use the backend") {
  const Column transform = usual();
  const test::ByteVector values = test::random_bytes(100003), coded = oracle::forward(transform, values);
  std::vector<test::ByteVector> out(4);
  {
    std::vector<std::jthread> threads;
    for (test::ByteVector& mine : out) {
      threads.emplace_back([&] {
        for (int round = 0; round < 20; ++round) {
          const TransformJob job = job_of(transform, coded, mine);
          (void)cpu_backend().inverse(job);
        }
      });
    }
  }
  for (const test::ByteVector& mine : out) CHECK(mine == values);
}

TEST_CASE("backends describe themselves, or say why they are not available") {
  const std::vector<BackendInfo> infos = backends();
  REQUIRE(infos.size() == 2);
  CHECK(infos[0].name == "cpu");
  CHECK(infos[0].available);
  CHECK(infos[0].detail == cpu::supported_targets().front().name);
  CHECK(infos[1].name == "cuda");
  CHECK((infos[1].available || !infos[1].detail.empty()));
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
