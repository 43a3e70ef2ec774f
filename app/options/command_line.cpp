// SPDX-License-Identifier: Apache-2.0
#include "app/options/command_line.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "app/options/names.hpp"
#include "app/options/pages/pages.hpp"
#include "app/options/settings.hpp"
#include "app/options/table/option_parser.hpp"
#include "app/options/table/option_rows.hpp"

namespace tdz::app {

// ---- Words: options and operands

namespace {

constexpr std::string_view kDigits = "0123456789";

class Splitter {
 public:
  Splitter(std::span<const std::string> arguments, const std::function<bool(std::string_view)>& takes_value)
      : left_(arguments), count_(arguments.size()), takes_value_(takes_value) {}

  SplitArguments run() {
    while (!left_.empty()) {
      const std::string argument = pop();
      if (argument == "--") {
        split_.operands.insert(split_.operands.end(), left_.begin(), left_.end());
        break;
      }
      take(argument);
    }
    return std::move(split_);
  }

 private:
  std::string pop() {
    std::string first = left_.front();
    left_ = left_.subspan(1);
    return first;
  }

  void take(const std::string& argument) {
    if (argument.size() < 2 || argument[0] != '-') {
      if (split_.operands.empty()) split_.first_operand = count_ - left_.size() - 1;
      split_.operands.push_back(argument);
    } else if (argument[1] == '-') {
      take_long(argument);
    } else {
      take_cluster(std::string_view(argument).substr(1));
    }
  }

  void take_long(const std::string& argument) {
    const auto equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    if (!takes_value_(name)) {
      split_.options.push_back(argument);
    } else if (equals != std::string::npos) {
      push_with_value(name, argument.substr(equals + 1));
    } else {
      push_with_next(name);
    }
  }

  /// The letters after one dash: flags and levels; the last may be an option with a value.
  void take_cluster(std::string_view letters) {
    while (!letters.empty()) {
      const auto digits = std::min(letters.find_first_not_of(kDigits), letters.size());
      if (digits > 0) {
        push_with_value("--level", std::string(letters.substr(0, digits)));
        letters.remove_prefix(digits);
        continue;
      }
      const std::string name{'-', letters.front()};
      letters.remove_prefix(1);
      if (takes_value_(name))
        return letters.empty() ? push_with_next(name) : push_with_value(name, std::string(letters));
      split_.options.push_back(name);
    }
  }

  void push_with_value(const std::string& name, std::string value) {
    split_.options.push_back(name);
    split_.options.push_back(std::move(value));
  }

  void push_with_next(const std::string& name) {
    split_.options.push_back(name);
    if (!left_.empty()) split_.options.push_back(pop());
  }

  std::span<const std::string> left_;
  std::size_t count_;
  const std::function<bool(std::string_view)>& takes_value_;
  SplitArguments split_;
};

}  // namespace

SplitArguments split_arguments(std::span<const std::string> arguments,
                               const std::function<bool(std::string_view)>& takes_value) {
  return Splitter(arguments, takes_value).run();
}

// ---- The options of a verb

namespace {

void add_options(OptionParser& parser, Settings& to, const std::function<bool(const OptionRow&)>& wanted) {
  for (const OptionRow& row : option_rows()) {
    if (wanted(row)) row.bind(OptionSlot(parser, row.names), to);
  }
}

/// The options of a verb, or those of the form without a verb.
void add_options(OptionParser& parser, Settings& to, std::optional<Verb> verb) {
  add_options(parser, to, [verb](const OptionRow& row) {
    return verb ? row.verbs.has(*verb) : exists_without_verb(row);
  });
}

/// Does the option with this name take a value? It is asked while the verb is not known, because a name has
/// the same kind of value with every verb.
bool takes_value_anywhere(std::string_view name) {
  return std::ranges::any_of(option_rows(), [name](const OptionRow& row) {
    const std::string names = "," + std::string(row.names) + ",";
    return !row.argument.empty() && names.find("," + std::string(name) + ",") != std::string::npos;
  });
}

bool is_known_without_verb(std::string_view name) {
  Settings ignored;
  OptionParser all;
  add_options(all, ignored, std::nullopt);
  return all.knows(name);
}

/// Why `word` is not an option here. The options belong to `verb`; it is empty where there is none.
Error unknown_option(std::string_view word, std::string_view verb) {
  const std::string option = printable(word);
  if (verb.empty()) return usage(fmt::format("unknown option {}; see tdz --help", option));
  if (!is_known_without_verb(word.substr(0, word.find('='))))
    return usage(fmt::format("unknown option {}; see tdz {} --help", option, verb));
  return usage(fmt::format("{} is not an option of {}; see tdz {} --help", option, verb, verb));
}

Status parse_options(OptionParser& parser, std::vector<std::string> words, std::string_view verb) {
  return parser.parse(std::move(words), [&](std::string_view word) { return unknown_option(word, verb); });
}

Result<Verb> chosen_verb(const Settings& settings) {
  if (settings.decompress + settings.verify_files + settings.list > 1)
    return usage("-d, -t and -l exclude each other; give only one of them");
  if (settings.decompress) return Verb::decompress;
  if (settings.verify_files) return Verb::verify;
  return settings.list ? Verb::info : Verb::compress;
}

/// Without a verb the parser knows the options of every verb. An option that the chosen verb does not use
/// must not be ignored: with --range the user asks for a part, with --max-output for a limit. Exception:
/// harmless options.
Status check_options_of(Verb verb, std::vector<std::string> options) {
  Settings ignored;
  OptionParser parser;
  add_options(parser, ignored, [verb](const OptionRow& row) {
    return row.verbs.has(verb) || (row.harmless && exists_without_verb(row));
  });
  return parse_options(parser, std::move(options), verb_name(verb));
}

}  // namespace

// ---- The command line

std::optional<std::size_t> place_of_verb(std::span<const std::string> arguments) {
  return split_arguments(arguments, takes_value_anywhere).first_operand;
}

std::vector<std::string> with_verb_first(std::vector<std::string> arguments,
                                         const std::function<bool(const std::string&)>& is_file) {
  const auto place = place_of_verb(arguments);
  if (!place || !verb_named(arguments[*place]) || is_file(arguments[*place])) return arguments;
  const auto verb = arguments.begin() + static_cast<std::ptrdiff_t>(*place);
  std::rotate(arguments.begin(), verb, verb + 1);
  return arguments;
}

Result<Command> parse_command_line(std::span<const std::string> arguments) {
  std::optional<Verb> verb;
  if (!arguments.empty()) verb = verb_named(arguments.front());
  Settings settings;
  settings.bench.command_line.assign(arguments.begin(), arguments.end());
  OptionParser parser;
  add_options(parser, settings, verb);
  auto split = split_arguments(arguments.subspan(verb ? 1 : 0),
                               [&](std::string_view name) { return parser.takes_value(name); });
  if (auto done = parse_options(parser, split.options, verb ? verb_name(*verb) : ""); !done)
    return done.error();

  if (settings.help) return Command(TextCommand{settings.reporting, help_text(verb)});
  if (settings.version) return Command(VersionCommand{settings.reporting});
  if (!verb) {
    const auto chosen = chosen_verb(settings);
    if (!chosen) return chosen.error();
    verb = *chosen;
    if (auto done = check_options_of(*verb, std::move(split.options)); !done) return done.error();
  }
  return command_of(*verb, settings, std::move(split.operands));
}

}  // namespace tdz::app
