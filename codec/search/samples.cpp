// SPDX-License-Identifier: Apache-2.0
#include "codec/search/samples.hpp"

#include <algorithm>

namespace tdz {
namespace {

constexpr std::uint64_t kAlignment = 8;  // the longest word

}  // namespace

Result<Samples> take_samples(RandomAccess& input, std::uint64_t offset, std::size_t count,
                             std::size_t length) {
  const std::uint64_t bytes = input.size() - std::min(offset, input.size());
  if (bytes == 0) return Samples{};
  const bool all = bytes <= std::uint64_t{count} * length;
  const std::size_t pieces = all ? 1 : count;
  const auto each = all ? static_cast<std::size_t>(bytes) : length;
  Samples samples;
  samples.memory.resize(pieces * each);
  for (std::size_t i = 0; i < pieces; ++i) {
    const std::uint64_t spread = pieces == 1 ? 0 : (bytes - each) / (pieces - 1) * i;
    const auto piece = std::span(samples.memory).subspan(i * each, each);
    if (auto done = input.read_at(offset + spread / kAlignment * kAlignment, piece); !done)
      return done.error();
    samples.pieces.emplace_back(piece);
  }
  return samples;
}

}  // namespace tdz
