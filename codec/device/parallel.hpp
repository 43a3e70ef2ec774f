// SPDX-License-Identifier: Apache-2.0
// Work on numbered items by several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace tdz {

/// Calls `work(item, worker)` for the items 0 to count - 1, each once, in any order; workers are numbered
/// from 0 to threads - 1. `work` must not throw.
void in_parallel(std::size_t count, unsigned threads,
                 const std::function<void(std::size_t item, unsigned worker)>& work);

}  // namespace tdz
