// SPDX-License-Identifier: Apache-2.0
// Steps as the options that ask for them: the inverse of number_choice. Pure functions.
#pragma once

#include <optional>
#include <string>

#include "tdz/tdz.hpp"

namespace tdz::app {

/// "--word 2 --tuple 2 --order 1 --zigzag on --layout planes", or nothing where options cannot say the plan.
std::optional<std::string> step_options(const Plan& plan);

/// The options that made this request, without the effort: "--word 2 --order 1", or empty.
std::string request_options(const SearchOptions& request);

/// The word as a shell must get it: in quotes if it has other characters than letters, digits and -_./,+=:@%.
std::string shell_word(const std::string& word);

}  // namespace tdz::app
