// SPDX-License-Identifier: Apache-2.0
// If any CUDA call fails, once or from then on: are the bytes still right, with one warning?
#include <doctest/doctest.h>

#include <string>

#include "codec/chunk/backend_choice.hpp"
#include "kernels/cuda/host/cuda_backend.hpp"
#include "tests/cuda/faulty_calls.hpp"
#include "tests/cuda/naive.hpp"

namespace {

using namespace tdz;
using naive::Bytes;
using testing::Fault;

constexpr std::uint64_t kSeed = 20261125;
constexpr unsigned kManyCalls = 400;  ///< more than the work below makes

/// Two launches and a look-back, in one transform.
Transform transform() {
  Transform steps{.word = 4};
  return steps.append(Step::byteswap())
      .append(Step::difference(3, 2))
      .append(Step::zigzag())
      .append(Step::planes());
}

struct Outcome {
  bool made = false;  ///< the backend could be made
  std::string reason;
  std::vector<std::string> warnings;
  Bytes there, back;
};

Outcome work(const Bytes& values) {
  Outcome outcome{false, {}, {}, Bytes(values.size()), Bytes(values.size())};
  auto device = make_cuda_backend({.memory = 64u << 20}, 2);
  if (!device) {
    outcome.reason = device.error().message;
    return outcome;
  }
  outcome.made = true;
  GuardedBackend backend(std::move(*device),
                         [&](std::string_view line) { outcome.warnings.emplace_back(line); });
  const Transform steps = transform();
  Bytes scratch(values.size());
  const TransformJob forward{&steps, values, outcome.there, scratch},
      inverse{&steps, outcome.there, outcome.back, scratch};
  REQUIRE(backend.forward(forward));
  REQUIRE(backend.inverse(inverse));
  return outcome;
}

/// Returns whether there was an n-th call.
bool survives(unsigned n, Fault fault, const Bytes& values, const Bytes& wanted) {
  CAPTURE(n);
  testing::fail_call(n, fault);
  const Outcome outcome = work(values);
  const bool reached = testing::calls_made() >= n;
  testing::fail_call(0, fault);
  CHECK((outcome.made || !outcome.reason.empty()));
  if (outcome.made) {
    CHECK(outcome.there == wanted);
    CHECK(outcome.back == values);
    CHECK(outcome.warnings.size() <= 1);
  }
  return reached;
}

TEST_CASE("every call fails once, and from then on") {
  const Bytes values = naive::noise(300000, kSeed);
  Bytes wanted(values.size()), scratch(values.size());
  const Transform steps = transform();
  const TransformJob reference{&steps, values, wanted, scratch};
  REQUIRE(cpu_backend().forward(reference));

  testing::fail_call(0, Fault::once);
  const Outcome healthy = work(values);
  REQUIRE(healthy.made);
  CHECK(healthy.warnings.empty());
  CHECK(healthy.there == wanted);
  for (const Fault fault : {Fault::once, Fault::from_then_on}) {
    unsigned n = 1;
    while (n < kManyCalls && survives(n, fault, values, wanted)) ++n;
    MESSAGE("calls that failed: " << n - 1);
    CHECK(n > 20);
    CHECK(n < kManyCalls);
  }
}

}  // namespace
