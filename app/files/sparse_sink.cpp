// SPDX-License-Identifier: Apache-2.0
#include "app/files/sparse_sink.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>

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

Status SparseSink::write(std::span<const std::byte> bytes) {
  const std::uint64_t offset = at_;
  at_ += bytes.size();
  return write_at(offset, bytes);
}

Status SparseSink::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
  const std::uint64_t end = offset + bytes.size();
  for (std::uint64_t known = end_; known < end && !end_.compare_exchange_weak(known, end);) {
  }
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

Status SparseSink::finish() {
  int result = 0;
  do {
    result = ftruncate(fd_, static_cast<off_t>(end_.load()));
  } while (result != 0 && errno == EINTR);
  return result == 0 ? ok() : Status(io_error("writing", name_));
}

}  // namespace tdz::app
