// SPDX-License-Identifier: Apache-2.0
// What does `tdz info` print for files with one stream, several, and none?
#include "app/reports/info_text.hpp"

#include <doctest/doctest.h>

using namespace tdz;
using namespace tdz::app;

namespace {

StreamInfo stream(NumberType type, Transform transform) {
  StreamInfo info;
  info.stored_bytes = 1000;
  info.original_bytes = 2500;
  info.chunks = 3;
  info.nominal = type;
  info.transforms = {transform};
  info.digest[0] = std::byte{0xAB};
  return info;
}

const Transform kPlain{};
const Transform kWords = Transform{.word = 2}.append(Step::difference(1, 1)).append(Step::zigzag());

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a row names size, ratio, chunks, type and steps") {
  const auto row = table_row({"x", 1000, {stream({'i', 2, 1}, kWords)}}, DigestColumn::shown);
  for (const auto* part :
       {"1000 B", "2.44 KiB", "2.50", " 3 ", "i16", "difference(1, 1), zigzag ", "ab00", " x\n"}) {
    CAPTURE(part);
    CHECK(contains(row, part));
  }
}

TEST_CASE("sizes of several streams are added; fields that differ are left out") {
  const FileInfo file{"x", 2000, {stream({'i', 2, 1}, kWords), stream({}, kPlain)}};
  CHECK(file.stored_bytes() == 2000);
  CHECK(file.original_bytes() == 5000);
  CHECK(file.chunks() == 6);
  CHECK(contains(table_row(file, DigestColumn::hidden), "several"));
}

TEST_CASE("the chunks of a file header do not hide the steps of the other chunks") {
  auto mixed = stream({'i', 2, 1}, kPlain);
  mixed.transforms.push_back(kWords);
  CHECK(contains(table_row({"x", 1000, {mixed}}, DigestColumn::hidden), "difference(1, 1), zigzag +1"));
}

TEST_CASE("head and rows have the same columns") {
  const FileInfo file{"Name", 1000, {stream({'i', 2, 1}, kWords)}};
  for (const auto digests : {DigestColumn::hidden, DigestColumn::shown}) {
    CHECK(table_head(digests).find("Name") == table_row(file, digests).find("Name"));
  }
}
