// SPDX-License-Identifier: Apache-2.0
// The exit codes of the program, in one table. docs/cli.md and the help text say the same.
//
//     0      done
//     1      usage, or the target exists
//     2      the data is corrupt, truncated or no tdz file, or verification failed
//     3      reading or writing failed
//     4      a limit or missing memory, or what was asked for is not available: a backend, a newer format
//     128+n  stopped by signal n, by dying of it: 130 for Ctrl-C, 143 for kill, 141 for a closed pipe
//
// Several files: the largest.
#pragma once

#include <algorithm>
#include <cstdint>

#include "formats/error.hpp"

namespace tdz::app {

enum class ExitCode : std::uint8_t { done = 0, usage = 1, bad_data = 2, io = 3, unavailable = 4 };

constexpr ExitCode exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return ExitCode::usage;
    case ErrorKind::corrupt:
    case ErrorKind::truncated:
      return ExitCode::bad_data;
    case ErrorKind::io:
    case ErrorKind::cancelled:  // only where the signal that asked for it cannot be died of
      return ExitCode::io;
    case ErrorKind::unsupported:
    case ErrorKind::limit:
      return ExitCode::unavailable;
  }
  return ExitCode::unavailable;
}

constexpr ExitCode worse(ExitCode a, ExitCode b) {
  return std::max(a, b);
}

}  // namespace tdz::app
