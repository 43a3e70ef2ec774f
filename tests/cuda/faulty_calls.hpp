// SPDX-License-Identifier: Apache-2.0
// CUDA calls that fail on demand: the linker puts this between the product and the runtime (--wrap).
#pragma once

namespace tdz::testing {

enum class Fault { once, from_then_on };

/// The n-th CUDA call from now on fails (0: none does), and what follows it if so asked.
void fail_call(unsigned n, Fault fault);
/// How many calls have come since.
unsigned calls_made();

}  // namespace tdz::testing
