// SPDX-License-Identifier: Apache-2.0
#include "app/files/failing_disk.hpp"

#include <algorithm>
#include <iterator>

namespace tdz::app {
namespace {

constexpr std::byte kFiller{0xBD};

}  // namespace

Status FailingDisk::read_at(std::uint64_t offset, std::span<std::byte> into) {
  if (bad_.empty()) {
    auto done = file_.read_at(offset, into);
    anything_read_ |= done && !into.empty();
    if (done || done.error().kind != ErrorKind::io) return done;
  }
  while (!into.empty()) {
    const auto length = std::min<std::uint64_t>(kBlock - offset % kBlock, into.size());
    read_block(offset, into.first(static_cast<std::size_t>(length)));
    into = into.subspan(static_cast<std::size_t>(length));
    offset += length;
  }
  return ok();
}

void FailingDisk::read_block(std::uint64_t offset, std::span<std::byte> into) {
  if (!is_known_bad(offset)) {
    const auto done = file_.read_at(offset, into);
    if (done) {
      anything_read_ = true;
      return;
    }
    remember_bad(offset, done.error());
  }
  std::ranges::fill(into, kFiller);
}

bool FailingDisk::is_known_bad(std::uint64_t offset) const {
  const auto next = bad_.upper_bound(offset / kBlock);
  return next != bad_.begin() && std::prev(next)->second > offset / kBlock;
}

/// Neighbouring ranges become one entry, so that a disk that fails everywhere takes little memory.
void FailingDisk::remember_bad(std::uint64_t offset, const Error& error) {
  if (!first_error_) first_error_ = error;
  std::uint64_t first = offset / kBlock, end = first + 1;
  auto next = bad_.upper_bound(first);
  if (next != bad_.begin() && std::prev(next)->second == first) {
    first = std::prev(next)->first;
    bad_.erase(std::prev(next));
  }
  if (next != bad_.end() && next->first == end) {
    end = next->second;
    bad_.erase(next);
  }
  bad_[first] = end;
}

std::uint64_t FailingDisk::unreadable_bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& [first, end] : bad_)
    bytes += std::min(end * kBlock, size()) - std::min(first * kBlock, size());
  return bytes;
}

}  // namespace tdz::app
