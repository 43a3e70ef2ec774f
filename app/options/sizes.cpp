// SPDX-License-Identifier: Apache-2.0
#include "app/options/sizes.hpp"

#include <spdlog/fmt/fmt.h>

#include <array>
#include <cctype>
#include <charconv>
#include <optional>

namespace tdz::app {
namespace {

constexpr std::string_view kPrefixes = "KMGTPE";

Error not_a_size(std::string_view text) {
  return {ErrorKind::usage,
          fmt::format("'{}' is not a size; write a number of bytes, or 64KiB, 1M, 2GiB", text)};
}

/// The power of two of a unit: 0 for "" and "B", 10 for "K", "k" and "KiB". Decimal units ("KB") are refused,
/// because they could be misread.
std::optional<unsigned> unit_shift(std::string_view unit) {
  if (unit.empty() || unit == "B") return 0;
  const auto power =
      kPrefixes.find(static_cast<char>(std::toupper(static_cast<unsigned char>(unit.front()))));
  const auto rest = unit.substr(1);
  if (power == std::string_view::npos || (!rest.empty() && rest != "iB" && rest != "ib")) return std::nullopt;
  return 10 * (static_cast<unsigned>(power) + 1);
}

}  // namespace

Result<std::uint64_t> parse_size(std::string_view text) {
  std::uint64_t count = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, count);
  if (error != std::errc{}) return not_a_size(text);
  const auto shift = unit_shift({stop, static_cast<std::size_t>(end - stop)});
  if (!shift || count > (~std::uint64_t{0} >> *shift)) return not_a_size(text);
  return count << *shift;
}

std::string format_size(std::uint64_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  auto value = static_cast<double>(bytes) / 1024;
  std::size_t power = 0;
  for (; value >= 999.5 && power + 1 < kPrefixes.size(); ++power) value /= 1024;
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} {}iB", value, decimals, kPrefixes[power]);
}

std::string ratio_text(std::uint64_t original_bytes, std::uint64_t stored_bytes) {
  if (original_bytes == 0 || stored_bytes == 0) return "-";
  return fmt::format("{:.2f}", static_cast<double>(original_bytes) / static_cast<double>(stored_bytes));
}

}  // namespace tdz::app
