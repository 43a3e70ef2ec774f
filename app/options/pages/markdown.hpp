// SPDX-License-Identifier: Apache-2.0
// The tables of docs/cli.md.
#pragma once

#include <string>
#include <string_view>

#include "formats/error.hpp"

namespace tdz::app {

/// The page with its tables renewed: what stands between "<!-- table NAME -->" and "<!-- end -->". NAME is
/// "verbs", "exit-codes" or a section of options. Error usage: no table has this name, a table has no end, or
/// a table is missing.
Result<std::string> with_new_tables(std::string_view page);

}  // namespace tdz::app
