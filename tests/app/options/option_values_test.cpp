// SPDX-License-Identifier: Apache-2.0
// Is the value of an option accepted exactly if it is valid?
#include "app/options/option_values.hpp"

#include <doctest/doctest.h>

using namespace tdz;
using namespace tdz::app;

TEST_CASE("numbers are whole words in a range") {
  CHECK(*parse_number("0", 0, 8) == 0);
  CHECK(*parse_number("8", 0, 8) == 8);
  CHECK(*parse_number("007", 0, 8) == 7);
  for (const auto* text : {"", "9", "-1", "+1", " 1", "1 ", "1.0", "1e0", "x", "99999999999999999999"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_number(text, 0, 8));
  }
}

TEST_CASE("sizes lie between their limits") {
  CHECK(*parse_size_between("64KiB", 65536, 1 << 30) == 65536);
  CHECK(*parse_size_between("1GiB", 65536, 1 << 30) == 1 << 30);
  CHECK_FALSE(parse_size_between("65535", 65536, 1 << 30));
  CHECK_FALSE(parse_size_between("1025M", 65536, 1 << 30));
  CHECK_FALSE(parse_size_between("4294967296", 0, ~0u));
  CHECK(parse_size_between("1025M", 65536, 1 << 30).error().message ==
        "expected a size from 64.0 KiB to 1.00 GiB");
  for (const auto* text : {"1.5M", "1MB"}) {
    CAPTURE(text);
    CHECK(parse_size_between(text, 65536, 1 << 30)
              .error()
              .message.ends_with("is not a size; write a number of bytes, or 64KiB, 1M, 2GiB"));
  }
}

TEST_CASE("words have 1, 2, 4 or 8 bytes") {
  for (const auto* text : {"1", "2", "4", "8"}) CHECK(*parse_word(text) == text[0] - '0');
  for (const auto* text : {"", "0", "3", "16", "02", "2 "}) CHECK_FALSE(parse_word(text));
}

TEST_CASE("choices must be written in full") {
  CHECK(*parse_switch("on"));
  CHECK_FALSE(*parse_switch("off"));
  CHECK_FALSE(parse_switch("true"));
  CHECK(*parse_backend("cuda") == BackendChoice::cuda);
  CHECK_FALSE(parse_backend("CPU"));
  CHECK(*parse_progress("never") == ProgressChoice::never);
  CHECK_FALSE(parse_progress(""));
}

TEST_CASE("seconds may have decimals") {
  CHECK(parse_seconds("1")->count() == 1000);
  CHECK(parse_seconds("0.25")->count() == 250);
  CHECK(parse_seconds("86400")->count() == 86'400'000);
  for (const auto* text : {"", "0", "0.0001", "-1", "86401", "1s", "1e3", "nan", "inf"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_seconds(text));
  }
}
