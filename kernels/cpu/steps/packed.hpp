// SPDX-License-Identifier: Apache-2.0
// The layout `packed` on the CPU, together with the steps of a pass before it: words are differences only
// while they are in the first-level cache. All functions are thread-safe and use the best instruction set of
// this machine (kernels/cpu/targets.hpp). No alignment is asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "formats/error.hpp"
#include "formats/steps/packed.hpp"
#include "kernels/passes.hpp"

namespace tdz::cpu {

/// Words of `bits` bits in machine words of pass.word bytes, in the order of the rows. The pass has no
/// layout; where `bits` do not fill a machine word, it does nothing.
struct PackedWords {
  Pass pass;
  unsigned bits = 8;
  std::uint32_t lanes = 1;  ///< of the packed layout
  std::size_t words = 0;
  /// Words, of all lanes, after which the difference of the pass begins anew: whole blocks of groups. 0:
  /// never.
  std::size_t run = 0;

  std::size_t groups() const { return static_cast<std::size_t>(packed_groups(words, lanes)); }
};

/// Bytes that kernels may read after the packed bits, or write there.
inline constexpr std::size_t kPackedSlack = 32;

/// Where the substreams go: room for kMostGroupWidths bytes, packed_code_bytes(), packed_place_bytes() and
/// most_packed_bits() with kPackedSlack. `group_widths`: a byte for each group, for the encoder itself.
struct PackedRoom {
  std::uint8_t* widths;
  std::uint8_t* codes;
  std::uint8_t* places;
  std::uint8_t* bits;
  std::uint8_t* group_widths;
};
/// Lengths of the substreams of which the words do not tell it.
struct PackedLengths {
  std::size_t widths = 0, bits = 0;
};
inline std::size_t packed_code_bytes(std::size_t groups) {
  return groups / 2 + groups % 2;
}
inline std::size_t packed_place_bytes(std::size_t groups) {
  return 4 * static_cast<std::size_t>(packed_places(groups));
}
inline std::size_t most_packed_bits(const PackedWords& words) {
  return words.groups() * packed_group_bytes(words.bits);
}

PackedLengths encode_packed(const PackedWords& words, const std::uint8_t* in, const PackedRoom& room);

/// Packed bits side by side; or in pieces, as raw blocks of zstd have them.
struct PackedBits {
  const std::uint8_t* begin = nullptr;
  std::size_t bytes = 0;
  std::size_t first = bytes;  ///< of the first piece
  std::size_t piece = bytes;  ///< of each further one; the last is shorter
  std::size_t gap = 0;        ///< bytes before each of them
};
struct PackedParts {
  std::span<const std::uint8_t> widths, codes, places;
  PackedBits bits;
};
/// The inverse. Lengths are those that FORMAT.md allows. `group_widths` has a byte for each group. Corrupt:
/// widths, codes, places or bits that break the format; then `out` may hold anything.
formats::Fault decode_packed(const PackedWords& words, const PackedParts& parts, std::uint8_t* group_widths,
                             std::uint8_t* out);

}  // namespace tdz::cpu
