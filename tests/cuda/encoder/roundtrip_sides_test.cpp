// SPDX-License-Identifier: Apache-2.0
// Does a round trip over CPU and device pass if nothing is wrong, and does it find whatever the device does
// wrongly? Host memory takes the place of the device's.
#include "tests/cuda/encoder/host_encode_queue.hpp"

#include <vector>

#include "codec/roundtrip/roundtrip.hpp"
#include "formats/plan/made_plans.hpp"
#include "tests/codec/devices/host_queue.hpp"

namespace {

using namespace tdz;
using test::Bytes;

const Plan kPlan = plan_for("i16", 2).value();
constexpr std::size_t kBlock = 8192 * 2;

struct Rig {
  testing::HostDevice encoder = {};
  test::HostDevice decoder = {};
  std::uint64_t memory = std::uint64_t{1} << 30;

  Result<RoundtripOutcome> run(const Bytes& original, const Plan& plan = kPlan) {
    std::vector<RoundtripSide> sides;
    sides.push_back(cpu_side());
    sides.push_back(device_side(std::make_unique<test::HostQueue>(decoder),
                                std::make_unique<testing::HostEncodeQueue>(encoder), "host memory", memory));
    return RoundtripTester(std::move(sides)).test({original, 7, 0}, plan, 1);
  }
  /// The only failure of a chunk that the device codes and restores.
  RoundtripFailure failure() {
    const auto outcome = run(test::walk(2 * kBlock)).value();
    REQUIRE(outcome.failures.size() == 1);
    CHECK(outcome.failures.front().chunk == 7);
    return outcome.failures.front();
  }
};

}  // namespace

TEST_CASE("nothing is wrong: the device codes whole blocks, and restores every chunk with blocks") {
  for (const std::size_t length : {2 * kBlock, 2 * kBlock + 11, std::size_t{100}, std::size_t{1}}) {
    CAPTURE(length);
    Rig rig;
    const auto outcome = rig.run(test::walk(length));
    REQUIRE(outcome);
    CHECK(outcome->failures.empty());
    CHECK(rig.encoder.chunks == (length >= kBlock ? 1 : 0));
    CHECK(rig.decoder.chunks == (length >= kBlock ? 1 : 0));
  }
}

TEST_CASE("the device codes and restores packed groups, and what it restores wrongly is found") {
  const Plan plan = formats::plan_of(Column{2, 1, {DifferenceStep{1, 1}, ZigzagStep{}, PackedStep{1}}});
  Rig good, wrong;
  const auto outcome = good.run(test::walk(2 * kBlock), plan);
  REQUIRE(outcome);
  CHECK(outcome->failures.empty());
  CHECK(good.encoder.chunks == 1);
  CHECK(good.decoder.packed_runs == 1);
  wrong.decoder.spoiled = {0};
  const auto failures = wrong.run(test::walk(2 * kBlock), plan).value().failures;
  REQUIRE(failures.size() == 1);
  CHECK(failures.front().fault == RoundtripFault::wrong_value);
  CHECK(failures.front().restorer == "cuda");
}

TEST_CASE("a value that the device restores wrongly is shown, though a CPU could replace it") {
  Rig rig;
  rig.decoder.spoiled = {0};
  const auto failure = rig.failure();
  CHECK(failure.fault == RoundtripFault::wrong_value);
  CHECK(failure.coder == "cpu");  // the device's bytes are the same
  CHECK(failure.restorer == "cuda");
  CHECK(failure.detail == "frames for a GPU: the restored bytes do not match their digest");
  const ComparedValue& first = failure.mismatch.value().first;
  CHECK(first.value == 0);
  CHECK(first.found == (first.expected ^ 1));
}

TEST_CASE("a device that refuses a good chunk, and one that is lost") {
  Rig refusing, lost;
  refusing.decoder.refused = {0};
  lost.decoder.lost = true;
  const auto refused = refusing.failure(), gone = lost.failure();
  CHECK(refused.fault == RoundtripFault::restoring);
  CHECK(refused.detail == "frames for a GPU: the device refused a chunk that is good");
  CHECK(gone.fault == RoundtripFault::restoring);
  CHECK(gone.detail == "frames for a GPU: the device is lost");
}

TEST_CASE("a device that codes wrongly") {
  Rig rig;
  rig.encoder.lies = true;
  const auto failure = rig.failure();
  CHECK(failure.fault == RoundtripFault::coding);
  CHECK(failure.coder == "cuda");
}

TEST_CASE("any call of the device may fail: that is a failure of the side cuda") {
  for (unsigned call = 1;; ++call) {
    Rig rig;
    rig.decoder.fails_at = call;
    const auto outcome = rig.run(test::walk(kBlock));
    REQUIRE(outcome);
    if (rig.decoder.calls < call) break;
    REQUIRE(outcome->failures.size() == 1);
    const RoundtripFailure& failure = outcome->failures.front();
    CHECK((failure.fault == RoundtripFault::coding ? failure.coder : failure.restorer) == "cuda");
  }
}

TEST_CASE("too little memory of the device is an error, not a failure") {
  Rig rig;
  rig.memory = 10'000;
  const auto outcome = rig.run(test::walk(kBlock));
  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().kind == ErrorKind::limit);
}
