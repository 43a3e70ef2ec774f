// SPDX-License-Identifier: Apache-2.0
// The pages that are made from the tables of verbs and options. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/options/table/verb_rows.hpp"
#include "formats/error.hpp"

namespace tdz::app {

/// For `tdz VERB --help`; without a verb, for `tdz --help`. Lines of 80 columns.
std::string help_text(std::optional<Verb> verb);
/// For `tdz` alone at a terminal.
std::string_view short_help();

/// The manual page tdz(1), in the man macros of groff and mandoc. `date` is the date of the release:
/// "2026-11-22".
std::string manual_page(std::string_view date);

/// The script with which a shell completes the words of a tdz command. For "bash", "zsh" or "fish"; nothing
/// for any other name.
std::optional<std::string> completions(std::string_view shell);

/// docs/cli.md with its tables renewed: what stands between "<!-- table NAME -->" and "<!-- end -->". NAME is
/// "verbs", "steps", "exit-codes" or a section of options. Error usage: no table has this name, a table has
/// no end, or a table is missing.
Result<std::string> with_new_tables(std::string_view page);

}  // namespace tdz::app
