// SPDX-License-Identifier: Apache-2.0
// Do the tables fit the terminal, are they aligned, and do they show what is wrong?
#include "app/bench/report/render.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "app/bench/report/tables.hpp"
#include "tests/app/bench/synthetic_report.hpp"

using namespace tdz::app;
using namespace tdz::app::bench;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

/// Removes blanks at the ends of lines too, because painted blanks stay.
std::string without_colours(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = text.find('m', i);
      continue;
    }
    if (text[i] == '\n') plain.erase(plain.find_last_not_of(' ') + 1);
    plain += text[i];
  }
  return plain;
}

/// Relative luminance, as WCAG 2 defines it.
double luminance(const std::array<double, 3>& colour) {
  const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
  return 0.2126 * linear(colour[0]) + 0.7152 * linear(colour[1]) + 0.0722 * linear(colour[2]);
}

double contrast(const std::array<double, 3>& paper, bool black) {
  return black ? (luminance(paper) + 0.05) / 0.05 : 1.05 / (luminance(paper) + 0.05);
}

std::array<double, 3> of_hex(std::string_view hex) {
  std::array<double, 3> colour{};
  for (std::size_t i = 0; i < 3; ++i)
    colour[i] = std::stoi(std::string(hex.substr(1 + 2 * i, 2)), nullptr, 16) / 255.0;
  return colour;
}

/// A colour of the terminal's 6 x 6 x 6 cube.
std::array<double, 3> of_terminal(int index) {
  const auto level = [](int step) { return step == 0 ? 0 : (55 + 40 * step) / 255.0; };
  return {level((index - 16) / 36), level((index - 16) / 6 % 6), level((index - 16) % 6)};
}

}  // namespace

TEST_CASE("no line of the table is too wide") {
  for (const Screen& screen : {Screen{}, Screen{.columns = 80}, Screen{.columns = 200}})
    for (const Report& report : {full_report(), large_report(), small_report(), Report{}})
      for (const std::string& line : lines_of(report_table(report, screen))) {
        CAPTURE(line);
        CHECK(shown_width(line) <= screen.table_width());
      }
}

TEST_CASE("without UTF-8 the report adds no other characters") {
  Report report = small_report();
  report.data[0].name = std::string(300, 'n');
  const std::string text = report_table(report, Screen{.columns = 80, .letters = Letters::ascii});
  CHECK(text.find("nnn...\n") != std::string::npos);
}

TEST_CASE("the widest possible cells still fit") {
  Report report = full_report();
  for (CodecResult& cell : report.codec) {
    cell.coding = {
        .word = 8, .tuple = 0xFFFFFFFF, .order = 8, .zigzag = true, .layout = tdz::Layout::tuple_planes};
    cell.backend = "cuda";
    cell.level = 22;
    cell.stages.to_device = cell.stages.from_device = Timing{1e-9, 1e-10, 1e-8, 3};
  }
  for (const std::string& line : lines_of(report_table(report, Screen{})))
    CHECK(shown_width(line) <= Screen{}.table_width());
}

TEST_CASE("colours change only the colour") {
  const std::string painted = report_table(full_report(), Screen{.colours = Colours::heat}),
                    plain = report_table(full_report(), Screen{});
  CHECK(plain.find('\x1b') == std::string::npos);
  CHECK(painted.find("\x1b[48;5;") != std::string::npos);
  CHECK(without_colours(painted) == plain);
}

TEST_CASE("names and faults cannot control the terminal") {
  const std::string plain = report_table(full_report(), Screen{});
  CHECK(plain.find('\xff') == std::string::npos);
  CHECK(plain.find("\\x1b[31m") != std::string::npos);
}

TEST_CASE("every wrong result stands out, in its cell and in the list below") {
  CHECK(count(report_table(full_report(), Screen{}), "WRONG") == 2 * 3);
  CHECK(count(report_table(full_report(), Screen{.colours = Colours::heat}), "\x1b[1;97;41m") == 2 * 3);
  CHECK(count(report_table(large_report(), Screen{}), "WRONG") == 0);
}

TEST_CASE("the table of a file has memcpy and zstd above its cells") {
  const auto lines = lines_of(report_table(small_report(), Screen{}));
  std::size_t at = 0;
  while (at < lines.size() && !lines[at].starts_with("recording.raw: i16x2")) ++at;
  REQUIRE(at + 8 < lines.size());
  CHECK(lines[at + 1].starts_with("  type"));
  CHECK(lines[at + 2].starts_with("  memcpy"));
  CHECK(lines[at + 3].starts_with("  zstd"));
  for (std::size_t order = 0; order <= 4; ++order)
    CHECK(lines[at + 4 + order].starts_with("  i16x2  " + std::to_string(order)));
  const auto end_of = [&](std::size_t line, const std::string& word) {
    return lines[line].find(word) + word.size();
  };
  CHECK(end_of(at + 1, "ratio") == end_of(at + 4, "2.667"));
  CHECK(end_of(at + 1, "comp") == end_of(at + 4, "194"));
  CHECK(end_of(at + 1, "deco") == end_of(at + 3, " 1100"));
}

TEST_CASE("a single run has no spread") {
  const auto spread_of = [](unsigned compress_runs, unsigned decompress_runs) {
    Report report = small_report();
    report.codec[0].compress.runs = compress_runs;
    report.codec[0].decompress.runs = decompress_runs;
    const auto lines = lines_of(report_table(report, Screen{}));
    const auto title =
        std::ranges::find_if(lines, [](const auto& line) { return line.starts_with("recording.raw: "); });
    std::istringstream words(*(title + 4));
    std::string word;
    for (int i = 0; i < 9; ++i) words >> word;
    return word;
  };
  CHECK(spread_of(5, 5) == "4");
  CHECK(spread_of(1, 5) == "4");
  CHECK(spread_of(1, 1) == "-");
}

TEST_CASE("the report shows the load of the machine and the processor's share") {
  const std::string text = report_table(small_report(), Screen{});
  CHECK(count(text, "0.25 before the run, 1.50 after it; 98 % of a processor for the run") == 1);
}

TEST_CASE("the report shows the limit of its scans, its machine and the constants of the model") {
  const std::string text = report_table(small_report(), Screen{});
  CHECK(count(text, "limit 13.5 GB/s, bandwidth binds") == 1);
  CHECK(count(text, "12.2  94%") == 1);
  CHECK(count(text, "AMD EPYC 7003") == 1);
  CHECK(count(text, "w 13.6 GB/s, l 91.0 ns, p 20 threads") == 1);
  CHECK(count(text, "with copies") == 0);
  CHECK(count(report_table(large_report(), Screen{}), ", bandwidth binds; with copies 24.0 GB/s\n") == 36);
  Report bound = small_report();
  bound.scans[0].limit.latency = 1;
  CHECK(count(report_table(bound, Screen{}), "bandwidth binds in 4 of 5 cells, latency in 1 of 5 cells") ==
        1);
}

TEST_CASE("an interrupted run says so, and so does a run that measured nothing") {
  CHECK(count(report_table(full_report(), Screen{}), "Not everything was measured") == 1);
  CHECK(count(report_table(small_report(), Screen{}), "Not everything was measured") == 0);
  CHECK(report_table({}, Screen{}) == "Nothing was measured.\n");
}

TEST_CASE("text is readable on every step of the scale") {
  for (const HeatColour& colour : kHeat) {
    CAPTURE(colour.hex);
    CHECK(contrast(of_hex(colour.hex), colour.light) >= 4.5);
    CHECK(contrast(of_terminal(colour.terminal), colour.light) >= 4.5);
  }
}

TEST_CASE("the steps of the scale ascend and cover it") {
  CHECK(heat_step(0, {0, 1}) == 0);
  CHECK(heat_step(0.999, {0, 1}) == 9);
  CHECK(heat_step(1, {0, 1}) == 9);
  CHECK(heat_step(7, {0, 1}) == 9);
  CHECK(heat_step(-7, {0, 1}) == 0);
  CHECK(heat_step(0.55, {0, 1}) == 5);
  CHECK(heat_step(3, {3, 3}) == 9);
  CHECK(heat_step(std::nan(""), {0, 1}) == 0);
}
