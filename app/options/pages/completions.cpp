// SPDX-License-Identifier: Apache-2.0
#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "app/options/pages/pages.hpp"
#include "app/options/table/option_rows.hpp"

namespace tdz::app {
namespace {

/// What can follow an option.
enum class Values : unsigned char { none, words, files, folders, free };

Values values_of(std::string_view argument) {
  if (argument.empty()) return Values::none;
  if (argument == "FILE" || argument == "LIST") return Values::files;
  if (argument == "DIR") return Values::folders;
  return argument == "TYPE" || argument.find('|') != std::string_view::npos ? Values::words : Values::free;
}

std::string words_of(std::string_view argument) {
  if (argument == "TYPE") return "u8 i8 u16 i16 u32 i32 u64 i64 f16 f32 f64 bytes";
  return join(split(argument, '|'), " ");
}

std::string names_of(const OptionRow& row, std::string_view separator) {
  return join(split(row.names, ','), separator);
}

/// The names of the verbs that `wanted` selects.
template <class Wanted>
std::string verbs_that(Wanted wanted, std::string_view separator) {
  std::vector<std::string> names;
  for (const VerbRow& row : verb_rows()) {
    if (wanted(row)) names.emplace_back(row.name);
  }
  return join(names, separator);
}

/// Does the verb read what compress has written?
bool reads_tdz(const VerbRow& row) {
  return row.verb == Verb::decompress || row.verb == Verb::verify || row.verb == Verb::info ||
         row.verb == Verb::recover || row.verb == Verb::protect;
}

bool any_verb(const VerbRow& /*row*/) {
  return true;
}

/// `escapes`: the characters that need `escape` before them.
std::string escaped(std::string_view text, std::string_view escapes, std::string_view escape) {
  std::string result;
  for (const char c : text) {
    if (escapes.find(c) != std::string_view::npos) result += escape;
    result += c;
  }
  return result;
}

/// In single quotes; bash and zsh end them for a quote in the text.
std::string in_quotes(std::string_view text) {
  return fmt::format("'{}'", escaped(text, "'", "'\\'"));
}

constexpr std::string_view kBashBegin = R"(# Completes the words of tdz in bash. Made by: tdz completions bash
_tdz() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} verb=none options words=()
  # --layout=planes is three words here.
  if [[ $previous == = ]]; then previous=${COMP_WORDS[COMP_CWORD - 2]}; fi
  if [[ $current == = ]]; then current=; fi
  if ((COMP_CWORD > 1)); then verb=${COMP_WORDS[1]}; fi
)";

constexpr std::string_view kBashEnd = R"(    *) if [[ $current == -* ]]; then words=(-W "$options"); fi ;;
  esac
  if [[ ${words[0]} != -W ]]; then compopt -o filenames; fi
  mapfile -t COMPREPLY < <(compgen "${words[@]}" -- "$current")
}
complete -F _tdz tdz
)";

/// The options of each verb, and what it reads.
std::string bash_verbs() {
  std::string text = "  case $verb in\n";
  const auto options = [](const std::string& verb) {
    std::vector<std::string> names;
    for (const OptionRow& row : option_rows()) {
      const auto verbs = verbs_of(row);
      if (std::ranges::count(verbs, verb) > 0) names.push_back(names_of(row, " "));
    }
    return join(names, " ");
  };
  for (const VerbRow& row : verb_rows())
    text += fmt::format("    {}) options='{}' ;;\n", row.name, options(std::string(row.name)));
  return text + fmt::format("    *) options='{}' ;;\n  esac\n", options("none"));
}

std::string bash_operands() {
  return fmt::format(
      "  case $verb in\n"
      "    {}) words=(-f -X '!*.tdz'); compopt -o plusdirs ;;\n"
      "    completions) words=(-W 'bash zsh fish') ;;\n"
      "    devices) words=(-W '') ;;\n"
      "    *) words=(-f) ;;\n"
      "  esac\n"
      "  if ((COMP_CWORD == 1)); then words=(-f -W '{}'); fi\n",
      verbs_that(reads_tdz, " | "), verbs_that(any_verb, " "));
}

/// What follows an option; a name has the same kind of values with every verb.
std::string bash_values() {
  std::string text = "  case $previous in\n";
  std::vector<std::string> files, folders, free;
  for (const OptionRow& row : option_rows()) {
    const Values values = values_of(row.argument);
    if (values == Values::words)
      text += fmt::format("    {}) words=(-W '{}') ;;\n", names_of(row, " | "), words_of(row.argument));
    if (values == Values::files) files.push_back(names_of(row, " | "));
    if (values == Values::folders) folders.push_back(names_of(row, " | "));
    if (values == Values::free) free.push_back(names_of(row, " | "));
  }
  return text + fmt::format("    {}) words=(-f) ;;\n    {}) words=(-d) ;;\n    {}) words=(-W '') ;;\n",
                            join(files, " | "), join(folders, " | "), join(free, " | "));
}

std::string bash_script() {
  std::string text(kBashBegin);
  return text.append(bash_verbs()).append(bash_operands()).append(bash_values()).append(kBashEnd);
}

constexpr std::string_view kZshBegin = R"(#compdef tdz
# Completes the words of tdz in zsh. Made by: tdz completions zsh
_tdz() {
  local verb=none
  local -a verbs specs
  verbs=(
)";

constexpr std::string_view kZshMiddle = R"(  )
  if (( CURRENT > 2 && ${verbs[(I)$words[2]:*]} )); then
    verb=$words[2]
    words[2]=()
    (( CURRENT-- ))
  elif (( CURRENT == 2 )); then
    _describe -t verbs verb verbs
  fi
)";

constexpr std::string_view kZshEnd = R"(  _arguments -s -S : $specs
}
if [[ $funcstack[1] == _tdz ]]; then _tdz "$@"; else compdef _tdz tdz; fi
)";

/// ":FILE:_files".
std::string zsh_value(std::string_view argument) {
  switch (values_of(argument)) {
    case Values::none:
      return "";
    case Values::words:
      return fmt::format(":value:({})", words_of(argument));
    case Values::files:
      return fmt::format(":{}:_files", argument);
    case Values::folders:
      return fmt::format(":{}:_files -/", argument);
    case Values::free:
      return fmt::format(":{}: ", escaped(argument, ":", "\\"));
  }
  return "";
}

std::string zsh_options() {
  std::string text;
  for (const OptionRow& row : option_rows()) {
    std::vector<std::string> specs;
    for (const std::string& name : split(row.names, ',')) {
      const std::string_view value = row.argument.empty() ? "" : name.starts_with("--") ? "=" : "+";
      const std::string help = escaped(plain(row.help), "[]:\\", "\\");
      specs.push_back(in_quotes(fmt::format("*{}{}[{}]{}", name, value, help, zsh_value(row.argument))));
    }
    text += fmt::format("  [[ ' {} ' == *\" $verb \"* ]] && specs+=({})\n", join(verbs_of(row), " "),
                        join(specs, " "));
  }
  return text;
}

std::string zsh_script() {
  std::string text(kZshBegin);
  for (const VerbRow& row : verb_rows())
    text += fmt::format("    {}\n", in_quotes(fmt::format("{}:{}", row.name, plain(row.summary))));
  text += kZshMiddle;
  text += zsh_options();
  text += fmt::format(
      "  case $verb in\n"
      "    {}) specs+=('*:FILE:_files -g \"*.tdz(-.)\"') ;;\n"
      "    completions) specs+=('1:shell:(bash zsh fish)') ;;\n"
      "    devices) ;;\n"
      "    *) specs+=('*:FILE:_files') ;;\n"
      "  esac\n",
      verbs_that(reads_tdz, " | "));
  return text.append(kZshEnd);
}

/// In single quotes of fish.
std::string fish_quotes(std::string_view text) {
  return fmt::format("'{}'", escaped(text, "'\\", "\\"));
}

std::string fish_value(std::string_view argument) {
  switch (values_of(argument)) {
    case Values::none:
      return "";
    case Values::words:
      return fmt::format(" -x -a '{}'", words_of(argument));
    case Values::files:
      return " -r -F";
    case Values::folders:
      return " -x -a '(__fish_complete_directories)'";
    case Values::free:
      return " -x";
  }
  return "";
}

std::string fish_option(const OptionRow& row) {
  std::string text = fmt::format("complete -c tdz -n '__tdz_verb {}'", join(verbs_of(row), " "));
  for (const std::string& name : split(row.names, ','))
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  return text + fmt::format("{} -d {}\n", fish_value(row.argument), fish_quotes(plain(row.help)));
}

std::string fish_script() {
  std::string text = fmt::format(
      "# Completes the words of tdz in fish. Made by: tdz completions fish\n"
      "function __tdz_verb --description 'Is the verb of the command line one of these?'\n"
      "  set -l words (commandline -opc)\n"
      "  set -l verb none\n"
      "  if set -q words[2]; and contains -- $words[2] {}\n"
      "    set verb $words[2]\n"
      "  end\n"
      "  contains -- $verb $argv\n"
      "end\n",
      verbs_that(any_verb, " "));
  for (const VerbRow& row : verb_rows()) {
    text += fmt::format("complete -c tdz -n 'test (count (commandline -opc)) -eq 1' -a {} -d {}\n", row.name,
                        fish_quotes(plain(row.summary)));
  }
  text += "complete -c tdz -n '__tdz_verb completions devices' -f\n";
  text += "complete -c tdz -n '__tdz_verb completions' -a 'bash zsh fish'\n";
  for (const OptionRow& row : option_rows()) text += fish_option(row);
  return text;
}

}  // namespace

std::optional<std::string> completions(std::string_view shell) {
  if (shell == "bash") return bash_script();
  if (shell == "zsh") return zsh_script();
  if (shell == "fish") return fish_script();
  return std::nullopt;
}

}  // namespace tdz::app
