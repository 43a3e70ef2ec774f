// SPDX-License-Identifier: Apache-2.0
// What the tests of the steps on lanes share: columns of every width, as numbers for the oracle and as bytes
// for the kernels, interleaved and lane behind lane.
#pragma once

#include <initializer_list>
#include <vector>

#include "kernels/cpu/steps/steps.hpp"
#include "tests/kernels/support.hpp"
#include "tests/oracle/steps.hpp"

namespace tdz::test {

using Sizes = std::initializer_list<std::size_t>;

inline constexpr unsigned kWidths[] = {1, 2, 3, 4, 5, 6, 7, 8};
/// Fewer words than lanes, one lane, uneven lanes, tuples with and without instructions of their own.
inline constexpr std::uint32_t kLaneTuples[] = {1, 2, 3, 4, 5, 7, 12};

inline LaneMap map_of(const oracle::Column& column) {
  return LaneMap::of_width(column.width, static_cast<std::uint32_t>(column.tuple), column.x.size());
}

/// splitmix64, with words of all magnitudes: what takes few bits must occur too.
inline oracle::Column random_column(unsigned width, std::size_t tuple, std::size_t words,
                                    std::uint64_t seed = kSeed) {
  oracle::Column column{width, tuple, std::vector<std::uint64_t>(words)};
  for (std::uint64_t& x : column.x) {
    std::uint64_t z = seed += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    x = (z & map_of(column).mask()) >> (z >> 58) % (8 * width);
  }
  return column;
}

/// A path that prediction can follow: rounded waves of two periods with some noise.
inline oracle::Column smooth_column(unsigned width, std::size_t tuple, std::size_t words,
                                    std::uint64_t seed = kSeed) {
  oracle::Column column = random_column(width, tuple, words, seed);
  std::uint64_t a = 1u << 20, b = 0, c = 1u << 18, d = 0;
  for (std::uint64_t& x : column.x) {
    b += a / 64, a -= b / 64, d += c / 9,
        c -= d / 9;  // wraps: waves of unsigned numbers, the same everywhere
    const std::uint64_t wave = (std::uint64_t{1} << 24) + a + c + (x & 1023);
    x = (width >= 4 ? wave << 4 : wave >> (26 - 8 * std::min(width, 3u))) & map_of(column).mask();
  }
  return column;
}

inline ByteVector bytes_of(const oracle::Column& column) {
  const LaneMap map = map_of(column);
  ByteVector bytes(map.words * map.word);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::uint8_t>(column.x[i / map.word] >> (i % map.word * 8));
  }
  return bytes;
}

/// Lane behind lane.
inline ByteVector lanes_of(const oracle::Column& column) {
  const LaneMap map = map_of(column);
  oracle::Column ordered{column.width, column.tuple, {}};
  for (std::size_t lane = 0; lane < map.lanes(); ++lane) {
    for (std::size_t i = lane; i < map.words; i += map.tuple) ordered.x.push_back(column.x[i]);
  }
  return bytes_of(ordered);
}

/// Runs kernel(in, out) on guarded memory. Reading outside the input is for the address sanitizer.
template <class Kernel>
ByteVector guarded(const ByteVector& in, std::size_t out_bytes, const Kernel& kernel) {
  return guarded(out_bytes, [&](std::span<std::byte> out) {
    kernel(in.data(), reinterpret_cast<std::uint8_t*>(out.data()));
  });
}

}  // namespace tdz::test
