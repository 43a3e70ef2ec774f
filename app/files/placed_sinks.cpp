// SPDX-License-Identifier: Apache-2.0
#include "app/files/placed_sinks.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "app/files/system_calls.hpp"

namespace tdz::app {
namespace {

constexpr std::size_t kBlock = 4096;  // file systems have no smaller holes

bool is_zero(std::span<const std::byte> bytes) {
  return bytes[0] == std::byte{0} && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0;
}

/// The length of the first blocks that are all zero (`zero`), or all not zero. Precondition: there are bytes.
std::size_t run_length(std::uint64_t offset, std::span<const std::byte> bytes, bool zero) {
  std::size_t length = 0;
  while (length < bytes.size()) {
    const std::size_t to_border = kBlock - static_cast<std::size_t>((offset + length) % kBlock);
    const auto block = bytes.subspan(length, std::min(to_border, bytes.size() - length));
    if (is_zero(block) != zero) break;
    length += block.size();
  }
  return length;
}

}  // namespace

Status PlacedSink::write(std::span<const std::byte> bytes) {
  const std::uint64_t offset = at_;
  at_ += bytes.size();
  return write_at(offset, bytes);
}

Status PlacedSink::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
  const std::uint64_t end = offset + bytes.size();
  for (std::uint64_t known = end_; known < end && !end_.compare_exchange_weak(known, end);) {
  }
  return put(offset, bytes);
}

// ---- Holes

Status SparseSink::put(std::uint64_t offset, std::span<const std::byte> bytes) {
  for (bool zero = true; !bytes.empty(); zero = !zero) {
    const std::size_t length = run_length(offset, bytes, zero);
    if (!zero) {
      if (auto done = to_.write_at(offset, bytes.first(length)); !done) return done;
    }
    bytes = bytes.subspan(length);
    offset += length;
  }
  return ok();
}

// ---- Mapped pages

MappedSink::~MappedSink() {
  for (const Step& step : steps_)
    if (step.missing != 0) munmap(step.pages, step_bytes_);
}

bool MappedSink::suits(int fd) {
  return is_in_memory(fd);
}

Status MappedSink::put(std::uint64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto within = static_cast<std::size_t>(offset % step_bytes_);
    const auto part = bytes.first(std::min(bytes.size(), step_bytes_ - within));
    if (Step* to = step(offset / step_bytes_)) {
      std::ranges::copy(part, to->pages + within);
      if ((to->missing -= part.size()) == 0) munmap(to->pages, step_bytes_);
    } else if (auto done = to_.write_at(offset, part); !done) {
      return done;
    }
    bytes = bytes.subspan(part.size());
    offset += part.size();
  }
  return ok();
}

/// The step with this number. Null: there is none, and write() has to write these bytes. The thread that
/// fills the last step beyond its half adds the next step, so that the other threads find it when they need
/// it.
MappedSink::Step* MappedSink::step(std::uint64_t number) {
  if (number == 0) return nullptr;
  bool last = false;
  Step* found = known(number, last);
  while (found == nullptr && !no_more_) {
    const std::lock_guard lock(adding_);
    found = known(number, last);
    if (found == nullptr && !no_more_) add_step();
  }
  // A step is added only when the last one is half full: the file may end before.
  if (found == nullptr || !last || found->missing > step_bytes_ / 2) return found;
  if (const std::unique_lock lock(adding_, std::try_to_lock); lock) {
    static_cast<void>(known(number, last));
    if (last && !no_more_) add_step();
  }
  return found;
}

MappedSink::Step* MappedSink::known(std::uint64_t number, bool& last) {
  const std::lock_guard lock(mutex_);
  last = number == steps_.size();
  return number <= steps_.size() ? &steps_[static_cast<std::size_t>(number - 1)] : nullptr;
}

/// The caller holds adding_.
void MappedSink::add_step() {
  const auto offset = static_cast<off_t>((steps_.size() + 1) * std::uint64_t{step_bytes_});
  const bool given = give_pages(fd_, offset, static_cast<off_t>(step_bytes_));
  void* pages =
      given ? mmap(nullptr, step_bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, offset) : MAP_FAILED;
  if (pages == MAP_FAILED) {
    no_more_ = true;
    return;
  }
  const std::lock_guard lock(mutex_);
  Step& step = steps_.emplace_back();
  step.pages = static_cast<std::byte*>(pages);
  step.missing = step_bytes_;
}

}  // namespace tdz::app
