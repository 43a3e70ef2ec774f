// SPDX-License-Identifier: Apache-2.0
// The manual page tdz(1).
#pragma once

#include <string>
#include <string_view>

namespace tdz::app {

/// In the man macros of groff and mandoc. `date` is the date of the release: "2026-11-22".
std::string manual_page(std::string_view date);

}  // namespace tdz::app
