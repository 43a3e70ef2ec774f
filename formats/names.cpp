// SPDX-License-Identifier: Apache-2.0
#include "formats/names.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <variant>

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

// ---- Steps and plans

namespace {

std::string column_name(const Column& column) {
  const std::string count = column.count == 1 ? "" : std::to_string(column.count) + " ";
  return count + std::to_string(column.width * 8u) + "-bit words: " + steps_name(column);
}

}  // namespace

std::string step_name(const PlanStep& step) {
  return std::visit([](const auto& s) { return s.name(); }, step);
}

std::string steps_name(const Column& column) {
  std::string names;
  for (const PlanStep& step : column.steps) names += (names.empty() ? "" : ", ") + step_name(step);
  return names.empty() ? "none" : names;
}

std::string plan_name(const Plan& plan) {
  std::string names;
  for (const Column& column : plan.columns) names += (names.empty() ? "" : "; ") + column_name(column);
  return plan.coding == Coding::uniform ? names + "; frames for a GPU" : names;
}

// ---- Plans in words

namespace {

constexpr std::size_t kShownPairs = 3;

/// As short as it can be: "100", "0.3".
std::string number_text(double number) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
  return {text.data(), end};
}

/// "1/100", "5", "0.3/7".
std::string pair_text(const ScalePair& pair) {
  return pair.den == 1 ? number_text(pair.num) : number_text(pair.num) + "/" + number_text(pair.den);
}

std::string multiples_text(const ScalePlan& known) {
  if (known.pairs.empty()) return known.fill ? "one word stands for missing numbers" : "numbers as they are";
  std::string list;
  for (std::size_t i = 0; i < std::min(known.pairs.size(), kShownPairs); ++i)
    list += (i == 0 ? "" : ", ") + pair_text(known.pairs[i]);
  return "multiples of " + list + and_more(known.pairs.size(), kShownPairs);
}

/// "0.3" for 0.003.
std::string per_cent(double share) {
  const auto tenths = static_cast<unsigned>(std::lround(1000 * share));
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

std::string holes_text(double share) {
  if (share <= 0) return "no holes";
  return share < 0.0005 ? "less than 0.1 % holes" : per_cent(share) + " % holes";
}

/// What a step does, with what the search knows of a scale.
struct StepWords {
  const ScalePlan* scale;
  std::string holes;

  std::string operator()(const ScaleStep& s) const {
    return (scale != nullptr ? multiples_text(*scale) : s.words()) + holes;
  }
  template <class OtherStep>
  std::string operator()(const OtherStep& s) const {
    return s.words();
  }
};

/// "5 x f32", or "5 x 32 bits" where nobody named the type.
std::string type_text(const Column& column) {
  const std::string bits = std::to_string(column.width * 8u);
  const std::string type = column.kind == 0 ? bits + " bits" : column.kind + bits;
  return column.count == 1 ? type : std::to_string(column.count) + " x " + type;
}

std::string steps_text(const Column& column, const StepWords& words) {
  std::string text;
  for (const PlanStep& step : column.steps) text += (text.empty() ? "" : "; ") + std::visit(words, step);
  return text.empty() ? "as they are" : text;
}

}  // namespace

std::vector<std::string> plan_words(const Plan& plan, std::span<const double> holes) {
  if (is_copy(plan)) return {"bytes as they are, without steps"};
  std::vector<std::string> lines;
  auto scale = plan.packing.scales.begin();
  for (std::size_t c = 0; c < plan.columns.size(); ++c) {
    const Column& column = plan.columns[c];
    StepWords words{nullptr, c < holes.size() ? ", " + holes_text(holes[c]) : ""};
    if (has_scale(column) && scale != plan.packing.scales.end()) words.scale = &*scale++;
    const std::string name =
        plan.columns.size() == 1 ? "numbers of " : "column " + std::to_string(c + 1) + ", ";
    lines.push_back(name + type_text(column) + ": " + steps_text(column, words));
  }
  return lines;
}

}  // namespace tdz::formats
