// SPDX-License-Identifier: Apache-2.0
// Does a report say which of its figures cannot be trusted, and nothing of the others?
#include "app/bench/report/figures.hpp"

#include <doctest/doctest.h>

using namespace tdz::app::bench;

namespace {

Timing runs_of(double median) {
  return {.median = median, .least = median, .most = median, .runs = 5};
}

/// One cell of each kind, without a doubt.
Report good_report() {
  Report report;
  report.data = {{"x.raw", 1000, {'i', 2, 2}, false}};
  report.raw = {{.bytes = 1000, .stored = 500, .compress = runs_of(1), .decompress = runs_of(1)}};
  CodecResult cell;
  cell.coding = {.word = 2, .tuple = 2, .order = 1};
  cell.backend = "cpu";
  cell.bytes = 1000;
  cell.compress = cell.decompress = runs_of(1.1);
  cell.stages.digest = cell.stages.difference = cell.stages.integrate = runs_of(0.1);
  cell.stages.pack = cell.stages.unpack = runs_of(0.8);
  cell.copy = runs_of(0.05);
  report.codec = {cell};
  ScanResult scan;
  scan.backend = "cpu";
  scan.scan = "tdz";
  scan.bytes = scan.chunk_bytes = 1000;
  scan.kernel = runs_of(1);
  scan.copy = runs_of(1.09);
  scan.limit.bandwidth = 1.09;
  report.scans = {scan};
  report.cpu_share = 0.95;
  return report;
}

std::string only_doubt(const Report& report) {
  const auto list = doubts(report);
  REQUIRE(list.size() == 1);
  return list.front();
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("good figures cause no doubt") {
  CHECK(doubts(good_report()).empty());
  CHECK(doubts({}).empty());
}

TEST_CASE("stages of packed groups are no part of a whole that stores the numbers as they are") {
  Report report = good_report();
  CodecResult& cell = report.codec.front();
  cell.coding.packed = true;
  cell.stored = 1100;
  cell.stages.integrate = runs_of(5);
  CHECK(doubts(report).empty());
  cell.stored = 900;
  CHECK(has(only_doubt(report), "one stage alone"));
}

TEST_CASE("runs that differ by more than a quarter") {
  Report report = good_report();
  report.codec[0].compress.most = 1.6;  // half of 0.5 of 1.1
  CHECK(doubts(report).empty());
  report.codec[0].compress.most = 1.7;
  CHECK(has(only_doubt(report), "In 1 of 12 timings"));
  report.raw[0].decompress.least = 0.1;
  report.scans[0].kernel.most = 2;
  const std::string text = only_doubt(report);
  CHECK(has(text, "In 3 of 12 timings"));
  CHECK(has(text, "at most by 50 % (kernel, cpu, tdz: integrate"));
}

TEST_CASE("a single run has no spread") {
  Report report = good_report();
  report.codec[0].compress.runs = 1;
  report.codec[0].compress.most = 9;  // nonsense, and not looked at
  CHECK(has(only_doubt(report), "1 of 12 timings are of a single run"));
}

TEST_CASE("a kernel that is faster than a copy of its bytes, or than its limit") {
  Report report = good_report();
  report.scans[0].copy = runs_of(1.3);
  CHECK(has(only_doubt(report),
            "In 1 of 1 cells a kernel is more than 1.1 times as fast as memcpy of the same bytes, at most "
            "1.30 times (cpu, tdz"));
  report.scans[0].copy = runs_of(1);
  report.curves = report.scans;
  report.curves[0].limit.latency = 2;
  CHECK(has(only_doubt(report),
            "In 1 of 2 cells a kernel is more than 1.1 times as fast as the limit of the model, at most 2.00 "
            "times"));
}

TEST_CASE("a stage that is longer than its whole") {
  Report report = good_report();
  report.codec[0].stages.unpack = runs_of(1.5);
  const std::string text = only_doubt(report);
  CHECK(has(text, "In 1 of 6 stages"));
  CHECK(has(text, "1.36 times (unpack, x.raw, i16x2, order 1, interleaved, level 0, cpu)"));
}

TEST_CASE("a whole that is three times its stages") {
  Report report = good_report();
  report.codec[0].compress = runs_of(2.9);
  CHECK(doubts(report).empty());
  report.codec[0].compress = runs_of(3.1);
  CHECK(has(only_doubt(report),
            "In 1 of 2 cases the whole takes more than 3 times as long as its stages together, at most 3.10 "
            "times (compress, x.raw"));
  report.codec[0].stages.pack = {};  // not timed: the sum is not known
  CHECK(doubts(report).empty());
}

TEST_CASE("copies to a device are stages too") {
  Report report = good_report();
  report.codec[0].backend = "cuda";
  report.codec[0].compress = runs_of(3.1);
  report.codec[0].stages.to_device = report.codec[0].stages.from_device = runs_of(0.1);
  CHECK(doubts(report).empty());
}

TEST_CASE("a processor that other programs used") {
  Report report = good_report();
  report.cpu_share = 0.61;
  CHECK(has(only_doubt(report), "only 61 % of its time"));
  report.machine.device = "a GPU";
  CHECK(doubts(report).empty());
}
