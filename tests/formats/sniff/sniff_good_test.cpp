// SPDX-License-Identifier: Apache-2.0
// Does a good header give the right hint, and every prefix of it the same hint or none?
#include "sniff_samples.hpp"
#include "sniff_support.hpp"

namespace tdz::formats {

TEST_CASE("every good header gives type, place, byte order and row of its numbers") {
  for (const Sample& sample : good_samples()) {
    CAPTURE(sample.name);
    CHECK(shown(sniff_all(sample.bytes)) == shown(sample.hint));
  }
}

TEST_CASE("the same header always gives the same hint") {
  for (const Sample& sample : good_samples()) CHECK(sniff_all(sample.bytes) == sniff_all(sample.bytes));
}

TEST_CASE("a header that is cut gives no hint, or the hint of the whole header") {
  for (const Sample& sample : good_samples()) {
    CAPTURE(sample.name);
    bool known = false;
    for (std::size_t length = 0; length <= sample.bytes.size(); ++length) {
      CAPTURE(length);
      const auto hint = sniff_first(sample.bytes, length);
      REQUIRE((hint ? *hint == sample.hint : !known));
      known = hint.has_value();
    }
    CHECK(known);
  }
}

}  // namespace tdz::formats
