// SPDX-License-Identifier: Apache-2.0
// Does the summary of many files count every outcome?
#include "app/verbs/file_loop.hpp"

#include <doctest/doctest.h>

using namespace tdz;
using namespace tdz::app;
using Lines = std::vector<std::string>;

TEST_CASE("one file has no summary, unless the run looked for files") {
  Tally tally;
  CHECK(tally_lines(tally, "x", Wanted::packed, false).empty());
  CHECK(tally_lines(tally, "x", Wanted::packed, true) == Lines{"0 files"});
  tally.add(Totals{});
  CHECK(tally_lines(tally, "x", Wanted::packed, false).empty());
  CHECK(tally_lines(tally, "x", Wanted::packed, true) == Lines{"1 file: x"});
  tally.add(Totals{});
  CHECK(tally_lines(tally, "x", Wanted::packed, false) == Lines{"2 files: x"});
}

TEST_CASE("every outcome is counted, and the sums count the good files") {
  Tally tally;
  Totals done;
  done.original_bytes = 5;
  done.stored_bytes = 3;
  tally.add(done);
  tally.add(done);
  for (const auto kind : {ErrorKind::io, ErrorKind::corrupt, ErrorKind::truncated, ErrorKind::io,
                          ErrorKind::limit, ErrorKind::unsupported, ErrorKind::usage}) {
    tally.add("file", Error{kind, ""});
  }
  for (int i = 0; i < 4; ++i) tally.add(JobKind::target_exists);
  for (int i = 0; i < 5; ++i) tally.add(JobKind::excluded);
  for (int i = 0; i < 6; ++i) tally.add(JobKind::wrong_suffix);
  tally.add(JobKind::hidden_source);
  for (int i = 0; i < 7; ++i) tally.add(JobKind::not_regular);
  CHECK(tally.original_bytes == 10);
  CHECK(tally.stored_bytes == 6);
  CHECK(tally.worst == ExitCode::unavailable);
  CHECK(tally.failed_names == Lines(7, "file"));
  Lines expected = {"2 of 9 files: x",
                    "1 failed: refused",
                    "1 failed: corrupt, or not a tdz file",
                    "1 failed: truncated",
                    "1 failed: needs something that is not available",
                    "2 failed: reading or writing",
                    "1 failed: a limit, or too little memory",
                    "4 skipped: the target exists",
                    "5 skipped: excluded by --exclude",
                    "6 skipped: the name already ends in .tdz",
                    "1 skipped: a source that a killed tdz --rm left under a hidden name",
                    "7 skipped: a link, pipe, socket or device"};
  CHECK(tally_lines(tally, "x", Wanted::unpacked, false) == expected);
  expected[9] = "6 skipped: the name does not end in .tdz";
  CHECK(tally_lines(tally, "x", Wanted::packed, true) == expected);
}

TEST_CASE("skipped files do not change the exit code") {
  Tally tally;
  for (const auto reason :
       {JobKind::target_exists, JobKind::excluded, JobKind::wrong_suffix, JobKind::not_regular})
    tally.add(reason);
  CHECK(tally.worst == ExitCode::done);
  CHECK(tally_lines(tally, "x", Wanted::packed, false).size() == 5);
}
