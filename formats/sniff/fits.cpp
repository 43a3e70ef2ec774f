// SPDX-License-Identifier: Apache-2.0
// FITS: the image of the primary header. Cards of 80 characters, blocks of 2880 bytes, big-endian numbers.
#include "formats/sniff/families.hpp"
#include "formats/sniff/fields.hpp"
#include "formats/sniff/grid.hpp"
#include "formats/sniff/text_reader.hpp"

namespace tdz::formats {
namespace {

constexpr std::uint64_t kCard = 80;
constexpr std::uint64_t kBlock = 2880;
constexpr std::size_t kKeyword = 8;
// The standard allows 999 axes; files have a few.
constexpr std::size_t kMaxAxes = 16;

struct Primary {
  bool negative = false;  // BITPIX below zero: floats
  std::uint64_t bits = 0;
  std::uint64_t axis_count = 0;
  std::array<std::uint64_t, kMaxAxes> axes{};
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
  if (!number || *number == 0 || *number > kMaxAxes || !reader.at_end()) return std::nullopt;
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
  if (!known || primary.axis_count == 0 || primary.axis_count > kMaxAxes) return std::nullopt;
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

}  // namespace tdz::formats
