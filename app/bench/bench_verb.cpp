// SPDX-License-Identifier: Apache-2.0
#include "app/file_loop.hpp"
#include "app/verbs.hpp"

namespace tdz::app {

ExitCode run(const BenchCommand&, Session& session) {
  return finished(Error{ErrorKind::unsupported, "not in this build"}, ExitCode::done, session);
}

}  // namespace tdz::app
