// SPDX-License-Identifier: Apache-2.0
// Scripts with which a shell completes the words of a tdz command.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tdz::app {

/// For "bash", "zsh" or "fish"; nothing for any other name.
std::optional<std::string> completions(std::string_view shell);

}  // namespace tdz::app
