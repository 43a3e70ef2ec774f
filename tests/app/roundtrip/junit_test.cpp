// SPDX-License-Identifier: Apache-2.0
// Does JUnit's XML count and name everything? cases/roundtrip/junit.sh shows that parsers accept it.
#include "app/roundtrip/report.hpp"

#include <doctest/doctest.h>

#include "tests/app/roundtrip/sample_report.hpp"

using namespace tdz;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("suites and cases, failures and skipped cells") {
  const std::string text = app::roundtrip::junit_text(test::report_of_everything());
  CHECK(text.starts_with(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"tdz roundtrip\" tests=\"8\" "
      "failures=\"3\" errors=\"1\" skipped=\"2\" time=\"1.500\">\n"));
  for (const auto* part : {
           R"(<testsuite name="data" tests="5" failures="3" errors="0" skipped="0" time="1.500">)",
           R"(<property name="backend cuda" value="a GPU &lt;&quot;&amp;&quot;&gt;"/>)",
           R"(<testcase classname="data" name="word 8, tuple 3, order 5, planes, level 1"/>)",
           R"(<failure message="coded by cpu, restored by cuda: value 1000 is wrong" )"
           R"(type="roundtrip">coded by cpu)",
           "\nvalue 1000, lane 1, at byte 8000 of the file: expected 18446744073709551615",
           R"(it said &lt;\x1b&gt;)",
           R"(<skipped message="not checked to the end of the file"/>)",
           R"(name="&lt;&amp;&quot;x&apos;&gt;\x0a\x1b[31m\xe9\xef\xbf\xbf]]&gt;" tests="2")",
           R"(<testcase classname="missing" name="reading"><error message="No such file or directory")",
       }) {
    CAPTURE(part);
    CHECK(contains(text, part));
  }
  CHECK_FALSE(contains(text, "\x1B"));
  CHECK_FALSE(contains(text, "\xE9"));
  CHECK(text.ends_with("</testsuites>\n"));
}

TEST_CASE("one element holds all failures of a cell") {
  const std::string text = app::roundtrip::junit_text(test::report_of_everything());
  const auto begin = text.find("<failure message=\"cpu failed to code chunk 0\"");
  REQUIRE(begin != std::string::npos);
  const auto element = text.substr(begin, text.find("</failure>", begin) - begin);
  CHECK(contains(element, "it was unplugged"));
}
