// SPDX-License-Identifier: Apache-2.0
// What the CPU backend does with one job. For tests and benchmarks, because they choose the passes
// themselves.
#pragma once

#include "kernels/backend.hpp"
#include "kernels/passes.hpp"

namespace tdz::cpu {


}  // namespace tdz::cpu
