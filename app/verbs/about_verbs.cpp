// SPDX-License-Identifier: Apache-2.0
// What tdz and its machine are: --version, the GPUs that --backend cuda --device N may use, and texts: --help
// and completions.
#include <spdlog/fmt/fmt.h>

#include "app/files/system_calls.hpp"
#include "app/options/names.hpp"
#include "app/reports/report_output.hpp"
#include "app/verbs/file_loop.hpp"
#include "app/verbs/verbs.hpp"

namespace tdz::app {
namespace {

ExitCode show(std::string_view text, Session& session) {
  TextOutput out(session.interrupts);
  auto done = out.put(text);
  if (done) done = out.flush();
  return finished(done, ExitCode::done, session);
}

std::string version_text() {
  const auto warning = zstd_warning();
  std::string text = fmt::format("tdz {}\nformat {}\nzstd {}{}{}\n", version(), format_version(),
                                 zstd_version(), warning.empty() ? "" : "; warning: ", warning);
  for (const auto& backend : backends()) {
    text += fmt::format("backend {}: {}{}\n", backend.name,
                        backend.available ? "" : "not available: ", backend.detail);
  }
  if (!missing_calls().empty())
    text += fmt::format("built without the calls of Linux: {}\n", missing_calls());
  return text;
}

std::string line_of(const DeviceInfo& device) {
  return fmt::format("{}: {}, compute capability {}.{}, {} of {} free{}\n", device.number,
                     printable(device.name), device.major, device.minor, format_size(device.free_memory),
                     format_size(device.memory), device.supported ? "" : ", not usable by this build");
}

Status list_devices(Session& session) {
  const auto found = devices();
  if (!found) return found.error();
  TextOutput out(session.interrupts);
  for (const DeviceInfo& device : *found) {
    if (auto done = out.put(line_of(device)); !done) return done;
  }
  return out.flush();
}

}  // namespace

ExitCode run(const VersionCommand&, Session& session) {
  return show(version_text(), session);
}

ExitCode run(const DevicesCommand&, Session& session) {
  return finished(list_devices(session), ExitCode::done, session);
}

ExitCode run(const TextCommand& command, Session& session) {
  return show(command.text, session);
}

}  // namespace tdz::app
