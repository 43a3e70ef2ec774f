// SPDX-License-Identifier: Apache-2.0
// From the words of a command line to a command.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/options/options.hpp"

namespace tdz::app {

/// The place of the word that may name a verb: the first that is no option and no value of one. Nothing if
/// there is no such word before --.
std::optional<std::size_t> place_of_verb(std::span<const std::string> arguments);

/// The same words with the verb first, also where options stand before it. After an option, a word that
/// `is_file` is no verb: without a verb, options come before files too.
std::vector<std::string> with_verb_first(std::vector<std::string> arguments,
                                         const std::function<bool(const std::string&)>& is_file);

/// `arguments` are the words after the program's name. Error usage says which word is wrong, and why.
///
///     tdz VERB [OPTION]... [FILE]...      the verb's own options
///     tdz [OPTION]... [FILE]...           as gzip: all options; -d, -t and -l choose the verb
///
/// In the second form, options that say how to compress are allowed when restoring: tar runs what -I names,
/// and adds -d to restore. Other options of other verbs are refused.
Result<Command> parse_command_line(std::span<const std::string> arguments);

}  // namespace tdz::app
