// SPDX-License-Identifier: Apache-2.0
// Are tables and paragraphs cut at the right places?
#include "app/bench/report/text_table.hpp"

#include <doctest/doctest.h>

using namespace tdz::app::bench;

TEST_CASE("figures are aligned right, keys left") {
  const Table table{.columns = {{"key"}, {"n"}}, .keys = 1, .rows = {{{"a"}, {"10"}}, {{"long"}, {"7"}}}};
  CHECK(text_table(table, Colours::plain) == "  key   n\n  a    10\n  long  7\n");
}

TEST_CASE("the rest of a table that is too wide follows below, with its keys") {
  Table table{.columns = {{"k"}}, .keys = 1, .rows = {{{"r"}}}};
  for (int i = 0; i < 8; ++i) {
    table.columns.push_back({std::string(20, static_cast<char>('a' + i))});
    table.rows[0].push_back({std::to_string(i)});
  }
  const std::string text = text_table(table, Colours::plain);
  CHECK(text.find("\n\n  k ") != std::string::npos);
  CHECK(text.find("\n  r", text.find("\n\n")) != std::string::npos);
  CHECK(text.find(std::string(20, 'h')) != std::string::npos);
}

TEST_CASE("characters are counted, not bytes") {
  CHECK(shown_width("h\xC3\xA9") == 2);
  CHECK(clipped("h\xC3\xA9llo", 5) == "h\xC3\xA9llo");
  CHECK(clipped("h\xC3\xA9llo", 3) == "h\xC3\xA9…");
}

TEST_CASE("paragraphs break at blanks, and words that are too long break anywhere") {
  const std::string words = std::string(60, 'a') + " " + std::string(60, 'b') + " " + std::string(250, 'c');
  const std::string text = wrapped(words, 2);
  CHECK(text.starts_with(std::string(60, 'a') + "\n  " + std::string(60, 'b') + "\n  ccc"));
  std::size_t letters = 0;
  for (const char c : text) letters += c == 'c' ? 1u : 0u;
  CHECK(letters == 250);
  CHECK(wrapped("", 2).empty());
}
