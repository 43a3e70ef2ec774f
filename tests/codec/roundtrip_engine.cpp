// SPDX-License-Identifier: Apache-2.0
// Does the round trip of a chunk pass if nothing is wrong, and else name the wrong backend and the place?
#include <doctest/doctest.h>

#include "codec/chunk/roundtrip.hpp"
#include "tests/codec/support.hpp"

namespace tdz {
namespace {

using test::Bytes;

enum class Fault {
  none,
  wrong_residual,
  wrong_value,
  unwritten,
  nothing_written,
  no_coding,
  no_restoring,
  no_memory
};

/// The CPU backend with one fault. Without steps it is not called, so the fault does not appear.
class Faulty final : public Backend {
 public:
  Faulty(std::string name, Fault fault) : name_(std::move(name)), fault_(fault) {}
  std::string_view name() const override { return name_; }
  std::string describe() const override { return "a backend under test"; }

  Status forward(const TransformJob& job) override {
    if (fault_ == Fault::no_coding) return Error{ErrorKind::io, "it was unplugged"};
    const Status done = cpu_backend().forward(job);
    if (fault_ == Fault::wrong_residual) job.out[kPlace] ^= std::byte{1};
    return done;
  }

  Status inverse(const TransformJob& job) override {
    if (fault_ == Fault::nothing_written) return ok();
    if (fault_ == Fault::no_restoring) return Error{ErrorKind::io, "it was unplugged"};
    if (fault_ == Fault::no_memory) return Error{ErrorKind::limit, "too little memory"};
    const std::byte before = job.out[kPlace];
    const Status done = cpu_backend().inverse(job);
    if (fault_ == Fault::wrong_value) job.out[kPlace] ^= std::byte{1};
    if (fault_ == Fault::unwritten) job.out[kPlace] = before;
    return done;
  }

  static constexpr std::size_t kPlace = 1000;

 private:
  std::string name_;
  Fault fault_;
};

const Bytes& original() {
  static const Bytes bytes = test::walk(50001);
  return bytes;
}
const Plan kPlan = plan_for("i16x3", 2).value();
constexpr std::uint64_t kNumber = 5, kOffset = 600000;

/// Tests a correct backend, named cpu, and one with the fault, named gpu.
Result<RoundtripOutcome> outcome_of(Fault fault, const Plan& plan = kPlan) {
  Faulty good("cpu", Fault::none), bad("gpu", fault);
  const std::vector<Backend*> both = {&good, &bad};
  return RoundtripTester(both).test({original(), kNumber, kOffset}, plan, 1);
}

struct Expected {
  RoundtripFault fault;
  std::string coder, restorer;
  friend bool operator==(const Expected&, const Expected&) = default;
};
std::vector<Expected> faults_of(const RoundtripOutcome& outcome) {
  std::vector<Expected> list;
  for (const RoundtripFailure& failure : outcome.failures) {
    CHECK(failure.chunk == kNumber);
    CHECK(failure.chunk_offset == kOffset);
    CHECK(failure.mismatch.has_value() == (failure.fault == RoundtripFault::wrong_value));
    list.push_back({failure.fault, failure.coder, failure.restorer});
  }
  return list;
}

TEST_CASE("two correct backends agree, with the bytes that the chunk coder writes") {
  const auto outcome = outcome_of(Fault::none).value();
  CHECK(outcome.failures.empty());
  EncodedChunk chunk;
  REQUIRE(ChunkEncoder(cpu_backend(), 1).encode(original(), {kPlan, {}, {}}, 1 << 20, chunk));
  CHECK(outcome.packed_bytes == chunk.packed.size());
}

TEST_CASE("after a wrong residual the coders disagree, and no backend restores the wrong bytes") {
  const auto outcome = outcome_of(Fault::wrong_residual).value();
  CHECK(faults_of(outcome) == std::vector<Expected>{{RoundtripFault::disagreement, "cpu", "gpu"},
                                                    {RoundtripFault::wrong_value, "gpu", "cpu"},
                                                    {RoundtripFault::wrong_value, "gpu", "gpu"}});
  REQUIRE(outcome.failures.size() == 3);
  CHECK(outcome.failures[0].detail.find("differs") != std::string::npos);
  CHECK(outcome.failures[1].mismatch->first == outcome.failures[2].mismatch->first);
}

TEST_CASE("a wrong value is reported with index, lane, expected and found") {
  const auto outcome = outcome_of(Fault::wrong_value).value();
  REQUIRE(faults_of(outcome) == std::vector<Expected>{{RoundtripFault::wrong_value, "cpu", "gpu"}});
  const RoundtripFailure& failure = outcome.failures.front();
  const Mismatch& mismatch = failure.mismatch.value();
  const std::uint64_t index = Faulty::kPlace / 2;
  CHECK(mismatch.first.value == kOffset / 2 + index);
  CHECK(mismatch.first.lane == index % 3);
  CHECK(mismatch.offset == kOffset + Faulty::kPlace);
  CHECK(mismatch.first.found == (mismatch.first.expected ^ 1));
  CHECK(failure.detail == "the restored bytes do not match their digest");
}

TEST_CASE("a byte that is not written is found, also if it was restored before") {
  Faulty lazy("gpu", Fault::unwritten);
  const std::vector<Backend*> backends = {&cpu_backend(), &lazy};
  RoundtripTester tester(backends);
  for (int round = 0; round < 2; ++round) {
    const auto outcome = tester.test({original(), kNumber, kOffset}, kPlan, 1).value();
    REQUIRE(faults_of(outcome) == std::vector<Expected>{{RoundtripFault::wrong_value, "cpu", "gpu"}});
    CHECK(outcome.failures.front().mismatch->offset == kOffset + Faulty::kPlace);
  }
}

TEST_CASE("a backend that fails is named, and the other one is still tested") {
  const auto no_coding = outcome_of(Fault::no_coding).value();
  CHECK(faults_of(no_coding) == std::vector<Expected>{{RoundtripFault::coding, "gpu", ""}});
  CHECK(no_coding.packed_bytes > 0);
  const auto no_restoring = outcome_of(Fault::no_restoring).value();
  CHECK(faults_of(no_restoring) == std::vector<Expected>{{RoundtripFault::restoring, "cpu", "gpu"}});
  CHECK(no_restoring.failures.front().detail == "it was unplugged");
  CHECK(faults_of(outcome_of(Fault::nothing_written).value()) ==
        std::vector<Expected>{{RoundtripFault::restoring, "cpu", "gpu"}});
}

TEST_CASE("too little memory is an error, not a failure of the backend") {
  const auto outcome = outcome_of(Fault::no_memory);
  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().kind == ErrorKind::limit);
}

TEST_CASE("a single backend passes at every length and level, with and without steps") {
  const std::vector<Backend*> alone = {&cpu_backend()};
  RoundtripTester tester(alone);
  for (const int level : {1, 3, 1}) {
    for (std::size_t length = 0; length < 70; ++length) {
      const auto bytes = std::span(original()).first(length);
      for (const Plan& plan : {plain_plan(), kPlan, plan_for("u64x2", 8).value()}) {
        const auto outcome = tester.test({bytes, 0, 0}, plan, level).value();
        CHECK(outcome.failures.empty());
        CHECK((outcome.packed_bytes > 0) == (length > 0));
      }
    }
  }
}

TEST_CASE("with a single backend a wrong residual is reported as a wrong value") {
  Faulty bad("gpu", Fault::wrong_residual);
  const std::vector<Backend*> alone = {&bad};
  const auto outcome = RoundtripTester(alone).test({original(), kNumber, kOffset}, kPlan, 1).value();
  CHECK(faults_of(outcome) == std::vector<Expected>{{RoundtripFault::wrong_value, "gpu", "gpu"}});
}

}  // namespace
}  // namespace tdz
