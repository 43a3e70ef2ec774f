// SPDX-License-Identifier: Apache-2.0
// The report for programs: JSON, and the XML of JUnit.
#include <spdlog/fmt/fmt.h>

#include <array>
#include <utility>

#include "app/options/names.hpp"
#include "app/roundtrip/report.hpp"
#include "codec/json.hpp"

namespace tdz::app::roundtrip {

// ---- JSON

namespace {

std::string_view fault_name(RoundtripFault fault) {
  switch (fault) {
    case RoundtripFault::coding:
      return "coding";
    case RoundtripFault::disagreement:
      return "disagreement";
    case RoundtripFault::restoring:
      return "restoring";
    case RoundtripFault::wrong_value:
      break;
  }
  return "wrong-value";
}

/// Numbers stand there as text too: some readers of JSON do not hold 64 bits.
std::string hex(std::uint64_t number, unsigned width) {
  return fmt::format("0x{:0{}x}", number, 2 * width);
}

Json value_json(const ComparedValue& value, unsigned width) {
  return {{"value", value.value},
          {"lane", value.lane},
          {"expected", value.expected},
          {"found", value.found},
          {"expected_hex", hex(value.expected, width)},
          {"found_hex", hex(value.found, width)}};
}

Json mismatch_json(const Mismatch& mismatch) {
  Json json = value_json(mismatch.first, mismatch.width);
  json["offset"] = mismatch.offset;
  json["width"] = mismatch.width;
  Json around = Json::array();
  for (const ComparedValue& value : mismatch.around) around.push_back(value_json(value, mismatch.width));
  json["around"] = std::move(around);
  return json;
}

Json failure_json(const RoundtripFailure& failure) {
  Json json = {{"fault", fault_name(failure.fault)}, {"coder", failure.coder}};
  if (failure.fault == RoundtripFault::disagreement) json["other_coder"] = failure.restorer;
  if (failure.fault == RoundtripFault::restoring || failure.fault == RoundtripFault::wrong_value) {
    json["restorer"] = failure.restorer;
  }
  json["chunk"] = failure.chunk;
  json["chunk_offset"] = failure.chunk_offset;
  if (!failure.detail.empty()) json["detail"] = failure.detail;
  if (failure.mismatch) json["mismatch"] = mismatch_json(*failure.mismatch);
  return json;
}

Json cell_json(const FileReport& file, const Cell& cell) {
  Json json = {{"word", cell.coding.word},
               {"tuple", cell.coding.tuple},
               {"order", cell.coding.order},
               {"zigzag", cell.coding.zigzag},
               {"layout", formats::layout_name(cell.coding)},
               {"level", cell.level},
               {"verdict", verdict_name(verdict(file, cell))},
               {"bytes", cell.bytes},
               {"packed_bytes", cell.packed_bytes}};
  if (cell.failures.empty()) return json;
  Json failures = Json::array();
  for (const RoundtripFailure& failure : cell.failures) failures.push_back(failure_json(failure));
  json["failures"] = std::move(failures);
  return json;
}

Json counts_json(const Counts& counts) {
  return {{"cells", counts.cells},
          {"passed", counts.passed},
          {"failed", counts.failed},
          {"incomplete", counts.incomplete}};
}

std::string file_text(const FileReport& file) {
  Json json = {{"name", file.name},         {"bytes", file.bytes},
               {"chunks", file.chunks},     {"seconds", file.seconds},
               {"complete", file.complete}, {"counts", counts_json(counts_of(file))}};
  if (file.error) json["error"] = error_json(*file.error);
  std::string text = dump(json);
  text.pop_back();  // the closing brace: the cells follow, one on each line
  text += R"(,"cells":[)";
  for (const Cell& cell : file.cells) {
    text += (&cell == &file.cells.front() ? "\n" : ",\n") + dump(cell_json(file, cell));
  }
  return text + "]}";
}

Json head_json(const Report& report) {
  Json backends = Json::array();
  for (const BackendUsed& backend : report.backends) {
    backends.push_back({{"name", backend.name}, {"description", backend.description}});
  }
  return {{"schema", "tdz-roundtrip/1"},
          {"tdz", report.version},
          {"zstd", report.zstd},
          {"complete", report.complete},
          {"backends", std::move(backends)},
          {"threads", report.threads},
          {"chunk_bytes", report.chunk_bytes},
          {"counts", counts_json(counts_of(report))}};
}

}  // namespace

std::string json_text(const Report& report) {
  std::string text = dump(head_json(report));
  text.pop_back();
  text += R"(,"files":[)";
  for (const FileReport& file : report.files) {
    text += (&file == &report.files.front() ? "\n" : ",\n") + file_text(file);
  }
  return text + "\n]}\n";
}

// ---- XML

namespace {

using Replacement = std::pair<std::string_view, std::string_view>;

// What XML forbids, control characters, U+FFFE and U+FFFF, printable() replaces.
constexpr std::array<Replacement, 5> kReplacements = {
    {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}, {"'", "&apos;"}}};

const Replacement* replacement_for(std::string_view rest) {
  for (const Replacement& candidate : kReplacements) {
    if (rest.starts_with(candidate.first)) return &candidate;
  }
  return nullptr;
}

/// The line has no line feed.
std::string escaped(std::string_view line) {
  const std::string shown = printable(line);
  std::string text;
  for (std::string_view rest = shown; !rest.empty();) {
    const Replacement* found = replacement_for(rest);
    text += found != nullptr ? found->second : rest.substr(0, 1);
    rest.remove_prefix(found != nullptr ? found->first.size() : 1);
  }
  return text;
}

std::string escaped_lines(std::string_view bytes, std::string_view line_end) {
  std::string text;
  for (;;) {
    const auto end = bytes.find('\n');
    text += escaped(bytes.substr(0, end));
    if (end == std::string_view::npos) return text;
    text += line_end;
    bytes.remove_prefix(end + 1);
  }
}

}  // namespace

std::string xml_text(std::string_view bytes) {
  return escaped_lines(bytes, "\n");
}

std::string xml_attribute(std::string_view bytes) {
  return escaped_lines(bytes, "&#10;");
}

// ---- JUnit

namespace {

/// Totals as JUnit counts them: the error of a file is a test case too.
std::string totals_text(const Counts& counts, std::uint64_t errors, double seconds) {
  return fmt::format(R"(tests="{}" failures="{}" errors="{}" skipped="{}" time="{:.3f}")",
                     counts.cells + errors, counts.failed, errors, counts.incomplete, seconds);
}

/// For JUnit all failures of a cell are one.
std::string failure_element(const Cell& cell) {
  std::string lines;
  for (const RoundtripFailure& failure : cell.failures) {
    lines += failure_title(failure) + "\n" + failure_details(failure);
  }
  return fmt::format("<failure message=\"{}\" type=\"roundtrip\">{}</failure>",
                     xml_attribute(failure_title(cell.failures.front())), xml_text(lines));
}

std::string cell_element(const FileReport& file, const Cell& cell) {
  const auto open = fmt::format(R"(    <testcase classname="{}" name="{}")",
                                xml_attribute(shown_name(file.name)), xml_attribute(cell_name(cell)));
  switch (verdict(file, cell)) {
    case Verdict::failed:
      return open + ">" + failure_element(cell) + "</testcase>\n";
    case Verdict::incomplete:
      return open + "><skipped message=\"not checked to the end of the file\"/></testcase>\n";
    case Verdict::passed:
      break;
  }
  return open + "/>\n";
}

std::string error_element(const FileReport& file) {
  return fmt::format(
      "    <testcase classname=\"{}\" name=\"reading\"><error message=\"{}\" type=\"error\"/></testcase>\n",
      xml_attribute(shown_name(file.name)), xml_attribute(error_text(*file.error)));
}

std::string properties_of(const Report& report) {
  const auto property = [](std::string_view name, std::string_view value) {
    return fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", xml_attribute(name),
                       xml_attribute(value));
  };
  std::string text = "    <properties>\n" + property("tdz", report.version) + property("zstd", report.zstd);
  for (const BackendUsed& backend : report.backends)
    text += property("backend " + backend.name, backend.description);
  return text + "    </properties>\n";
}

std::string suite_element(const Report& report, const FileReport& file) {
  auto text = fmt::format("  <testsuite name=\"{}\" {}>\n", xml_attribute(shown_name(file.name)),
                          totals_text(counts_of(file), file.error ? 1 : 0, file.seconds));
  text += properties_of(report);
  for (const Cell& cell : file.cells) text += cell_element(file, cell);
  if (file.error) text += error_element(file);
  return text + "  </testsuite>\n";
}

}  // namespace

std::string junit_text(const Report& report) {
  std::uint64_t errors = 0;
  double seconds = 0;
  for (const FileReport& file : report.files) {
    if (file.error) ++errors;
    seconds += file.seconds;
  }
  auto text =
      fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"tdz roundtrip\" {}>\n",
                  totals_text(counts_of(report), errors, seconds));
  for (const FileReport& file : report.files) text += suite_element(report, file);
  return text + "</testsuites>\n";
}

}  // namespace tdz::app::roundtrip
