// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <new>

#include "app/files/fd.hpp"
#include "app/files/hidden_file.hpp"
#include "app/files/system_calls.hpp"
#include "app/options/command_line.hpp"
#include "app/options/names.hpp"
#include "app/options/pages/pages.hpp"
#include "app/options/table/verb_rows.hpp"
#include "app/verbs/file_loop.hpp"
#include "app/verbs/verbs.hpp"

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

bool is_there(const std::string& name) {
  struct stat status {};
  return lstat(name.c_str(), &status) == 0;
}

bool is_regular_file(const std::string& name) {
  struct stat status {};
  return lstat(name.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

/// A verb that is also the name of a file here, as with tdz * in a folder with a file called compress.
std::string verb_or_file(const std::vector<std::string>& arguments) {
  const auto place = place_of_verb(arguments);
  if (!place || !verb_named(arguments[*place])) return {};
  const std::string& word = arguments[*place];
  if (*place == 0)
    return is_regular_file(word) ? word + " is read as a verb; to name the file, write ./" + word : "";
  return *place + 1 < arguments.size() ? word + " is read as a file; a verb is the first word" : "";
}

/// A word in the place of a verb that no file has as its name, and that does not look like one.
std::optional<tdz::Error> unknown_verb(const std::vector<std::string>& arguments,
                                       const tdz::Result<Command>& command) {
  const auto place = place_of_verb(arguments);
  if (!place || verb_named(arguments[*place])) return std::nullopt;
  const std::string& word = arguments[*place];
  struct stat status {};
  const bool is_name =
      word.empty() || word == kStandardInput || word.find_first_of("./") != std::string::npos;
  if (is_name || lstat(word.c_str(), &status) == 0 || errno != ENOENT) return std::nullopt;
  if (hidden_source_of(word)) return std::nullopt;  // a killed run left it under another name
  // After options, -d, -t and -l are the verb, and what does not look like a word is a name.
  const bool no_verb = command && std::holds_alternative<CompressCommand>(*command);
  const auto is_letter = [](unsigned char c) { return std::isalpha(c) != 0 || c == '-'; };
  if (*place > 0 && !(no_verb && std::ranges::all_of(word, is_letter))) return std::nullopt;
  const auto meant = verb_meant_by(word);
  return tdz::usage("'" + printable(word) + "' is neither a file nor a verb; " +
                    (meant ? "use tdz " + std::string(verb_name(*meant)) + ", or " : "") + "see tdz --help");
}

/// The files of a command, if it has files.
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
  const auto arguments =
      with_verb_first(std::vector<std::string>(words + std::min(count, 1), words + count), is_there);
  if (arguments.empty() && isatty(STDIN_FILENO)) return print(short_help(), ExitCode::usage);
  const auto command = parse_command_line(arguments);
  if (const auto unknown = unknown_verb(arguments, command)) return fail(*unknown);
  if (!command) return fail(command.error());
  if (std::holds_alternative<CompressCommand>(*command)) keep_freed_memory();
  auto log = std::visit([](const auto& options) { return Log::open(options.reporting, files_of(options)); },
                        *command);
  if (!log) return fail(log.error());
  if (const auto rights = rights_of(*command)) enter_sandbox(*rights);  // before there is a second thread
  Interrupts interrupts([] { HiddenName::current().end(); });
  Session session{interrupts, *log};
  if (const auto remark = verb_or_file(arguments); !remark.empty()) log->warn(remark);
  ExitCode code = std::visit([&](const auto& options) { return run(options, session); }, *command);
  interrupts.die_if_requested();
  if (log->is_incomplete()) code = worse(code, exit_code(tdz::ErrorKind::io));
  return static_cast<int>(code);
} catch (const std::bad_alloc&) {
  return print("tdz: out of memory\n", ExitCode::unavailable);
}
