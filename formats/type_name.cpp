// SPDX-License-Identifier: Apache-2.0
#include "formats/type_name.hpp"

#include <array>
#include <charconv>
#include <optional>

namespace tdz::formats {
namespace {

// The letter for words of unknown kind.
constexpr char kPlainWord = 'w';

constexpr std::array<std::string_view, 4> kLayoutNames = {"interleaved", "planes", "tuple-planes",
                                                          "bit-planes"};

// Floats for which no step has rules: what tdz stores, and shows, are integers of as many bits.
struct OtherName {
  std::string_view name;
  NumberType type;
};
constexpr std::array<OtherName, 3> kOtherNames = {
    {{"bf16", {'u', 2, 1}}, {"f8e4m3", {'u', 1, 1}}, {"f8e5m2", {'u', 1, 1}}}};

Error unknown_type(std::string_view name) {
  return usage(
      "unknown type '" + std::string(name) +
      "': expected u8, u16, u32, u64, i8 .. i64, f16, f32, f64, bf16, f8e4m3, f8e5m2, w8 .. w64 or bytes, "
      "each with xN for tuples of N, for example f32x3");
}

Error unknown_field(std::string_view name) {
  return usage("unknown type '" + std::string(name) +
               "': the fields of a row are types like u64, f32x5, i24 or bytes, with commas between them");
}

// Only digits, without a sign or a leading zero: so every number has one spelling.
std::optional<std::uint32_t> parse_count(std::string_view digits) {
  std::uint32_t count = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, count);
  if (error != std::errc{} || stop != end || digits.front() == '0') return std::nullopt;
  return count;
}

enum class Widths : bool { of_numbers, all };

bool has_type(char kind, std::uint32_t bits, Widths widths) {
  if (bits % 8 != 0 || bits > 64) return false;
  if (widths == Widths::all && kind != 'f' && bits != 0) return true;
  return is_word_size(bits / 8) && !(kind == 'f' && bits == 8);
}

// "u16" without a tuple.
std::optional<NumberType> parse_single(std::string_view name, Widths widths) {
  if (name == "bytes") return NumberType{};
  for (const OtherName& other : kOtherNames)
    if (name == other.name) return other.type;
  if (name.empty() || std::string_view("uifw").find(name.front()) == std::string_view::npos)
    return std::nullopt;
  const auto bits = parse_count(name.substr(1));
  if (!bits || !has_type(name.front(), *bits, widths)) return std::nullopt;
  const char kind = name.front() == kPlainWord ? char{0} : name.front();
  return NumberType{kind, static_cast<std::uint8_t>(*bits / 8), 1};
}

std::string number(std::uint64_t value) {
  return std::to_string(value);
}

std::optional<NumberType> parse_tuple(std::string_view name, Widths widths) {
  const std::size_t cross = name.find('x');
  auto type = parse_single(name.substr(0, cross), widths);
  if (!type || cross == std::string_view::npos) return type;
  const auto tuple = parse_count(name.substr(cross + 1));
  if (!tuple) return std::nullopt;
  type->tuple = *tuple;
  return type;
}

}  // namespace

Result<NumberType> parse_type(std::string_view name) {
  const auto type = parse_tuple(name, Widths::of_numbers);
  if (!type) return unknown_type(name);
  return *type;
}

std::string type_name(const NumberType& type) {
  if (type == NumberType{}) return "bytes";
  std::string name(1, type.kind == 0 ? kPlainWord : type.kind);
  name += number(type.word * 8u);
  if (type.tuple != 1) name += 'x' + number(type.tuple);
  return name;
}

Result<std::vector<NumberType>> parse_types(std::string_view names) {
  std::vector<NumberType> types;
  for (std::size_t comma = 0; comma != std::string_view::npos;) {
    comma = names.find(',');
    const std::string_view name = names.substr(0, comma);
    const auto type = parse_tuple(name, Widths::all);
    if (!type) return unknown_field(name);
    types.push_back(*type);
    if (comma != std::string_view::npos) names.remove_prefix(comma + 1);
  }
  return types;
}

std::string type_names(std::span<const NumberType> types) {
  std::string names;
  for (const NumberType& type : types) names += (names.empty() ? "" : ",") + type_name(type);
  return names;
}

Result<Layout> parse_layout(std::string_view name) {
  for (std::size_t i = 0; i < kLayoutNames.size(); ++i) {
    if (kLayoutNames[i] == name) return Layout{static_cast<std::uint8_t>(i)};
  }
  return usage("unknown layout '" + std::string(name) +
               "': expected interleaved, planes, tuple-planes or bit-planes");
}

std::string_view layout_name(Layout layout) {
  return kLayoutNames[static_cast<std::size_t>(layout)];
}

}  // namespace tdz::formats
