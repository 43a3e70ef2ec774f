// SPDX-License-Identifier: Apache-2.0
#include "app/bench/html_bars.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <span>

#include "app/bench/figures.hpp"
#include "app/bench/html_text.hpp"

namespace tdz::app::bench {
namespace {

constexpr double kLabel = 300, kBar = 360, kFigure = 84, kRow = 22, kTop = 22;
constexpr std::size_t kRows = 24;  // of a figure; where there are more of them they are folded away

struct Segment {
  std::string_view css_class, name;
  double seconds = 0;
};

/// One way of one cell.
struct Bar {
  std::vector<Segment> segments;
  double whole = 0;

  double length() const {
    double sum = 0;
    for (const Segment& segment : segments) sum += segment.seconds;
    return std::max(sum, whole);
  }
};

double median(const std::optional<Timing>& time) {
  return time ? time->median : 0;
}

/// Seconds become nanoseconds a byte, so that lengths do not matter.
Bar per_byte(Bar bar, std::uint64_t bytes) {
  const double scale = bytes > 0 ? 1e9 / static_cast<double>(bytes) : 0;
  bar.whole *= scale;
  for (Segment& segment : bar.segments) segment.seconds *= scale;
  return bar;
}

Bar compress_bar(const CodecResult& cell) {
  const Stages& stages = cell.stages;
  return per_byte({{{"s-digest", "digest", stages.digest.median},
                    {"s-copy", "to the device", median(stages.to_device)},
                    {"s-kernel", "difference", stages.difference.median},
                    {"s-copy", "from the device", median(stages.from_device)},
                    {"s-zstd", "zstd", stages.pack.median}},
                   cell.compress.median},
                  cell.bytes);
}

Bar restore_bar(const CodecResult& cell) {
  const Stages& stages = cell.stages;
  return per_byte({{{"s-zstd", "zstd", stages.unpack.median},
                    {"s-copy", "to the device", median(stages.to_device)},
                    {"s-kernel", "integrate", stages.integrate.median},
                    {"s-copy", "from the device", median(stages.from_device)},
                    {"s-digest", "digest", stages.digest.median}},
                   cell.decompress.median},
                  cell.bytes);
}

std::string bar_svg(const Bar& bar, double x, double y, double longest) {
  std::string svg;
  double at = x;
  for (const Segment& segment : bar.segments) {
    const double wide = segment.seconds / longest * kBar;
    if (wide <= 0) continue;
    svg += fmt::format(
        "<rect class=\"{}\" x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"14\"><title>{}: {:.3f} ns a "
        "byte</title></rect>",
        segment.css_class, at, y + 3, wide, segment.name, segment.seconds);
    at += wide;
  }
  if (bar.whole <= 0) return svg;
  svg += fmt::format(
      "<path class=\"whole\" d=\"M{:.1f} {}v18\"><title>the whole way: {:.3f} ns a byte</title></path>",
      x + bar.whole / longest * kBar, y + 1, bar.whole);
  return svg + fmt::format("<text x=\"{:.1f}\" y=\"{}\">{}</text>", x + bar.length() / longest * kBar + 6,
                           y + 14, speed_text(1e9 / bar.whole));
}

std::string cell_label(const CodecResult& cell, const NumberType& type) {
  return fmt::format("{}{}, order {}, {}, level {}, {}",
                     cell.fault.empty() ? "" : "WRONG: ", coding_type(cell.coding, type), cell.coding.order,
                     formats::layout_name(cell.coding.layout), cell.level, cell.backend);
}

using Cells = std::vector<const CodecResult*>;

/// Of both ways, what the longest bar of a data set stands for.
struct Longest {
  double compress = 1e-9, restore = 1e-9;
};

Longest longest_of(const Cells& cells) {
  Longest longest;
  for (const CodecResult* cell : cells) {
    longest.compress = std::max(longest.compress, compress_bar(*cell).length());
    longest.restore = std::max(longest.restore, restore_bar(*cell).length());
  }
  return longest;
}

std::string rows_svg(std::span<const CodecResult* const> cells, const NumberType& type,
                     const Longest& longest) {
  const double right = kLabel + kBar + kFigure;
  std::string svg = fmt::format(
      "<text x=\"{}\" y=\"12\">compress</text><text x=\"{}\" y=\"12\">restore</text>\n", kLabel, right);
  double y = kTop;
  for (const CodecResult* cell : cells) {
    svg += fmt::format("<g class=\"bar\"><text x=\"0\" y=\"{}\">{}</text>", y + 14,
                       escaped(cell_label(*cell, type)));
    svg += bar_svg(compress_bar(*cell), kLabel, y, longest.compress) +
           bar_svg(restore_bar(*cell), right, y, longest.restore) + "</g>\n";
    y += kRow;
  }
  return svg;
}

std::string figure(const std::string& title, std::size_t rows, const std::string& svg) {
  const double wide = kLabel + 2 * (kBar + kFigure);
  const double high = kTop + kRow * static_cast<double>(rows);
  return fmt::format(
      "<figure><div class=\"scroll\"><svg role=\"img\" class=\"bars\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\">"
      "<title>Time of each stage, {2}</title>\n{3}</svg></div></figure>\n",
      wide, high, escaped(title), svg);
}

/// Figures that fit on a sheet of paper, with the same scales.
std::string data_figures(const Cells& cells, const DataSet& data) {
  const Longest longest = longest_of(cells);
  std::string html;
  for (std::size_t at = 0; at < cells.size(); at += kRows) {
    const auto part = std::span(cells).subspan(at, std::min(kRows, cells.size() - at));
    html += figure(fmt::format("{}, cell {} and on", data_title(data), at + 1), part.size(),
                   rows_svg(part, data.type, longest));
  }
  return html;
}

std::string legend() {
  std::string html = "<ul class=\"legend\">\n";
  for (const auto& [css_class, name] : {std::pair{"s-kernel", "difference, integrate"},
                                        {"s-zstd", "zstd"},
                                        {"s-digest", "digest"},
                                        {"s-copy", "copies to and from the device"}})
    html += fmt::format("<li><span class=\"swatch {}\"></span> {}</li>\n", css_class, name);
  return html + "<li><span class=\"swatch whole\"></span> the whole way, measured apart</li>\n</ul>\n";
}

}  // namespace

std::string stage_bars(const Report& report) {
  std::string html;
  for (std::size_t i = 0; i < report.data.size(); ++i) {
    Cells cells;
    for (const CodecResult& cell : report.codec)
      if (cell.data == i) cells.push_back(&cell);
    if (!cells.empty())
      html += details(data_title(report.data[i]), data_figures(cells, report.data[i]), cells.size() <= kRows,
                      "group");
  }
  return html.empty() ? "" : legend() + html;
}

}  // namespace tdz::app::bench
