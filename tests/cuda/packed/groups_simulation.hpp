// SPDX-License-Identifier: Apache-2.0
// The kernel that goes from packed groups to values, on a simulated device, every thread of it.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/cuda/packed/packed_batch.hpp"

namespace tdz::test {

/// What the device makes of a batch.
struct SimulatedGroups {
  Bytes values;
  std::vector<std::uint32_t> status;       ///< of each chunk; 0: the device vouches for its values
  std::vector<std::uint64_t> digest_rows;  ///< of XXH3
};

/// Not from two threads at once: there is one simulated device.
SimulatedGroups simulated_groups(const PackedBatch& batch);

}  // namespace tdz::test
