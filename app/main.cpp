// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <new>

#include "app/command_line.hpp"
#include "app/fd.hpp"
#include "app/file_loop.hpp"
#include "app/help.hpp"
#include "app/output_file.hpp"
#include "app/verbs.hpp"

namespace {

using namespace tdz::app;

/// Takes no memory: the last words may be that there is none.
int say(std::string_view text, ExitCode code) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  return static_cast<int>(code);
}

int fail(const tdz::Error& error) {
  return say("tdz: " + error_text(error) + "\n", exit_code(error.kind));
}

/// Not every command has files.
std::vector<std::string> files_of(const auto& options) {
  if constexpr (requires { options.files; }) {
    return options.files;
  } else {
    return {};
  }
}

}  // namespace

int main(int count, char** words) try {
  occupy_standard_descriptors();
  const std::vector<std::string> arguments(words + std::min(count, 1), words + count);
  if (arguments.empty() && isatty(STDIN_FILENO)) return say(short_help(), ExitCode::usage);
  const auto command = parse_command_line(arguments);
  if (!command) return fail(command.error());
  auto log = std::visit([](const auto& options) { return Log::open(options.reporting, files_of(options)); },
                        *command);
  if (!log) return fail(log.error());
  Interrupts interrupts(OutputFile::remove_hidden_name);
  Session session{interrupts, *log};
  const ExitCode code = std::visit([&](const auto& options) { return run(options, session); }, *command);
  interrupts.die_if_requested();
  return static_cast<int>(code);
} catch (const std::bad_alloc&) {
  return say("tdz: out of memory\n", ExitCode::unavailable);
}
