// SPDX-License-Identifier: Apache-2.0
#include "app/options/table/option_parser.hpp"

#include <spdlog/fmt/fmt.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iterator>

#include "app/options/names.hpp"
#include "app/options/option_values.hpp"
#include "formats/error.hpp"

namespace tdz::app {
namespace {

void add_names(const std::string& names, std::vector<std::string>& list) {
  std::ranges::move(split(names, ','), std::back_inserter(list));
}

std::string_view name_of(std::string_view word) {
  return word.substr(0, word.find('='));
}

/// "--order 9: expected a number from 0 to 8". Some errors already contain the word in quotes.
CLI::ValidationError value_error(const std::string& option, const std::string& word, const Error& error) {
  const std::string quoted = fmt::format("'{}'", word);
  const bool contains_word = error.message.find(quoted) != std::string::npos;
  if (contains_word) return CLI::ValidationError(option, printable(error.message));
  const std::string shown = word.empty() ? quoted : printable(word);
  return CLI::ValidationError(fmt::format("{} {}", option, shown), error.message);
}

}  // namespace

struct OptionParser::Library {
  CLI::App app;
};

OptionParser::OptionParser() : library_(std::make_unique<Library>()) {
  library_->app.set_help_flag();
}

OptionParser::~OptionParser() = default;

Result<std::string> parse_file_name(std::string_view text) {
  if (text.empty()) return usage("a file name must not be empty");
  return std::string(text);
}

bool OptionParser::contains(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

void OptionParser::flag(const std::string& names, bool& target) {
  add_names(names, flags_);
  library_->app.add_flag(names, target);
}

void OptionParser::add_value(const std::string& names, Values values, const Store& store) {
  add_names(names, with_value_);
  const std::string shown = names.substr(names.rfind(',') + 1);
  const auto checked = [shown, store](const std::string& text) {
    if (auto done = store(text); !done) throw value_error(shown, text, done.error());
  };
  auto* option = library_->app.add_option_function<std::string>(names, checked);
  option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  if (values == Values::each) option->trigger_on_parse();
}

void OptionParser::each_value(const std::string& name, const std::function<void(std::string)>& take) {
  add_value(name, Values::each, [take](const std::string& text) -> Status {
    auto value = parse_file_name(text);
    if (!value) return value.error();
    take(*std::move(value));
    return ok();
  });
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
    library_->app.parse(words);
  } catch (const CLI::ExtrasError&) {
    return explain(library_->app.remaining().front());
  } catch (const CLI::ArgumentMismatch&) {
    return usage(fmt::format("{} needs a value; see tdz --help", last));
  } catch (const CLI::ParseError& error) {
    return usage(printable(error.what()));  // it may contain a value as it was typed
  }
  return ok();
}

}  // namespace tdz::app
