// SPDX-License-Identifier: Apache-2.0
// Memory that is used again and again: grows, never shrinks, is never cleared.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace tdz {

class Buffer {
 public:
  /// At least `bytes` bytes; the old content is lost when it has to grow. Throws std::bad_alloc.
  std::span<std::byte> take(std::size_t bytes);
  /// The same, but the first `keep` bytes stay. Precondition: keep <= what was taken before.
  std::span<std::byte> grow(std::size_t bytes, std::size_t keep);

 private:
  std::unique_ptr<std::byte[]> data_;
  std::size_t capacity_ = 0;
};

}  // namespace tdz
