// SPDX-License-Identifier: Apache-2.0
// Does every prefix give the hint of the whole file, or none?
#include "sniff_samples.hpp"
#include "sniff_support.hpp"

namespace tdz::formats {

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
