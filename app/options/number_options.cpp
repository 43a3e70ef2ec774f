// SPDX-License-Identifier: Apache-2.0
#include "app/options/number_options.hpp"

#include <spdlog/fmt/fmt.h>

#include "formats/names.hpp"
#include "formats/plan/made_plans.hpp"

namespace tdz::app {
namespace {

bool names_tuple(const std::string& type) {
  return type.find('x') != std::string::npos;
}

/// Adds to `said` what the type fixes. Error usage: an option says something else.
Status add_type(const std::string& name, const NumberType& type, SearchOptions& said) {
  if (said.word.value_or(type.word) != type.word) return usage("--type " + name + " contradicts --word");
  said.word = type.word;
  if (!names_tuple(name)) return ok();
  if (said.tuple.value_or(type.tuple) != type.tuple) return usage("--type " + name + " contradicts --tuple");
  said.tuple = type.tuple;
  return ok();
}

/// The option about one kind of numbers that was given, or empty.
std::string_view option_for_one_type(const SearchOptions& said) {
  if (said.word) return "--word";
  if (said.tuple) return "--tuple";
  return said.row ? "--row" : "";
}

}  // namespace

Result<std::string> name_numbers(const std::optional<std::string>& type, SearchOptions& said) {
  if (said.big_endian && !said.word && !type) {
    return usage("--big-endian needs --type or --word: single bytes have no byte order");
  }
  NumberType nominal;
  if (type) {
    const auto parsed = formats::parse_type(*type);
    if (!parsed) return parsed.error();
    nominal = *parsed;
    if (auto done = add_type(*type, nominal, said); !done) return done.error();
  }
  nominal.word = said.word.value_or(nominal.word);
  nominal.tuple = said.tuple.value_or(nominal.tuple);
  return nominal == NumberType{} ? std::string() : formats::type_name(nominal);
}

bool names_columns(std::string_view type) {
  if (type.find(',') != std::string_view::npos) return true;
  return !formats::parse_type(type) && formats::parse_types(type);
}

Result<std::string> take_columns(std::string_view type, SearchOptions& said) {
  const std::string option = "--type " + std::string(type);
  if (const auto other = option_for_one_type(said); !other.empty())
    return usage(option + " names columns; " + std::string(other) + " goes only with one type");
  auto types = formats::parse_types(type);
  if (!types) return types.error();
  if (const auto plan = formats::plan_of(*types); !plan) return usage(option + ": " + plan.error().message);
  said.fields = *types;
  return formats::type_names(*types);
}

std::optional<std::string> step_options(const Plan& plan) {
  const auto parameters = formats::exact_parameters_of(plan);
  if (!parameters) return std::nullopt;
  const formats::Parameters& said = *parameters;
  std::string text =
      fmt::format("--word {} --tuple {} --order {} --zigzag {} --layout {}", said.word, said.tuple,
                  said.order, said.zigzag ? "on" : "off", formats::layout_name(said.layout));
  if (said.row != 0) text += fmt::format(" --row {}", said.row);
  if (said.big_endian) text += " --big-endian";
  return text;
}

std::string request_options(const SearchOptions& request) {
  std::string text;
  const auto add = [&](std::string_view option, const auto& value) {
    text += fmt::format("{}{} {}", text.empty() ? "" : " ", option, value);
  };
  if (!request.fields.empty()) add("--type", formats::type_names(request.fields));
  if (request.word) add("--word", *request.word);
  if (request.tuple) add("--tuple", *request.tuple);
  if (request.order) add("--order", *request.order);
  if (request.zigzag) add("--zigzag", *request.zigzag ? "on" : "off");
  if (request.layout) add("--layout", formats::layout_name(*request.layout));
  if (request.row) add("--row", *request.row);
  if (request.big_endian) text += text.empty() ? "--big-endian" : " --big-endian";
  return text;
}

}  // namespace tdz::app
