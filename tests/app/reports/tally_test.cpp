// SPDX-License-Identifier: Apache-2.0
// Does the account of many files say what became of each?
#include "app/reports/tally.hpp"

#include <doctest/doctest.h>

using namespace tdz;
using namespace tdz::app;
using Lines = std::vector<std::string>;

TEST_CASE("of one file nothing is said, unless it was looked for") {
  Tally tally;
  CHECK(tally_lines(tally, "x", Wanted::packed, false).empty());
  CHECK(tally_lines(tally, "x", Wanted::packed, true) == Lines{"0 files: x"});
  tally.add(Totals{});
  CHECK(tally_lines(tally, "x", Wanted::packed, false).empty());
  CHECK(tally_lines(tally, "x", Wanted::packed, true) == Lines{"1 file: x"});
  tally.add(Totals{});
  CHECK(tally_lines(tally, "x", Wanted::packed, false) == Lines{"2 files: x"});
}

TEST_CASE("every outcome has a line, and the sums are of the good files") {
  Tally tally;
  Totals done;
  done.original_bytes = 5;
  done.stored_bytes = 3;
  tally.add(done);
  tally.add(done);
  for (const auto kind : {ErrorKind::io, ErrorKind::corrupt, ErrorKind::truncated, ErrorKind::io,
                          ErrorKind::limit, ErrorKind::unsupported, ErrorKind::usage}) {
    tally.add(Error{kind, ""});
  }
  tally.present = 4;
  tally.excluded = 5;
  tally.unwanted = 6;
  tally.no_files = 7;
  CHECK(tally.original_bytes == 10);
  CHECK(tally.stored_bytes == 6);
  CHECK(tally.worst == ExitCode::unavailable);
  Lines expected = {"2 of 9 files: x; 7 failed",
                    "1 failed: refused",
                    "1 failed: corrupt, or no tdz file",
                    "1 failed: truncated",
                    "1 failed: asks for what is not available",
                    "2 failed: reading or writing",
                    "1 failed: a limit, or missing memory",
                    "4 skipped: the target exists",
                    "5 excluded",
                    "6 left alone: named .tdz already",
                    "7 left alone: a link, pipe, socket or device"};
  CHECK(tally_lines(tally, "x", Wanted::unpacked, false) == expected);
  expected[9] = "6 left alone: not named .tdz";
  CHECK(tally_lines(tally, "x", Wanted::packed, true) == expected);
}

TEST_CASE("what is passed over does no harm to the exit code") {
  Tally tally;
  tally.present = tally.excluded = tally.unwanted = tally.no_files = 1;
  CHECK(tally.worst == ExitCode::done);
  CHECK(tally_lines(tally, "x", Wanted::packed, false).size() == 5);
}
