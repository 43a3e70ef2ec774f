// SPDX-License-Identifier: Apache-2.0
// Which jobs share a launch, and where they lie in a slot. Plain arithmetic, tested without a device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/backend.hpp"

namespace tdz::cuda {

/// Chunks of a slot begin on whole cache lines of the device.
inline constexpr std::uint64_t kChunkAlignment = 128;

constexpr std::uint64_t aligned(std::uint64_t bytes) {
  return (bytes + kChunkAlignment - 1) / kChunkAlignment * kChunkAlignment;
}

/// Jobs [first, first + count) in one launch, each `stride` bytes after the one before.
struct BatchPlan {
  std::size_t first = 0, count = 0;
  std::uint64_t stride = 0;  ///< the longest job, aligned
  std::uint64_t longest = 0;

  constexpr std::uint64_t bytes() const { return stride * count; }
};

/// The longest run of jobs from `first` on that share a transform and fit a slot of `slot_bytes`; count 0 if
/// the first job alone does not fit. Precondition: first < jobs.size().
inline BatchPlan next_batch(std::span<const TransformJob> jobs, std::size_t first, std::uint64_t slot_bytes) {
  BatchPlan plan{first, 0, kChunkAlignment, 0};
  for (std::size_t i = first; i < jobs.size(); ++i) {
    if (!(*jobs[i].transform == *jobs[first].transform)) break;
    const std::uint64_t longest = plan.longest < jobs[i].in.size() ? jobs[i].in.size() : plan.longest;
    const std::uint64_t stride = longest == 0 ? kChunkAlignment : aligned(longest);
    if (stride * (plan.count + 1) > slot_bytes) break;
    plan.longest = longest;
    plan.stride = stride;
    ++plan.count;
  }
  return plan;
}

}  // namespace tdz::cuda
