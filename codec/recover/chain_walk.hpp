// SPDX-License-Identifier: Apache-2.0
// Chains between records that do not follow one another. Pure functions, thread-safe.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "codec/recover/groups.hpp"
#include "formats/stream/chain.hpp"

namespace tdz {

inline std::optional<std::uint64_t> digest_in(const std::vector<Listed>& listed, std::uint64_t number) {
  const auto entry = std::ranges::lower_bound(listed, number, {}, &Listed::number);
  if (entry == listed.end() || entry->number != number) return std::nullopt;
  return entry->digest;
}

/// The chain of chunk `target`, from the chain of chunk `number` and the digests from there on. None if one of
/// these is not known.
template <class DigestOf>
std::optional<std::uint64_t> chain_at(std::uint64_t target, std::uint64_t number, std::uint64_t chain,
                                      const DigestOf& digest_of) {
  for (; number < target; ++number) {
    const std::optional<std::uint64_t> digest = digest_of(number);
    if (!digest) return std::nullopt;
    chain = formats::next_chain(chain, *digest);
  }
  return chain;
}

}  // namespace tdz
