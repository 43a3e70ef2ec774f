// SPDX-License-Identifier: Apache-2.0
#include "app/bench/report/figures.hpp"

#include <spdlog/fmt/fmt.h>

#include <array>
#include <cmath>

#include "app/options/names.hpp"
#include "app/options/sizes.hpp"

namespace tdz::app::bench {
namespace {

constexpr auto kUnknown = "-";

bool measured(double value) {
  return std::isfinite(value) && value > 0;
}

/// The value in the largest unit in which it is at least 1. Each unit is a thousand times the one before.
template <std::size_t N>
std::string with_unit(double value, const std::array<std::string_view, N>& units) {
  if (!measured(value)) return kUnknown;
  std::size_t unit = 0;
  for (; value >= 999.5 && unit + 1 < N; ++unit) value /= 1000;
  return fmt::format("{} {}", three_digits(value), units[unit]);
}

}  // namespace

std::string three_digits(double value) {
  if (!measured(value)) return kUnknown;
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f}", value, decimals);
}

std::string speed_text(double bytes_per_second) {
  return with_unit(bytes_per_second, std::array<std::string_view, 5>{"B/s", "kB/s", "MB/s", "GB/s", "TB/s"});
}

std::string mega_text(double bytes_per_second) {
  if (!measured(bytes_per_second)) return kUnknown;
  if (bytes_per_second < 9.95e6) return fmt::format("{:.1f}", bytes_per_second / 1e6);
  if (bytes_per_second < 99999.5e6) return fmt::format("{:.0f}", bytes_per_second / 1e6);
  return fmt::format("{:.0f}G", bytes_per_second / 1e9);
}

std::string giga_text(double bytes_per_second) {
  return three_digits(bytes_per_second / 1e9);
}

std::string percent_text(double share) {
  if (!measured(share)) return kUnknown;
  return fmt::format("{:.{}f}", share * 100, share < 0.00995 ? 1 : 0);
}

std::string ratio_figure(double ratio) {
  if (!measured(ratio)) return kUnknown;
  if (ratio < 99.9995) return fmt::format("{:.3f}", ratio);
  if (ratio < 9999.95) return fmt::format("{:.1f}", ratio);
  return ratio < 999999.5 ? fmt::format("{:.0f}", ratio) : fmt::format("{:.0e}", ratio);
}

std::string seconds_text(double seconds) {
  if (!measured(seconds)) return kUnknown;
  if (seconds >= 999.5) return fmt::format("{:.0f} s", seconds);
  return with_unit(seconds * 1e9, std::array<std::string_view, 4>{"ns", "us", "ms", "s"});
}

std::string_view direction_name(Direction direction) {
  return direction == Direction::difference ? "difference" : "integrate";
}

std::string_view shape_name(Shape shape) {
  return shape == Shape::batch ? "batch" : "chain";
}

std::string coding_type(const Coding& coding, const NumberType& type) {
  const char kind = coding.word == type.word ? type.kind : '\0';
  return formats::type_name({kind, coding.word, coding.tuple});
}

std::string scan_title(const ScanResult& scan) {
  const std::string shape =
      scan.shape == Shape::chain
          ? fmt::format("one chain of {}", format_size(scan.bytes))
          : fmt::format("{} in chunks of {}", format_size(scan.bytes), format_size(scan.chunk_bytes));
  return fmt::format("{}, {}: {}, {}, {}-bit words, {}{}", scan.backend, printable(scan.scan),
                     direction_name(scan.direction), shape, scan.coding.word * 8,
                     formats::layout_name(scan.coding), scan.coding.big_endian ? ", big-endian" : "");
}

std::string scan_cell_title(const ScanResult& scan) {
  return fmt::format("{}, order {}, tuple {}", scan_title(scan), scan.coding.order, scan.coding.tuple);
}

std::string codec_title(const Report& report, const CodecResult& cell) {
  const DataSet& data = data_of(report, cell.data);
  return fmt::format("{}, {}, order {}, {}, level {}, {}", shown_name(data.name),
                     coding_type(cell.coding, data.type), cell.coding.order,
                     formats::layout_name(cell.coding), cell.level, printable(cell.backend));
}

std::string data_title(const DataSet& data) {
  return fmt::format("{}: {}, {}{}", shown_name(data.name), formats::type_name(data.type),
                     data.generated ? "generated, " : "", format_size(data.bytes));
}

const DataSet& data_of(const Report& report, std::size_t index) {
  static const DataSet kNone;
  return index < report.data.size() ? report.data[index] : kNone;
}

}  // namespace tdz::app::bench
