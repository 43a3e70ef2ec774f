// SPDX-License-Identifier: Apache-2.0
#include "codec/chunk/buffer.hpp"

#include <algorithm>

namespace tdz {

std::span<std::byte> Buffer::take(std::size_t bytes) { return grow(bytes, 0); }

std::span<std::byte> Buffer::grow(std::size_t bytes, std::size_t keep) {
  if (bytes > capacity_) {
    if (keep == 0) data_.reset();  // frees the old memory before it takes the new one
    auto larger = std::make_unique_for_overwrite<std::byte[]>(bytes);
    std::copy_n(data_.get(), keep, larger.get());
    data_ = std::move(larger);
    capacity_ = bytes;
  }
  return {data_.get(), bytes};
}

}  // namespace tdz
