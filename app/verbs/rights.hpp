// SPDX-License-Identifier: Apache-2.0
// Which rights does a command need after its command line was read?
#pragma once

#include <optional>

#include "app/files/sandbox.hpp"
#include "app/options/options.hpp"

namespace tdz::app {

/// Nothing: the command keeps all of its rights. So do --no-sandbox, the verbs that measure and test this
/// machine, and commands for which a GPU may start: its driver needs files and executable memory.
std::optional<FileRights> rights_of(const Command& command);

}  // namespace tdz::app
