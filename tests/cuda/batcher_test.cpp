// SPDX-License-Identifier: Apache-2.0
// Do chunks of many threads, joined to batches, come back to whoever brought them? The device is played by
// the CPU.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include "kernels/cuda/host/batcher.hpp"
#include "tests/cuda/naive.hpp"

namespace {

using namespace tdz;
using namespace tdz::cuda;
using naive::Bytes;

constexpr std::uint64_t kSeed = 20261122;
constexpr std::size_t kSlotBytes = 8 * 4096;

/// What the slots of one batcher have seen.
struct Witness {
  std::atomic<unsigned> now = 0, most = 0, batches = 0;
  std::atomic<std::size_t> chunks = 0;
  std::atomic<unsigned> failures = 0;  ///< so many batches are still to fail
};

class PlayedSlot final : public BatchSlot {
 public:
  explicit PlayedSlot(Witness& witness) : witness_(witness) {}

  std::span<std::byte> memory() override { return memory_; }
  Status run(const BatchContents& contents) override {
    const unsigned now = ++witness_.now;
    if (now > witness_.most) witness_.most = now;
    ++witness_.batches;
    witness_.chunks += contents.lengths.size();
    REQUIRE(contents.lengths.size() * contents.stride <= memory_.size());
    const bool fails = witness_.failures > 0 && witness_.failures-- > 0;
    for (std::size_t i = 0; i < contents.lengths.size() && !fails; ++i) {
      work(contents, memory().subspan(i * contents.stride, contents.lengths[i]));
    }
    std::this_thread::yield();
    --witness_.now;
    return fails ? Status(Error{ErrorKind::io, "lost"}) : ok();
  }

 private:
  static void work(const BatchContents& contents, std::span<std::byte> chunk) {
    const Bytes before(chunk.begin(), chunk.end());
    Bytes scratch(chunk.size());
    const TransformJob job{&contents.transform, before, chunk, scratch};
    const bool forwards = contents.direction == Direction::difference;
    REQUIRE((forwards ? cpu_backend().forward({&job, 1}) : cpu_backend().inverse({&job, 1})));
  }

  Witness& witness_;
  Bytes memory_ = Bytes(kSlotBytes);
};

Batcher make_batcher(unsigned slots, unsigned at_once, Witness& witness) {
  std::vector<std::unique_ptr<BatchSlot>> made;
  for (unsigned i = 0; i < slots; ++i) made.push_back(std::make_unique<PlayedSlot>(witness));
  return {std::move(made), at_once};
}

Transform transform_of(unsigned kind) {
  Transform transform{.word = static_cast<std::uint8_t>(kind % 2 == 0 ? 4 : 2)};
  transform.append(Step::difference(1 + kind, 2)).append(Step::zigzag());
  return transform;
}

/// One chunk, there and back, through the batcher and against the CPU. False if the batcher failed.
bool goes_and_returns(Batcher& batcher, unsigned kind, std::size_t bytes, std::uint64_t seed) {
  const Transform transform = transform_of(kind);
  const Bytes values = naive::noise(bytes, seed);
  Bytes there(bytes), back(bytes), wanted(bytes), scratch(bytes);
  const TransformJob reference{&transform, values, wanted, scratch};
  REQUIRE(cpu_backend().forward({&reference, 1}));
  const TransformJob jobs[] = {{&transform, values, there, {}}, {&transform, there, back, {}}};
  for (const Direction direction : {Direction::difference, Direction::integrate}) {
    const std::span job(&jobs[direction == Direction::integrate ? 1 : 0], 1);
    if (!batcher.run(job, next_batch(job, 0, kSlotBytes), direction)) return false;
  }
  CHECK(there == wanted);
  CHECK(back == values);
  return true;
}

TEST_CASE("every thread gets its own chunks back, whatever batches they went in") {
  CAPTURE(kSeed);
  for (const unsigned slots : {1u, 2u, 3u}) {
    for (const unsigned at_once : {1u, 2u}) {
      Witness witness;
      Batcher batcher = make_batcher(slots, at_once, witness);
      {
        std::vector<std::jthread> threads;
        for (unsigned t = 0; t < 6; ++t) {
          threads.emplace_back([&batcher, t] {
            for (unsigned round = 0; round < 50; ++round) {
              CHECK(goes_and_returns(batcher, (t + round / 9) % 3, (t * 977 + round * 131) % 4097,
                                     kSeed + t + round));
            }
          });
        }
      }
      CHECK(witness.chunks == 6 * 50 * 2);
      CHECK(witness.most <= std::min(slots, at_once));
      CHECK(witness.now == 0);
    }
  }
}

TEST_CASE("several jobs of one call share a batch") {
  Witness witness;
  Batcher batcher = make_batcher(1, 1, witness);
  const Transform transform = transform_of(0);
  std::vector<Bytes> in, out;
  for (const std::size_t bytes : {1000u, 4096u, 3u, 0u}) {
    in.push_back(naive::noise(bytes, kSeed + bytes));
    out.emplace_back(bytes);
  }
  std::vector<TransformJob> jobs;
  for (std::size_t i = 0; i < in.size(); ++i) jobs.push_back({&transform, in[i], out[i], {}});
  const BatchPlan plan = next_batch(jobs, 0, kSlotBytes);
  REQUIRE(plan.count == jobs.size());
  REQUIRE(batcher.run(jobs, plan, Direction::difference));
  CHECK(witness.batches == 1);
  for (std::size_t i = 0; i < in.size(); ++i) {
    Bytes wanted(in[i].size()), scratch(in[i].size());
    const TransformJob reference{&transform, in[i], wanted, scratch};
    REQUIRE(cpu_backend().forward({&reference, 1}));
    CHECK(out[i] == wanted);
  }
}

TEST_CASE("a batch that fails fails for all its members, and the next one goes") {
  Witness witness;
  witness.failures = 3;
  Batcher batcher = make_batcher(2, 1, witness);
  std::atomic<unsigned> failed = 0;
  {
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        for (unsigned round = 0; round < 20; ++round)
          failed += goes_and_returns(batcher, 0, 4000, t + round) ? 0 : 1;
      });
    }
  }
  CHECK(failed >= 3);
  CHECK(failed <= 3 * 4);
  CHECK(goes_and_returns(batcher, 1, 4096, kSeed));
}

TEST_CASE("a plan takes what shares a transform and fits") {
  const Transform a = transform_of(0), b = transform_of(1);
  const Bytes bytes(5000);
  Bytes out(5000);
  const auto job = [&](const Transform& transform, std::size_t length) {
    return TransformJob{&transform, std::span(bytes).first(length), std::span(out).first(length), {}};
  };
  const TransformJob jobs[] = {job(a, 100), job(a, 129), job(b, 1), job(b, 5000), job(b, 0)};
  CHECK(next_batch(jobs, 0, 512).count == 2);
  CHECK(next_batch(jobs, 0, 512).stride == 256);
  CHECK(next_batch(jobs, 0, 511).count == 1);
  CHECK(next_batch(jobs, 2, 8192).count == 1);
  CHECK(next_batch(jobs, 3, 4096).count == 0);
  CHECK(next_batch(jobs, 4, 128).count == 1);
}

}  // namespace
