// SPDX-License-Identifier: Apache-2.0
// When does a cell pass, and what does the report say about a cell that fails?
#include "app/roundtrip/report.hpp"

#include <doctest/doctest.h>

#include "tests/app/roundtrip/sample_report.hpp"

using namespace tdz;
using namespace tdz::app::roundtrip;

TEST_CASE("a cell passes only if it tested every byte of a file that was read to its end") {
  FileReport file;
  file.bytes = 100;
  file.complete = true;
  CHECK(verdict(file, test::cell(1, Layout::planes, 100)) == Verdict::passed);
  CHECK(verdict(file, test::cell(1, Layout::planes, 99)) == Verdict::incomplete);
  file.complete = false;
  CHECK(verdict(file, test::cell(1, Layout::planes, 100)) == Verdict::incomplete);
  Cell failed = test::cell(1, Layout::planes, 100);
  failed.failures = {test::wrong_value()};
  CHECK(verdict(file, failed) == Verdict::failed);
  file.complete = true;
  CHECK(verdict(file, failed) == Verdict::failed);
}

TEST_CASE("counts are sums over cells and files") {
  const Report report = test::report_of_everything();
  const Counts file = counts_of(report.files.front());
  CHECK(file.cells == 5);
  CHECK(file.passed == 2);
  CHECK(file.failed == 3);
  CHECK(file.incomplete == 0);
  CHECK(counts_text(counts_of(report)) == "7 cells, 2 passed, 3 failed, 2 incomplete");
  CHECK(counts_text({1, 1, 0, 0}) == "1 cell, 1 passed, 0 failed");
}

TEST_CASE("a wrong value is shown as words, decimal and hexadecimal") {
  CHECK(failure_title(test::wrong_value()) == "coded by cpu, restored by cuda: value 1000 is wrong");
  const std::string details = failure_details(test::wrong_value());
  CHECK(details.starts_with(
      "chunk 2, from byte 2096640 of the file on: the restored bytes do not match their digest\n"
      "value 1000, lane 1, at byte 8000 of the file: expected 18446744073709551615 "
      "(0xffffffffffffffff), found 10 (0x000000000000000a)\n"));
  CHECK(details.find("\n>         1000      1  18446744073709551615 (0xffffffffffffffff)  !  ") !=
        std::string::npos);
  CHECK(details.find("\n           999      0                7 (0x0000000000000007)   ") ==
        std::string::npos);
  CHECK(details.find("\n           999      0 ") != std::string::npos);
}

TEST_CASE("a number has two hexadecimal digits for each byte") {
  RoundtripFailure failure = test::wrong_value();
  failure.mismatch->width = 1;
  failure.mismatch->first = {.value = 3, .lane = 0, .expected = 5, .found = 255};
  failure.mismatch->around = {failure.mismatch->first};
  CHECK(failure_details(failure).find("expected 5 (0x05), found 255 (0xff)\n") != std::string::npos);
  CHECK(failure_details(failure).find("  5 (0x05)  ! 255 (0xff)\n") != std::string::npos);
}

TEST_CASE("the other faults name the backend and the message, without control characters") {
  const auto coding = test::of_kind(RoundtripFault::coding, "", "it said \x1B");
  CHECK(failure_title(coding) == "cpu failed to code chunk 0");
  CHECK(failure_details(coding) == "chunk 0, from byte 0 of the file on: it said \\x1b\n");
  CHECK(failure_title(test::of_kind(RoundtripFault::disagreement, "cuda", "")) ==
        "cpu and cuda coded chunk 0 in different bytes");
  CHECK(failure_title(test::of_kind(RoundtripFault::restoring, "cuda", "")) ==
        "coded by cpu, restored by cuda: no result for chunk 0");
}

TEST_CASE("a cell's name is its coding") {
  CHECK(cell_name(test::cell(4, Layout::tuple_planes, 0)) ==
        "word 4, tuple 3, order 5, tuple-planes, level 1");
}
