// SPDX-License-Identifier: Apache-2.0
// Do figures have a readable number of digits, and do they fit their column?
#include "app/bench/report/figures.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace tdz::app::bench;

TEST_CASE("speeds have three digits and a unit") {
  CHECK(speed_text(2.79e12) == "2.79 TB/s");
  CHECK(speed_text(913e6) == "913 MB/s");
  CHECK(speed_text(999.6e6) == "1.00 GB/s");
  CHECK(speed_text(17) == "17.0 B/s");
  CHECK(speed_text(0) == "-");
  CHECK(speed_text(std::numeric_limits<double>::infinity()) == "-");
  CHECK(speed_text(std::numeric_limits<double>::quiet_NaN()) == "-");
}

TEST_CASE("MB/s take five characters at most") {
  CHECK(mega_text(913e6) == "913");
  CHECK(mega_text(99999e6) == "99999");
  CHECK(mega_text(99999.6e6) == "100G");
  CHECK(mega_text(2.79e12) == "2790G");
  CHECK(mega_text(1.26e6) == "1.3");
  CHECK(mega_text(9.949e6) == "9.9");
  CHECK(mega_text(0) == "-");
}

TEST_CASE("ratios take six characters at most") {
  CHECK(ratio_figure(2.6314) == "2.631");
  CHECK(ratio_figure(99.9996) == "100.0");
  CHECK(ratio_figure(9999.96) == "10000");
  CHECK(ratio_figure(1234567) == "1e+06");
  CHECK(ratio_figure(0) == "-");
}

TEST_CASE("shares, times and types") {
  CHECK(percent_text(0.934) == "93");
  CHECK(percent_text(0.004) == "0.4");
  CHECK(percent_text(0) == "-");
  CHECK(seconds_text(6.12e-7) == "612 ns");
  CHECK(seconds_text(0.0123) == "12.3 ms");
  CHECK(seconds_text(4000) == "4000 s");
  CHECK(coding_type({.word = 2, .tuple = 2}, {'i', 2, 1}) == "i16x2");
  CHECK(coding_type({.word = 4, .tuple = 1}, {'i', 2, 1}) == "w32");
}
