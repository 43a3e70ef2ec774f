// SPDX-License-Identifier: Apache-2.0
// Pictures: PGM, PPM and PAM, BMP, TGA. tiff.cpp has TIFF.
#include <algorithm>
#include <array>
#include <limits>

#include "formats/sniff/reading.hpp"

namespace tdz::formats {

// ---- PGM, PPM (binary) and PAM. A sample has one byte if the maximum is at most 255, else two bytes,
// big-endian.

namespace {

constexpr std::uint64_t kMaxSample = 65535;
// Samples of a pixel. PAM has no limit; with more than this it is not an image.
constexpr std::uint64_t kMaxPictureDepth = 65535;

struct Picture {
  std::string_view format;
  std::uint64_t width = 0;
  std::uint64_t height = 0;
  std::uint64_t depth = 0;
  std::uint64_t max_sample = 0;
};

std::optional<SniffedHint> hint_from(const Picture& picture, std::uint64_t offset) {
  if (picture.max_sample == 0 || picture.max_sample > kMaxSample) return std::nullopt;
  if (picture.depth == 0 || picture.depth > kMaxPictureDepth) return std::nullopt;
  const std::uint8_t word = picture.max_sample > 255 ? 2 : 1;
  SniffedHint hint{picture.format, {'u', word, static_cast<std::uint32_t>(picture.depth)}, offset, true};
  if (!lay_out_picture(hint, picture.width, picture.height)) return std::nullopt;
  return hint;
}

// Blanks and comments, then a number, then exactly one blank or a comment. This is how netpbm reads it.
std::optional<std::uint64_t> plain_number(TextReader& header) {
  header.skip_spaces();
  while (header.take('#')) {
    header.take_until('\n');
    header.skip_spaces();
  }
  const auto value = header.number();
  if (header.take('#')) {
    header.take_until('\n');
    return header.at_end() ? std::nullopt : value;  // a comment without an end: the header is cut off
  }
  return TextReader::is_space(header.next()) ? value : std::nullopt;
}

std::optional<SniffedHint> sniff_plain(TextReader header, std::string_view format, std::uint64_t depth) {
  const auto width = plain_number(header);
  const auto height = plain_number(header);
  const auto max_sample = plain_number(header);
  if (!width || !height || !max_sample) return std::nullopt;
  return hint_from({format, *width, *height, depth, *max_sample}, header.position());
}

// One line, such as "WIDTH 640". Other words, comments and empty lines are accepted.
bool read_pam_line(Picture& picture, std::string_view text) {
  TextReader line(text);
  line.skip_spaces();
  std::uint64_t* field = line.take("WIDTH ")    ? &picture.width
                         : line.take("HEIGHT ") ? &picture.height
                         : line.take("DEPTH ")  ? &picture.depth
                         : line.take("MAXVAL ") ? &picture.max_sample
                                                : nullptr;
  if (field == nullptr) return true;
  line.skip_spaces();
  const auto value = line.number();
  line.skip_spaces();
  if (!value || !line.at_end()) return false;
  *field = *value;
  return true;
}

std::optional<SniffedHint> sniff_pam(TextReader header) {
  Picture picture{"PAM"};
  while (!header.at_end()) {
    if (header.take("ENDHDR\n")) return hint_from(picture, header.position());
    if (!read_pam_line(picture, header.take_until('\n'))) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::optional<SniffedHint> sniff_netpbm(std::span<const std::byte> prefix) {
  const Fields fields(prefix, true);
  TextReader header(fields.text(0, fields.size()));
  if (header.take("P7\n")) return sniff_pam(header);
  if (!header.take('P')) return std::nullopt;
  const char digit = header.next();
  if (digit != '5' && digit != '6') return std::nullopt;
  if (!TextReader::is_space(header.peek()) && header.peek() != '#') return std::nullopt;
  return digit == '5' ? sniff_plain(header, "PGM", 1) : sniff_plain(header, "PPM", 3);
}

// ---- BMP: uncompressed, 8, 24 or 32 bits for each pixel

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

  const std::uint32_t of_pixel = bitmap.bits / 8u;
  const std::uint64_t row_bytes = (bitmap.width * of_pixel + 3) / 4 * 4;  // rows are padded to 4 bytes
  if (bitmap.width > std::uint64_t{std::numeric_limits<std::int32_t>::max()} ||
      row_bytes > std::numeric_limits<std::uint32_t>::max())
    return std::nullopt;
  return SniffedHint{"BMP", {'u', 1, of_pixel}, offset, false, static_cast<std::uint32_t>(row_bytes)};
}

// ---- TGA: true colour and grey, uncompressed. It has no magic at its start. So every field must have a
// value that real writers use: of eighteen bytes, thirteen are fixed or nearly fixed.

namespace {

constexpr std::uint64_t kTgaHeader = 18;
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
  SniffedHint hint{"TGA", {'u', 1, pixel}, kTgaHeader + id_bytes};
  if (!lay_out_picture(hint, fields.u16(12), height)) return std::nullopt;
  return hint;
}

}  // namespace tdz::formats
