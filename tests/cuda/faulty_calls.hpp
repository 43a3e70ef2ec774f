// SPDX-License-Identifier: Apache-2.0
// CUDA calls that fail on demand. The linker (--wrap) puts these functions between the product and the
// runtime.
#pragma once

#include <doctest/doctest.h>

namespace tdz::testing {

enum class Fault { once, from_then_on };

/// Lets the n-th CUDA call from now on fail (0: none), and on request all calls after it.
void fail_call(unsigned n, Fault fault);
/// The number of calls since then.
unsigned calls_made();

inline constexpr unsigned kManyCalls = 1000;  ///< more than any work makes

/// Calls `work` with a failure at every call. It returns whether the result was right.
template <class Work>
void fail_everywhere(const Work& work) {
  fail_call(0, Fault::once);
  REQUIRE(work());
  for (const Fault fault : {Fault::once, Fault::from_then_on}) {
    unsigned n = 1;
    for (bool reached = true; n < kManyCalls && reached; ++n) {
      CAPTURE(n);
      fail_call(n, fault);
      static_cast<void>(work());
      reached = calls_made() >= n;
      fail_call(0, fault);
    }
    MESSAGE("calls that failed: " << n - 2);
    CHECK(n > 20);
    CHECK(n < kManyCalls);
  }
}

}  // namespace tdz::testing
