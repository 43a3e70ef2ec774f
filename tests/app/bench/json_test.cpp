// SPDX-License-Identifier: Apache-2.0
// Does the JSON hold every figure of a report, and does docs/bench-json.md name every field?
#include "app/bench/report/render.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <set>

#include "codec/json.hpp"
#include "tests/app/bench/synthetic_report.hpp"

using namespace tdz::app;
using namespace tdz::app::bench;
using tdz::Json;

namespace {

/// The JSON has five digits.
doctest::Approx near(double value) {
  return doctest::Approx(value).epsilon(1e-4);
}

Json parsed(const Report& report) {
  return Json::parse(report_json(report));
}

void collect_keys(const Json& value, std::set<std::string>& keys) {
  for (const auto& [key, inner] : value.items()) {
    if (value.is_object()) keys.insert(key);
    if (inner.is_structured()) collect_keys(inner, keys);
  }
}

void check_timing(const Json& json, const Timing& time) {
  CHECK(json["median"].get<double>() == near(time.median));
  CHECK(json["least"].get<double>() == near(time.least));
  CHECK(json["most"].get<double>() == near(time.most));
  CHECK(json["runs"].get<unsigned>() == time.runs);
}

void check_timing(const Json& json, const std::optional<Timing>& time) {
  CHECK(json.is_null() == !time.has_value());
  if (time) check_timing(json, *time);
}

void check_coding(const Json& json, const Coding& coding) {
  CHECK(json["word"] == coding.word);
  CHECK(json["tuple"] == coding.tuple);
  CHECK(json["order"] == coding.order);
  CHECK(json["zigzag"] == coding.zigzag);
  CHECK(json["layout"] == tdz::formats::layout_name(coding.layout));
  CHECK(json["big_endian"] == coding.big_endian);
}

}  // namespace

TEST_CASE("the JSON holds the facts about the run and the machine") {
  const Report report = full_report();
  const Json json = parsed(report);
  CHECK(json["schema"] == "tdz-bench/1");
  CHECK(json["command_line"].size() == report.command_line.size());
  CHECK(json["command_line"][2] == "1-8");
  CHECK(json["started"] == report.started);
  CHECK(json["seconds"] == report.seconds);
  CHECK(json["load"]["before"] == 0.25);
  CHECK(json["load"]["after"] == 1.5);
  CHECK(json["cpu_share"] == 0.975);
  CHECK(json["complete"] == false);
  CHECK(json["remarks"].size() == 2);
  CHECK(json["machine"]["processor"] == report.machine.processor);
  CHECK(json["machine"]["clock"].is_null());
  CHECK(json["machine"]["memory"] == report.machine.memory);
  CHECK(json["models"][1]["threads"] == 270336);
  CHECK(json["data"][0]["type"] == "i16x2");
  CHECK(json["data"][1]["generated"] == true);
}

TEST_CASE("every result of the codec is in the JSON") {
  const Report report = full_report();
  const Json json = parsed(report);
  REQUIRE(json["codec"].size() == report.codec.size());
  for (std::size_t i = 0; i < report.codec.size(); ++i) {
    const CodecResult& cell = report.codec[i];
    const Json& found = json["codec"][i];
    check_coding(found, cell.coding);
    CHECK(found["data"] == cell.data);
    CHECK(found["stored"] == cell.stored);
    check_timing(found["compress"], cell.compress);
    check_timing(found["decompress"], cell.decompress);
    check_timing(found["copy"], cell.copy);
    check_timing(found["stages"]["pack"], cell.stages.pack);
    check_timing(found["stages"]["to_device"], cell.stages.to_device);
    CHECK(found["fault"].is_null() == cell.fault.empty());
    CHECK(found["ratio"].is_null() == (cell.stored == 0));
    if (cell.stored == 0) continue;
    CHECK(found["ratio"].get<double>() == near(cell.ratio()));
    CHECK(found["bytes_per_second"]["unpack"].get<double>() ==
          doctest::Approx(cell.stages.unpack.bytes_per_second(cell.bytes)));
  }
}

TEST_CASE("every scan and every point of a curve is in the JSON") {
  const Report report = full_report();
  const Json json = parsed(report);
  for (const auto& [key, scans] : {std::pair{"scans", &report.scans}, {"curves", &report.curves}}) {
    REQUIRE(json[key].size() == scans->size());
    for (std::size_t i = 0; i < scans->size(); ++i) {
      const ScanResult& scan = (*scans)[i];
      const Json& found = json[key][i];
      check_coding(found, scan.coding);
      CHECK(found["bytes"] == scan.bytes);
      check_timing(found["kernel"], scan.kernel);
      check_timing(found["with_copies"], scan.with_copies);
      CHECK(found["limit"]["latency"].get<double>() == near(scan.limit.latency));
      CHECK(found["limit"]["binds"].is_null() == (scan.limit.seconds() == 0));
      if (scan.limit.seconds() > 0) CHECK(found["limit"]["binds"] == scan.limit.binding());
      CHECK(found["share"].is_null() == (scan.kernel.median == 0));
      if (scan.kernel.median > 0) CHECK(found["share"].get<double>() == near(scan.share()));
    }
  }
}

TEST_CASE("plain zstd is in the JSON") {
  const Report report = full_report();
  const Json json = parsed(report);
  REQUIRE(json["raw"].size() == report.raw.size());
  check_timing(json["raw"][3]["compress"], report.raw[3].compress);
  CHECK(json["raw"][3]["level"] == 1);
}

TEST_CASE("a name that is not UTF-8 gives JSON that parses") {
  const std::string name = parsed(full_report())["data"][0]["name"];
  CHECK(name.starts_with("</script>"));
  CHECK(name.ends_with("\xEF\xBF\xBD"));  // U+FFFD
}

TEST_CASE("an empty report is JSON with empty lists") {
  const Json json = parsed({});
  CHECK(json["complete"] == true);
  CHECK(json["codec"].is_array());
  CHECK(json["codec"].empty());
  CHECK(json["started"].is_null());
  CHECK(json["load"]["before"].is_null());
  CHECK(json["cpu_share"].is_null());
}

TEST_CASE("docs/bench-json.md names every field") {
  std::ifstream file(TDZ_SOURCE_DIR "/docs/bench-json.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  std::set<std::string> keys;
  collect_keys(parsed(full_report()), keys);
  CHECK(keys.size() > 60);
  for (const std::string& key : keys) {
    CAPTURE(key);
    CHECK(page.find("`" + key + "`") != std::string::npos);
  }
  CHECK(page.find(kBenchSchema) != std::string::npos);
}
