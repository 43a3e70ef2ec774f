// SPDX-License-Identifier: Apache-2.0
#include "app/options/step_options.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "formats/parameters.hpp"
#include "formats/plan/made_plans.hpp"
#include "formats/type_name.hpp"

namespace tdz::app {

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

std::string shell_word(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,+=:@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace tdz::app
