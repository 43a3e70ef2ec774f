// SPDX-License-Identifier: Apache-2.0
// Does every kind of error have the right exit code?
#include "app/exit_code.hpp"

#include <doctest/doctest.h>

using namespace tdz;
using namespace tdz::app;

TEST_CASE("each kind of error has the exit code of the table in docs/cli.md") {
  CHECK(exit_code(ErrorKind::usage) == ExitCode{1});
  CHECK(exit_code(ErrorKind::corrupt) == ExitCode{2});
  CHECK(exit_code(ErrorKind::truncated) == ExitCode{2});
  CHECK(exit_code(ErrorKind::io) == ExitCode{3});
  CHECK(exit_code(ErrorKind::unsupported) == ExitCode{4});
  CHECK(exit_code(ErrorKind::limit) == ExitCode{4});
}

TEST_CASE("with several files the largest exit code counts") {
  CHECK(worse(ExitCode::done, ExitCode::bad_data) == ExitCode::bad_data);
  CHECK(worse(ExitCode::unavailable, ExitCode::usage) == ExitCode::unavailable);
  CHECK(worse(ExitCode::done, ExitCode::done) == ExitCode::done);
}
