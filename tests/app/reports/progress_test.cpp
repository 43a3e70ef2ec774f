// SPDX-License-Identifier: Apache-2.0
// What does the progress line show?
#include "app/reports/progress.hpp"

#include <doctest/doctest.h>

using namespace tdz::app;

TEST_CASE("with a known end there are a percentage, a rate and the time left") {
  CHECK(progress_text({.done = 250, .total = 1000, .original = 600'000'000, .seconds = 2}, "x", 80,
                      Letters::utf8) == " 25 %  300 MB/s  0:06 left  x");
}

TEST_CASE("without one there is a rate") {
  CHECK(progress_text({.done = 250, .total = {}, .original = 600'000'000, .seconds = 2}, "x", 80,
                      Letters::utf8) == "300 MB/s  x");
}

TEST_CASE("long times have hours, endless ones are left out") {
  CHECK(progress_text({.done = 1, .total = 3601, .original = 0, .seconds = 3}, "x", 80, Letters::utf8) ==
        "  0 %  0 MB/s  3:00:00 left  x");
  CHECK(progress_text({.done = 1, .total = 1'000'000'000, .original = 0, .seconds = 3}, "x", 80,
                      Letters::utf8) == "  0 %  0 MB/s  x");
}

TEST_CASE("zero bytes, zero time, and more bytes than expected are handled") {
  CHECK(progress_text({.done = 0, .total = 10, .original = 0, .seconds = 0}, "x", 80, Letters::utf8) ==
        "  0 %  0 MB/s  x");
  CHECK(progress_text({.done = 20, .total = 10, .original = 0, .seconds = 1}, "x", 80, Letters::utf8) ==
        "100 %  0 MB/s  x");
}

TEST_CASE("if bytes are not counted, there is no rate") {
  CHECK(progress_text({.done = 1, .total = 4, .original = std::nullopt, .seconds = 3}, "x", 80,
                      Letters::utf8) == " 25 %  0:09 left  x");
}

TEST_CASE("a line is never wider than the terminal") {
  CHECK(progress_text({.done = 5, .total = 10, .original = 0, .seconds = 1}, "a long name", 12,
                      Letters::utf8) == " 50 %  0 MB…");
  CHECK(progress_text({.done = 5, .total = 10, .original = {}, .seconds = 1}, "K\xC3\xB6ln", 17,
                      Letters::utf8) == " 50 %  0:01 left…");
  CHECK(progress_text({.done = 5, .total = 10, .original = {}, .seconds = 1}, "K\xC3\xB6ln", 20,
                      Letters::utf8) == " 50 %  0:01 left  K…");
}
