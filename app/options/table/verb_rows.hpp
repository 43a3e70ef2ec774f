// SPDX-License-Identifier: Apache-2.0
// The verbs, each one row: its name and what the help, the man page and docs/cli.md say about it.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace tdz::app {

enum class Verb : unsigned char {
  compress,
  decompress,
  verify,
  info,
  analyze,
  recover,
  protect,
  bench,
  roundtrip,
  devices,
  completions
};

/// A command line, and what it does.
struct Example {
  std::string_view command;
  std::string_view meaning;
};

/// Texts as in OptionRow.
struct VerbRow {
  Verb verb;
  std::string_view name;
  std::string_view short_form;  ///< "tdz -d"; empty if there is none
  std::string_view operands;    ///< "[FILE]..."
  std::string_view summary;     ///< a part of a line, without a verb's name: "restore FILE"
  std::string_view about;       ///< sentences
  std::span<const Example> examples;
  std::string_view
      other_words;  ///< what users of other programs type: "list ls"; a message names the verb for them
};

/// In the order of the enumerators.
std::span<const VerbRow> verb_rows();

/// What tdz is, in sentences.
std::string_view about_program();

/// The verb with this name. A file with the same name is written ./info, or follows --.
std::optional<Verb> verb_named(std::string_view word);
/// The verb that does what other programs call so; nothing for the name of a verb.
std::optional<Verb> verb_meant_by(std::string_view word);
std::string_view verb_name(Verb verb);

}  // namespace tdz::app
