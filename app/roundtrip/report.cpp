// SPDX-License-Identifier: Apache-2.0
#include "app/roundtrip/report.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <sstream>

#include "app/options/names.hpp"

namespace tdz::app::roundtrip {
namespace {

std::string number_text(std::uint64_t number, unsigned width) {
  return fmt::format("{} (0x{:0{}x})", number, number, 2 * width);
}

/// The greatest length of number_text.
unsigned number_columns(unsigned width) {
  const auto largest = ~std::uint64_t{0} >> (64 - 8 * width);
  return static_cast<unsigned>(number_text(largest, width).size());
}

std::string mismatch_text(const Mismatch& mismatch) {
  const ComparedValue& first = mismatch.first;
  const auto text = [&](std::uint64_t number) { return number_text(number, mismatch.width); };
  const unsigned columns = number_columns(mismatch.width);
  auto lines = fmt::format("value {}, lane {}, at byte {} of the file: expected {}, found {}\n", first.value,
                           first.lane, mismatch.offset, text(first.expected), text(first.found));
  lines += fmt::format("  {:>12}  {:>5}  {:>{}}    {:>{}}\n", "value", "lane", "expected", columns, "found",
                       columns);
  for (const ComparedValue& near : mismatch.around) {
    lines += fmt::format("{} {:>12}  {:>5}  {:>{}}  {} {:>{}}\n", near.value == first.value ? ">" : " ",
                         near.value, near.lane, text(near.expected), columns,
                         near.expected == near.found ? " " : "!", text(near.found), columns);
  }
  return lines;
}

}  // namespace

Verdict verdict(const FileReport& file, const Cell& cell) {
  if (!cell.failures.empty()) return Verdict::failed;
  return file.complete && cell.bytes == file.bytes ? Verdict::passed : Verdict::incomplete;
}

std::string_view verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::passed:
      return "passed";
    case Verdict::failed:
      return "failed";
    case Verdict::incomplete:
      break;
  }
  return "incomplete";
}

void count(Counts& counts, Verdict verdict) {
  ++counts.cells;
  if (verdict == Verdict::passed) ++counts.passed;
  if (verdict == Verdict::failed) ++counts.failed;
  if (verdict == Verdict::incomplete) ++counts.incomplete;
}

Counts counts_of(const FileReport& file) {
  Counts counts;
  for (const Cell& cell : file.cells) count(counts, verdict(file, cell));
  return counts;
}

Counts counts_of(const Report& report) {
  Counts counts;
  for (const FileReport& file : report.files) {
    for (const Cell& cell : file.cells) count(counts, verdict(file, cell));
  }
  return counts;
}

std::string counts_text(const Counts& counts) {
  auto text = fmt::format("{} cell{}, {} passed, {} failed", counts.cells, counts.cells == 1 ? "" : "s",
                          counts.passed, counts.failed);
  if (counts.incomplete > 0) text += fmt::format(", {} incomplete", counts.incomplete);
  return text;
}

std::string cell_name(const Cell& cell) {
  return fmt::format("word {}, tuple {}, order {}, {}, level {}", cell.coding.word, cell.coding.tuple,
                     cell.coding.order, formats::layout_name(cell.coding), cell.level);
}

std::string failure_title(const RoundtripFailure& failure) {
  switch (failure.fault) {
    case RoundtripFault::coding:
      return fmt::format("{} failed to code chunk {}", failure.coder, failure.chunk);
    case RoundtripFault::disagreement:
      return fmt::format("{} and {} coded chunk {} in different bytes", failure.coder, failure.restorer,
                         failure.chunk);
    case RoundtripFault::restoring:
      return fmt::format("coded by {}, restored by {}: no result for chunk {}", failure.coder,
                         failure.restorer, failure.chunk);
    case RoundtripFault::wrong_value:
      break;
  }
  return fmt::format("coded by {}, restored by {}: value {} is wrong", failure.coder, failure.restorer,
                     failure.mismatch ? failure.mismatch->first.value : 0);
}

std::string failure_details(const RoundtripFailure& failure) {
  std::string lines =
      fmt::format("chunk {}, from byte {} of the file on", failure.chunk, failure.chunk_offset);
  if (!failure.detail.empty()) lines += ": " + printable(failure.detail);
  lines += '\n';
  if (failure.mismatch) lines += mismatch_text(*failure.mismatch);
  return lines;
}

// ---- As a table

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
