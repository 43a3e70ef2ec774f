// SPDX-License-Identifier: Apache-2.0
// Do all threads get their own chunks back, although chunks share batches? The CPU replaces the device.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <thread>

#include "kernels/cuda/host/batcher.hpp"
#include "tests/cuda/naive.hpp"

namespace {

using namespace tdz;
using namespace tdz::cuda;
using naive::Bytes;

constexpr std::uint64_t kSeed = 20261122;
constexpr std::size_t kSlotBytes = 8 * 4096;

/// What the slots of one batcher have done.
struct SlotLog {
  std::atomic<unsigned> now = 0, most = 0, batches = 0;
  std::atomic<std::size_t> chunks = 0;
  std::atomic<unsigned> failures = 0;  ///< so many batches will fail
  std::size_t waits_for = 0;           ///< the first batch runs until this many threads have a place

  void saw_thread() {
    const std::lock_guard lock(mutex);
    threads.insert(std::this_thread::get_id());
  }
  bool saw_all() {
    const std::lock_guard lock(mutex);
    return threads.size() >= waits_for;
  }

 private:
  std::mutex mutex;
  std::set<std::thread::id> threads;
};

class CpuSlot final : public BatchSlot {
 public:
  explicit CpuSlot(SlotLog& log) : log_(log) {}

  /// A thread that asks has a place, or takes one here.
  std::span<std::byte> memory() override {
    log_.saw_thread();
    return memory_;
  }
  Status run(const BatchContents& contents) override {
    const unsigned now = ++log_.now;
    if (now > log_.most) log_.most = now;
    if (++log_.batches == 1) {
      while (!log_.saw_all()) std::this_thread::yield();
    }
    log_.chunks += contents.lengths.size();
    REQUIRE(contents.lengths.size() * contents.stride <= memory_.size());
    const bool fails = log_.failures > 0 && log_.failures-- > 0;
    for (std::size_t i = 0; i < contents.lengths.size() && !fails; ++i) {
      work(contents, memory().subspan(i * contents.stride, contents.lengths[i]));
    }
    std::this_thread::yield();
    --log_.now;
    return fails ? Status(Error{ErrorKind::io, "lost"}) : ok();
  }

 private:
  static void work(const BatchContents& contents, std::span<std::byte> chunk) {
    const Bytes before(chunk.begin(), chunk.end());
    Bytes scratch(chunk.size());
    const TransformJob job{&contents.transform, before, chunk, scratch};
    const bool forwards = contents.direction == Direction::difference;
    REQUIRE((forwards ? cpu_backend().forward(job) : cpu_backend().inverse(job)));
  }

  SlotLog& log_;
  Bytes memory_ = Bytes(kSlotBytes);
};

Batcher make_batcher(unsigned slots, unsigned at_once, SlotLog& log) {
  std::vector<std::unique_ptr<BatchSlot>> made;
  for (unsigned i = 0; i < slots; ++i) made.push_back(std::make_unique<CpuSlot>(log));
  return {std::move(made), at_once};
}

Transform transform_of(unsigned kind) {
  Transform transform{.word = static_cast<std::uint8_t>(kind % 2 == 0 ? 4 : 2)};
  transform.append(Step::difference(1 + kind, 2)).append(Step::zigzag());
  return transform;
}

/// Sends one chunk forward and back through the batcher, and compares with the CPU. False if the batcher
/// failed.
bool goes_and_returns(Batcher& batcher, unsigned kind, std::size_t bytes, std::uint64_t seed) {
  const Transform transform = transform_of(kind);
  const Bytes values = naive::noise(bytes, seed);
  Bytes there(bytes), back(bytes), wanted(bytes), scratch(bytes);
  const TransformJob reference{&transform, values, wanted, scratch};
  REQUIRE(cpu_backend().forward(reference));
  if (!batcher.run({&transform, values, there, {}}, Direction::difference)) return false;
  if (!batcher.run({&transform, there, back, {}}, Direction::integrate)) return false;
  CHECK(there == wanted);
  CHECK(back == values);
  return true;
}

TEST_CASE("every thread gets its own chunks back, from any batch") {
  CAPTURE(kSeed);
  for (const unsigned slots : {1u, 2u, 3u}) {
    for (const unsigned at_once : {1u, 2u}) {
      SlotLog log;
      Batcher batcher = make_batcher(slots, at_once, log);
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
      CHECK(log.chunks == 6 * 50 * 2);
      CHECK(log.most <= std::min(slots, at_once));
      CHECK(log.now == 0);
    }
  }
}

TEST_CASE("chunks that come while the device is busy share a batch") {
  constexpr unsigned kMore = 4;
  SlotLog log;
  log.waits_for = 1 + kMore;
  Batcher batcher = make_batcher(2, 1, log);
  const Transform transform = transform_of(0);
  {
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < 1 + kMore; ++t) {
      threads.emplace_back([&, t] {
        const Bytes values = naive::noise(4000, kSeed + t);
        Bytes there(values.size()), wanted(values.size());
        CHECK(batcher.run({&transform, values, there, {}}, Direction::difference));
        CHECK(cpu_backend().forward({&transform, values, wanted, {}}));
        CHECK(there == wanted);
      });
    }
  }
  CHECK(log.chunks == 1 + kMore);
  CHECK(log.batches <= 2);
}

TEST_CASE("if a batch fails, all its jobs fail, and the next batch runs") {
  SlotLog log;
  log.failures = 3;
  Batcher batcher = make_batcher(2, 1, log);
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

TEST_CASE("the place of a chunk is whole cache lines, also if the chunk is empty") {
  CHECK(stride_of(0) == 128);
  CHECK(stride_of(1) == 128);
  CHECK(stride_of(128) == 128);
  CHECK(stride_of(129) == 256);
}

}  // namespace
