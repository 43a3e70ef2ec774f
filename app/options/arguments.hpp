// SPDX-License-Identifier: Apache-2.0
// What CLI11 cannot know about a command line: verbs that count only in the first place, levels written as
// -19, and file names that it would take apart ("[a,b]" is a list to it). Pure functions.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tdz::app {

enum class Verb : unsigned char {
  compress,
  decompress,
  verify,
  info,
  analyze,
  recover,
  bench,
  roundtrip,
  devices
};

/// The verb's name; a file of that name is ./info, or stands after an option or --.
std::optional<Verb> verb_named(std::string_view word);
std::string_view verb_name(Verb verb);

struct SplitArguments {
  std::vector<std::string>
      options;  ///< one short option each, values as words of their own, -19 as --level 19
  std::vector<std::string> operands;  ///< in order; everything after --
};

/// `takes_value` knows the options ("-T", "--chunk") that have a value, in the same word or the next.
SplitArguments split_arguments(std::span<const std::string> arguments,
                               const std::function<bool(std::string_view)>& takes_value);

}  // namespace tdz::app
