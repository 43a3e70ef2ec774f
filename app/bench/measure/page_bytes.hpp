// SPDX-License-Identifier: Apache-2.0
// Memory that begins with a page. The speed of memcpy depends on where its two buffers begin. On an AMD Zen
// 3, glibc's memcpy takes fifteen times as long if the target begins 16 bytes after the source, modulo a
// page, and that is usual for two allocations in a row. All timed work uses this memory, so that cells can be
// compared.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <optional>
#include <span>

namespace tdz::app::bench {

class PageBytes {
 public:
  /// Writes to every page, so that the system provides them before any time is taken. Throws std::bad_alloc.
  explicit PageBytes(std::size_t bytes) : PageBytes(bytes, Raw{}) { fill(std::byte{0}); }
  explicit PageBytes(std::span<const std::byte> from) : PageBytes(from.size(), Raw{}) {
    std::ranges::copy(from, memory_.get());
  }

  std::span<std::byte> span() { return {memory_.get(), bytes_}; }
  std::span<const std::byte> span() const { return {memory_.get(), bytes_}; }
  std::byte* data() { return memory_.get(); }
  std::size_t size() const { return bytes_; }
  void fill(std::byte value) { std::ranges::fill(span(), value); }
  /// Bytes that a run does not write must not look right.
  void poison() { fill(std::byte{0xA5}); }

 private:
  static constexpr std::align_val_t kPage{4096};
  struct Raw {};
  struct Free {
    void operator()(std::byte* memory) const { ::operator delete(memory, kPage); }
  };

  PageBytes(std::size_t bytes, Raw)
      : memory_(static_cast<std::byte*>(::operator new(std::max<std::size_t>(bytes, 1), kPage))),
        bytes_(bytes) {}

  std::unique_ptr<std::byte, Free> memory_;
  std::size_t bytes_;
};

/// The first place where the bytes differ, or nothing. Precondition: both have the same length.
inline std::optional<std::size_t> first_difference(std::span<const std::byte> expected,
                                                   std::span<const std::byte> found) {
  const auto place = std::ranges::mismatch(expected, found).in1;
  if (place == expected.end()) return std::nullopt;
  return static_cast<std::size_t>(place - expected.begin());
}

}  // namespace tdz::app::bench
