// SPDX-License-Identifier: Apache-2.0
#include "app/options/option_values.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "app/options/names.hpp"
#include "formats/names.hpp"

namespace tdz::app {
namespace {

constexpr std::uint32_t kMaxDevice = 255;  // the driver knows which devices exist

template <class T, std::size_t N>
Result<T> parse_choice(std::string_view text, const std::array<std::pair<std::string_view, T>, N>& choices) {
  std::string expected;
  for (const auto& [name, value] : choices) {
    if (text == name) return value;
    expected += fmt::format("{}{}", expected.empty() ? "" : ", ", name);
  }
  return usage(fmt::format("expected one of {}", expected));
}

Error not_a_range() {
  return usage("expected OFFSET:LENGTH, such as 1M:64KiB, or 1000v:20v in values");
}

Result<Extent> parse_extent(std::string_view text) {
  const bool values = text.ends_with('v');
  auto count =
      values ? parse_number(text.substr(0, text.size() - 1), 0, ~std::uint64_t{0}) : parse_size(text);
  if (!count) return values || text.empty() ? not_a_range() : count.error();
  return Extent{*count, values};
}

}  // namespace

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t from = 0, to = 0; to != std::string_view::npos; from = to + 1) {
    to = text.find(separator, from);
    parts.emplace_back(text.substr(from, to - from));
  }
  return parts;
}

Result<std::uint64_t> parse_number(std::string_view text, std::uint64_t least, std::uint64_t most) {
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stop != end || number < least || number > most) {
    return usage(fmt::format("expected a number from {} to {}", least, most));
  }
  return number;
}

Result<std::uint32_t> parse_size_between(std::string_view text, std::uint32_t least, std::uint32_t most) {
  const auto size = parse_size(text);
  if (!size) return size.error();
  if (*size < least || *size > most) {
    return usage(fmt::format("expected a size from {} to {}", format_size(least), format_size(most)));
  }
  return static_cast<std::uint32_t>(*size);
}

Result<std::uint64_t> parse_memory(std::string_view text) {
  auto size = parse_size(text);
  if (size && *size == 0) return usage("expected a size above 0");
  return size;
}

Result<std::uint64_t> parse_bench_size(std::string_view text) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 50;
  auto size = parse_memory(text);
  if (size && *size > kMost) return usage("expected a size up to 1024T");
  return size;
}

Result<std::uint8_t> parse_word(std::string_view text) {
  for (const int bytes : {1, 2, 4, 8}) {
    if (text == fmt::to_string(bytes)) return static_cast<std::uint8_t>(bytes);
  }
  return usage("a word has 1, 2, 4 or 8 bytes");
}

Result<bool> parse_switch(std::string_view text) {
  return parse_choice<bool, 2>(text, {{{"on", true}, {"off", false}}});
}

Result<std::chrono::milliseconds> parse_seconds(std::string_view text) {
  constexpr double kDay = 24 * 60 * 60;
  double seconds = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, seconds, std::chars_format::fixed);
  if (error != std::errc{} || stop != end || !(seconds >= 0.001 && seconds <= kDay)) {
    return usage("expected seconds from 0.001 to 86400");
  }
  return std::chrono::milliseconds(std::llround(seconds * 1000));
}

Result<Range> parse_range(std::string_view text) {
  const auto colon = std::min(text.find(':'), text.size());
  const auto offset = parse_extent(text.substr(0, colon));
  const auto rest = text.substr(std::min(colon + 1, text.size()));
  const auto length = rest.empty() ? Result<Extent>(Extent{}) : parse_extent(rest);
  if (colon == text.size()) return not_a_range();
  if (!offset) return offset.error();
  if (!length) return length.error();
  return Range{*offset, rest.empty() ? std::nullopt : std::optional(*length)};
}

Result<Fill> parse_fill(std::string_view text) {
  return parse_choice<Fill, 2>(text, {{{"zero", Fill::zeros}, {"skip", Fill::nothing}}});
}

Result<std::vector<int>> parse_devices(std::string_view text) {
  if (text == "all") return std::vector<int>();
  const auto numbers = parse_numbers(text, 0, kMaxDevice);
  if (!numbers) return numbers.error();
  return std::vector<int>(numbers->begin(), numbers->end());
}

Result<std::uint64_t> parse_device_memory(std::string_view text) {
  constexpr std::uint64_t kLeast = std::uint64_t{16} << 20;
  const auto size = parse_size(text);
  if (!size) return size.error();
  if (*size < kLeast) return usage(fmt::format("expected a size of at least {}", format_size(kLeast)));
  return *size;
}

Result<BackendChoice> parse_backend(std::string_view text) {
  return parse_choice<BackendChoice, 3>(
      text,
      {{{"auto", BackendChoice::automatic}, {"cpu", BackendChoice::cpu}, {"cuda", BackendChoice::cuda}}});
}

Result<BenchFormat> parse_bench_format(std::string_view text) {
  return parse_choice<BenchFormat, 5>(text, {{{"table", BenchFormat::table},
                                              {"json", BenchFormat::json},
                                              {"csv", BenchFormat::csv},
                                              {"markdown", BenchFormat::markdown},
                                              {"html", BenchFormat::html}}});
}

Result<RoundtripFormat> parse_roundtrip_format(std::string_view text) {
  return parse_choice<RoundtripFormat, 3>(text, {{{"table", RoundtripFormat::table},
                                                  {"json", RoundtripFormat::json},
                                                  {"junit", RoundtripFormat::junit}}});
}

Result<ProgressChoice> parse_progress(std::string_view text) {
  return parse_choice<ProgressChoice, 3>(text, {{{"auto", ProgressChoice::automatic},
                                                 {"always", ProgressChoice::always},
                                                 {"never", ProgressChoice::never}}});
}

// ---- The ranges of parameters of bench and roundtrip

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
