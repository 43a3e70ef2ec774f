// SPDX-License-Identifier: Apache-2.0
// Is the output always XML 1.0?
#include <doctest/doctest.h>

#include <random>

#include "app/roundtrip/report.hpp"

using namespace tdz::app::roundtrip;

TEST_CASE("markup, lines, control characters, bytes that are not UTF-8, characters that XML forbids") {
  CHECK(xml_text("a<b>&\"'") == "a&lt;b&gt;&amp;&quot;&apos;");
  CHECK(xml_text("one\ntwo\n") == "one\ntwo\n");
  CHECK(xml_attribute("one\ntwo\n") == "one&#10;two&#10;");
  CHECK(xml_text(std::string_view("\0\t\r\x1F\x7F", 5)) == "\\x00\\x09\\x0d\\x1f\\x7f");
  CHECK(xml_text("\xC3\xA9\xF0\x9F\x98\x80") == "\xC3\xA9\xF0\x9F\x98\x80");
  CHECK(xml_text("\xC3(\xED\xA0\x80") == "\\xc3(\\xed\\xa0\\x80");
  CHECK(xml_text("\xEF\xBF\xBD\xEF\xBF\xBE\xEF\xBF\xBF") == "\xEF\xBF\xBD\\xef\\xbf\\xbe\\xef\\xbf\\xbf");
  CHECK(xml_attribute("") == "");
}

TEST_CASE("random bytes never give a character that XML forbids") {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes(random() % 40, ' ');
    for (char& byte : bytes) byte = static_cast<char>(random());
    const std::string text = xml_attribute(bytes);
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      CHECK(byte >= 0x20);
      CHECK(c != '<');
      CHECK(c != '"');
    }
    for (std::size_t at = text.find('&'); at != std::string::npos; at = text.find('&', at + 1)) {
      CHECK(text.find(';', at) - at <= 5);
    }
  }
}
