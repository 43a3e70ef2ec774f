// SPDX-License-Identifier: Apache-2.0
// Numbers of bytes, as people write and read them. Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "formats/error.hpp"

namespace tdz::app {

/// "4096", "64KiB", "64K", "1M", "2GiB", "3T": powers of 1024, upper or lower case. Error usage.
Result<std::uint64_t> parse_size(std::string_view text);

/// "0 B", "1023 B", "1.00 KiB", "12.3 MiB", "456 GiB": three digits.
std::string format_size(std::uint64_t bytes);

/// "2.93"; "-" where one of them is 0.
std::string ratio_text(std::uint64_t original_bytes, std::uint64_t stored_bytes);

}  // namespace tdz::app
