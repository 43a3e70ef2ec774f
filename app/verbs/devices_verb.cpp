// SPDX-License-Identifier: Apache-2.0
// The GPUs that --backend cuda --device N may use.
#include <spdlog/fmt/fmt.h>

#include "app/options/names.hpp"
#include "app/options/sizes.hpp"
#include "app/reports/text_output.hpp"
#include "app/verbs/file_loop.hpp"
#include "app/verbs/verbs.hpp"

namespace tdz::app {
namespace {

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

ExitCode run(const DevicesCommand&, Session& session) {
  const auto done = list_devices(session);
  if (done || session.interrupts.requested()) return ExitCode::done;
  session.log.error(error_text(done.error()));
  return exit_code(done.error().kind);
}

}  // namespace tdz::app
