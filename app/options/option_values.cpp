// SPDX-License-Identifier: Apache-2.0
#include "app/options/option_values.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "app/options/grid.hpp"
#include "app/options/sizes.hpp"

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

}  // namespace tdz::app
