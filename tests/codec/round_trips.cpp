// SPDX-License-Identifier: Apache-2.0
// Is everything restored, and were the requested steps used?
#include <doctest/doctest.h>

#include "codec/stream/memory_io.hpp"
#include "formats/plan/made_plans.hpp"
#include "tests/codec/support.hpp"

using namespace tdz;
using namespace tdz::test;

namespace {

void check_round_trip(const Bytes& original, const CompressOptions& options) {
  const auto stored = compress(original, options);
  REQUIRE(stored);
  const auto restored = decompress(*stored, one_thread());
  REQUIRE(restored);
  CHECK(*restored == original);
}

std::vector<Plan> stored_plans(const Bytes& stored) {
  MemoryRandomAccess file(stored);
  return inspect(file).value().front().plans;
}

}  // namespace

TEST_CASE("every word, tuple, order, zigzag, layout and byte order is restored, with the requested steps") {
  const Bytes original = walk(70001, 2, 7);
  for (const int word : {1, 2, 4, 8}) {
    for (const std::uint32_t tuple : {1u, 2u, 3u, 7u, 1000u, 4294967295u}) {
      for (const int order : {0, 1, 2, 8}) {
        for (const bool zigzag : {false, true}) {
          for (const Layout layout :
               {Layout::interleaved, Layout::planes, Layout::tuple_planes, Layout::bit_planes}) {
            const formats::Parameters steps{static_cast<std::uint8_t>(word),
                                            tuple,
                                            static_cast<std::uint8_t>(order),
                                            zigzag,
                                            layout,
                                            (order & 1) != 0};
            const auto options = options_for(formats::column_of(steps));
            INFO("plan ", formats::plan_name(options.plan));
            const Bytes stored = packed(original, options);
            CHECK(decompress(stored, one_thread()).value() == original);
            CHECK(stored_plans(stored) == std::vector{options.plan});
          }
        }
      }
    }
  }
}

TEST_CASE("every short length is restored, for every word") {
  for (std::size_t length = 0; length <= 40; ++length) {
    for (const char* type : {"u8x3", "i16x2", "f32", "f64x2"}) {
      INFO("length ", length, " type ", type);
      check_round_trip(noise(length, static_cast<std::uint32_t>(length)), options_for(type));
    }
  }
}

TEST_CASE("lengths close to whole chunks are restored") {
  for (const std::size_t chunk : {std::size_t{65536}}) {
    for (const std::ptrdiff_t off : {-13, -2, -1, 0, 1, 2, 13}) {
      for (const std::size_t chunks : {1u, 2u, 3u}) {
        const auto length = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(chunk * chunks) + off);
        INFO("length ", length);
        check_round_trip(walk(length, 4, 3), options_for("i32x3"));
      }
    }
  }
}

TEST_CASE("every level is restored") {
  const Bytes original = walk(100000, 4, 5);
  for (int level = kMinLevel; level <= kMaxLevel; ++level) {
    auto options = options_for("i32");
    options.level = level;
    INFO("level ", level);
    check_round_trip(original, options);
  }
}

TEST_CASE("short frames are restored and are not longer than frame_bytes") {
  auto options = options_for("i16x2");
  options.frame_bytes = 4096;
  const Bytes original = walk(200000, 2, 9);
  const Bytes stored = packed(original, options);
  for (const Piece& piece : dissect(stored)) {
    if (piece.kind != formats::RecordKind::chunk) continue;
    const auto prefix = formats::parse_prefix(piece.bytes, kAnyRecord, 0).value();
    const auto record = std::span(piece.bytes).first(static_cast<std::size_t>(prefix.total_bytes));
    for (const auto& frame : parse_with_plan(record, {}, 0).value().record.frames)
      CHECK(frame.unpacked <= 4096);
  }
  check_round_trip(original, options);
}

TEST_CASE("a raw prefix is stored in chunks without steps, and restored") {
  for (const std::uint64_t prefix : {1u, 44u, 65536u, 65537u, 150000u, 4000000u}) {
    auto options = options_for("i16x2");
    options.raw_prefix = prefix;
    INFO("prefix ", prefix);
    const Bytes original = walk(200000, 2, 11);
    const Bytes stored = packed(original, options);
    CHECK(decompress(stored, one_thread()).value() == original);
    CHECK(stored_plans(stored).front() == plain_plan());
  }
}

TEST_CASE("a list of eight steps is restored") {
  Column column{.width = 4};
  column.steps.insert(column.steps.end(), {ByteswapStep{}, DifferenceStep{1, 1}, DifferenceStep{90000, 2}});
  column.steps.insert(column.steps.end(), {ZigzagStep{}, ByteswapStep{}, ZigzagStep{}});
  column.steps.insert(column.steps.end(), {DifferenceStep{2, 8}, TuplePlanesStep{3}});
  check_round_trip(walk(1 << 20, 4, 13), options_for(column, 1 << 20));
}

TEST_CASE("rows wider than a chunk are cut at whole words") {
  check_round_trip(walk(300003, 4, 17), options_for("i32x90000"));
}

TEST_CASE("a chunk of automatic length holds several rows of a wide tuple") {
  auto options = options_for("f64x90000");
  options.chunk_bytes = 0;
  const Bytes stored = packed(walk(100, 8), options);
  MemoryRandomAccess file(stored);
  CHECK(inspect(file).value().front().largest_chunk == 16 * 90000 * 8);
  options.plan = plan_for("f64").value();
  const Bytes narrow = packed(walk(100, 8), options);
  MemoryRandomAccess narrow_file(narrow);
  CHECK(inspect(narrow_file).value().front().largest_chunk == 1u << 20);
}

TEST_CASE("options out of range are an error") {
  const auto refused = [](auto change) {
    auto options = options_for("i16x2");
    change(options);
    const auto result = compress(Bytes{}, options);
    return !result && result.error().kind == ErrorKind::usage;
  };
  CHECK(refused([](auto& o) { o.level = -1; }));
  CHECK(refused([](auto& o) { o.level = 23; }));
  CHECK(refused([](auto& o) { o.chunk_bytes = 3; }));
  CHECK(refused([](auto& o) { o.chunk_bytes = (1u << 30) + 1; }));
  CHECK(refused([](auto& o) { o.frame_bytes = 4095; }));
  CHECK(refused([](auto& o) { o.frame_bytes = o.chunk_bytes + 1; }));
  CHECK(refused([](auto& o) { o.plan.columns.clear(); }));
  CHECK(refused([](auto& o) { o.plan.columns[0].width = 9; }));
  CHECK(refused([](auto& o) { o.plan.columns[0].steps[0] = DifferenceStep{0, 1}; }));
  CHECK(refused([](auto& o) { o.plan.columns[0].steps[0] = DifferenceStep{1, 9}; }));
  CHECK(refused([](auto& o) { o.plan.columns[0].steps[0] = PlanesStep{}; }));
  CHECK(refused([](auto& o) { o.type = std::string(4000, 'x'); }));
  CHECK_FALSE(refused([](auto&) {}));
}

TEST_CASE("if the cuda backend is not available, the error gives the reason") {
  const auto all = backends();
  const auto cuda = std::ranges::find(all, "cuda", &BackendInfo::name);
  REQUIRE(cuda != all.end());
  if (cuda->available) return;
  auto options = options_for("i16");
  options.backend = BackendChoice::cuda;
  const auto result = compress(walk(100), options);
  REQUIRE_FALSE(result);
  CHECK(result.error().kind == ErrorKind::unsupported);
  CHECK(result.error().message.find(cuda->detail) != std::string::npos);
}
