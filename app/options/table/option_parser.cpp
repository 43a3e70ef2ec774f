// SPDX-License-Identifier: Apache-2.0
#include "app/options/table/option_parser.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "app/options/names.hpp"
#include "formats/error.hpp"

namespace tdz::app {
namespace {

/// "-c,--stdout" adds two names.
void add_names(const std::string& names, std::vector<std::string>& list) {
  for (std::size_t from = 0, to = 0; to != std::string::npos; from = to + 1) {
    to = names.find(',', from);
    list.push_back(names.substr(from, to - from));
  }
}

std::string_view name_of(std::string_view word) {
  return word.substr(0, word.find('='));
}

}  // namespace

Result<std::string> parse_file_name(std::string_view text) {
  if (text.empty()) return usage("a file name must not be empty");
  return std::string(text);
}

/// "--order 9: expected a number from 0 to 8". Some errors already contain the word in quotes.
CLI::ValidationError OptionParser::value_error(const std::string& option, const std::string& word,
                                               const Error& error) {
  const std::string quoted = fmt::format("'{}'", word);
  const bool contains_word = error.message.find(quoted) != std::string::npos;
  if (contains_word) return CLI::ValidationError(option, printable(error.message));
  const std::string shown = word.empty() ? quoted : printable(word);
  return CLI::ValidationError(fmt::format("{} {}", option, shown), error.message);
}

bool OptionParser::contains(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

void OptionParser::flag(const std::string& names, bool& target) {
  add_names(names, flags_);
  app_.add_flag(names, target);
}

CLI::Option* OptionParser::add_value(const std::string& names,
                                     const std::function<void(const std::string&)>& store) {
  add_names(names, with_value_);
  return app_.add_option_function<std::string>(names, store)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

void OptionParser::each_value(const std::string& name, const std::function<void(std::string)>& take) {
  const auto store = [name, take](const std::string& text) {
    auto value = parse_file_name(text);
    if (!value) throw value_error(name, text, value.error());
    take(*std::move(value));
  };
  add_value(name, store)->trigger_on_parse();
}

/// CLI11 would read --verify=0 as "do not verify", and --fast=3 as --fast.
Status OptionParser::check_flags(const std::vector<std::string>& words) const {
  for (const std::string& word : words) {
    const auto name = name_of(word);
    if (name.size() != word.size() && contains(flags_, name))
      return usage(fmt::format("{} takes no value; see tdz --help", name));
  }
  return ok();
}

Status OptionParser::parse(std::vector<std::string> words,
                           const std::function<Error(std::string_view)>& explain) {
  if (auto done = check_flags(words); !done) return done;
  const std::string last = words.empty() ? "" : words.back();  // the only word that may lack its value
  std::ranges::reverse(words);                                 // the order that CLI11 expects
  try {
    app_.parse(words);
  } catch (const CLI::ExtrasError&) {
    return explain(app_.remaining().front());
  } catch (const CLI::ArgumentMismatch&) {
    return usage(fmt::format("{} needs a value; see tdz --help", last));
  } catch (const CLI::ParseError& error) {
    return usage(printable(error.what()));  // it may contain a value as it was typed
  }
  return ok();
}

}  // namespace tdz::app
