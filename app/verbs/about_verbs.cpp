// SPDX-License-Identifier: Apache-2.0
// --version, and texts: --help and completions.
#include <spdlog/fmt/fmt.h>

#include "app/options/names.hpp"
#include "app/reports/text_output.hpp"
#include "app/verbs/file_loop.hpp"
#include "app/verbs/verbs.hpp"

namespace tdz::app {
namespace {

ExitCode show(std::string_view text, Session& session) {
  TextOutput out(session.interrupts);
  auto done = out.put(text);
  if (done) done = out.flush();
  if (done || session.interrupts.requested()) return ExitCode::done;
  session.log.error(error_text(done.error()));
  return exit_code(done.error().kind);
}

std::string version_text() {
  const auto warning = zstd_warning();
  std::string text = fmt::format("tdz {}\nformat {}\nzstd {}{}{}\n", version(), format_version(),
                                 zstd_version(), warning.empty() ? "" : "; warning: ", warning);
  for (const auto& backend : backends()) {
    text += fmt::format("backend {}: {}{}\n", backend.name,
                        backend.available ? "" : "not available: ", backend.detail);
  }
  return text;
}

}  // namespace

ExitCode run(const VersionCommand&, Session& session) {
  return show(version_text(), session);
}

ExitCode run(const TextCommand& command, Session& session) {
  return show(command.text, session);
}

}  // namespace tdz::app
