// SPDX-License-Identifier: Apache-2.0
// Are sizes read and shown as people write them?
#include "app/options/names.hpp"

#include <doctest/doctest.h>

using namespace tdz::app;

TEST_CASE("sizes are bytes, or powers of 1024") {
  CHECK(*parse_size("0") == 0);
  CHECK(*parse_size("4096") == 4096);
  CHECK(*parse_size("17B") == 17);
  CHECK(*parse_size("64KiB") == 65536);
  CHECK(*parse_size("64k") == 65536);
  CHECK(*parse_size("1M") == 1u << 20);
  CHECK(*parse_size("2GiB") == std::uint64_t{2} << 30);
  CHECK(*parse_size("3t") == std::uint64_t{3} << 40);
  CHECK(*parse_size("15EiB") == std::uint64_t{15} << 60);
  CHECK(*parse_size("18446744073709551615") == ~std::uint64_t{0});
}

TEST_CASE("text that is not a size is refused") {
  for (const auto* text : {"", "-1", "+1", " 1", "1 ", "1.5M", "KiB", "1KB", "1Ki", "1X", "1KiBs", "0x10",
                           "16EiB", "18446744073709551616"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_size(text));
  }
}

TEST_CASE("sizes are shown with three digits") {
  CHECK(format_size(0) == "0 B");
  CHECK(format_size(1023) == "1023 B");
  CHECK(format_size(1024) == "1.00 KiB");
  CHECK(format_size(10234) == "9.99 KiB");
  CHECK(format_size(10235) == "10.0 KiB");
  CHECK(format_size(12 << 20) == "12.0 MiB");
  CHECK(format_size(1023 * 1024) == "1.00 MiB");
  CHECK(format_size(500 << 20) == "500 MiB");
  CHECK(format_size(~std::uint64_t{0}) == "16.0 EiB");
}
