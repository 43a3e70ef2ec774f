// SPDX-License-Identifier: Apache-2.0
// Characters that show nothing, or that change how the text around them is shown. With one of them, a name
// can look like another name, so reports show them escaped. Pure functions.
#pragma once

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

namespace tdz::formats {

struct CodePoints {
  char32_t first, last;
  constexpr bool has(char32_t c) const { return first <= c && c <= last; }
};

/// From the Unicode Character Database 15.0: the categories Cc (control), Cf (format), Zl and Zp (separators
/// of lines and paragraphs) and Co (private use) of UnicodeData.txt, Default_Ignorable_Code_Point of
/// DerivedCoreProperties.txt, which has places for characters to come, and the noncharacters FDD0 .. FDEF.
/// U+2800, the blank of braille, is added. Ascending.
inline constexpr std::array<CodePoints, 32> kHidden{{
    {0x0000, 0x001F},   {0x007F, 0x009F},    {0x00AD, 0x00AD},   {0x034F, 0x034F},   {0x0600, 0x0605},
    {0x061C, 0x061C},   {0x06DD, 0x06DD},    {0x070F, 0x070F},   {0x0890, 0x0891},   {0x08E2, 0x08E2},
    {0x115F, 0x1160},   {0x17B4, 0x17B5},    {0x180B, 0x180F},   {0x200B, 0x200F},   {0x2028, 0x202E},
    {0x2060, 0x206F},   {0x2800, 0x2800},    {0x3164, 0x3164},   {0xE000, 0xF8FF},   {0xFDD0, 0xFDEF},
    {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},    {0xFFA0, 0xFFA0},   {0xFFF0, 0xFFFB},   {0xFFFE, 0xFFFF},
    {0x110BD, 0x110BD}, {0x110CD, 0x110CD},  {0x13430, 0x1343F}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A},
    {0xE0000, 0xE0FFF}, {0xF0000, 0x10FFFF},
}};

constexpr bool is_hidden(char32_t c) {
  const auto after = std::ranges::upper_bound(kHidden, c, {}, &CodePoints::first);
  const bool is_noncharacter = (c & 0xFFFE) == 0xFFFE;  // the last two of each plane
  return is_noncharacter || (after != kHidden.begin() && std::prev(after)->has(c));
}

/// The one character of a text that is a whole sequence of UTF-8.
constexpr char32_t code_point(std::string_view sequence) {
  const auto first = static_cast<unsigned char>(sequence[0]);
  char32_t code = first < 0x80   ? first
                  : first < 0xE0 ? first & 0x1Fu
                  : first < 0xF0 ? first & 0x0Fu
                                 : first & 7u;
  for (const char next : sequence.substr(1)) code = code << 6 | (static_cast<unsigned char>(next) & 0x3Fu);
  return code;
}

}  // namespace tdz::formats
