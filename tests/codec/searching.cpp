// SPDX-License-Identifier: Apache-2.0
// Does the search find the shape of the numbers, keep the caller's request, and always choose the same?
#include <doctest/doctest.h>

#include "codec/chunk/frame_plan.hpp"
#include "codec/pipe/memory_io.hpp"
#include "codec/search/request.hpp"
#include "tests/codec/support.hpp"

using namespace tdz;
using namespace tdz::test;

namespace {

CompressOptions searching(SearchOptions search = {}) {
  CompressOptions options;
  options.search = search;
  options.threads = 1;
  return options;
}

Analysis analysis_of(const Bytes& original, const CompressOptions& options = searching()) {
  MemorySource from(original);
  return analyze(from, options).value();
}

Bytes compressed(const Bytes& original, const CompressOptions& options) {
  MemorySource from(original);
  CollectingSink to;
  REQUIRE(compress(from, to, options));
  CHECK(decompress(to.collected, one_thread()).value() == original);
  return to.collected;
}

/// The plain steps of the plan's first column.
std::vector<Step> steps_of(const Plan& plan) {
  std::vector<Step> steps;
  for (const PlanStep& step : plan.columns.front().steps)
    if (const auto* plain = std::get_if<PlainStep>(&step)) steps.push_back(plain->step);
  return steps;
}

bool has_difference(const Plan& plan, std::uint32_t tuple) {
  return std::ranges::any_of(steps_of(plan), [&](const Step& step) {
    return step.id == StepId::difference && step.tuple == tuple;
  });
}

Bytes text(std::size_t bytes) {
  std::mt19937 random(7);
  const std::vector<std::string> words{"the ", "sea ",   "was ",    "calm ",
                                       "and ", "grey, ", "nobody ", "spoke.\n"};
  std::string out;
  while (out.size() < bytes) out += words[random() % words.size()];
  const auto view = std::as_bytes(std::span(out)).first(bytes);
  return {view.begin(), view.end()};
}

}  // namespace

TEST_CASE("the search finds the record's length") {
  const Bytes pairs = walk(1 << 20, 4, 3);
  const Analysis analysis = analysis_of(pairs);
  REQUIRE_FALSE(analysis.chosen.empty());
  const Plan& chosen = analysis.chosen.front();
  INFO("chosen ", formats::plan_name(chosen));
  CHECK(has_difference(chosen, 4u / chosen.columns.front().width));
  CHECK(analysis.candidates.size() > 5);
}

TEST_CASE("the chosen steps give less than half the size of plain bytes") {
  const Bytes original = walk(1 << 20, 4, 3);
  CHECK(compressed(original, searching()).size() * 2 < packed(original, options_for(Transform{})).size());
}

TEST_CASE("text gets no steps, and long chunks") {
  const Analysis analysis = analysis_of(text(1 << 20));
  CHECK(analysis.chosen == std::vector{plain_plan()});
  CHECK(analysis.chunk_bytes == 8u << 20);
}

TEST_CASE("noise is restored, and its stream is less than 0.2 % longer") {
  const Bytes original = noise(1 << 20);
  CHECK(compressed(original, searching()).size() < original.size() + original.size() / 500);
}

TEST_CASE("short and empty inputs are restored") {
  for (const std::size_t length : {0u, 1u, 2u, 7u, 8u, 100u, 4097u}) {
    INFO("length ", length);
    compressed(walk(length, 2, 5), searching());
  }
}

TEST_CASE("the search keeps the values that the caller set") {
  const Bytes original = walk(1 << 19, 4, 3);
  SearchOptions request;
  request.word = 2;
  request.tuple = 3;
  request.order = 2;
  for (const Candidate& candidate : analysis_of(original, searching(request)).candidates) {
    const Plan& tried = candidate.plan;
    INFO("tried ", formats::plan_name(tried));
    CHECK(tried.columns.front().width == 2);
    const auto steps = steps_of(tried);
    CHECK(std::ranges::count(steps, Step::difference(3, 2)) == 1);
  }
  request = {};
  request.layout = Layout::interleaved;
  request.zigzag = false;
  for (const Candidate& candidate : analysis_of(original, searching(request)).candidates) {
    for (const Step& step : steps_of(candidate.plan)) {
      const bool allowed = step.id == StepId::difference || step.id == StepId::byteswap;
      CHECK(allowed);
    }
  }
}

TEST_CASE("a known header becomes the raw prefix") {
  Bytes header;
  for (const char c : std::string("P5\n512 512\n255\n")) header.push_back(static_cast<std::byte>(c));
  const Analysis analysis = analysis_of(header + walk(512 * 512, 1, 9));
  CHECK(analysis.raw_prefix == header.size());
  CHECK_FALSE(analysis.sniffed.empty());
}

TEST_CASE("the bytes depend neither on threads nor on the run") {
  const Bytes original = walk(3 << 20, 2, 41);
  auto options = searching();
  const Bytes expected = compressed(original, options);
  CHECK(compressed(original, options) == expected);
  for (const unsigned threads : {2u, 5u}) {
    options.threads = threads;
    CHECK(compressed(original, options) == expected);
  }
}

TEST_CASE("two halves of different kinds need no more than 2 % more together than apart") {
  auto options = searching();
  options.chunk_bytes = 1 << 20;  // otherwise text alone gets longer chunks
  const Bytes numbers = walk(4 << 20, 4, 3);
  for (const Bytes& other : {text(4 << 20), walk(4 << 20, 3, 8)}) {
    const std::size_t together = compressed(numbers + other, options).size();
    const std::size_t apart = compressed(numbers, options).size() + compressed(other, options).size();
    CHECK(analysis_of(numbers + other, options).chosen.size() >= 2);
    CHECK(together < apart + apart / 50);
  }
}

TEST_CASE("the search keeps a row length that the caller set") {
  SearchOptions request{.word = 1, .row = 300};
  for (const Candidate& candidate : analysis_of(walk(1 << 18, 1, 3), searching(request)).candidates)
    CHECK(has_difference(candidate.plan, 300));
}

TEST_CASE("parameters made from a transform give the same transform again") {
  for (const Candidate& candidate : analysis_of(walk(1 << 19, 4, 3)).candidates) {
    const auto transform = formats::transform_of(candidate.plan);
    if (transform) CHECK(formats::transform_of(formats::parameters_of(*transform)) == *transform);
  }
  for (const std::uint8_t order : {0, 1, 2}) {
    for (const std::uint32_t row : {0u, 3u, 300u}) {
      const formats::Parameters said{
          .word = 1, .tuple = 3, .order = order, .zigzag = true, .layout = Layout::tuple_planes, .row = row};
      const Transform transform = formats::transform_of(said);
      CHECK(formats::transform_of(formats::parameters_of(transform)) == transform);
    }
  }
}

TEST_CASE("a pipe is searched by its beginning and restored completely") {
  const Bytes original = walk(9 << 20, 4, 3);
  PieceSource from(original, 3, 100000);
  CollectingSink to;
  REQUIRE(compress(from, to, searching()));
  CHECK(decompress(to.collected, one_thread()).value() == original);
  CHECK(to.collected.size() * 2 < original.size());
}

TEST_CASE("every effort is restored") {
  const Bytes original = walk(1 << 20, 2, 11);
  for (const Effort effort : {Effort::fast, Effort::normal, Effort::best}) {
    compressed(original, searching({.effort = effort}));
  }
}

TEST_CASE("a tuple longer than the input is restored") {
  const Bytes original = walk(1 << 18, 2, 11);
  for (const Effort effort : {Effort::fast, Effort::normal, Effort::best}) {
    for (const std::uint32_t tuple : {0x20000000u, 0xFFFFFFFFu}) {
      compressed(original, searching({.effort = effort, .word = 2, .tuple = tuple}));
    }
  }
}

TEST_CASE("frames cover a chunk exactly, with every plan") {
  std::mt19937 random(1);
  for (const char* type : {"u8", "i16x2", "f32x3", "i64x2", "u32x1000", "u64x3758096384"}) {
    for (const std::size_t bytes : {1u, 4095u, 4096u, 65536u, 100001u, 1000003u}) {
      const Plan plan = plan_for(type).value();
      std::vector<std::uint32_t> lengths;
      for (const auto& part : formats::substreams(plan, bytes))
        lengths.push_back(static_cast<std::uint32_t>(part.most));
      FramePlan frames;
      for (auto& packing : frames.packing) packing = static_cast<Packing>(random() % kPackings);
      std::size_t sum = 0;
      for (const FramePiece& piece : cut_frames(frames, plane_lengths(plan, lengths), 1 << 16)) {
        CHECK(piece.bytes > 0);
        CHECK(piece.bytes <= 1 << 16);
        sum += piece.bytes;
      }
      INFO("type ", type, " bytes ", bytes);
      CHECK(sum == bytes);
    }
  }
}
