// SPDX-License-Identifier: Apache-2.0
#include "kernels/buffer.hpp"

#include <algorithm>
#include <new>

#ifdef TDZ_LINUX_CALLS
#include <sys/mman.h>
#endif

namespace tdz {
namespace {

// The system clears a page at the first write to it. For pages of 4 KiB this took half of the time of
// decoding long chunks. A long page needs 2 MiB of memory, aligned.
constexpr std::size_t kLongPage = std::size_t{2} << 20;
constexpr std::size_t kSlack = 1024;  // one part in so many may be added, to end with a long page

/// `bytes`, or a little more.
std::size_t usual_capacity(std::size_t bytes) {
  return std::max(bytes, (bytes + bytes / kSlack) / kLongPage * kLongPage);
}

/// Asks for long pages where a whole one fits. A system that has none ignores this.
void prefer_long_pages([[maybe_unused]] std::byte* data, [[maybe_unused]] std::size_t bytes) {
#if defined(TDZ_LINUX_CALLS) && defined(MADV_HUGEPAGE)
  madvise(data, bytes / kLongPage * kLongPage, MADV_HUGEPAGE);
#endif
}

}  // namespace

void Buffer::Free::operator()(std::byte* data) const noexcept {
  if (is_long) return ::operator delete (data, std::align_val_t{kLongPage});
  ::operator delete(data);
}

Buffer::Memory Buffer::memory_of(std::size_t bytes) {
  if (bytes < kLongPage) return Memory(static_cast<std::byte*>(::operator new(bytes)), Free(false));
  Memory memory(static_cast<std::byte*>(::operator new (bytes, std::align_val_t{kLongPage})), Free(true));
  prefer_long_pages(memory.get(), bytes);
  return memory;
}

std::span<std::byte> Buffer::take(std::size_t bytes) {
  return grow(bytes, 0);
}

std::span<std::byte> Buffer::grow(std::size_t bytes, std::size_t keep) {
  if (bytes > capacity_) {
    if (keep == 0) data_.reset();  // frees the old memory before it takes the new one
    const std::size_t capacity = usual_capacity(bytes);
    Memory larger = memory_of(capacity);
    std::copy_n(data_.get(), keep, larger.get());
    data_ = std::move(larger);
    capacity_ = capacity;
  }
  return {data_.get(), bytes};
}

}  // namespace tdz
