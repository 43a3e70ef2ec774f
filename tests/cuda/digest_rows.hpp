// SPDX-License-Identifier: Apache-2.0
// The rows of digests that kernels leave, against sums of one stripe after another.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/cuda/digest/digest_plan.hpp"

namespace tdz::test {

/// Has every whole block of XXH3 that a scramble follows its sum? `place`: of the chunk, among the values.
inline void check_digest_rows(std::span<const std::byte> chunk, std::uint64_t place,
                              const std::vector<std::uint64_t>& rows) {
  namespace xxh3 = cuda::xxh3;
  const auto* data = reinterpret_cast<const xxh3::Byte*>(chunk.data());
  const auto first = static_cast<std::size_t>(cuda::first_row({place, chunk.size()}));
  for (std::size_t b = 0; b < xxh3::scrambles_of(chunk.size()); ++b) {
    for (unsigned p = 0; p < 4; ++p) {
      xxh3::Pair sum;
      for (unsigned s = 0; s < 16; ++s) {
        const xxh3::Byte* at = data + b * xxh3::kBlock + s * xxh3::kStripe + 16 * p;
        xxh3::add_stripe(sum, xxh3::stripe_key(s, p), xxh3::read64(at), xxh3::read64(at + 8));
      }
      const std::size_t row = (first + b) * xxh3::kStateWords + 2 * p;
      if (rows[row] != sum.even || rows[row + 1] != sum.odd) FAIL_CHECK(b);
    }
  }
}

}  // namespace tdz::test
