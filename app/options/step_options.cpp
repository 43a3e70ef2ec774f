// SPDX-License-Identifier: Apache-2.0
#include "app/options/step_options.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "formats/parameters.hpp"
#include "formats/plan/made_plans.hpp"
#include "formats/type_name.hpp"

namespace tdz::app {

std::optional<std::string> step_options(const Plan& plan) {
  const auto transform = formats::transform_of(plan);
  if (!transform) return std::nullopt;
  const formats::Parameters said = formats::parameters_of(*transform);
  std::string text =
      fmt::format("--word {} --tuple {} --order {} --zigzag {} --layout {}", said.word, said.tuple,
                  said.order, said.zigzag ? "on" : "off", formats::layout_name(said.layout));
  if (said.row != 0) text += fmt::format(" --row {}", said.row);
  if (said.big_endian) text += " --big-endian";
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
