// SPDX-License-Identifier: Apache-2.0
// The tables of a report: as values that the terminal, Markdown and CSV print, their colours, and which
// tables a report has. Pure functions.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/bench/results.hpp"
#include "app/reports/screen.hpp"

namespace tdz::app::bench {

struct Cell {
  std::string text;
  std::optional<std::size_t> step{};  ///< of kHeat: the terminal's colour
  bool wrong = false;                 ///< shown as wrong, on every step of the scale
  std::string brief{};                ///< in a brief table, instead of the text
};

struct Column {
  std::string name;
  std::string full_name{};  ///< where there is room for it
};

struct Table {
  std::vector<Column> columns;
  std::size_t keys = 1;                 ///< the first columns, which name the row; the others are figures
  std::vector<std::vector<Cell>> rows;  ///< each as long as the columns
  std::vector<std::size_t> brief{};     ///< the columns of the brief table, in its order; empty: all
};

/// A table under its title. Notes may be empty.
struct TitledTable {
  std::string title;
  std::string note;
  std::string brief_note;  ///< of the brief table, instead of the note
  Table table;
};

/// Tables of one kind, and how to read them.
struct Section {
  std::string note;
  std::vector<TitledTable> tables;
};

// The colour scale of every heat map: ten steps of viridis. People who see no red or no green can tell them
// apart, and so can a reader of a print in grey. page.html has the same scale.

struct HeatColour {
  std::string_view hex;   ///< as page.html has it
  std::uint8_t terminal;  ///< the nearest of a terminal's 256 colours
  bool light;             ///< text on it is black, otherwise white
};

inline constexpr std::array<HeatColour, 10> kHeat{{{"#440154", 53, false},
                                                   {"#482878", 54, false},
                                                   {"#3e4989", 55, false},
                                                   {"#31688e", 25, false},
                                                   {"#26828e", 31, true},
                                                   {"#1f9e89", 36, true},
                                                   {"#35b779", 71, true},
                                                   {"#6ece58", 77, true},
                                                   {"#b5de2b", 148, true},
                                                   {"#fde725", 220, true}}};

struct Scale {
  double least = 0;
  double most = 1;
};

/// The step of a value. The last step if all values are the same.
inline std::size_t heat_step(double value, const Scale& scale) {
  if (!(scale.most > scale.least)) return kHeat.size() - 1;
  const double share = (value - scale.least) / (scale.most - scale.least);
  if (!(share > 0)) return 0;
  return share >= 1 ? kHeat.size() - 1 : static_cast<std::size_t>(share * static_cast<double>(kHeat.size()));
}

/// Widens the scale so that it spans a measured value. An empty scale has least above most.
inline void widen(Scale& scale, double value) {
  if (!std::isfinite(value) || value <= 0) return;
  scale.least = std::min(scale.least, value);
  scale.most = std::max(scale.most, value);
}

// The results of a report, grouped as tables show them: grids of order x tuple, and curves over lengths. The
// groups point into the report, which must outlive them. page.html groups in the same way.

/// Results that differ only in order and tuple, at most one for each pair. Never empty.
struct ScanGrid {
  std::map<std::pair<std::uint8_t, std::uint32_t>, const ScanResult*> cells;
  const ScanResult* first = nullptr;  ///< the first in the report; it has the fields that all share
  std::vector<std::uint8_t> orders;   ///< ascending, like the tuples
  std::vector<std::uint32_t> tuples;

  /// Null where nothing was measured.
  const ScanResult* at(std::uint8_t order, std::uint32_t tuple) const {
    const auto found = cells.find({order, tuple});
    return found == cells.end() ? nullptr : found->second;
  }
};

/// In the order of their first results in the report.
std::vector<ScanGrid> scan_grids(const std::vector<ScanResult>& scans);

/// One scan over lengths, ascending.
struct CurveLine {
  std::string scan;
  std::vector<const ScanResult*> points;
};

/// Scans of the same numbers. Never empty.
struct CurvePanel {
  std::vector<CurveLine> lines;
  const ScanResult* first = nullptr;

  /// The speed of memcpy at each length: the median of the measurements beside the scans.
  std::map<std::uint64_t, double> copy_speeds() const;
};

std::vector<CurvePanel> curve_panels(const std::vector<ScanResult>& curves);

// Which tables a report has.

/// A table for each data set: memcpy, plain zstd, every cell.
Section codec_section(const Report& report);
/// Grids of order and tuple: GB/s and the share of memcpy in every cell, the limit in the note.
Section scan_section(const Report& report);
/// GB/s of every scan at every length.
Section curve_section(const Report& report);

/// All results as one table, a row for each. No text in it is a formula of a spreadsheet. A column's name is
/// the path of its field in the JSON.
Table flat_table(const Report& report);

/// A table for a terminal: aligned, no line wider than the screen. The rest of a table that is too wide
/// follows below.
std::string text_table(const Table& table, const Screen& screen);

}  // namespace tdz::app::bench
