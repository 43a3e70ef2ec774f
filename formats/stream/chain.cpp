// SPDX-License-Identifier: Apache-2.0
#include "formats/stream/chain.hpp"

#include <array>
#include <vector>

#include "formats/bytes.hpp"
#include "formats/digest.hpp"

namespace tdz::formats {

std::uint64_t stream_id(std::span<const std::byte> header_record, std::optional<std::uint64_t> first_digest) {
  std::vector<std::byte> bytes(header_record.begin(), header_record.end());
  if (first_digest) put_le(bytes, *first_digest);
  return xxh3_64(bytes);
}

std::uint64_t next_chain(std::uint64_t chain, std::uint64_t digest) {
  std::array<std::byte, 16> bytes{};
  set_le(std::span(bytes).first(8), chain);
  set_le(std::span(bytes).last(8), digest);
  return xxh3_64(bytes);
}

}  // namespace tdz::formats
