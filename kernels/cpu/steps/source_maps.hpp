// SPDX-License-Identifier: Apache-2.0
// Words of two lanes, one from each: the seam between the step `lanes` and the code that is compiled once per
// instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tdz::cpu {

struct SourceMap {
  std::uint8_t word = 1;
  std::uint8_t bits = 8;
  bool zigzag = false;
};

/// to[i] from from[i] and source[i], or zero where `source` is null; `to` may be `from`.
using PairMap = void (*)(const SourceMap& map, const std::uint8_t* from, const std::uint8_t* source,
                         std::uint8_t* to, std::size_t words);

/// code(x - source), then the inverse.
void subtract_source(const SourceMap& map, const std::uint8_t* from, const std::uint8_t* source,
                     std::uint8_t* to, std::size_t words);
void add_source(const SourceMap& map, const std::uint8_t* from, const std::uint8_t* source, std::uint8_t* to,
                std::size_t words);

}  // namespace tdz::cpu
