// SPDX-License-Identifier: Apache-2.0
#include "app/bench/report/csv.hpp"

#include <algorithm>

#include "app/bench/report/figures.hpp"
#include "app/bench/report/result_json.hpp"
#include "app/options/names.hpp"

namespace tdz::app::bench {
namespace {

using Row = std::vector<std::pair<std::string, Json>>;  // column, value

/// {"a": {"b": 1}} is the column "a.b".
void flatten(const Json& object, const std::string& prefix, Row& row) {
  for (const auto& [key, value] : object.items()) {
    if (value.is_object()) {
      flatten(value, prefix + key + ".", row);
    } else {
      row.emplace_back(prefix + key, value);
    }
  }
}

template <class Result>
Row row_of(std::string_view kind, const Result& result) {
  Row row{{"kind", kind}};
  flatten(result_json(result), "", row);
  return row;
}

/// Every column that any result can have, so that the heading does not depend on what was measured.
std::vector<std::string> columns() {
  CodecResult codec;
  codec.stages.to_device = codec.stages.from_device = Timing{};
  ScanResult scan;
  scan.with_copies = Timing{};
  std::vector<std::string> names;
  for (const Row& row : {row_of("", codec), row_of("", RawResult{}), row_of("", scan)})
    for (const auto& [name, value] : row)
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  return names;
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string field = "\"";
  for (const char c : text) field += c == '"' ? std::string("\"\"") : std::string(1, c);
  return field + "\"";
}

/// Control characters are made visible: a result is a line, whatever a file is called.
std::string field(const std::string& column, const Json& value, const Report& report) {
  if (value.is_null()) return "";
  if (column == "data") return quoted(shown_name(data_of(report, value.get<std::size_t>()).name));
  return value.is_string() ? quoted(printable(value.get<std::string>())) : dump(value);
}

std::string line(const std::vector<std::string>& names, const Row& row, const Report& report) {
  std::string text;
  for (const std::string& name : names) {
    const auto found = std::ranges::find(row, name, &Row::value_type::first);
    text +=
        (&name == &names.front() ? "" : ",") + (found == row.end() ? "" : field(name, found->second, report));
  }
  return text + "\n";
}

}  // namespace

std::string report_csv(const Report& report) {
  const std::vector<std::string> names = columns();
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
  text += "\n";
  const auto put = [&](std::string_view kind, const auto& results) {
    for (const auto& result : results) text += line(names, row_of(kind, result), report);
  };
  put("raw", report.raw);
  put("codec", report.codec);
  put("scan", report.scans);
  put("curve", report.curves);
  return text;
}

}  // namespace tdz::app::bench
