// SPDX-License-Identifier: Apache-2.0
// The exit codes of the program, in one table. With several files: the largest of theirs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "formats/error.hpp"

namespace tdz::app {

enum class ExitCode : std::uint8_t { done = 0, usage = 1, bad_data = 2, io = 3, unavailable = 4 };

struct ExitRow {
  std::string_view code;
  std::string_view meaning;
};

inline constexpr ExitRow kExitRows[] = {
    {"0", "done"},
    {"1", "wrong usage, or the target exists"},
    {"2", "the data is corrupt, truncated or not a tdz file, or a verification failed"},
    {"3", "reading or writing failed"},
    {"4", "a limit was reached, memory is missing, or something is not available: a backend, a newer format"},
    {"128 + n", "ended by signal n: 130 for Ctrl-C, 143 for kill, 141 for a closed pipe"},
};

constexpr ExitCode exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return ExitCode::usage;
    case ErrorKind::corrupt:
    case ErrorKind::truncated:
      return ExitCode::bad_data;
    case ErrorKind::io:
    case ErrorKind::cancelled:  // only if the program does not die of the signal
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
