// SPDX-License-Identifier: Apache-2.0
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "app/options/names.hpp"
#include "app/options/sizes.hpp"
#include "app/roundtrip/report.hpp"
#include "app/verbs/file_loop.hpp"

namespace tdz::app::roundtrip {
namespace {

/// The cells of one word and layout.
struct Row {
  std::uint8_t word = 0;
  std::string_view layout;
  Counts counts;
};

/// In the order of the cells.
std::vector<Row> rows_of(const FileReport& file) {
  std::vector<Row> rows;
  for (const Cell& cell : file.cells) {
    const auto layout = formats::layout_name(cell.coding);
    const auto fits = [&](const Row& row) { return row.word == cell.coding.word && row.layout == layout; };
    auto row = std::ranges::find_if(rows, fits);
    if (row == rows.end()) row = rows.insert(rows.end(), {cell.coding.word, layout, {}});
    count(row->counts, verdict(file, cell));
  }
  return rows;
}

std::string row_text(const Row& row) {
  return fmt::format("{:>4}  {:<12} {:>6} {:>7} {:>7} {:>11}\n", row.word, row.layout, row.counts.cells,
                     row.counts.passed, row.counts.failed, row.counts.incomplete);
}

std::string indented(const std::string& lines) {
  std::istringstream in(lines);
  std::string text;
  for (std::string line; std::getline(in, line);) text += "    " + line + "\n";
  return text;
}

std::string failures_text(const Cell& cell) {
  if (cell.failures.empty()) return "";
  auto text = fmt::format("FAILED {}\n", cell_name(cell));
  for (const RoundtripFailure& failure : cell.failures) {
    text += fmt::format("  {}\n{}", failure_title(failure), indented(failure_details(failure)));
  }
  return text;
}

std::string cell_line(const FileReport& file, const Cell& cell) {
  return fmt::format("{:<10} {}, ratio {}\n", verdict_name(verdict(file, cell)), cell_name(cell),
                     ratio_text(cell.bytes, cell.packed_bytes));
}

std::string head_text(const FileReport& file) {
  const auto error = file.error ? printable(error_text(*file.error)) : "";
  if (file.cells.empty()) return fmt::format("{}: {}\n", shown_name(file.name), error);
  auto text = fmt::format("{}: {} byte{} in {} chunk{}", shown_name(file.name), file.bytes,
                          file.bytes == 1 ? "" : "s", file.chunks, file.chunks == 1 ? "" : "s");
  if (!file.complete) text += ", incomplete";
  if (file.error) text += ": " + error;
  return text + "\n";
}

std::string file_text(const FileReport& file, CellLines cells) {
  std::string text = head_text(file);
  if (!file.cells.empty()) text += "word  layout        cells  passed  failed  incomplete\n";
  for (const Row& row : rows_of(file)) text += row_text(row);
  for (const Cell& cell : file.cells) {
    if (cells == CellLines::shown) text += cell_line(file, cell);
    text += failures_text(cell);
  }
  return text + "\n";
}

}  // namespace

std::string table_text(const Report& report, CellLines cells) {
  std::string text;
  for (const FileReport& file : report.files) text += file_text(file, cells);
  for (const BackendUsed& backend : report.backends) {
    text += fmt::format("{}: {}\n", printable(backend.name), printable(backend.description));
  }
  return text + counts_text(counts_of(report)) + (report.complete ? "\n" : "; interrupted\n");
}

}  // namespace tdz::app::roundtrip
