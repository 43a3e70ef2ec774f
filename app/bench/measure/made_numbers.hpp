// SPDX-License-Identifier: Apache-2.0
// Numbers for a run without files. They are the same on every machine, because the arithmetic is of integers
// only. Pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "formats/plan/plan.hpp"

namespace tdz::app::bench {

enum class Kind : std::uint8_t {
  smooth,   ///< a slow wave with little noise, another one in each lane: high orders help
  noisy,    ///< a walk with steps up to a quarter of the word's range: little helps
  stepped,  ///< levels that stay for a while, then jump: order 1 helps
};
inline constexpr std::array kKinds = {Kind::smooth, Kind::noisy, Kind::stepped};
std::string_view kind_name(Kind kind);

/// Whole rows of the type: as many as fit in `bytes`, and at least one.
std::vector<std::byte> made_numbers(Kind kind, const NumberType& type, std::size_t bytes);

}  // namespace tdz::app::bench
