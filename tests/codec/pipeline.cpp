// SPDX-License-Identifier: Apache-2.0
// Does the pipeline keep the order, use no more than its slots, and return the first error?
#include "codec/stream/pipeline.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <new>
#include <random>
#include <thread>

using namespace tdz;

namespace {

/// Sends the numbers 0..count-1 through the pipeline. The workers square them; every stage has seeded delays.
struct Numbers {
  unsigned count = 100;
  std::size_t slots = 4;
  unsigned workers = 3;
  unsigned fail_fill = ~0u, fail_work = ~0u, fail_drain = ~0u;
  std::stop_source stop = std::stop_source();

  std::vector<unsigned> drained = {};
  std::size_t most_in_flight = 0;

  Status run(std::uint32_t seed) {
    std::vector<unsigned> ring(slots);
    std::atomic<unsigned> next{0}, done{0};
    const auto pause = [seed](unsigned n) {
      std::this_thread::sleep_for(std::chrono::microseconds((n * 2654435761u ^ seed) % 200));
    };
    Pipeline pipeline(slots, workers);
    const PipelineStages stages{[&](std::size_t slot) -> Result<bool> {
                                  pause(next);
                                  if (next == fail_fill) return Error{ErrorKind::io, "fill"};
                                  if (next == count) return false;
                                  ring[slot] = next++;
                                  most_in_flight = std::max<std::size_t>(most_in_flight, next - done);
                                  return true;
                                },
                                [&](std::size_t slot, unsigned worker) -> Status {
                                  CHECK(worker < workers);
                                  pause(ring[slot] * 7);
                                  if (ring[slot] == fail_work) return Error{ErrorKind::corrupt, "work"};
                                  ring[slot] *= ring[slot];
                                  return ok();
                                },
                                [&](std::size_t slot) -> Status {
                                  if (drained.size() == fail_drain) return Error{ErrorKind::io, "drain"};
                                  drained.push_back(ring[slot]);
                                  ++done;
                                  return ok();
                                }};
    return pipeline.run(stages, stop.get_token());
  }

  void check_drained(unsigned expected) const {
    REQUIRE(drained.size() == expected);
    for (unsigned n = 0; n < expected; ++n) CHECK(drained[n] == n * n);
  }
};

}  // namespace

TEST_CASE("slots are drained in order, and no more than the ring's slots are in use") {
  for (const unsigned workers : {1u, 2u, 5u}) {
    for (const std::size_t slots : {std::size_t{1}, std::size_t{2}, std::size_t{7}}) {
      Numbers numbers{.slots = slots, .workers = workers};
      INFO("workers ", workers, " slots ", slots);
      REQUIRE(numbers.run(99));
      numbers.check_drained(100);
      CHECK(numbers.most_in_flight <= slots);
    }
  }
}

TEST_CASE("an error in any stage ends the run after all slots before it are drained") {
  for (const unsigned workers : {1u, 4u}) {
    for (const unsigned at : {0u, 1u, 50u, 99u}) {
      Numbers fill{.workers = workers, .fail_fill = at};
      CHECK(fill.run(1).error().message == "fill");
      fill.check_drained(at);
      Numbers work{.workers = workers, .fail_work = at};
      CHECK(work.run(2).error().message == "work");
      work.check_drained(at);
      Numbers drain{.workers = workers, .fail_drain = at};
      CHECK(drain.run(3).error().message == "drain");
      drain.check_drained(at);
    }
  }
}

TEST_CASE("of two errors the one in the earlier slot is returned") {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    Numbers numbers{.fail_fill = 12, .fail_work = 10};
    CHECK(numbers.run(seed).error().message == "work");
    numbers.check_drained(10);
  }
}

TEST_CASE("after a stop request before the start nothing is drained") {
  Numbers numbers;
  numbers.stop.request_stop();
  CHECK(numbers.run(1).error().kind == ErrorKind::cancelled);
  numbers.check_drained(0);
}

TEST_CASE("std::bad_alloc in a stage becomes an error value") {
  Pipeline pipeline(2, 2);
  const PipelineStages stages{[](std::size_t) -> Result<bool> { return true; },
                              [](std::size_t, unsigned) -> Status { throw std::bad_alloc(); },
                              [](std::size_t) -> Status { return ok(); }};
  CHECK(pipeline.run(stages, {}).error().kind == ErrorKind::limit);
}

TEST_CASE("a pipeline can run again") {
  Pipeline pipeline(2, 2);
  for (int round = 0; round < 3; ++round) {
    int left = 5;
    const PipelineStages stages{[&](std::size_t) -> Result<bool> { return left-- > 0; },
                                [](std::size_t, unsigned) { return ok(); }, [](std::size_t) { return ok(); }};
    CHECK(pipeline.run(stages, {}));
  }
}
