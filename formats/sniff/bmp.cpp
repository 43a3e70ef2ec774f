// SPDX-License-Identifier: Apache-2.0
// BMP: uncompressed, 8, 24 or 32 bits for each pixel.
#include <algorithm>
#include <array>
#include <limits>

#include "formats/sniff/families.hpp"
#include "formats/sniff/fields.hpp"

namespace tdz::formats {
namespace {

constexpr std::uint64_t kFileHeader = 14;
constexpr std::uint32_t kCoreHeader = 12;  // OS/2 1: 16-bit sizes, no compression
// The lengths of all headers that were ever published. Only the length tells them apart.
constexpr std::array<std::uint32_t, 7> kHeaders = {kCoreHeader, 40, 52, 56, 64, 108, 124};
constexpr std::uint32_t kPlain = 0;
constexpr std::uint32_t kBitFields = 3;  // masks give the bits of each colour; not compressed
constexpr std::uint32_t kAlphaBitFields = 6;

struct Bitmap {
  std::uint64_t width = 0;
  std::uint64_t height = 0;
  std::uint16_t planes = 0;
  std::uint16_t bits = 0;
  std::uint32_t compression = kPlain;
};

Bitmap read_core(Fields& fields) {
  return {fields.u16(18), fields.u16(20), fields.u16(22), fields.u16(24)};
}

// The height may be negative (rows from the top); its sign does not matter here. A negative width becomes a
// number that is too large.
Bitmap read_info(Fields& fields) {
  return {fields.u32(18), fields.u32(22), fields.u16(26), fields.u16(28), fields.u32(30)};
}

bool is_plain(const Bitmap& bitmap) {
  if (bitmap.planes != 1 || bitmap.width == 0 || bitmap.height == 0) return false;
  if (bitmap.bits == 32 && (bitmap.compression == kBitFields || bitmap.compression == kAlphaBitFields))
    return true;
  return bitmap.compression == kPlain && (bitmap.bits == 8 || bitmap.bits == 24 || bitmap.bits == 32);
}

}  // namespace

std::optional<SniffedHint> sniff_bmp(std::span<const std::byte> prefix) {
  Fields fields(prefix, false);
  if (!fields.has("BM", 0)) return std::nullopt;
  const std::uint32_t offset = fields.u32(10);
  const std::uint32_t header = fields.u32(kFileHeader);
  if (std::ranges::find(kHeaders, header) == kHeaders.end()) return std::nullopt;
  const Bitmap bitmap = header == kCoreHeader ? read_core(fields) : read_info(fields);
  if (fields.overran() || !is_plain(bitmap) || offset < kFileHeader + header) return std::nullopt;

  const std::uint32_t pixel_bytes = bitmap.bits / 8u;
  const std::uint64_t row_bytes = (bitmap.width * pixel_bytes + 3) / 4 * 4;  // rows are padded to 4 bytes
  if (bitmap.width > std::uint64_t{std::numeric_limits<std::int32_t>::max()} ||
      row_bytes > std::numeric_limits<std::uint32_t>::max())
    return std::nullopt;
  return SniffedHint{"BMP", {'u', 1, pixel_bytes}, offset, false, static_cast<std::uint32_t>(row_bytes)};
}

}  // namespace tdz::formats
