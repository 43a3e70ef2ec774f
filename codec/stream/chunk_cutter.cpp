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

Status PrefixSource::read_ahead(std::size_t bytes) {
  constexpr std::size_t kStep = std::size_t{256} << 10;  // a short input then needs little memory
  while (prefix_.size() < bytes) {
    if (!prefix_.empty() && clock_.is_due(source_)) break;
    const std::size_t have = prefix_.size();
    prefix_.resize(std::min(bytes, have + kStep));
    auto came = source_.read(std::span(prefix_).subspan(have));
    prefix_.resize(have + (came ? *came : 0));
    if (!came) return came.error();
    if (*came == 0) break;
    clock_.start();
  }
  return ok();
}

Result<std::size_t> PrefixSource::read(std::span<std::byte> into) {
  const auto rest = std::span(prefix_).subspan(delivered_);
  if (rest.empty()) return source_.read(into);
  const std::size_t bytes = std::min(into.size(), rest.size());
  std::copy_n(rest.begin(), bytes, into.begin());
  delivered_ += bytes;
  return bytes;
}

bool PrefixSource::ready_within(std::chrono::milliseconds time) {
  return delivered_ < prefix_.size() || source_.ready_within(time);
}

}  // namespace tdz
