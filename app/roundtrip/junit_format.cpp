// SPDX-License-Identifier: Apache-2.0
#include <spdlog/fmt/fmt.h>

#include <array>
#include <utility>

#include "app/options/names.hpp"
#include "app/roundtrip/report.hpp"
#include "app/verbs/file_loop.hpp"

namespace tdz::app::roundtrip {

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
