// SPDX-License-Identifier: Apache-2.0
#include "codec/chunk/frame_check.hpp"

#include <algorithm>
#include <optional>

namespace tdz {
namespace {

constexpr std::uint64_t kMagic = 0xFD2FB528;
constexpr std::uint64_t kLargestWindow = 8u << 20;
constexpr std::uint64_t kLargestBlock = 128u << 10;

Error damaged(const char* what) {
  return corrupt(std::string("a zstd frame is damaged: ") + what);
}

/// Little-endian numbers from the front. `bad` once bytes were missing.
class Numbers {
 public:
  explicit Numbers(std::span<const std::byte> bytes) : rest_(bytes) {}

  std::uint64_t take(std::size_t bytes) {
    if (!has(bytes)) return 0;
    std::uint64_t number = 0;
    for (std::size_t i = bytes; i-- > 0;) number = number << 8 | std::to_integer<std::uint64_t>(rest_[i]);
    rest_ = rest_.subspan(bytes);
    return number;
  }
  void skip(std::size_t bytes) {
    if (has(bytes)) rest_ = rest_.subspan(bytes);
  }
  std::size_t left() const { return rest_.size(); }
  bool bad() const { return bad_; }

 private:
  bool has(std::size_t bytes) {
    bad_ = bad_ || bytes > rest_.size();
    return !bad_;
  }

  std::span<const std::byte> rest_;
  bool bad_ = false;
};

/// RFC 8878, 3.1.1.1.2.
std::uint64_t window_of(std::uint64_t descriptor) {
  const std::uint64_t base = std::uint64_t{1} << (10 + (descriptor >> 3));
  return base + base / 8 * (descriptor & 7);
}

/// The content size's field. With one byte it is there only for a single segment.
std::uint64_t content_size(Numbers& in, std::uint64_t descriptor, bool single) {
  switch (descriptor >> 6) {
    case 0:
      return single ? in.take(1) : ~std::uint64_t{0};
    case 1:
      return in.take(2) + 256;
    case 2:
      return in.take(4);
    default:
      return in.take(8);
  }
}

/// What is wrong with the blocks, or null.
const char* fault_of_blocks(Numbers& in, std::uint64_t window) {
  const std::uint64_t most = std::min(window, kLargestBlock);
  for (bool last = false; !last;) {
    const std::uint64_t header = in.take(3), kind = header >> 1 & 3, length = header >> 3;
    if (in.bad()) return "it ends inside a block";
    if (kind == 3) return "a block has a type that zstd does not have";
    if (length > most) return "a block is longer than the window or 128 KiB";
    in.skip(kind == 1 ? 1 : static_cast<std::size_t>(length));
    last = header & 1;
  }
  return in.bad() ? "it ends inside a block" : nullptr;
}

}  // namespace

Status check_frame(std::span<const std::byte> frame, std::uint64_t content) {
  Numbers in(frame);
  if (in.take(4) != kMagic || in.left() < 2) return damaged("it does not begin like one");
  const std::uint64_t descriptor = in.take(1);
  if ((descriptor & 11) != 0) return damaged("it has a dictionary, or a reserved bit");
  const bool single = (descriptor & 32) != 0;
  const std::uint64_t window = single ? content : window_of(in.take(1));
  if (content_size(in, descriptor, single) != content || in.bad())
    return damaged("its header does not give the length that the chunk's record gives");
  if (window > kLargestWindow) return damaged("its window is larger than 8 MiB");
  if (const char* fault = fault_of_blocks(in, window)) return damaged(fault);
  const std::size_t checksum = (descriptor & 4) != 0 ? 4 : 0;
  if (in.left() != checksum) return damaged("it is not as long as the chunk's record says");
  return ok();
}

}  // namespace tdz
