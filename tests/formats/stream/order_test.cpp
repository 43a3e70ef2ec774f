// SPDX-License-Identifier: Apache-2.0
// Does the first error count, where CHK is wrong in several ways? And is what the caller judges asked in its
// turn?
#include <doctest/doctest.h>

#include "samples.hpp"

namespace tdz::test::stream {

using formats::Fault;
using namespace tdz::formats;

namespace {

/// A chunk in its place, with rules that accept it and note what was asked.
struct Scene {
  ChunkRecord chunk{.tag = 7,
                    .offset = 100,
                    .number = 3,
                    .original_offset = 50,
                    .chain = 5,
                    .original_bytes = 9,
                    .plan = Bytes(5, std::byte{1}),
                    .substreams = {9},
                    .frames = {{20, 9}}};
  std::string asked{};
  bool good_tag = true, good_plan = true, listed = true, good_lengths = true;

  Bytes record() const { return serialize(chunk); }

  std::string judge(const Bytes& record) {
    asked.clear();
    ChunkRules rules{.place = ChunkPlace{100, 3, 50, 5}};
    rules.is_tag = [this](auto, auto) { return asked += "tag ", good_tag; };
    rules.plan = [this](auto) {
      return asked += "plan ", good_plan ? Fault{} : Fault(unsupported("a plan"));
    };
    rules.can_list = [this](const auto&) { return asked += "list ", listed; };
    rules.lengths = [this](auto, auto) {
      return asked += "lengths ", good_lengths ? Fault{} : Fault(corrupt("lengths"));
    };
    return verdict_of(parse_chunk(record, rules, 0));
  }
};

Bytes with(Bytes record, std::initializer_list<std::pair<std::size_t, unsigned>> edits) {
  for (const auto& [at, value] : edits) record[at] = static_cast<std::byte>(value);
  reseal(record);
  return record;
}

constexpr std::size_t kPlace = 32, kDigestKind = 84, kChain = 88, kFrameCount = 76, kPlanPad = 101,
                      kLengthPad = 108, kUnpacked = 116;

}  // namespace

TEST_CASE("the caller judges tag, plan, index and lengths, in this order") {
  Scene scene;
  CHECK(scene.judge(scene.record()) == "accepted");
  CHECK(scene.asked == "tag plan list lengths ");
}

TEST_CASE("the first error of CHK counts") {
  Scene scene;
  const Bytes good = scene.record();
  CHECK(scene.judge(with(good, {{kPlace, 1}, {kDigestKind, 2}})) == "corrupt");
  CHECK(scene.judge(with(good, {{kDigestKind, 2}, {kChain, 1}})) == "unsupported");
  CHECK(scene.judge(with(good, {{kDigestKind, 2}, {kFrameCount, 9}})) ==
        "unsupported");  // counts against T: later
  CHECK(scene.judge(with(good, {{kDigestKind, 2}, {kFrameCount, 200}})) == "corrupt");  // section 6: before
  CHECK(scene.judge(with(good, {{kPlanPad, 1}, {kChain, 1}})) == "corrupt");
  CHECK(scene.judge(with(good, {{kPlanPad, 1}, {kUnpacked, 0}})) == "unsupported");
  CHECK(scene.judge(with(good, {{kLengthPad, 1}, {kUnpacked, 0}})) == "unsupported");
}

TEST_CASE("a wrong tag comes before everything in the body") {
  Scene scene;
  scene.good_tag = false;
  CHECK(scene.judge(with(scene.record(), {{kDigestKind, 2}})) == "corrupt");
  CHECK(scene.asked == "tag ");
}

TEST_CASE("a wrong plan comes before the index, a full index before lengths") {
  Scene scene;
  scene.good_plan = scene.listed = scene.good_lengths = false;
  CHECK(scene.judge(scene.record()) == "unsupported");
  CHECK(scene.asked == "tag plan ");
  scene.good_plan = true;
  CHECK(scene.judge(with(scene.record(), {{kPlanPad, 1}})) == "unsupported");
  CHECK(scene.asked == "tag plan ");
  CHECK(scene.judge(scene.record()) == "corrupt");
  CHECK(scene.asked == "tag plan list ");
  scene.listed = true;
  CHECK(scene.judge(with(scene.record(), {{kLengthPad, 1}})) == "corrupt");
  CHECK(scene.asked == "tag plan list lengths ");
}

TEST_CASE("missing frames are truncated, but only behind a sound CHK") {
  const Scene scene;
  CHECK_FALSE(check_frames_are_there(scene.chunk, 20, 0));
  const auto fault = check_frames_are_there(scene.chunk, 19, 0);
  REQUIRE(fault);
  CHECK(fault->kind == ErrorKind::truncated);
}

TEST_CASE("a reader of a range may leave the chain unjudged") {
  Scene scene;
  ChunkRules rules{.place = ChunkPlace{100, 3, 50}};
  CHECK(parse_chunk(with(scene.record(), {{kChain, 1}}), rules, 0));
}

}  // namespace tdz::test::stream
