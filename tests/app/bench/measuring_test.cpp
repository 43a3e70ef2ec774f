// SPDX-License-Identifier: Apache-2.0
// Does each measurement give a complete and right result, and does the limit follow its formula? No test
// requires a speed.
#include <doctest/doctest.h>

#include "app/bench/measure/codec_bench.hpp"
#include "app/bench/measure/made_numbers.hpp"
#include "app/bench/measure/packed_chunks.hpp"
#include "app/bench/measure/scan_bench.hpp"
#include "app/options/option_values.hpp"
#include "formats/plan/made_plans.hpp"

using namespace tdz;
using namespace tdz::app;
using namespace tdz::app::bench;

TEST_CASE("the limit is the memory machine's, and the largest term binds") {
  const MachineModel model{"cuda", 2e12, 5e-7, 1e5, 16};
  const Limit large = memory_machine_limit(model, 1 << 30, 4);
  CHECK(large.bandwidth == doctest::Approx(2.0 * (1 << 30) / 2e12));
  CHECK(large.latency == doctest::Approx(2.0 * (1 << 30) / 16 * 5e-7 / 1e5));
  CHECK(large.reduction == doctest::Approx(5e-7 * 28));
  CHECK(large.binding() == "bandwidth");
  CHECK(large.seconds() == large.bandwidth);
  CHECK(memory_machine_limit(model, 4096, 4).binding() == "reduction");
  CHECK(memory_machine_limit(model, 1, 8).reduction == 0);  // less than one number needs no reduction
  CHECK(memory_machine_limit({"cuda", 2e12, 5e-7, 1e3, 16}, 1 << 30, 4).binding() == "latency");
  CHECK(copy_limit({0.5, 0.4, 0.6, 3}).seconds() == 0.5);
}

TEST_CASE("made numbers are the same every time, whole rows, and of three kinds") {
  for (const Kind kind : kKinds) {
    const auto numbers = made_numbers(kind, {'u', 4, 3}, 1000);
    CHECK(numbers.size() == 996);
    CHECK(numbers == made_numbers(kind, {'u', 4, 3}, 1000));
    CHECK(made_numbers(kind, {'u', 8, 100}, 10).size() == 800);
  }
  CHECK(made_numbers(Kind::smooth, {'u', 2, 1}, 999) != made_numbers(Kind::noisy, {'u', 2, 1}, 999));
}

TEST_CASE("a cell of the codec has the size that compress gives, and a time for every stage") {
  const auto data = made_numbers(Kind::smooth, {'u', 2, 2}, 3'000'002);
  const app::bench::Coding coding{
      .word = 2, .tuple = 2, .order = 2, .zigzag = true, .layout = Layout::tuple_planes};
  Pacer pacer(0, kCodecPieces);
  const auto result = measure_codec({data, coding, 1, BackendChoice::cpu, {}}, pacer, {});
  REQUIRE(result);
  CHECK(result->fault.empty());
  CHECK(result->bytes == data.size());
  CompressOptions options;
  options.plan = formats::plan_of(formats::column_of(coding));
  options.level = 1;
  options.chunk_bytes = kBenchChunk;
  CHECK(result->stored == compress(data, options).value().size());
  for (const Timing* timing : {&result->compress, &result->decompress, &result->copy, &result->stages.digest,
                               &result->stages.difference, &result->stages.pack, &result->stages.unpack,
                               &result->stages.integrate}) {
    CHECK(timing->runs == 1);
    CHECK(timing->median > 0);
  }
  CHECK_FALSE(result->stages.to_device);
}

TEST_CASE("a cell with packed groups: the stages give what compress stores, a frame for each chunk") {
  for (const Kind kind : kKinds) {
    const auto data = made_numbers(kind, {'u', 2, 3}, 2'500'003);
    const app::bench::Coding coding{.word = 2, .tuple = 3, .order = 1, .zigzag = true, .packed = true};
    Pacer pacer(0, kCodecPieces);
    const auto result = measure_codec({data, coding, 3, BackendChoice::cpu, {}}, pacer, {});
    REQUIRE(result);
    CHECK(result->fault.empty());
    CompressOptions options;
    options.plan = formats::plan_of(formats::column_of(coding));
    options.chunk_bytes = kBenchChunk;
    CHECK(result->stored == compress(data, options).value().size());
    for (const Timing* timing : {&result->compress, &result->decompress, &result->stages.difference,
                                 &result->stages.pack, &result->stages.unpack, &result->stages.integrate})
      CHECK(timing->median > 0);
  }
  Pacer pacer(0, kCodecPieces);
  const std::vector<std::byte> few(7);
  const app::bench::Coding coding{.word = 4, .tuple = 300, .order = 2, .zigzag = true, .packed = true};
  CHECK(measure_codec({few, coding, 3, BackendChoice::cpu, {}}, pacer, {}).value().fault.empty());
}

TEST_CASE("packed chunks come back; what was not packed anew, and what is damaged, does not") {
  const auto data = made_numbers(Kind::noisy, {'u', 4, 2}, 100'000);
  const app::bench::Coding coding{.word = 4, .tuple = 2, .order = 1, .zigzag = true, .packed = true};
  PackedChunks chunks(coding, data.size(), 30'000);
  REQUIRE(chunks.count() == 4);
  REQUIRE(chunks.pack(data));
  std::vector<std::byte> restored(data.size());
  REQUIRE(chunks.unpack(restored));
  CHECK(restored == data);

  for (std::size_t i = 0; i < chunks.count(); ++i) {
    CHECK(!chunks.groups(i).empty());
    CHECK(chunks.groups(i).size() <= chunks.most());
  }
  std::vector<std::byte> damaged(chunks.groups(1).begin(), chunks.groups(1).end());
  damaged.front() ^= std::byte{0x80};  // the first width
  CHECK(chunks.unpack(1, damaged, restored).error().kind == ErrorKind::corrupt);
  chunks.forget();
  CHECK_FALSE(chunks.unpack(restored));
}

TEST_CASE("plain zstd compresses the raw bytes") {
  const auto data = made_numbers(Kind::stepped, {'u', 1, 1}, 5000);
  Pacer pacer(0, kRawPieces);
  const auto result = measure_raw(data, 3, pacer, {});
  REQUIRE(result);
  CHECK(result->bytes == 5000);
  CHECK(result->ratio() > 1);
}

TEST_CASE(
    "the CPU's kernels are measured in both directions and every layout, with a last chunk that is short") {
  const auto bench = cpu_scan_bench(1'000'000);
  CHECK(bench->model({}).value().bytes_per_second > 0);
  for (const GridLayout layout : parse_layouts("all").value()) {
    for (const Direction direction : {Direction::integrate, Direction::difference}) {
      ScanWork work{.backend = "cpu",
                    .scan = "tdz",
                    .direction = direction,
                    .shape = Shape::batch,
                    .coding = {.word = 4,
                               .tuple = 3,
                               .order = 5,
                               .zigzag = true,
                               .layout = layout.of_words,
                               .packed = layout.packed},
                    .bytes = 1'000'000,
                    .chunk_bytes = 300'000};
      Pacer pacer(0, kScanPieces);
      const auto result = bench->measure(work, pacer, {});
      REQUIRE(result);
      CHECK(result->fault.empty());
      CHECK(result->kernel.runs == 1);
      CHECK(result->limit.binding() == "bandwidth");
    }
  }
}
