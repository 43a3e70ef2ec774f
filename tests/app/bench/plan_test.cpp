// SPDX-License-Identifier: Apache-2.0
#include "app/bench/plan.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace tdz;
using namespace tdz::app;
using namespace tdz::app::bench;

namespace {

BenchCommand command_for_one_file() {
  BenchCommand command;
  command.files = {"data"};
  command.time = std::chrono::hours(1);
  return command;
}

Subject pairs() {
  return {.name = "data", .made = {}, .type = {'i', 2, 2}, .layout = Layout::bit_planes, .bytes = 1 << 20};
}

bench::Plan plan_of(const BenchCommand& command, const Subject& subject = pairs()) {
  return make_plan(command, {&subject, 1}).value();
}

}  // namespace

TEST_CASE("without ranges: the file's own type and layout at orders 0 to 4, on the CPU") {
  const bench::Plan plan = plan_of(command_for_one_file());
  REQUIRE(plan.codec.size() == 5);
  for (std::size_t i = 0; i < 5; ++i) {
    const CodecCell& cell = plan.codec[i];
    CHECK(cell.coding.order == i);
    CHECK(cell.coding.word == 2);
    CHECK(cell.coding.tuple == 2);
    CHECK(cell.coding.layout == Layout::bit_planes);
    CHECK(cell.coding.zigzag == (i > 0));
    CHECK(cell.level == kDefaultLevel);
    CHECK(cell.backend == BackendChoice::cpu);
  }
  CHECK(plan.raw.size() == 1);
  CHECK(plan.scans.size() == 2 * 4);  // both directions of the orders above 0
  CHECK(plan.curves.empty());
}

TEST_CASE("ranges span a grid") {
  BenchCommand command = command_for_one_file();
  command.grid.words = {1, 4};
  command.grid.tuples = {1, 2, 3};
  command.grid.orders = {1, 8};
  command.grid.levels = {1, 9};
  const bench::Plan plan = plan_of(command);
  CHECK(plan.codec.size() == 2 * 3 * 2 * 2);
  CHECK(plan.raw.size() == 2);
  CHECK(plan.scans.size() == 2 * 3 * 2 * 2);
  CHECK(std::ranges::all_of(plan.codec,
                            [](const CodecCell& cell) { return cell.coding.layout == Layout::bit_planes; }));
  CHECK(plan.pieces() == plan.codec.size() * 8 + plan.raw.size() * 2 + plan.scans.size() * 2);
}

TEST_CASE("layouts of the command are scanned too, with zigzag") {
  BenchCommand command = command_for_one_file();
  command.grid.orders = {1};
  command.grid.layouts = {{Layout::interleaved}, {Layout::planes}};
  const bench::Plan plan = plan_of(command);
  REQUIRE(plan.scans.size() == 4);
  CHECK(plan.scans[0].coding.layout == Layout::interleaved);
  CHECK_FALSE(plan.scans[0].coding.zigzag);
  CHECK(plan.scans[2].coding.layout == Layout::planes);
  CHECK(plan.scans[2].coding.zigzag);
}

TEST_CASE("packed groups are a layout of the codec's and the kernels' cells, on the CPU alone") {
  BenchCommand command = command_for_one_file();
  command.grid.orders = {0, 1};
  command.grid.layouts = {{Layout::interleaved, true}};
  command.grid.backends = {BackendChoice::cpu};
  const bench::Plan plan = plan_of(command);
  REQUIRE(plan.codec.size() == 2);
  CHECK(std::ranges::all_of(plan.codec, [](const CodecCell& cell) { return cell.coding.packed; }));
  REQUIRE(plan.scans.size() == 4);  // both directions, interleaved and packed, of order 1
  CHECK_FALSE(plan.scans[1].coding.packed);
  CHECK(plan.scans[2].coding.packed);
  CHECK(plan.scans[2].coding.zigzag);
  CHECK(plan.remarks.empty());
  CHECK(plan.memory() > 5 * plan.scan_bytes("cpu"));

  command.grid.layouts.push_back({Layout::planes});
  command.grid.backends = {BackendChoice::cpu, BackendChoice::cuda};
  const bench::Plan both = plan_of(command);
  const auto count = [&](BackendChoice backend, bool packed) {
    return std::ranges::count_if(both.codec, [&](const CodecCell& cell) {
      return cell.backend == backend && cell.coding.packed == packed;
    });
  };
  CHECK(count(BackendChoice::cpu, true) == 2);
  CHECK(count(BackendChoice::cuda, true) == 0);
  CHECK(count(BackendChoice::cuda, false) == 2);
  for (const ScanWork& work : both.scans) CHECK((work.backend == "cpu" || !work.coding.packed));
  CHECK(both.remarks == std::vector<std::string>{"Packed groups are measured on the CPU alone."});
}

TEST_CASE("packed groups on a GPU alone leave nothing to measure, which is refused") {
  BenchCommand command = command_for_one_file();
  command.grid.layouts = {{Layout::interleaved, true}};
  command.grid.backends = {BackendChoice::cuda};
  const Subject subject = pairs();
  CHECK(make_plan(command, {&subject, 1}).error().kind == ErrorKind::usage);
}

TEST_CASE("without files numbers are made, and each word is measured on its own") {
  BenchCommand command;
  command.grid.words = {1, 8};
  command.grid.tuples = {3, 4};
  command.grid.orders = {2};
  const bench::Plan plan = make_plan(command, {}).value();
  REQUIRE(plan.subjects.size() == 2 * kKinds.size());
  CHECK(plan.codec.size() == plan.subjects.size() * 2);
  for (const CodecCell& cell : plan.codec) CHECK(cell.coding.word == plan.subjects[cell.subject].type.word);
  CHECK(plan.subjects[0].type.tuple == 3);
}

TEST_CASE("a short time gives fewer bytes, and a remark says so") {
  BenchCommand command = command_for_one_file();
  command.time = std::chrono::milliseconds(1);
  Subject subject = pairs();
  subject.bytes = 1 << 30;
  const bench::Plan plan = plan_of(command, subject);
  CHECK(plan.subjects[0].bytes == 256 << 10);
  CHECK(plan.scan_bytes("cpu") == 1 << 20);
  CHECK(plan.remarks.size() == 2);
  command.time = std::chrono::hours(20);
  CHECK(plan_of(command, subject).subjects[0].bytes == 16 << 20);
  CHECK(plan_of(command, subject).remarks.empty());
}

TEST_CASE("size bounds every cell and the memory") {
  BenchCommand command = command_for_one_file();
  command.size = 100000;
  const bench::Plan plan = plan_of(command);
  CHECK(plan.subjects[0].bytes == 100000);
  CHECK(plan.scan_bytes("cpu") == 100000);
  CHECK(plan.scan_bytes("cuda") == 0);
  command.size = std::uint64_t{1} << 40;
  CHECK(plan_of(command).scan_bytes("cpu") == std::uint64_t{1} << 40);
  CHECK(plan_of(command).memory() >= std::uint64_t{3} << 40);
}

TEST_CASE("curves have the SAM paper's cells over lengths from 2^10 values up") {
  BenchCommand command = command_for_one_file();
  command.curves = true;
  command.size = 1 << 20;
  command.grid.words = {4};
  const bench::Plan plan = plan_of(command);
  CHECK(plan.curves.size() == 7 * 5);  // 2^10, 2^12, ... 2^18 values of 4 bytes
  CHECK(plan.curves.front().bytes == 4096);
  CHECK(plan.curves[4].bytes == 1 << 20);
  for (const ScanWork& work : plan.curves) CHECK(work.chunk_bytes == work.bytes);
}

TEST_CASE("scans that do not exist, or that need a GPU, are refused") {
  BenchCommand command = command_for_one_file();
  const Subject subject = pairs();
  for (const char* scan : {"fastest", "sam", "cub"}) {
    command.scans = {scan};
    CHECK(make_plan(command, {&subject, 1}).error().kind == ErrorKind::usage);
  }
  command.scans = {"tdz"};
  CHECK(make_plan(command, {&subject, 1}));
}
