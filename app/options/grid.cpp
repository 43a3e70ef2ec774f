// SPDX-License-Identifier: Apache-2.0
#include "app/options/grid.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "app/options/option_values.hpp"

namespace tdz::app {
namespace {

constexpr std::size_t kMostNumbers = 4096;
constexpr std::uint32_t kMostTuple = 1u << 20;

template <class T>
void append_once(std::vector<T>& list, const T& value) {
  if (std::ranges::find(list, value) == list.end()) list.push_back(value);
}

template <class T>
Result<std::vector<T>> narrowed(const Result<std::vector<std::uint32_t>>& numbers) {
  if (!numbers) return numbers.error();
  std::vector<T> list;
  for (const std::uint32_t number : *numbers) list.push_back(static_cast<T>(number));
  return list;
}

}  // namespace

Result<std::vector<std::uint32_t>> parse_numbers(std::string_view text, std::uint32_t least,
                                                 std::uint32_t most) {
  const Error wrong = usage(fmt::format("expected numbers from {} to {}, such as 1-4 or 1,2,8", least, most));
  std::vector<std::uint32_t> list;
  for (const std::string& part : split(text, ',')) {
    const auto dash = part.find('-');
    const auto first = parse_number(part.substr(0, dash), least, most);
    const auto last = dash == std::string::npos ? first : parse_number(part.substr(dash + 1), least, most);
    if (!first || !last || *first > *last) return wrong;
    if (*last - *first >= kMostNumbers - std::min(list.size(), kMostNumbers)) {
      return usage(fmt::format("expected at most {} numbers", kMostNumbers));
    }
    for (std::uint64_t number = *first; number <= *last; ++number)
      append_once(list, static_cast<std::uint32_t>(number));
  }
  return list;
}

Result<std::vector<std::uint8_t>> parse_words(std::string_view text) {
  std::vector<std::uint8_t> list;
  for (const std::string& part : split(text, ',')) {
    const auto word = parse_word(part);
    if (!word) return usage("expected some of 1, 2, 4, 8, such as 2,4");
    append_once(list, *word);
  }
  return list;
}

Result<std::vector<std::uint32_t>> parse_tuples(std::string_view text) {
  return parse_numbers(text, 1, kMostTuple);
}

Result<std::vector<std::uint8_t>> parse_orders(std::string_view text) {
  return narrowed<std::uint8_t>(parse_numbers(text, 0, kMaxOrder));
}

Result<std::vector<int>> parse_levels(std::string_view text) {
  return narrowed<int>(parse_numbers(text, kMinLevel, kMaxLevel));
}

Result<std::vector<GridLayout>> parse_layouts(std::string_view text) {
  constexpr std::string_view kAll = "interleaved,planes,tuple-planes,bit-planes,packed";
  std::vector<GridLayout> list;
  for (const std::string& part : split(text == "all" ? kAll : text, ',')) {
    const bool packed = part == PackedStep::kTraits.name;
    const auto of_words = packed ? Result(Layout::interleaved) : formats::parse_layout(part);
    if (!of_words) return usage(fmt::format("expected some of {}, or all", kAll));
    append_once(list, GridLayout{*of_words, packed});
  }
  return list;
}

Result<std::vector<BackendChoice>> parse_backends(std::string_view text) {
  std::vector<BackendChoice> list;
  for (const std::string& part : split(text, ',')) {
    if (part != "cpu" && part != "cuda") return usage("expected cpu, cuda or cpu,cuda");
    append_once(list, part == "cpu" ? BackendChoice::cpu : BackendChoice::cuda);
  }
  return list;
}

Result<std::vector<std::string>> parse_names(std::string_view text) {
  std::vector<std::string> list;
  for (const std::string& part : split(text, ',')) {
    if (part.empty()) return usage("expected names with commas between them");
    append_once(list, part);
  }
  return list;
}

std::string_view backend_name(BackendChoice backend) {
  return backend == BackendChoice::cuda ? "cuda" : "cpu";
}

std::vector<formats::Parameters> codings(const Grid& grid) {
  std::vector<formats::Parameters> list;
  std::vector<Column> known;
  for (const auto word : grid.words) {
    for (const auto order : grid.orders) {
      for (const auto tuple : grid.tuples) {
        if (order > 0) known.clear();  // a difference contains its tuple, so no earlier coding is the same
        for (const GridLayout layout : grid.layouts) {
          const formats::Parameters steps{.word = word,
                                          .tuple = tuple,
                                          .order = order,
                                          .zigzag = order > 0,
                                          .layout = layout.of_words,
                                          .packed = layout.packed};
          const Column column = formats::column_of(steps);
          if (std::ranges::find(known, column) != known.end()) continue;
          known.push_back(column);
          list.push_back(steps);
        }
      }
    }
  }
  return list;
}

}  // namespace tdz::app
