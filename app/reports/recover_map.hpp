// SPDX-License-Identifier: Apache-2.0
// The report of `tdz recover --map`: schema tdz-recover/1, docs/json.md.
#pragma once

#include <span>
#include <string>

#include "tdz/tdz.hpp"

namespace tdz::app {

std::string recover_map(const std::string& name, Fill fill, const Recovered& recovered,
                        std::span<const MissingRange> missing);

/// "bytes 65536 to 131071 are missing (64.0 KiB)", or "from byte 65536 on, an unknown number of bytes is
/// missing".
std::string missing_text(const MissingRange& range);

}  // namespace tdz::app
