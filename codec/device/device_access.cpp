// SPDX-License-Identifier: Apache-2.0
#include "codec/device/device_access.hpp"

#include <algorithm>

namespace tdz {
namespace {

constexpr std::uint64_t kBlock = 16u << 10;  ///< most records of chunks are shorter

}  // namespace

Status DeviceAccess::read_at(std::uint64_t offset, std::span<std::byte> into) {
  if (offset > size_ || into.size() > size_ - offset) {
    return Error{ErrorKind::io, "reading behind the end of the bytes in device memory"};
  }
  if (into.size() >= kBlock) return queue_.copy_down(into, bytes_ + offset);
  const bool there = offset >= block_at_ && offset + into.size() <= block_at_ + block_.size();
  if (!there) {
    std::vector<std::byte> block(static_cast<std::size_t>(std::min(kBlock, size_ - offset)));
    if (auto done = queue_.copy_down(block, bytes_ + offset); !done) return done;
    block_ = std::move(block);
    block_at_ = offset;
  }
  std::ranges::copy_n(block_.begin() + static_cast<std::ptrdiff_t>(offset - block_at_),
                      static_cast<std::ptrdiff_t>(into.size()), into.begin());
  return ok();
}

}  // namespace tdz
