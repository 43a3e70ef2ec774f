// SPDX-License-Identifier: Apache-2.0
#include "codec/search/prefix_source.hpp"

#include <algorithm>

namespace tdz {

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
