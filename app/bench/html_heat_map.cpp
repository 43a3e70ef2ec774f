// SPDX-License-Identifier: Apache-2.0
#include "app/bench/html_heat_map.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "app/bench/html_text.hpp"

namespace tdz::app::bench {
namespace {

constexpr std::size_t kLeft = 40, kTop = 32, kWide = 44, kHigh = 24;

template <class Value>
std::size_t index_of(const std::vector<Value>& list, Value value) {
  return static_cast<std::size_t>(std::ranges::find(list, value) - list.begin());
}

/// "8", "1000", "65k": a column is narrow.
std::string tuple_label(std::uint32_t tuple) {
  if (tuple < 10'000) return fmt::format("{}", tuple);
  if (tuple < 1'000'000) return fmt::format("{}k", tuple / 1000);
  return fmt::format("{}M", tuple / 1'000'000);
}

std::string label(std::size_t x, std::size_t y, std::string_view css_class, std::string_view text) {
  return fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\">{}</text>", css_class, x, y, text);
}

std::string axes(const HeatMap& map) {
  std::string svg = label(0, kTop - 6, "axis", "order") + label(kLeft + 2, 11, "axis", "tuple");
  for (std::size_t i = 0; i < map.tuples.size(); ++i)
    svg += label(kLeft + i * kWide + kWide / 2, kTop - 6, "tick", tuple_label(map.tuples[i]));
  for (std::size_t i = 0; i < map.orders.size(); ++i)
    svg += label(kLeft - 14, kTop + i * kHigh + 16, "tick", fmt::format("{}", map.orders[i]));
  return svg + "\n";
}

std::string colour_class(const HeatCell& cell, const Scale& scale) {
  if (cell.wrong) return "wrong";
  return cell.value > 0 ? fmt::format("h{}", heat_step(cell.value, scale)) : "none";
}

std::string cell_svg(const HeatCell& cell, const HeatMap& map) {
  const std::size_t x = kLeft + index_of(map.tuples, cell.tuple) * kWide;
  const std::size_t y = kTop + index_of(map.orders, cell.order) * kHigh;
  return fmt::format(
      "<g class=\"cell {}\" data-order=\"{}\" data-tuple=\"{}\" data-value=\"{:.4g}\" "
      "transform=\"translate({} {})\">"
      "<title>order {}, tuple {}: {}</title><rect width=\"{}\" height=\"{}\"/><text x=\"{}\" "
      "y=\"16\">{}</text></g>\n",
      colour_class(cell, map.scale), cell.order, cell.tuple, cell.value, x, y, cell.order, cell.tuple,
      escaped(cell.hint), kWide - 1, kHigh - 1, kWide / 2, cell.wrong ? "WRONG" : escaped(cell.text));
}

}  // namespace

std::string heat_map_figure(const HeatMap& map) {
  const std::size_t wide = kLeft + std::max<std::size_t>(map.tuples.size(), 1) * kWide;
  const std::size_t high = kTop + map.orders.size() * kHigh;
  std::string svg = fmt::format(
      "<figure class=\"map\"><figcaption>{0}</figcaption>\n<div class=\"scroll\"><svg role=\"img\" "
      "data-map=\"{1}\" "
      "width=\"{2}\" height=\"{3}\" viewBox=\"0 0 {2} {3}\"><title>{0}, by order and tuple</title>\n",
      escaped(map.caption), map.metric, wide, high);
  svg += axes(map);
  for (const HeatCell& cell : map.cells) svg += cell_svg(cell, map);
  return svg + "</svg></div></figure>\n";
}

}  // namespace tdz::app::bench
