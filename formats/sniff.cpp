// SPDX-License-Identifier: Apache-2.0
#include "formats/sniff.hpp"

#include <array>

#include "formats/sniff/families.hpp"

namespace tdz::formats {
namespace {

using Sniffer = std::optional<SniffedHint> (*)(std::span<const std::byte>);

// Formats with long magics come first. The magic of BMP has only two letters. TGA has none, so it comes last,
// when no other format knows the file.
constexpr std::array<Sniffer, 10> kSniffers = {sniff_wav,   sniff_aiff, sniff_npy,     sniff_fits,
                                               sniff_nifti, sniff_tiff, sniff_netcdf3, sniff_netpbm,
                                               sniff_bmp,   sniff_tga};

bool makes_sense(const SniffedHint& hint) {
  return is_word_size(hint.type.word) && hint.type.tuple != 0 && hint.offset != 0;
}

}  // namespace

std::optional<SniffedHint> sniff(std::span<const std::byte> prefix) {
  for (const Sniffer sniffer : kSniffers) {
    auto hint = sniffer(prefix);
    if (!hint || !makes_sense(*hint)) continue;
    if (hint->type.word == 1) hint->big_endian = false;
    return hint;
  }
  return std::nullopt;
}

}  // namespace tdz::formats
