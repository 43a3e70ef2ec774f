// SPDX-License-Identifier: Apache-2.0
#include "app/bench/report/render.hpp"
#include "app/bench/report/tables.hpp"

namespace tdz::app::bench {
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
