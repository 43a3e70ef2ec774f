// SPDX-License-Identifier: Apache-2.0
#include "codec/stream/exact_reader.hpp"

#include <algorithm>

namespace tdz {

Error ends_too_early(std::uint64_t position) {
  return truncated("the input ends too early; the end of this file is missing", position);
}

Result<std::size_t> ExactReader::read_up_to(std::span<std::byte> into) {
  std::size_t filled = 0;
  while (filled < into.size()) {
    auto came = source_.read(into.subspan(filled));
    if (!came) return came.error();
    if (*came == 0) break;
    filled += *came;
    position_ += *came;
  }
  return filled;
}

Status ExactReader::read(std::span<std::byte> into) {
  auto came = read_up_to(into);
  if (!came) return came.error();
  return *came < into.size() ? Status(ends_too_early(position_)) : ok();
}

Result<std::span<std::byte>> ExactReader::read_claimed(Buffer& memory, std::size_t keep, std::size_t bytes) {
  // Most chunks fit in the first step; then nothing is copied.
  constexpr std::size_t kFirstStep = std::size_t{4} << 20;
  const std::size_t goal = keep + bytes;
  std::size_t have = keep;
  while (have < goal) {
    const std::size_t next = std::min(goal, std::max(2 * have, keep + kFirstStep));
    if (auto done = read(memory.grow(next, have).subspan(have)); !done) return done.error();
    have = next;
  }
  return memory.grow(goal, goal);
}

}  // namespace tdz
