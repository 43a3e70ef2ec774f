// SPDX-License-Identifier: Apache-2.0
// The help texts. They are written by hand, because they are read more often than the options change.
#pragma once

#include <optional>
#include <string_view>

#include "app/options/arguments.hpp"

namespace tdz::app {

/// For `tdz VERB --help`; without a verb, for `tdz --help`.
std::string_view help_text(std::optional<Verb> verb);
/// For `tdz` alone at a terminal.
std::string_view short_help();

}  // namespace tdz::app
