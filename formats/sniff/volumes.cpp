// SPDX-License-Identifier: Apache-2.0
// Images and volumes of telescopes and scanners: FITS and NIfTI.
#include <algorithm>
#include <array>
#include <bit>

#include "formats/sniff/reading.hpp"

namespace tdz::formats {

// ---- FITS: the image of the primary header. Cards of 80 characters, blocks of 2880 bytes, big-endian
// numbers

namespace {

constexpr std::uint64_t kCard = 80;
constexpr std::uint64_t kBlock = 2880;
constexpr std::size_t kKeyword = 8;
// The standard allows 999 axes; files have a few.
constexpr std::size_t kMaxFitsAxes = 16;

struct Primary {
  bool negative = false;  // BITPIX below zero: floats
  std::uint64_t bits = 0;
  std::uint64_t axis_count = 0;
  std::array<std::uint64_t, kMaxFitsAxes> axes{};
};

// "=", blanks, the number, then only a comment.
std::optional<std::uint64_t> card_number(TextReader& card, bool& negative) {
  if (!card.take('=')) return std::nullopt;
  card.skip_spaces();
  negative = card.take('-');
  const auto value = card.number();
  card.skip_spaces();
  return card.at_end() || card.peek() == '/' ? value : std::nullopt;
}

// "NAXIS2" is axis 1 of 0..15; "NAXIS" and all other words are not an axis.
std::optional<std::size_t> axis_of(std::string_view keyword) {
  TextReader reader(keyword);
  if (!reader.take("NAXIS")) return std::nullopt;
  const auto number = reader.number();
  reader.skip_spaces();
  if (!number || *number == 0 || *number > kMaxFitsAxes || !reader.at_end()) return std::nullopt;
  return static_cast<std::size_t>(*number - 1);
}

// False if a card that matters holds no valid number.
bool read_card(Primary& primary, std::string_view card) {
  const auto keyword = card.substr(0, kKeyword);
  const auto axis = axis_of(keyword);
  const bool is_bits = keyword == "BITPIX  ";
  if (!axis && !is_bits && keyword != "NAXIS   ") return true;
  TextReader reader(card.substr(kKeyword));
  bool negative = false;
  const auto value = card_number(reader, negative);
  if (!value || (negative && !is_bits)) return false;
  if (is_bits) primary.negative = negative;
  (axis ? primary.axes[*axis] : is_bits ? primary.bits : primary.axis_count) = *value;
  return true;
}

// Nothing if the numbers are not valid, or if there are none: then the data is in an extension.
std::optional<SniffedHint> hint_from(const Primary& primary, std::uint64_t header_bytes) {
  const bool known = primary.bits == 32 || primary.bits == 64 ||
                     (!primary.negative && (primary.bits == 8 || primary.bits == 16));
  if (!known || primary.axis_count == 0 || primary.axis_count > kMaxFitsAxes) return std::nullopt;
  const char kind = primary.negative ? 'f' : primary.bits == 8 ? 'u' : 'i';
  SniffedHint hint{"FITS", {kind, static_cast<std::uint8_t>(primary.bits / 8), 1}, header_bytes, true};
  Axes axes;
  for (std::size_t i = 0; i < primary.axis_count; ++i) axes.add(primary.axes[i]);
  if (!lay_out(hint, axes)) return std::nullopt;
  return hint;
}

}  // namespace

std::optional<SniffedHint> sniff_fits(std::span<const std::byte> prefix) {
  const Fields fields(prefix, true);
  if (!fields.has("SIMPLE  =", 0)) return std::nullopt;
  Primary primary;
  for (std::uint64_t at = kCard; fields.holds(at, kCard); at += kCard) {
    const auto card = fields.text(at, kCard);
    if (card.starts_with("END     ")) return hint_from(primary, (at / kBlock + 1) * kBlock);
    if (!read_card(primary, card)) return std::nullopt;
  }
  return std::nullopt;
}

// ---- NIfTI-1 and -2: header and voxels in one file, in either byte order

namespace {

constexpr std::uint32_t kHeader1 =
    348;  // the first field is the length of the header; it tells byte order and version
constexpr std::uint32_t kHeader2 = 540;
constexpr std::uint32_t kExtender = 4;  // four bytes between header and voxels
constexpr std::uint64_t kMaxNiftiAxes = 7;
constexpr std::string_view kMagic1("n+1\0", 4);
constexpr std::string_view kMagic2("n+2\0\r\n\x1A\n", 8);
// Version 1 stores the offset as a float. An offset above 1 GiB is not plausible.
constexpr float kMaxOffset1 = 1u << 30;

struct CodedType {
  std::uint16_t code;
  NumberType type;
};
// No word has 80 or 128 bits: such floats are two words of 8 bytes.
constexpr std::array<CodedType, 16> kVolumeTypes = {{{2, {'u', 1, 1}},
                                                     {4, {'i', 2, 1}},
                                                     {8, {'i', 4, 1}},
                                                     {16, {'f', 4, 1}},
                                                     {32, {'f', 4, 2}},
                                                     {64, {'f', 8, 1}},
                                                     {128, {'u', 1, 3}},
                                                     {256, {'i', 1, 1}},
                                                     {512, {'u', 2, 1}},
                                                     {768, {'u', 4, 1}},
                                                     {1024, {'i', 8, 1}},
                                                     {1280, {'u', 8, 1}},
                                                     {1536, {0, 8, 2}},
                                                     {1792, {'f', 8, 2}},
                                                     {2048, {0, 8, 4}},
                                                     {2304, {'u', 1, 4}}}};

// `bits` repeats the width that the code means; some writers leave it 0.
std::optional<NumberType> type_of(std::uint16_t code, std::uint16_t bits) {
  for (const CodedType& known : kVolumeTypes) {
    if (known.code == code && (bits == 0 || bits == known.type.word * known.type.tuple * 8))
      return known.type;
  }
  return std::nullopt;
}

// dim[0] is the number of axes, the rest are their lengths: signed, `width` bytes each.
Axes read_axes(Fields& fields, std::uint64_t at, unsigned width) {
  const auto dim = [&](std::uint64_t i) -> std::uint64_t {
    const std::uint64_t value = width == 2 ? fields.u16(at + 2 * i) : fields.u64(at + 8 * i);
    return value >> (8 * width - 1) == 0 ? value : 0;
  };
  Axes axes;
  const std::uint64_t count = dim(0);
  if (count == 0 || count > kMaxNiftiAxes) axes.add(0);  // not valid: treated as an empty array
  for (std::uint64_t i = 1; i <= std::min(count, kMaxNiftiAxes); ++i) axes.add(dim(i));
  return axes;
}

// 0 if the offset is not plausible.
std::uint64_t offset1(std::uint32_t bits) {
  const auto offset = std::bit_cast<float>(bits);
  const bool believable = offset >= float{kHeader1 + kExtender} && offset <= kMaxOffset1;  // false for a NaN
  return believable ? static_cast<std::uint64_t>(offset) : 0;
}

std::uint64_t offset2(std::uint64_t offset) {
  return offset >= kHeader2 + kExtender && offset >> 63 == 0 ? offset : 0;
}

std::optional<SniffedHint> hint_from(const Fields& fields, std::optional<NumberType> type, const Axes& axes,
                                     std::uint64_t offset) {
  if (fields.overran() || !type || offset == 0) return std::nullopt;
  SniffedHint hint{"NIfTI", *type, offset, fields.big_endian()};
  if (!lay_out(hint, axes)) return std::nullopt;
  return hint;
}

std::optional<SniffedHint> sniff_version1(Fields& fields) {
  const auto type = type_of(fields.u16(70), fields.u16(72));
  const Axes axes = read_axes(fields, 40, 2);
  return hint_from(fields, type, axes, offset1(fields.u32(108)));
}

std::optional<SniffedHint> sniff_version2(Fields& fields) {
  const auto type = type_of(fields.u16(12), fields.u16(14));
  const Axes axes = read_axes(fields, 16, 8);
  return hint_from(fields, type, axes, offset2(fields.u64(168)));
}

}  // namespace

std::optional<SniffedHint> sniff_nifti(std::span<const std::byte> prefix) {
  for (const bool big_endian : {false, true}) {
    Fields fields(prefix, big_endian);
    const std::uint32_t header = fields.u32(0);
    if (header == kHeader1 && fields.has(kMagic1, 344)) return sniff_version1(fields);
    if (header == kHeader2 && fields.has(kMagic2, 4)) return sniff_version2(fields);
  }
  return std::nullopt;
}

}  // namespace tdz::formats
