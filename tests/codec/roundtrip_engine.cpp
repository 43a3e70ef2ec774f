// SPDX-License-Identifier: Apache-2.0
// Does the round trip of a chunk pass if nothing is wrong, and else name the wrong side and the place?
#include <doctest/doctest.h>

#include <memory>

#include "codec/chunk/chunk_coder.hpp"
#include "codec/roundtrip/roundtrip.hpp"
#include "formats/digest.hpp"
#include "formats/plan/made_plans.hpp"
#include "tests/codec/support.hpp"

namespace tdz {
namespace {

using test::Bytes;

enum class Fault {
  none,
  wrong_residual,
  wrong_packed_byte,
  wrong_value,
  unwritten,
  nothing_written,
  no_coding,
  no_restoring,
  no_memory
};

constexpr std::size_t kPlace = 1000;  ///< of the byte that a fault changes

/// Chunks of the wrong bytes have the digest of the right ones: the residuals are wrong.
Status encode_wrongly(const RoundtripSide& good, std::span<const std::byte> original, const Plan& plan,
                      int level, EncodedChunk& out) {
  Bytes wrong(original.begin(), original.end());
  wrong[kPlace] ^= std::byte{1};
  const Status done = good.encode(wrong, plan, level, out);
  out.record.digest = formats::xxh3_64(original);
  return done;
}

/// The last byte of the frames is another one.
Status damage(EncodedChunk& chunk, Bytes& memory) {
  memory.assign(chunk.packed.begin(), chunk.packed.end());
  memory.back() ^= std::byte{1};
  chunk.packed = memory;
  return ok();
}

Status decode_wrongly(Fault fault, const RoundtripSide& good, const EncodedChunk& coded, const Plan& plan,
                      std::span<std::byte> restored) {
  const Error wrong_digest = corrupt("the restored bytes do not match their digest");
  if (fault == Fault::nothing_written) return wrong_digest;
  if (fault == Fault::no_restoring) return Error{ErrorKind::io, "it was unplugged"};
  if (fault == Fault::no_memory) return Error{ErrorKind::limit, "too little memory"};
  if (fault != Fault::wrong_value && fault != Fault::unwritten) return good.decode(coded, plan, restored);
  const std::byte before = restored[kPlace];
  if (auto done = good.decode(coded, plan, restored); !done) return done;
  restored[kPlace] = fault == Fault::wrong_value ? restored[kPlace] ^ std::byte{1} : before;
  return wrong_digest;
}

/// The CPU with one fault. It may pass for a GPU.
RoundtripSide faulty(std::string name, Fault fault, bool takes_gpu_frames = false) {
  const RoundtripSide good = cpu_side();
  const auto memory = std::make_shared<Bytes>();
  return {std::move(name), "a side under test", takes_gpu_frames,
          [=](auto chunk, const Plan& plan, int level, EncodedChunk& out) -> Status {
            if (fault == Fault::no_coding) return Error{ErrorKind::io, "it was unplugged"};
            if (fault == Fault::wrong_residual) return encode_wrongly(good, chunk, plan, level, out);
            const Status done = good.encode(chunk, plan, level, out);
            return fault == Fault::wrong_packed_byte ? damage(out, *memory) : done;
          },
          [=](const EncodedChunk& coded, const Plan& plan, auto restored) {
            return decode_wrongly(fault, good, coded, plan, restored);
          }};
}

RoundtripTester tester_of(std::vector<RoundtripSide> sides) {
  return RoundtripTester(std::move(sides));
}

const Bytes& original() {
  static const Bytes bytes = test::walk(50001);
  return bytes;
}
const Plan kPlan = plan_for("i16x3", 2).value();
constexpr std::uint64_t kNumber = 5, kOffset = 600000;

/// Tests a correct side, named cpu, and one with the fault, named gpu.
Result<RoundtripOutcome> outcome_of(Fault fault) {
  return tester_of({faulty("cpu", Fault::none), faulty("gpu", fault)})
      .test({original(), kNumber, kOffset}, kPlan, 1);
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

TEST_CASE("two correct sides agree, with the bytes that the chunk coder writes") {
  const auto outcome = outcome_of(Fault::none).value();
  CHECK(outcome.failures.empty());
  EncodedChunk chunk;
  REQUIRE(ChunkEncoder(1).encode(original(), {kPlan, {}, {}}, 1 << 20, chunk));
  CHECK(outcome.packed_bytes == chunk.packed.size());
}

TEST_CASE("after a wrong residual the coders disagree, and no side restores the wrong bytes") {
  const auto outcome = outcome_of(Fault::wrong_residual).value();
  CHECK(faults_of(outcome) == std::vector<Expected>{{RoundtripFault::disagreement, "cpu", "gpu"},
                                                    {RoundtripFault::wrong_value, "gpu", "cpu"},
                                                    {RoundtripFault::wrong_value, "gpu", "gpu"}});
  REQUIRE(outcome.failures.size() == 3);
  CHECK(outcome.failures[0].detail.starts_with("frame 0 is "));  // of another length
  CHECK(outcome.failures[1].mismatch->first == outcome.failures[2].mismatch->first);
}

TEST_CASE("coded bytes that differ are named by their place") {
  const auto outcome = outcome_of(Fault::wrong_packed_byte).value();
  const auto place = std::to_string(outcome.packed_bytes - 1);
  REQUIRE(!outcome.failures.empty());
  CHECK(outcome.failures[0].fault == RoundtripFault::disagreement);
  CHECK(outcome.failures[0].detail == "byte " + place + " of the coded chunk differs");
}

TEST_CASE("a wrong value is reported with index, lane, expected and found") {
  const auto outcome = outcome_of(Fault::wrong_value).value();
  REQUIRE(faults_of(outcome) == std::vector<Expected>{{RoundtripFault::wrong_value, "cpu", "gpu"}});
  const RoundtripFailure& failure = outcome.failures.front();
  const Mismatch& mismatch = failure.mismatch.value();
  const std::uint64_t index = kPlace / 2;
  CHECK(mismatch.first.value == kOffset / 2 + index);
  CHECK(mismatch.first.lane == index % 3);
  CHECK(mismatch.offset == kOffset + kPlace);
  CHECK(mismatch.first.found == (mismatch.first.expected ^ 1));
  CHECK(failure.detail == "the restored bytes do not match their digest");
}

TEST_CASE("a byte that is not written is found, also if it was restored before") {
  auto tester = tester_of({cpu_side(), faulty("gpu", Fault::unwritten)});
  for (int round = 0; round < 2; ++round) {
    const auto outcome = tester.test({original(), kNumber, kOffset}, kPlan, 1).value();
    REQUIRE(faults_of(outcome) == std::vector<Expected>{{RoundtripFault::wrong_value, "cpu", "gpu"}});
    CHECK(outcome.failures.front().mismatch->offset == kOffset + kPlace);
  }
}

TEST_CASE("a side that fails is named, and the other one is still tested") {
  const auto no_coding = outcome_of(Fault::no_coding).value();
  CHECK(faults_of(no_coding) == std::vector<Expected>{{RoundtripFault::coding, "gpu", ""}});
  CHECK(no_coding.packed_bytes > 0);
  const auto no_restoring = outcome_of(Fault::no_restoring).value();
  CHECK(faults_of(no_restoring) == std::vector<Expected>{{RoundtripFault::restoring, "cpu", "gpu"}});
  CHECK(no_restoring.failures.front().detail == "it was unplugged");
  CHECK(faults_of(outcome_of(Fault::nothing_written).value()) ==
        std::vector<Expected>{{RoundtripFault::restoring, "cpu", "gpu"}});
}

TEST_CASE("too little memory is an error, not a failure of the side") {
  const auto outcome = outcome_of(Fault::no_memory);
  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().kind == ErrorKind::limit);
}

TEST_CASE("a single side passes at every length and level, with and without steps") {
  auto tester = tester_of({cpu_side()});
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

/// Words of `bits` random bits.
Bytes words_of(unsigned bits) {
  Bytes bytes;
  for (std::uint32_t i = 0, state = 1; i < 8000; ++i) {
    state = state * 1664525 + 1013904223;
    for (unsigned b = 0; b < 4; ++b) bytes.push_back(static_cast<std::byte>(state >> (32 - bits) >> 8 * b));
  }
  return bytes;
}

TEST_CASE("packed groups pass, also where plain bytes are stored in place of longer groups") {
  const Plan plan = formats::plan_of(Column{4, 1, {PackedStep{3}}});
  auto tester = tester_of({cpu_side(), faulty("gpu", Fault::none)});
  for (const unsigned bits : {9u, 32u}) {
    const Bytes bytes = words_of(bits);
    const auto outcome = tester.test({bytes, 0, 0}, plan, 1).value();
    CHECK(outcome.failures.empty());
    CHECK((outcome.packed_bytes < bytes.size()) == (bits < 32));
  }
  auto wrong = tester_of({faulty("gpu", Fault::wrong_residual)});
  CHECK(wrong.test({words_of(9), 0, 0}, plan, 1).value().failures.size() == 1);
}

TEST_CASE("with a single side a wrong residual is reported as a wrong value") {
  auto tester = tester_of({faulty("gpu", Fault::wrong_residual)});
  const auto outcome = tester.test({original(), kNumber, kOffset}, kPlan, 1).value();
  CHECK(faults_of(outcome) == std::vector<Expected>{{RoundtripFault::wrong_value, "gpu", "gpu"}});
}

// ---- With a side that takes frames for a GPU

TEST_CASE("a GPU's side is tested in frames for a GPU, together with the CPU") {
  const auto tested = [](Fault fault) {
    auto tester = tester_of({faulty("cpu", Fault::none), faulty("cuda", fault, true)});
    return tester.test({original(), kNumber, kOffset}, kPlan, 1).value();
  };
  const auto good = tested(Fault::none);
  CHECK(good.failures.empty());
  CHECK(good.packed_bytes == outcome_of(Fault::none).value().packed_bytes);  // those of the cell's own plan
  const auto coded = tested(Fault::wrong_residual), restored = tested(Fault::wrong_value);
  CHECK(faults_of(coded) == std::vector<Expected>{{RoundtripFault::disagreement, "cpu", "cuda"},
                                                  {RoundtripFault::wrong_value, "cuda", "cpu"},
                                                  {RoundtripFault::wrong_value, "cuda", "cuda"}});
  REQUIRE(faults_of(restored) == std::vector<Expected>{{RoundtripFault::wrong_value, "cpu", "cuda"}});
  const RoundtripFailure& failure = restored.failures.front();
  CHECK(failure.detail == "frames for a GPU: the restored bytes do not match their digest");
  CHECK(failure.mismatch->first.value == kOffset / 2 + kPlace / 2);
  CHECK(failure.mismatch->first.lane == kPlace / 2 % 3);
  CHECK(faults_of(tested(Fault::no_coding)) == std::vector<Expected>{{RoundtripFault::coding, "cuda", ""}});
  CHECK(faults_of(tested(Fault::no_restoring)) ==
        std::vector<Expected>{{RoundtripFault::restoring, "cpu", "cuda"}});
}

/// The plan and the length of each chunk that was coded.
using Coded = std::vector<std::pair<Plan, std::size_t>>;

Coded coded_chunks(const Plan& plan, std::span<const std::byte> bytes) {
  Coded coded;
  RoundtripSide side = faulty("cuda", Fault::none, true);
  side.encode = [&, good = side.encode](auto chunk, const Plan& own, int level, EncodedChunk& out) {
    coded.emplace_back(own, chunk.size());
    return good(chunk, own, level, out);
  };
  CHECK(tester_of({std::move(side)}).test({bytes, 0, 0}, plan, 1).value().failures.empty());
  return coded;
}

TEST_CASE("a GPU's side gets the whole chunk, and its front of whole uniform blocks") {
  const Plan plan = plan_for("i16x3", 2).value(), gpu = gpu_plan(plan).value();
  CHECK(gpu.coding == Coding::uniform);
  CHECK(std::holds_alternative<TokensStep>(gpu.columns[0].steps.back()));
  constexpr std::size_t kBlocks = std::size_t{3} * 8192 * 2;  // one of each lane
  const Bytes bytes = test::walk(3 * kBlocks);
  const auto first = [&](std::size_t count) { return std::span(bytes).first(count); };
  CHECK(coded_chunks(plan, first(1000)) == Coded{{gpu, 1000}});
  CHECK(coded_chunks(plan, first(2 * kBlocks)) == Coded{{gpu, 2 * kBlocks}});
  CHECK(coded_chunks(plan, first(2 * kBlocks + 100)) == Coded{{gpu, 2 * kBlocks + 100}, {gpu, 2 * kBlocks}});
}

TEST_CASE("tuples that are too long for tokens are tested in their own plan") {
  const Plan plan = formats::plan_of(Column{1, 1, {DifferenceStep{1000, 1}}});
  CHECK_FALSE(gpu_plan(plan));
  CHECK(coded_chunks(plan, original()) == Coded{{plan, original().size()}});
}

TEST_CASE("packed groups are tested as they are: a GPU restores them") {
  const Plan plan = formats::plan_of(Column{2, 1, {DifferenceStep{1, 1}, ZigzagStep{}, PackedStep{1}}});
  CHECK_FALSE(gpu_plan(plan));
  CHECK(coded_chunks(plan, original()) == Coded{{plan, original().size()}});
}

}  // namespace
}  // namespace tdz
