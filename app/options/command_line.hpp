// SPDX-License-Identifier: Apache-2.0
// From the words of a command line to a command.
#pragma once

#include <span>
#include <string>

#include "app/options/options.hpp"

namespace tdz::app {

/// `arguments` are the words after the program's name. Error usage says which word is wrong, and why.
///
///     tdz VERB [OPTION]... [FILE]...      the verb's own options
///     tdz [OPTION]... [FILE]...           as gzip: all options; -d, -t and -l choose the verb
///
/// In the second form, options that say how to compress are allowed when restoring: tar runs what -I names,
/// and adds -d to restore. Other options of other verbs are refused.
Result<Command> parse_command_line(std::span<const std::string> arguments);

}  // namespace tdz::app
