// SPDX-License-Identifier: Apache-2.0
// Does every pipeline end, of any size, also if stages are slow, fail, or are stopped at any moment? These
// tests also run under the thread sanitizer. A watchdog ends the program if a pipeline does not end.
#include <doctest/doctest.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "codec/stream/memory_io.hpp"
#include "codec/stream/pipeline.hpp"
#include "tests/codec/support.hpp"

using namespace tdz;
using namespace tdz::test;

namespace {

constexpr std::uint32_t kSeed = 20261121;

int rounds(int usual) {
  return std::getenv("TDZ_TEST_FULL") != nullptr ? 50 * usual : usual;
}

/// Ends the program after a deadlock. A round takes less than a hundredth of the limit.
class Watchdog {
 public:
  explicit Watchdog(std::uint32_t seed)
      : thread_([this, seed](const std::stop_token& stop) { watch(stop, seed); }) {}

 private:
  static constexpr std::chrono::seconds kLimit{120};

  void watch(const std::stop_token& stop, std::uint32_t seed) {
    const auto begin = std::chrono::steady_clock::now();
    while (!stop.stop_requested()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (std::chrono::steady_clock::now() - begin < kLimit) continue;
      std::fprintf(stderr, "a round does not end, seed %u\n", seed);
      std::abort();
    }
  }

  std::jthread thread_;
};

void sleep_sometimes(std::mt19937& random) {
  if (random() % 3 == 0) std::this_thread::sleep_for(std::chrono::microseconds(random() % 200));
}

/// Sometimes slow. Fails at call number `fails`, if there is one.
class UnreliableSource : public PieceSource {
 public:
  UnreliableSource(std::span<const std::byte> bytes, std::uint32_t seed, std::optional<std::size_t> fails)
      : PieceSource(bytes, seed, 50000), random_(seed), fails_(fails) {}
  Result<std::size_t> read(std::span<std::byte> into) override {
    sleep_sometimes(random_);
    if (fails_ && calls_++ >= *fails_) return Error{ErrorKind::io, "source"};
    return PieceSource::read(into);
  }

 private:
  std::mt19937 random_;
  std::optional<std::size_t> fails_;
  std::size_t calls_ = 0;
};

class UnreliableSink : public CollectingSink {
 public:
  UnreliableSink(std::uint32_t seed, std::optional<std::size_t> fails) : random_(seed), fails_(fails) {}
  Status write(std::span<const std::byte> bytes) override {
    sleep_sometimes(random_);
    if (fails_ && calls_++ >= *fails_) return Error{ErrorKind::io, "sink"};
    return CollectingSink::write(bytes);
  }

 private:
  std::mt19937 random_;
  std::optional<std::size_t> fails_;
  std::size_t calls_ = 0;
};

std::optional<std::size_t> perhaps(std::mt19937& random) {
  return random() % 3 == 0 ? std::optional<std::size_t>(random() % 12) : std::nullopt;
}

bool is_prefix(const Bytes& part, const Bytes& whole) {
  return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
}

/// Requests a stop at a random moment, or never.
std::jthread stopper(std::stop_source& source, std::mt19937& random) {
  const bool ever = random() % 3 == 0;
  const auto moment = std::chrono::microseconds(random() % 4000);
  return std::jthread([&source, ever, moment] {
    if (!ever) return;
    std::this_thread::sleep_for(moment);
    source.request_stop();
  });
}

}  // namespace

TEST_CASE("pipelines of every size drain all slots in order, or end with the first error in order") {
  for (int round = 0; round < rounds(60); ++round) {
    const auto seed = kSeed + static_cast<std::uint32_t>(round);
    INFO("seed ", seed);
    std::mt19937 random(seed);
    const Watchdog watchdog(seed);
    const std::size_t slots = 1 + random() % 9, items = random() % 60, bad = random() % 90;
    const auto workers = static_cast<unsigned>(1 + random() % 6);
    std::vector<std::size_t> at(slots);
    std::size_t filled = 0, drained = 0;
    std::atomic<unsigned> turn = 0;
    const PipelineStages stages{[&](std::size_t slot) -> Result<bool> {
                                  at[slot] = filled;
                                  return filled++ < items;
                                },
                                [&](std::size_t slot, unsigned) -> Status {
                                  if (++turn % 5 == 0) std::this_thread::yield();
                                  if (at[slot] >= bad) return Error{ErrorKind::io, std::to_string(at[slot])};
                                  return ok();
                                },
                                [&](std::size_t slot) -> Status {
                                  CHECK(at[slot] == drained);
                                  ++drained;
                                  return ok();
                                }};
    const auto done = Pipeline(slots, workers).run(stages, {});
    CHECK(static_cast<bool>(done) == (bad >= items));
    CHECK(drained == std::min(bad, items));
    if (!done) CHECK(done.error().message == std::to_string(bad));
  }
}

TEST_CASE("after a failure or a stop at any moment the output is a correct prefix, and the error fits") {
  const Bytes original = walk(9 * 65536 + 77, 2, 3);
  const Bytes stored = packed(original, options_for("i16"));
  for (int round = 0; round < rounds(40); ++round) {
    const auto seed = kSeed + static_cast<std::uint32_t>(round);
    INFO("seed ", seed);
    std::mt19937 random(seed);
    const Watchdog watchdog(seed);
    const bool packing = random() % 2 == 0;
    const auto source_fails = perhaps(random), sink_fails = perhaps(random);
    UnreliableSource from(packing ? original : stored, seed, source_fails);
    UnreliableSink to(seed, sink_fails);
    std::stop_source stop;
    auto to_compress = options_for("i16");
    DecompressOptions to_restore;
    to_compress.threads = to_restore.threads = static_cast<unsigned>(1 + random() % 6);
    to_compress.stop = to_restore.stop = stop.get_token();
    const auto stopping = stopper(stop, random);
    const auto totals = packing ? compress(from, to, to_compress) : decompress(from, to, to_restore);
    if (totals) CHECK((packing ? decompress(to.collected).value() : to.collected) == original);
    if (!packing) CHECK(is_prefix(to.collected, original));
    if (totals) continue;
    const auto& error = totals.error();
    const bool explained = error.kind == ErrorKind::cancelled ||
                           (error.message == "source" && source_fails) ||
                           (error.message == "sink" && sink_fails);
    CHECK_MESSAGE(explained, error.message);
  }
}
