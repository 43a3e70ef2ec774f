// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <new>

#include "app/files/fd.hpp"
#include "app/files/hidden_file.hpp"
#include "app/options/command_line.hpp"
#include "app/options/names.hpp"
#include "app/options/pages/pages.hpp"
#include "app/options/table/verb_rows.hpp"
#include "app/verbs/file_loop.hpp"
#include "app/verbs/verbs.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace {

using namespace tdz::app;

/// Allocates no memory, because the message may be that there is none.
int print(std::string_view text, ExitCode code) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  return static_cast<int>(code);
}

int fail(const tdz::Error& error) {
  return print("tdz: " + error_text(error) + "\n", exit_code(error.kind));
}

/// A verb that is also the name of a file here, as with tdz * in a folder with a file called compress.
std::optional<std::string> verb_that_is_a_file(const std::vector<std::string>& arguments) {
  struct stat status {};
  const bool is_both = !arguments.empty() && verb_named(arguments.front()) &&
                       lstat(arguments.front().c_str(), &status) == 0 && S_ISREG(status.st_mode);
  return is_both ? std::optional(arguments.front()) : std::nullopt;
}

/// A first word that may be meant as a verb: no file has this name, and it does not look like one.
bool is_neither_file_nor_verb(const std::vector<std::string>& arguments) {
  if (arguments.empty() || arguments.front().empty() || verb_named(arguments.front())) return false;
  const std::string& word = arguments.front();
  struct stat status {};
  return word.front() != '-' && word.find_first_of("./") == std::string::npos &&
         lstat(word.c_str(), &status) != 0 && errno == ENOENT && !hidden_source_of(word);
}

/// The files of a command, if it has files.
std::vector<std::string> files_of(const auto& options) {
  if constexpr (requires { options.files; }) {
    return options.files;
  } else {
    return {};
  }
}

/// The search frees and takes the same megabytes again and again: pages that go back to the system each time took 8 % of it.
/// Where addresses have 32 bits, glibc refuses the first option, and without it the second would do harm.
void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int kLongest = 16 << 20, kMost = 32 << 20;
  if (mallopt(M_MMAP_THRESHOLD, kLongest) == 1) mallopt(M_TRIM_THRESHOLD, kMost);
#endif
}

}  // namespace

int main(int count, char** words) try {
  occupy_standard_descriptors();
  const std::vector<std::string> arguments(words + std::min(count, 1), words + count);
  if (arguments.empty() && isatty(STDIN_FILENO)) return print(short_help(), ExitCode::usage);
  const auto command = parse_command_line(arguments);
  if (is_neither_file_nor_verb(arguments))
    return fail(
        tdz::usage("'" + printable(arguments.front()) + "' is neither a file nor a verb; see tdz --help"));
  if (!command) return fail(command.error());
  if (std::holds_alternative<CompressCommand>(*command)) keep_freed_memory();
  auto log = std::visit([](const auto& options) { return Log::open(options.reporting, files_of(options)); },
                        *command);
  if (!log) return fail(log.error());
  Interrupts interrupts([] { HiddenName::current().end(); });
  Session session{interrupts, *log};
  if (const auto word = verb_that_is_a_file(arguments))
    log->warn(*word + " is read as a verb; to name the file, write ./" + *word);
  ExitCode code = std::visit([&](const auto& options) { return run(options, session); }, *command);
  interrupts.die_if_requested();
  if (log->is_incomplete()) code = worse(code, exit_code(tdz::ErrorKind::io));
  return static_cast<int>(code);
} catch (const std::bad_alloc&) {
  return print("tdz: out of memory\n", ExitCode::unavailable);
}
