// SPDX-License-Identifier: Apache-2.0
// safetensors, the checkpoints of neural networks. A length of 8 bytes, and then a header of JSON:
//   {"__metadata__":{"format":"pt"},"layer.weight":{"dtype":"BF16","shape":[3,4],"data_offsets":[0,24]}, ..}
// Offsets count from the end of the header. Tensors lie one after the other, and most files have one type.
#include <algorithm>

#include "formats/sniff/reading.hpp"

namespace tdz::formats {
namespace {

constexpr std::uint64_t kLengthBytes = 8;

struct NamedDtype {
  std::string_view name;
  NumberType type;
};
// The floats of 8 bits, and bfloat16, are integers to tdz, as in parse_type. Numbers of less than 8 bits are
// bytes.
constexpr std::array<NamedDtype, 17> kDtypes = {{{"F64", {'f', 8, 1}},
                                                 {"F32", {'f', 4, 1}},
                                                 {"F16", {'f', 2, 1}},
                                                 {"BF16", {'u', 2, 1}},
                                                 {"C64", {'f', 4, 2}},
                                                 {"I64", {'i', 8, 1}},
                                                 {"I32", {'i', 4, 1}},
                                                 {"I16", {'i', 2, 1}},
                                                 {"I8", {'i', 1, 1}},
                                                 {"U64", {'u', 8, 1}},
                                                 {"U32", {'u', 4, 1}},
                                                 {"U16", {'u', 2, 1}},
                                                 {"U8", {'u', 1, 1}},
                                                 {"BOOL", {'u', 1, 1}},
                                                 {"F8_E4M3", {'u', 1, 1}},
                                                 {"F8_E5M2", {'u', 1, 1}},
                                                 {"F8_E8M0", {'u', 1, 1}}}};
constexpr NumberType kOtherDtype{0, 1, 1};

/// The tensors of one type.
struct Tensors {
  std::uint64_t bytes = 0;
  std::uint64_t first = ~std::uint64_t{0};  ///< where the first one begins
};
using TensorsByType = std::array<Tensors, kDtypes.size() + 1>;  // the last one: other types

// The next token. Skips the blanks before it.
bool take_token(TextReader& text, char c) {
  text.skip_spaces();
  return text.take(c);
}

// "abc". A character after a backslash does not end the string; escapes have no other meaning here.
std::optional<std::string_view> json_text(TextReader& text, std::string_view all) {
  if (!take_token(text, '"')) return std::nullopt;
  const std::size_t begin = text.position();
  while (!text.at_end() && text.peek() != '"') {
    if (text.next() == '\\') text.next();
  }
  const auto inside = all.substr(begin, text.position() - begin);
  return text.take('"') ? std::optional(inside) : std::nullopt;
}

// {"key": value, ..}: `take_value(key)` takes each value, and says whether it understood it.
template <class TakeValue>
bool take_object(TextReader& text, std::string_view all, const TakeValue& take_value) {
  if (!take_token(text, '{')) return false;
  if (take_token(text, '}')) return true;
  do {
    const auto key = json_text(text, all);
    if (!key || !take_token(text, ':') || !take_value(*key)) return false;
  } while (take_token(text, ','));
  return take_token(text, '}');
}

// [3, 4] or []: `take_number(number)` for each.
template <class TakeNumber>
bool take_numbers(TextReader& text, const TakeNumber& take_number) {
  if (!take_token(text, '[')) return false;
  if (take_token(text, ']')) return true;
  do {
    text.skip_spaces();
    const auto number = text.number();
    if (!number) return false;
    take_number(*number);
  } while (take_token(text, ','));
  return take_token(text, ']');
}

std::size_t index_of(std::string_view dtype) {
  const auto found = std::ranges::find(kDtypes, dtype, &NamedDtype::name);
  return static_cast<std::size_t>(found - kDtypes.begin());
}

bool add_tensor(TensorsByType& tensors, TextReader& text, std::string_view all) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 60;  // more than any file holds
  std::optional<std::string_view> dtype;
  std::array<std::uint64_t, 2> offsets{};
  std::size_t count = 0;
  const bool complete = take_object(text, all, [&](std::string_view key) {
    if (key == "dtype") return (dtype = json_text(text, all)).has_value();
    if (key == "shape") return take_numbers(text, [](std::uint64_t) {});
    return key == "data_offsets" && take_numbers(text, [&](std::uint64_t offset) {
             if (count < offsets.size()) offsets[count] = offset;
             ++count;
           });
  });
  const auto [begin, end] = offsets;
  if (!complete || !dtype || count != offsets.size() || begin > end || end > kMost) return false;
  Tensors& alike = tensors[index_of(*dtype)];
  if (end - begin > kMost - alike.bytes) return false;
  alike.bytes += end - begin;
  if (begin != end) alike.first = std::min(alike.first, begin);
  return true;
}

bool add_tensors(TensorsByType& tensors, std::string_view all) {
  TextReader text(all);
  const bool complete = take_object(text, all, [&](std::string_view key) {
    if (key != "__metadata__") return add_tensor(tensors, text, all);
    return take_object(text, all, [&](std::string_view) { return json_text(text, all).has_value(); });
  });
  text.skip_spaces();
  return complete && text.at_end();
}

}  // namespace

// The type that fills most. The numbers begin after the header, on the grid of this type's first tensor: what
// other tensors hold before it is found by the search of their chunks.
std::optional<SniffedHint> sniff_safetensors(std::span<const std::byte> prefix) {
  Fields fields(prefix, false);
  const std::uint64_t length = fields.u64(0);
  if (!fields.has("{", kLengthBytes) || !fields.holds(kLengthBytes, length)) return std::nullopt;
  TensorsByType tensors{};
  if (!add_tensors(tensors, fields.text(kLengthBytes, length))) return std::nullopt;
  const auto most = std::ranges::max_element(tensors, {}, &Tensors::bytes);
  if (most->bytes == 0) return std::nullopt;
  const auto index = static_cast<std::size_t>(most - tensors.begin());
  const NumberType type = index < kDtypes.size() ? kDtypes[index].type : kOtherDtype;
  return SniffedHint{"safetensors", type, kLengthBytes + length + most->first % type.word, false};
}

}  // namespace tdz::formats
