// SPDX-License-Identifier: Apache-2.0
// Are tables cut at the right places?
#include "app/bench/report/tables.hpp"

#include <doctest/doctest.h>

using namespace tdz::app;
using namespace tdz::app::bench;

TEST_CASE("figures are aligned right, keys left") {
  const Table table{.columns = {{"key"}, {"n"}}, .keys = 1, .rows = {{{"a"}, {"10"}}, {{"long"}, {"7"}}}};
  CHECK(text_table(table, Screen{}) == "  key   n\n  a    10\n  long  7\n");
}

TEST_CASE("the rest of a table that is too wide follows below, with its keys") {
  Table table{.columns = {{"k"}}, .keys = 1, .rows = {{{"r"}}}};
  for (int i = 0; i < 8; ++i) {
    table.columns.push_back({std::string(20, static_cast<char>('a' + i))});
    table.rows[0].push_back({std::to_string(i)});
  }
  const std::string text = text_table(table, Screen{});
  CHECK(text.find("\n\n  k ") != std::string::npos);
  CHECK(text.find("\n  r", text.find("\n\n")) != std::string::npos);
  CHECK(text.find(std::string(20, 'h')) != std::string::npos);
}

TEST_CASE("below the first stretch, rows without figures are left out") {
  Table table{.columns = {{"k"}}, .keys = 1, .rows = {{{"r"}}, {{"only"}}}};
  for (int i = 0; i < 8; ++i) {
    table.columns.push_back({std::string(20, static_cast<char>('a' + i))});
    table.rows[0].push_back({std::to_string(i)});
    table.rows[1].push_back({i == 0 ? "7" : ""});
  }
  const std::string text = text_table(table, Screen{});
  CHECK(text.find("\n  only") == text.rfind("\n  only"));
}
