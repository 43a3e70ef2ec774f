// SPDX-License-Identifier: Apache-2.0
// TGA: true colour and grey, uncompressed. It has no magic at its start. So every field must have a value
// that real writers use: of eighteen bytes, thirteen are fixed or nearly fixed.
#include "formats/sniff/families.hpp"
#include "formats/sniff/fields.hpp"
#include "formats/sniff/grid.hpp"

namespace tdz::formats {
namespace {

constexpr std::uint64_t kHeader = 18;
constexpr std::uint8_t kTrueColour = 2;
constexpr std::uint8_t kGrey = 3;
constexpr std::uint8_t kAlphaBits = 0x0F;
constexpr std::uint8_t kInterleaving = 0xC0;  // was once meant for another order of the rows; must be 0

// Bytes of a pixel; 0 if the image has another type.
std::uint32_t pixel_bytes(std::uint8_t kind, std::uint8_t depth, std::uint8_t alpha) {
  if (kind == kTrueColour && depth == 24 && alpha == 0) return 3;
  if (kind == kTrueColour && depth == 32 && (alpha == 0 || alpha == 8)) return 4;
  if (kind == kGrey && depth == 8 && alpha == 0) return 1;
  if (kind == kGrey && depth == 16 && alpha == 8) return 2;
  return 0;
}

}  // namespace

std::optional<SniffedHint> sniff_tga(std::span<const std::byte> prefix) {
  Fields fields(prefix, false);
  const std::uint8_t id_bytes = fields.u8(0);
  const std::uint8_t descriptor = fields.u8(17);
  const std::uint32_t pixel = pixel_bytes(fields.u8(2), fields.u8(16), descriptor & kAlphaBits);
  const bool has_map = fields.u8(1) != 0 || fields.u8(3) != 0 || fields.u32(4) != 0;
  const std::uint16_t left = fields.u16(8);
  const std::uint16_t bottom = fields.u16(10);
  const std::uint16_t height = fields.u16(14);
  if (fields.overran() || pixel == 0 || has_map || (descriptor & kInterleaving) != 0) return std::nullopt;
  if (left != 0 || (bottom != 0 && bottom != height)) return std::nullopt;
  SniffedHint hint{"TGA", {'u', 1, pixel}, kHeader + id_bytes};
  if (!lay_out_picture(hint, fields.u16(12), height)) return std::nullopt;
  return hint;
}

}  // namespace tdz::formats
