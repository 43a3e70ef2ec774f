// SPDX-License-Identifier: Apache-2.0
#include "app/bench/measure/timing.hpp"

#include <doctest/doctest.h>

using namespace tdz;
using namespace tdz::app::bench;

TEST_CASE("a timing has the median, the least and the most") {
  const Timing timing = timing_of({3, 1, 2, 5, 4});
  CHECK(timing.median == 3);
  CHECK(timing.least == 1);
  CHECK(timing.most == 5);
  CHECK(timing.runs == 5);
  CHECK(timing.spread() == doctest::Approx(4.0 / 2 / 3));
  CHECK(timing.bytes_per_second(6) == 2);
  CHECK(Timing{}.bytes_per_second(6) == 0);
}

TEST_CASE("the first run only warms up, at least one run is timed, and every run is checked") {
  int works = 0, checks = 0;
  const auto work = [&] {
    ++works;
    return ok();
  };
  const auto check = [&] {
    ++checks;
    return std::string();
  };
  CHECK(timed({0}, {}, work, check).value().timing.runs == 1);
  CHECK(works == 2);
  CHECK(checks == 2);
  CHECK(timed({1e9, 7}, {}, work, check).value().timing.runs == 7);
}

TEST_CASE("a wrong result of any run ends the measurement") {
  for (const int wrong : {1, 2, 5}) {
    int runs = 0;
    const auto check = [&] { return ++runs == wrong ? std::string("byte 3") : std::string(); };
    const auto result = timed(
        {1e9, 9}, {}, [] { return ok(); }, check);
    CHECK(result.value().fault == "byte 3");
    CHECK(result.value().timing.runs == 0);
    CHECK(runs == wrong);
  }
}

TEST_CASE("an error and a stop request end the measurement too") {
  const auto fine = [] { return std::string(); };
  const auto failing = [] { return Status(Error{ErrorKind::io, "broken"}); };
  CHECK(timed({1}, {}, failing, fine).error().message == "broken");
  std::stop_source stop;
  stop.request_stop();
  CHECK(timed(
            {1}, stop.get_token(), [] { return ok(); }, fine)
            .error()
            .kind == ErrorKind::cancelled);
}

TEST_CASE("a pacer divides the rest of the time") {
  Pacer pacer(1000, 10);
  const double first = pacer.next().seconds;
  CHECK(first == doctest::Approx(50).epsilon(0.01));  // half of a tenth: checks take time too
  for (int i = 0; i < 8; ++i) pacer.next();
  CHECK(pacer.next().seconds == doctest::Approx(500).epsilon(0.01));  // the last one gets all the rest
  CHECK(pacer.next().seconds == 0);
  CHECK(Pacer(0, 1).next().seconds == 0);
}
