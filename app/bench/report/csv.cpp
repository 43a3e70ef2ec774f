// SPDX-License-Identifier: Apache-2.0
// A report as one flat table: a row for each result, for spreadsheets and for programs that read CSV.
#include <algorithm>
#include <array>
#include <string_view>

#include "app/bench/report/figures.hpp"
#include "app/bench/report/render.hpp"
#include "app/bench/report/tables.hpp"
#include "app/options/names.hpp"

namespace tdz::app::bench {

// ---- All results as one table

namespace {

using FlatRow = std::vector<std::pair<std::string, Json>>;  // column, value

/// {"a": {"b": 1}} is the column "a.b".
void flatten(const Json& object, const std::string& prefix, FlatRow& row) {
  for (const auto& [key, value] : object.items()) {
    if (value.is_object()) {
      flatten(value, prefix + key + ".", row);
    } else {
      row.emplace_back(prefix + key, value);
    }
  }
}

/// Load and CPU share of the run are the same in every row: a reader of rows can leave out a disturbed run.
template <class Result>
FlatRow row_of(std::string_view kind, const Result& result, const Report& report) {
  FlatRow row{{"kind", kind}};
  flatten(result_json(result), "", row);
  flatten({{"load", load_json(report.load)},
           {"cpu_share", report.cpu_share ? figure(*report.cpu_share) : Json(nullptr)}},
          "", row);
  return row;
}

/// Every column that any result can have, so that the heading does not depend on what was measured.
std::vector<Column> columns() {
  CodecResult codec;
  codec.stages.to_device = codec.stages.from_device = Timing{};
  ScanResult scan;
  scan.with_copies = Timing{};
  std::vector<Column> list;
  for (const FlatRow& row : {row_of("", codec, {}), row_of("", RawResult{}, {}), row_of("", scan, {})})
    for (const auto& [name, value] : row)
      if (std::ranges::find(list, name, &Column::name) == list.end()) list.push_back({name});
  return list;
}

/// A spreadsheet computes a text that begins with one of these, also after blanks and in their wide forms
/// (FF0B, FF0D, FF1D, FF20). An apostrophe before it makes it a plain text; one before an apostrophe keeps
/// both apart.
bool is_computed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  const auto begins = [text](std::string_view sign) { return text.starts_with(sign); };
  constexpr std::array<std::string_view, 11> kSigns{"=", "+",  "-",  "@",  "\t", "\r",
                                                    "'", "＝", "＋", "－", "＠"};
  return std::ranges::any_of(kSigns, begins);
}

std::string text_field(const std::string& shown) {
  return (is_computed(shown) ? "'" : "") + shown;
}

/// Control characters are made visible: so a result is one line for every file name. Numbers stay as they
/// are.
std::string field(const std::string& column, const Json& value, const Report& report) {
  if (value.is_null()) return "";
  if (column == "data") return text_field(shown_name(data_of(report, value.get<std::size_t>()).name));
  return value.is_string() ? text_field(printable(value.get<std::string>())) : dump(value);
}

std::vector<Cell> cells_of(const std::vector<Column>& columns, const FlatRow& row, const Report& report) {
  std::vector<Cell> cells;
  for (const Column& column : columns) {
    const auto found = std::ranges::find(row, column.name, &FlatRow::value_type::first);
    cells.push_back({found == row.end() ? "" : field(column.name, found->second, report)});
  }
  return cells;
}

}  // namespace

Table flat_table(const Report& report) {
  Table table{.columns = columns(), .keys = 1, .rows = {}};
  const auto put = [&](std::string_view kind, const auto& results) {
    for (const auto& result : results)
      table.rows.push_back(cells_of(table.columns, row_of(kind, result, report), report));
  };
  put("raw", report.raw);
  put("codec", report.codec);
  put("scan", report.scans);
  put("curve", report.curves);
  return table;
}

// ---- CSV

namespace {

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string field = "\"";
  for (const char c : text) field += c == '"' ? std::string("\"\"") : std::string(1, c);
  return field + "\"";
}

template <class Fields, class Text>
std::string line(const Fields& fields, Text text) {
  std::string joined;
  for (const auto& field : fields) joined += (&field == &fields.front() ? "" : ",") + quoted(text(field));
  return joined + "\n";
}

}  // namespace

std::string report_csv(const Report& report) {
  const Table table = flat_table(report);
  std::string text = line(table.columns, [](const Column& column) { return column.name; });
  for (const auto& row : table.rows) text += line(row, [](const Cell& cell) { return cell.text; });
  return text;
}

}  // namespace tdz::app::bench
