// SPDX-License-Identifier: Apache-2.0
// The page's style sheet and script. They know nothing of any report.
#pragma once

#include <string_view>

namespace tdz::app::bench {

std::string_view page_style();
std::string_view page_script();

}  // namespace tdz::app::bench
