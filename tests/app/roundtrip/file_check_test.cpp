// SPDX-License-Identifier: Apache-2.0
// Is every chunk of a file tested in every cell, and do chunks begin at the right places? What happens to
// cells that fail, and to a run that is stopped?
#include "app/roundtrip/file_check.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <mutex>

#include "app/options/option_values.hpp"
#include "formats/plan/made_plans.hpp"
#include "tests/codec/support.hpp"

using namespace tdz;
using namespace tdz::app;
using namespace tdz::app::roundtrip;

namespace {

/// The CPU. It remembers the chunks that it coded, and restores chosen chunks wrongly. Several threads may
/// use it, each by a side of its own.
class Watched {
 public:
  RoundtripSide side() {
    const RoundtripSide cpu = cpu_side();
    return {"watched", "a side under test", false,
            [this, cpu](auto chunk, const Plan& plan, int level, EncodedChunk& out) -> Status {
              const std::lock_guard lock(mutex_);
              coded.push_back({plan.columns.front(), chunk.size()});
              if (stop_at == coded.size()) stop.request_stop();
              if (fail_at == coded.size()) return Error{ErrorKind::limit, "too little memory"};
              return cpu.encode(chunk, plan, level, out);
            },
            [this, cpu](const EncodedChunk& chunk, const Plan& plan, auto restored) -> Status {
              auto done = cpu.decode(chunk, plan, restored);
              if (plan.columns.front() != bad || restored.size() != bad_bytes) return done;
              restored.front() ^= std::byte{1};
              return corrupt("the restored bytes do not match their digest");
            }};
  }

  struct Coded {
    Column column;
    std::size_t bytes;
  };
  std::vector<Coded> coded;
  Column bad;  ///< in chunks of bad_bytes
  std::size_t bad_bytes = 0;
  std::size_t stop_at = 0, fail_at = 0;
  std::stop_source stop;

 private:
  std::mutex mutex_;
};

struct Rig {
  Watched backend;
  FileReport report;

  explicit Rig(const std::vector<std::uint32_t>& tuples, std::uint8_t word = 2) {
    const Grid grid{.words = {word},
                    .tuples = tuples,
                    .orders = {1},
                    .layouts = {{Layout::interleaved}},
                    .levels = {},
                    .backends = {}};
    report.cells = cells_of(codings(grid), std::vector<int>{1});
  }
  Status run(const test::Bytes& bytes, unsigned threads = 1) {
    std::vector<RoundtripTester> testers;
    while (testers.size() < threads) testers.emplace_back(std::vector{backend.side()});
    CellWorkers workers(std::move(testers), backend.stop.get_token());
    test::PieceSource source(bytes, 1, 40000);
    return FileCheck(source, formats::kMinChunk, workers).run(report, [this](std::uint64_t done) {
      CHECK(done >= seen);
      seen = done;
    });
  }
  std::uint64_t seen = 0;
};

Column coding(std::uint32_t tuple, std::uint8_t word = 2) {
  return formats::column_of({.word = word, .tuple = tuple, .order = 1, .zigzag = true});
}

}  // namespace

TEST_CASE("every cell tests every chunk, and chunks have whole tuples of all cells") {
  for (const unsigned threads : {1u, 3u}) {
    Rig rig({1, 3, 5});
    const auto bytes = test::walk(150001);
    REQUIRE(rig.run(bytes, threads));
    CHECK(rig.report.complete);
    CHECK(rig.report.bytes == bytes.size());
    CHECK(rig.report.chunks == 3);
    CHECK(rig.seen <= bytes.size());
    REQUIRE(rig.backend.coded.size() == 9);
    constexpr std::size_t kWhole = formats::kMinChunk - formats::kMinChunk % 30;
    CHECK(std::ranges::count(rig.backend.coded, kWhole, &Watched::Coded::bytes) == 6);
    for (const Cell& cell : rig.report.cells) CHECK(verdict(rig.report, cell) == Verdict::passed);
  }
}

TEST_CASE("chunks have whole words if tuples do not fit") {
  Rig rig({65521, 1}, 8);
  REQUIRE(rig.run(test::walk(70000)));
  CHECK(rig.backend.coded.front().bytes == formats::kMinChunk);
}

TEST_CASE("a cell that failed tests no later chunk; the others do") {
  Rig rig({1, 2});
  rig.backend.bad = coding(2);
  rig.backend.bad_bytes = formats::kMinChunk;
  REQUIRE(rig.run(test::walk(200000)));
  CHECK(rig.report.complete);
  CHECK(verdict(rig.report, rig.report.cells[0]) == Verdict::passed);
  const Cell& failed = rig.report.cells[1];
  REQUIRE(failed.failures.size() == 1);
  CHECK(failed.failures.front().chunk == 0);
  CHECK(failed.bytes == formats::kMinChunk);
  CHECK(rig.backend.coded.size() == 5);
}

TEST_CASE("the number of a value is its place in the file, in every chunk") {
  Rig rig({2}, 4);
  rig.backend.bad = coding(2, 4);
  rig.backend.bad_bytes = 1000;
  REQUIRE(rig.run(test::walk(2 * formats::kMinChunk + 1000)));
  REQUIRE(rig.report.cells[0].failures.size() == 1);
  const RoundtripFailure& failure = rig.report.cells[0].failures.front();
  CHECK(failure.chunk == 2);
  CHECK(failure.chunk_offset == 2 * formats::kMinChunk);
  CHECK(failure.mismatch->first.value == 2 * formats::kMinChunk / 4);
}

TEST_CASE("the rest is not read if every cell has failed") {
  Rig rig({1});
  rig.backend.bad = coding(1);
  rig.backend.bad_bytes = formats::kMinChunk;
  REQUIRE(rig.run(test::walk(500000)));
  CHECK(rig.report.chunks == 1);
  CHECK(rig.report.complete);
}

TEST_CASE("after a stop the checked part stays, marked as incomplete") {
  Rig rig({1, 2, 3});
  rig.backend.stop_at = 4;
  const Status done = rig.run(test::walk(500000));
  REQUIRE_FALSE(done);
  CHECK(done.error().kind == ErrorKind::cancelled);
  CHECK_FALSE(rig.report.complete);
  CHECK(rig.report.chunks == 2);
  CHECK(rig.report.cells[0].bytes > rig.report.cells[2].bytes);
  CHECK(counts_of(rig.report).incomplete == 3);
}

TEST_CASE("if memory is missing, the check of the file ends") {
  Rig rig({1, 2, 3});
  rig.backend.fail_at = 2;
  const Status done = rig.run(test::walk(500000));
  REQUIRE_FALSE(done);
  CHECK(done.error().kind == ErrorKind::limit);
  CHECK(counts_of(rig.report).incomplete == 3);
  CHECK(rig.backend.coded.size() == 2);
}

TEST_CASE("an empty file passes without a chunk") {
  Rig rig({1});
  REQUIRE(rig.run({}));
  CHECK(rig.report.chunks == 0);
  CHECK(counts_of(rig.report).passed == 1);
}
