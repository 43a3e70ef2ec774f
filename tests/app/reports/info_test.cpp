// SPDX-License-Identifier: Apache-2.0
// What does `tdz info` print for files with one stream, several, and none?
#include "app/reports/info.hpp"

#include <doctest/doctest.h>

using namespace tdz;
using namespace tdz::app;

namespace {

StreamInfo stream(std::string type, Plan plan) {
  StreamInfo info;
  info.stored_bytes = 1000;
  info.original_bytes = 2500;
  info.chunks = 3;
  info.type = std::move(type);
  info.plans = {std::move(plan)};
  info.digest_kind = 1;
  info.digest[0] = std::byte{0xAB};
  return info;
}

const Plan kPlain = plain_plan();
const Plan kWords{Coding::zstd, {{2, 1, {DifferenceStep{1, 1}, ZigzagStep{}}}}};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a row names size, ratio, chunks, type and steps") {
  const auto row = table_row({"x", 1000, {stream("i16", kWords)}}, DigestColumn::shown, Screen{});
  for (const auto* part :
       {"1000 B", "2.44 KiB", "2.50", " 3 ", "i16", "difference(1, 1), zigzag ", "ab00", " x\n"}) {
    CAPTURE(part);
    CHECK(contains(row, part));
  }
}

TEST_CASE("sizes of several streams are added; fields that differ are left out") {
  const FileInfo file{"x", 2000, {stream("i16", kWords), stream("", kPlain)}};
  CHECK(file.stored_bytes() == 2000);
  CHECK(file.original_bytes() == 5000);
  CHECK(file.chunks() == 6);
  CHECK(contains(table_row(file, DigestColumn::hidden, Screen{}), "several"));
}

TEST_CASE("the chunks of a file header do not hide the steps of the other chunks") {
  auto mixed = stream("i16", kPlain);
  mixed.plans.push_back(kWords);
  CHECK(contains(table_row({"x", 1000, {mixed}}, DigestColumn::hidden, Screen{}),
                 "difference(1, 1), zigzag +1"));
}

TEST_CASE("head and rows have the same columns") {
  const FileInfo file{"Name", 1000, {stream("i16", kWords)}};
  for (const auto digests : {DigestColumn::hidden, DigestColumn::shown}) {
    CHECK(table_head(digests, Screen{}).find("Name") == table_row(file, digests, Screen{}).find("Name"));
  }
}

TEST_CASE("several columns are only counted in a row, and the details name them") {
  Plan plan = kWords;
  plan.columns.push_back({3, 5, {}});
  const auto records = stream("i16,u24x5", plan);
  CHECK(contains(table_row({"x", 1000, {records}}, DigestColumn::hidden, Screen{}), "2 columns, see -v"));
  CHECK(contains(stream_details(records, Screen{}),
                 "16-bit words: difference(1, 1), zigzag; 5 24-bit words: none\n"));
}

TEST_CASE("a digest that the file does not have is none, and a type is escaped") {
  auto odd = stream("\x1b[2J", kWords);
  odd.digest_kind = 0;
  const auto row = table_row({"x", 1000, {odd}}, DigestColumn::shown, Screen{});
  CHECK(contains(row, "none"));
  CHECK(contains(row, "\\x1b[2J"));
}

TEST_CASE("every line fits the terminal, and nothing but long steps is cut") {
  const Plan long_steps{
      Coding::zstd,
      {{2, 1, {DifferenceStep{4320, 1}, DifferenceStep{1, 1}, ZigzagStep{}, DifferenceStep{1440, 1}}}}};
  const FileInfo file{"recording_2026-11-22.tdz", 1000, {stream("w16x4320", long_steps)}};
  for (const std::size_t columns : {80u, 100u, 118u, 150u, 200u}) {
    for (const auto digests : {DigestColumn::hidden, DigestColumn::shown}) {
      const Screen screen{.columns = columns};
      const std::string text = table_head(digests, screen) + table_row(file, digests, screen);
      CAPTURE(text);
      CHECK(contains(text, "recording_2026-11-22.tdz"));
      CHECK(contains(text, "difference(4320, 1), "));
      for (std::size_t from = 0, to = 0; (to = text.find('\n', from)) != std::string::npos; from = to + 1)
        CHECK(shown_width(text.substr(from, to - from)) <= columns);
    }
  }
  CHECK(contains(table_row(file, DigestColumn::hidden, Screen{}), "difference(1440, 1)"));
}
