// SPDX-License-Identifier: Apache-2.0
#include "app/bench/html_curves.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/bench/cells.hpp"
#include "app/bench/figures.hpp"
#include "app/bench/heat.hpp"
#include "app/bench/html_text.hpp"

namespace tdz::app::bench {
namespace {

constexpr double kLeft = 62, kTop = 12, kWide = 500, kHigh = 250, kBelow = 44, kRight = 12;
constexpr std::size_t kLineStyles = 8;
using Names = std::vector<std::string>;

/// Where a pair of length and speed stands in a panel.
struct Plot {
  double least_values = 0, most_values = 0, least_speed = 0, most_speed = 0;  // logarithms: of 2, and of 10

  double x(double values) const {
    const double range = std::max(most_values - least_values, 1.0);
    return kLeft + (std::log2(values) - least_values) / range * kWide;
  }
  double y(double speed) const {
    const double range = most_speed - least_speed;
    return kTop + (most_speed - std::log10(speed)) / range * kHigh;
  }
};

double values_of(const CurvePanel& panel, std::uint64_t bytes) {
  return std::max(1.0, static_cast<double>(bytes) / panel.first->coding.word);
}

double speed_of(const ScanResult& point) {
  return point.kernel.bytes_per_second(point.bytes);
}

/// The next step of 1, 2, 5 that is not inside the range.
double step_below(double logarithm) {
  const double decade = std::floor(logarithm);
  for (const double step : {std::log10(5.0), std::log10(2.0)})
    if (logarithm >= decade + step) return decade + step;
  return decade;
}
double step_above(double logarithm) {
  return -step_below(-logarithm);
}

Plot plot_of(const CurvePanel& panel) {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  Scale values{kFar, 0}, speeds{kFar, 0};
  for (const CurveLine& line : panel.lines) {
    for (const ScanResult* point : line.points) {
      widen(values, values_of(panel, point->bytes));
      widen(speeds, speed_of(*point));
    }
  }
  for (const auto& reference : {panel.copy_speeds(), panel.limit_speeds()})
    for (const auto& [bytes, speed] : reference) widen(speeds, speed);
  if (speeds.most == 0) speeds = {1, 10};
  const double low = step_below(std::log10(speeds.least)), high = step_above(std::log10(speeds.most));
  return {std::log2(values.least), std::log2(values.most), low, std::max(high, low + 0.3)};
}

std::string tick(double x, double y, std::string_view css_class, std::string_view text) {
  return fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", css_class, x, y, text);
}

/// "10 GB/s": what stands at an axis is a round number, but for how it was computed.
std::string round_speed(double speed) {
  std::string text = speed_text(speed * (1 + 1e-9));
  const std::size_t point = text.find('.');
  return point == std::string::npos ? text : text.erase(point, text.find(' ') - point);
}

std::string speed_axis(const Plot& plot) {
  std::string svg;
  for (double decade = std::floor(plot.least_speed); decade <= plot.most_speed; ++decade) {
    for (const double step : {1.0, 2.0, 5.0}) {
      const double speed = step * std::pow(10.0, decade), logarithm = std::log10(speed);
      if (logarithm < plot.least_speed - 1e-9 || logarithm > plot.most_speed + 1e-9) continue;
      svg += fmt::format("<path class=\"grid\" d=\"M{} {:.1f}h{}\"/>", kLeft, plot.y(speed), kWide);
      if (step == 1.0 || plot.most_speed - plot.least_speed < 2.5)
        svg += tick(kLeft - 6, plot.y(speed) + 4, "end", round_speed(speed));
    }
  }
  return svg;
}

std::string length_axis(const Plot& plot) {
  const int least = static_cast<int>(std::ceil(plot.least_values - 1e-9));
  const int most = static_cast<int>(std::floor(plot.most_values + 1e-9));
  const int step = std::max(1, (most - least) / 10);
  std::string svg;
  for (int power = least; power <= most; power += step) {
    const double x = plot.x(std::exp2(power));
    svg += fmt::format("<path class=\"grid\" d=\"M{:.1f} {}v{}\"/>", x, kTop, kHigh);
    svg += fmt::format(
        "<text class=\"tick\" x=\"{:.1f}\" y=\"{}\">2<tspan class=\"power\" dy=\"-4\">{}</tspan></text>", x,
        kTop + kHigh + 18, power);
  }
  return svg + tick(kLeft + kWide / 2, kTop + kHigh + 38, "tick", "values");
}

std::string point_svg(const ScanResult& point, const CurvePanel& panel, const Plot& plot) {
  const double values = values_of(panel, point.bytes), speed = speed_of(point);
  if (speed <= 0) return "";
  const bool wrong = !point.fault.empty();
  return fmt::format(
      "<circle class=\"point{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"><title>{}, {:.0f} values: "
      "{}</title></circle>",
      wrong ? " wrong" : "", plot.x(values), plot.y(speed), wrong ? 5 : 2.5, escaped(point.scan), values,
      wrong ? "WRONG: " + escaped(point.fault) : speed_text(speed));
}

std::string polyline(const std::string& points) {
  return points.empty() ? "" : "<polyline points=\"" + points + "\"/>";
}

std::string line_svg(const CurveLine& line, std::size_t style, const CurvePanel& panel, const Plot& plot) {
  std::string corners, points;
  for (const ScanResult* point : line.points) {
    const double speed = speed_of(*point);
    if (speed <= 0) continue;
    corners += fmt::format("{:.1f},{:.1f} ", plot.x(values_of(panel, point->bytes)), plot.y(speed));
    points += point_svg(*point, panel, plot);
  }
  return fmt::format("<g class=\"line l{}\">{}{}</g>\n", style, polyline(corners), points);
}

/// A line without points: what the scans are compared with.
std::string reference_svg(std::string_view css_class, const std::map<std::uint64_t, double>& speeds,
                          const CurvePanel& panel, const Plot& plot) {
  std::string corners;
  for (const auto& [bytes, speed] : speeds)
    corners += fmt::format("{:.1f},{:.1f} ", plot.x(values_of(panel, bytes)), plot.y(speed));
  return fmt::format("<g class=\"line {}\">{}</g>\n", css_class, polyline(corners));
}

/// Each scan keeps its style in all panels.
Names scans_of(const Report& report) {
  Names names;
  for (const ScanResult& point : report.curves)
    if (std::ranges::find(names, point.scan) == names.end()) names.push_back(point.scan);
  return names;
}

std::size_t style_of(const Names& names, const std::string& scan) {
  return static_cast<std::size_t>(std::ranges::find(names, scan) - names.begin()) % kLineStyles;
}

std::string panel_caption(const ScanResult& scan) {
  return fmt::format("{}, {}, {}, {}-bit words, {}: order {}, tuple {}", scan.backend,
                     direction_name(scan.direction), scan.shape == Shape::chain ? "one chain" : "chunks",
                     scan.coding.word * 8, formats::layout_name(scan.coding.layout), scan.coding.order,
                     scan.coding.tuple);
}

std::string panel_figure(const CurvePanel& panel, const Names& names) {
  const Plot plot = plot_of(panel);
  const std::string caption = escaped(panel_caption(*panel.first));
  std::string svg = fmt::format(
      "<figure class=\"curve\"><figcaption>{0}</figcaption>\n<div class=\"scroll\"><svg role=\"img\" "
      "width=\"{1}\" "
      "height=\"{2}\" viewBox=\"0 0 {1} {2}\"><title>Speed by number of values: {0}</title>\n",
      caption, kLeft + kWide + kRight, kTop + kHigh + kBelow);
  svg += speed_axis(plot) + length_axis(plot) + "\n";
  svg += reference_svg("copy", panel.copy_speeds(), panel, plot);
  svg += reference_svg("limit", panel.limit_speeds(), panel, plot);
  for (const CurveLine& line : panel.lines) svg += line_svg(line, style_of(names, line.scan), panel, plot);
  return svg + "</svg></div></figure>\n";
}

std::string legend_entry(std::string_view css_class, std::string_view name) {
  return fmt::format(
      "<li><svg role=\"img\" class=\"sample\" width=\"36\" height=\"12\" viewBox=\"0 0 36 12\"><title>line "
      "of {1}</title>"
      "<g class=\"line {0}\"><polyline points=\"0,6 36,6\"/></g></svg> {1}</li>\n",
      css_class, escaped(name));
}

std::string legend(const Names& names) {
  std::string html = "<ul class=\"legend\">\n";
  for (std::size_t i = 0; i < names.size(); ++i)
    html += legend_entry(fmt::format("l{}", i % kLineStyles), names[i]);
  return html + legend_entry("copy", "memcpy of the same bytes") +
         legend_entry("limit", "limit of the memory machine model") + "</ul>\n";
}

}  // namespace

std::string curve_figures(const Report& report) {
  if (report.curves.empty()) return "";
  const Names names = scans_of(report);
  std::string html = legend(names) + "<div class=\"maps\">\n";
  for (const CurvePanel& panel : curve_panels(report.curves)) html += panel_figure(panel, names);
  return html + "</div>\n";
}

}  // namespace tdz::app::bench
