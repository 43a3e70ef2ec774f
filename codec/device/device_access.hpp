// SPDX-License-Identifier: Apache-2.0
// Bytes in device memory, read from the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/cuda/host/device_queue.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// Copies whole blocks and keeps the last one: a record's prefix and its rest come with one copy.
class DeviceAccess final : public RandomAccess {
 public:
  /// Both live longer than this.
  DeviceAccess(cuda::DeviceQueue& queue, const std::byte* bytes, std::uint64_t size)
      : queue_(queue), bytes_(bytes), size_(size) {}

  std::uint64_t size() const override { return size_; }
  Status read_at(std::uint64_t offset, std::span<std::byte> into) override;

 private:
  cuda::DeviceQueue& queue_;
  const std::byte* bytes_;
  std::uint64_t size_;
  std::vector<std::byte> block_;
  std::uint64_t block_at_ = 0;
};

}  // namespace tdz
