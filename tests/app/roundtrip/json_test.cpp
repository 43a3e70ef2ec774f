// SPDX-License-Identifier: Apache-2.0
// Does the JSON hold the whole report, as docs/roundtrip-json.md says?
#include "app/roundtrip/report.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/app/roundtrip/sample_report.hpp"

using namespace tdz;
using nlohmann::json;

TEST_CASE("the report as a whole") {
  const json report = json::parse(app::roundtrip::json_text(test::report_of_everything()));
  CHECK(report["schema"] == "tdz-roundtrip/1");
  CHECK(report["tdz"] == "0.2.0");
  CHECK(report["zstd"] == "1.5.4");
  CHECK(report["complete"] == false);
  CHECK(report["threads"] == 2);
  CHECK(report["chunk_bytes"] == 1048576);
  CHECK(report["backends"] == json::parse(R"([{"name":"cpu","description":"AVX2"},
                                              {"name":"cuda","description":"a GPU <\"&\">"}])"));
  CHECK(report["counts"] == json::parse(R"({"cells":7,"passed":2,"failed":3,"incomplete":2})"));
  REQUIRE(report["files"].size() == 3);
  CHECK(report["files"][0]["counts"]["failed"] == 3);
  CHECK(report["files"][0]["seconds"] == 1.5);
  CHECK(report["files"][1]["name"] == "<&\"x'>\n\x1B[31m\uFFFD\uFFFF]]>");
  CHECK(report["files"][1]["complete"] == false);
  CHECK(report["files"][1]["cells"][1]["verdict"] == "incomplete");
  CHECK(report["files"][2]["error"] == json::parse(R"({"kind":"io","message":"No such file or directory"})"));
  CHECK(report["files"][2]["cells"].empty());
}

TEST_CASE("a cell and its failures") {
  const json report = json::parse(app::roundtrip::json_text(test::report_of_everything()));
  const json& cells = report["files"][0]["cells"];
  CHECK(cells[0] == json::parse(R"({"word":4,"tuple":3,"order":5,"zigzag":true,"layout":"planes","level":1,
                                    "verdict":"passed","bytes":4000,"packed_bytes":2000})"));
  CHECK(cells[1]["verdict"] == "failed");
  CHECK(cells[1]["failures"] == json::parse(R"([{"fault":"wrong-value","coder":"cpu","restorer":"cuda",
      "chunk":2,"chunk_offset":2096640,"detail":"the restored bytes do not match their digest",
      "mismatch":{"value":1000,"lane":1,"expected":18446744073709551615,"found":10,
        "expected_hex":"0xffffffffffffffff","found_hex":"0x000000000000000a","offset":8000,"width":8,
        "around":[
          {"value":999,"lane":0,"expected":7,"found":7,
           "expected_hex":"0x0000000000000007","found_hex":"0x0000000000000007"},
          {"value":1000,"lane":1,"expected":18446744073709551615,"found":10,
           "expected_hex":"0xffffffffffffffff","found_hex":"0x000000000000000a"},
          {"value":1001,"lane":2,"expected":8,"found":9,
           "expected_hex":"0x0000000000000008","found_hex":"0x0000000000000009"}
        ]}}])"));
  CHECK(cells[3]["failures"][0]["fault"] == "coding");
  CHECK_FALSE(cells[3]["failures"][0].contains("restorer"));
  CHECK(cells[3]["failures"][1]["fault"] == "restoring");
  CHECK(cells[3]["failures"][1]["restorer"] == "cuda");
  CHECK(cells[4]["failures"][0]["fault"] == "disagreement");
  CHECK(cells[4]["failures"][0]["other_coder"] == "cuda");
}

TEST_CASE("no files, no cells") {
  const json report = json::parse(app::roundtrip::json_text({}));
  CHECK(report["files"].empty());
  CHECK(report["complete"] == true);
}
