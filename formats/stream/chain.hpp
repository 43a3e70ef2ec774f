// SPDX-License-Identifier: Apache-2.0
// What ties the records of a stream together: FORMAT.md, section 1. Pure functions,
// thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace tdz::formats {

/// The tag of all records of a stream except HDR: XXH3-64 over HDR, then the digest of chunk 0, if there is
/// one.
std::uint64_t stream_id(std::span<const std::byte> header_record, std::optional<std::uint64_t> first_digest);

/// The chain of chunk 0: XXH3-64 of no bytes.
inline constexpr std::uint64_t kFirstChain = 0x2D06800538D394C2;

/// The chain of chunk k + 1, from chain and digest of chunk k. So neighbours prove each other.
std::uint64_t next_chain(std::uint64_t chain, std::uint64_t digest);

}  // namespace tdz::formats
