// SPDX-License-Identifier: Apache-2.0
// Steps that move bytes, on words of any width, 1 to 8 bytes, word by word: for the widths and tuples that
// the sweeps do not have. `in` and `out` hold `words` words of `width` bytes each and do not overlap.
// Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tdz {

/// Its own inverse.
void byteswap_any_width(unsigned width, const std::uint8_t* in, std::uint8_t* out, std::size_t words);

/// Words to byte planes of each lane of the tuple, and back.
void encode_planes_any_width(unsigned width, std::size_t tuple, const std::uint8_t* in, std::uint8_t* out,
                             std::size_t words);
void decode_planes_any_width(unsigned width, std::size_t tuple, const std::uint8_t* in, std::uint8_t* out,
                             std::size_t words);

/// Words of `width` bytes to words of the next machine word (1, 2, 4 or 8 bytes), and back.
void widen_portable(unsigned width, const std::uint8_t* in, std::uint8_t* out, std::size_t words);
void narrow_portable(unsigned width, const std::uint8_t* in, std::uint8_t* out, std::size_t words);

}  // namespace tdz
