// SPDX-License-Identifier: Apache-2.0
// Plain steps that move bytes, on words of any width, 1 to 8 bytes, word by word: for the widths that the
// backends do not have.
#pragma once

#include <cstddef>
#include <cstdint>

#include "formats/plan/plan.hpp"

namespace tdz {

/// `in` and `out` hold `words` words of `width` bytes each and do not overlap. Thread-safe. Precondition: the
/// step is no difference and no zigzag; these run on machine words.
void forward_any_width(const PlainStep& step, unsigned width, const std::uint8_t* in, std::uint8_t* out,
                       std::size_t words);
void inverse_any_width(const PlainStep& step, unsigned width, const std::uint8_t* in, std::uint8_t* out,
                       std::size_t words);

/// Words of `width` bytes to words of the next machine word (1, 2, 4 or 8 bytes), and back. No overlap.
void widen(unsigned width, const std::uint8_t* in, std::uint8_t* out, std::size_t words);
void narrow(unsigned width, const std::uint8_t* in, std::uint8_t* out, std::size_t words);

}  // namespace tdz
