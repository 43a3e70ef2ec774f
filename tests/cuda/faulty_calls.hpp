// SPDX-License-Identifier: Apache-2.0
// CUDA calls that fail on demand. The linker (--wrap) puts these functions between the product and the
// runtime.
#pragma once

namespace tdz::testing {

enum class Fault { once, from_then_on };

/// Lets the n-th CUDA call from now on fail (0: none), and on request all calls after it.
void fail_call(unsigned n, Fault fault);
/// The number of calls since then.
unsigned calls_made();

}  // namespace tdz::testing
