// SPDX-License-Identifier: Apache-2.0
// The pages that are made from the tables of verbs and options. Pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/options/option_values.hpp"
#include "app/options/table/option_rows.hpp"
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

// ---- What all pages share: the table of steps, names, sentences, lines

/// A step as reports name it. FORMAT.md, section 3, defines the steps.
struct StepRow {
  std::string_view name;
  std::string_view meaning;  ///< as in OptionRow: a part of a sentence
};

/// Every step, from front to back as they usually stand in a column; then what reports say beside steps.
std::vector<StepRow> step_rows();

std::string join(const std::vector<std::string>& parts, std::string_view separator);

/// The names of an option, and before them "-1 .. -22" for levels, which may be written as options.
std::vector<std::string> shown_names(const OptionRow& row);
/// The verbs of an option, in order, and "none" if it exists without a verb.
std::vector<std::string> verbs_of(const OptionRow& row);
/// For people: "compress, decompress", or "every verb".
std::string verbs_text(const OptionRow& row);
/// "restore FILE" and "Look." -> "Restore FILE. Look."
std::string sentences(std::string_view part, std::string_view more);

/// Without the marks of code.
std::string plain(std::string_view text);
/// Lines of at most `width` columns, each after `indent` blanks; the first continues a line of `column`.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t column, std::size_t width);

}  // namespace tdz::app
