// SPDX-License-Identifier: Apache-2.0
// Numbers to measure on where no file is given. The same on every machine: whole-number arithmetic only. Pure
// functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "formats/transform.hpp"

namespace tdz::app::bench {

enum class Kind : std::uint8_t {
  smooth,   ///< a slow wave with little noise, each lane another one: high orders pay
  noisy,    ///< a walk whose steps are as large as a quarter of the word: little pays
  stepped,  ///< levels that hold for a while, then jump: order 1 pays
};
inline constexpr std::array kKinds = {Kind::smooth, Kind::noisy, Kind::stepped};
std::string_view kind_name(Kind kind);

/// At least one, at most `bytes` bytes: whole rows of the type, unless one is longer than that.
std::vector<std::byte> made_numbers(Kind kind, const NumberType& type, std::size_t bytes);

}  // namespace tdz::app::bench
