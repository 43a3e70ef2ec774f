// SPDX-License-Identifier: Apache-2.0
// Memory for repeated use: it grows, never shrinks, and is never cleared. Not thread-safe.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace tdz {

class Buffer {
 public:
  /// A span of `bytes` bytes. If the memory has to grow, the old content is lost. Earlier spans become
  /// invalid. Throws std::bad_alloc.
  std::span<std::byte> take(std::size_t bytes);
  /// The same, but the first `keep` bytes keep their content. Precondition: keep <= the length taken before.
  std::span<std::byte> grow(std::size_t bytes, std::size_t keep);

 private:
  struct Free {
    Free() : Free(false) {}
    explicit Free(bool with_long_pages) : is_long(with_long_pages) {}
    void operator()(std::byte* data) const noexcept;
    bool is_long;
  };
  using Memory = std::unique_ptr<std::byte[], Free>;
  static Memory memory_of(std::size_t bytes);

  Memory data_;
  std::size_t capacity_ = 0;
};

}  // namespace tdz
