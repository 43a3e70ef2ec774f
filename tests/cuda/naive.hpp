// SPDX-License-Identifier: Apache-2.0
// The oracle judges the kernels. Here it takes a pass and chunks of bytes, as they do; and there is noise.
#pragma once

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "kernels/cuda/tile/scan_job.hpp"
#include "kernels/oracle.hpp"

namespace tdz::naive {

using Bytes = std::vector<std::byte>;

/// The steps of a pass, one by one.
inline Column column_of(const Pass& pass) {
  Column column{.width = pass.word};
  if (pass.byteswap) column.steps.push_back(ByteswapStep{});
  if (pass.order != 0) column.steps.push_back(DifferenceStep{pass.tuple, pass.order});
  if (pass.zigzag) column.steps.push_back(ZigzagStep{});
  if (pass.layout == Layout::planes) column.steps.push_back(PlanesStep{});
  if (pass.layout == Layout::tuple_planes) column.steps.push_back(TuplePlanesStep{pass.tuple});
  if (pass.layout == Layout::bit_planes) column.steps.push_back(BitPlanesStep{});
  return column;
}

/// One chunk, forwards: what a kernel must undo.
inline Bytes forward(const Pass& pass, const std::byte* chunk, std::size_t bytes) {
  const auto* first = reinterpret_cast<const std::uint8_t*>(chunk);
  const std::vector<std::uint8_t> residuals = oracle::forward(column_of(pass), {first, first + bytes});
  const auto* begin = reinterpret_cast<const std::byte*>(residuals.data());
  return {begin, begin + residuals.size()};
}

/// A buffer as a batch of chunks.
inline Bytes forward_batch(const Pass& pass, const Bytes& values, std::size_t chunk_bytes) {
  Bytes out;
  for (std::size_t at = 0; at < values.size(); at += chunk_bytes) {
    const Bytes chunk = forward(pass, values.data() + at, std::min(chunk_bytes, values.size() - at));
    out.insert(out.end(), chunk.begin(), chunk.end());
  }
  return out;
}

/// Random bytes. With `high`, the upper half of every word is ones: so a test finds a flag that is hidden in
/// a payload.
inline Bytes noise(std::size_t bytes, std::uint64_t seed, bool high = false) {
  std::mt19937_64 random(seed);
  Bytes out(bytes);
  for (std::byte& each : out) each = static_cast<std::byte>(random() | (high ? 0xF0 : 0));
  return out;
}

}  // namespace tdz::naive
