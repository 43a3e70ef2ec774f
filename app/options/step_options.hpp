// SPDX-License-Identifier: Apache-2.0
// The inverse of choosing numbers: steps as the options that ask for them. Pure functions.
#pragma once

#include <string>

#include "formats/transform.hpp"

namespace tdz::app {

/// "--word 2 --tuple 2 --order 1 --zigzag on --layout planes". Precondition: steps as the search finds them.
std::string step_options(const Transform& transform);

/// As a shell reads it back: quoted where it holds more than letters, digits and -_./,+=:@%.
std::string shell_word(const std::string& word);

}  // namespace tdz::app
