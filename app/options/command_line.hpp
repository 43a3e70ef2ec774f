// SPDX-License-Identifier: Apache-2.0
// From the words of a command line to a command. Pure functions.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/options/options.hpp"

namespace tdz::app {

/// The words of a command line, sorted. CLI11 cannot do this: verbs, levels written as -19, and file names
/// that it would split ("[a,b]" is a list to it).
struct SplitArguments {
  /// One option each; a value is a word of its own; -19 is --level 19.
  std::vector<std::string> options;
  std::vector<std::string> operands;  ///< in order, with everything after --
  /// The place of the first operand among the arguments; nothing if there is none before --.
  std::optional<std::size_t> first_operand;
};

/// `takes_value` tells which options ("-T", "--chunk") have a value, in the same word or the next.
SplitArguments split_arguments(std::span<const std::string> arguments,
                               const std::function<bool(std::string_view)>& takes_value);

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
