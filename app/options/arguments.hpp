// SPDX-License-Identifier: Apache-2.0
// What CLI11 cannot do with a command line: verbs, levels written as -19, and file names that CLI11 would
// split
// ("[a,b]" is a list to it). Pure functions.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tdz::app {

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

}  // namespace tdz::app
