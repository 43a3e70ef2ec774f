// SPDX-License-Identifier: Apache-2.0
// Does a good header give the right hint?
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

}  // namespace tdz::formats
