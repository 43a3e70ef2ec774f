// SPDX-License-Identifier: Apache-2.0
// The texts of --help, in lines of 80 columns.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/options/table/verb_rows.hpp"

namespace tdz::app {

/// For `tdz VERB --help`; without a verb, for `tdz --help`.
std::string help_text(std::optional<Verb> verb);
/// For `tdz` alone at a terminal.
std::string_view short_help();

}  // namespace tdz::app
