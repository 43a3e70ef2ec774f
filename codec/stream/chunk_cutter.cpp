// SPDX-License-Identifier: Apache-2.0
#include "codec/stream/chunk_cutter.hpp"

#include <algorithm>
#include <utility>

namespace tdz {
namespace {

std::uint64_t whole_multiple(std::uint64_t bytes, std::uint64_t unit) {
  return bytes - bytes % unit;
}

}  // namespace

ChunkCutter::ChunkCutter(Source& source, const CutRules& rules, FlushClock clock)
    : source_(source), rules_(rules), clock_(clock), raw_left_(rules.raw_prefix) {}

Result<Cut> ChunkCutter::next(Buffer& memory) {
  const bool raw = raw_left_ > 0;
  const auto bytes = memory.take(longest_chunk());
  auto came = read_chunk(bytes);
  if (!came) return came.error();
  if (!raw) return Cut{bytes.first(end_at_row(bytes, *came)), false};
  raw_left_ -= *came;
  return Cut{bytes.first(*came), true};
}

std::size_t ChunkCutter::longest_chunk() const {
  if (raw_left_ > 0) return static_cast<std::size_t>(std::min<std::uint64_t>(raw_left_, rules_.chunk_bytes));
  return static_cast<std::size_t>(whole_multiple(rules_.chunk_bytes, rules_.unit_bytes));
}

Result<std::size_t> ChunkCutter::read_chunk(std::span<std::byte> into) {
  std::copy_n(rest_memory_.take(rest_).begin(), rest_, into.begin());
  std::size_t filled = std::exchange(rest_, 0);
  while (filled < into.size() && !ended_) {
    if (filled > 0 && clock_.is_due(source_)) break;
    auto came = source_.read(into.subspan(filled));
    if (!came) return came.error();
    ended_ = *came == 0;
    filled += *came;
    clock_.start();
  }
  clock_.stop();
  return filled;
}

/// A chunk that a flush ends early ends at a whole row, and the rest waits for the next chunk. If there is no
/// whole row, the chunk ends inside it. Returns the chunk's length.
std::size_t ChunkCutter::end_at_row(std::span<std::byte> bytes, std::size_t came) {
  if (came == bytes.size() || ended_) return came;
  if (came < rules_.unit_bytes) {
    raw_left_ = rules_.unit_bytes - came;
    return came;
  }
  const auto length = static_cast<std::size_t>(whole_multiple(came, rules_.unit_bytes));
  rest_ = came - length;
  if (rest_ > 0) clock_.start();
  std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(length), rest_, rest_memory_.take(rest_).begin());
  return length;
}

}  // namespace tdz
