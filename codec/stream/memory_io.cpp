// SPDX-License-Identifier: Apache-2.0
#include "codec/stream/memory_io.hpp"

#include <algorithm>

namespace tdz {

Status Sink::write_at(std::uint64_t, std::span<const std::byte>) {
  return Error{ErrorKind::usage, "this output takes bytes only in order"};
}

Result<std::size_t> MemorySource::read(std::span<std::byte> into) {
  const std::size_t bytes = std::min(into.size(), rest_.size());
  std::copy_n(rest_.begin(), bytes, into.begin());
  rest_ = rest_.subspan(bytes);
  return bytes;
}

Status MemorySink::write(std::span<const std::byte> bytes) {
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  return ok();
}

Status MemoryRandomAccess::read_at(std::uint64_t offset, std::span<std::byte> into) {
  if (offset > bytes_.size() || into.size() > bytes_.size() - offset) {
    return Error{ErrorKind::io, "read beyond the end", offset};
  }
  std::ranges::copy(bytes_.subspan(static_cast<std::size_t>(offset), into.size()), into.begin());
  return ok();
}

}  // namespace tdz
