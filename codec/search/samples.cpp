// SPDX-License-Identifier: Apache-2.0
#include "codec/search/samples.hpp"

#include <algorithm>

namespace tdz {
namespace {

constexpr std::uint64_t kAlignment = 8;  // the longest word

}  // namespace

Pieces first_of(const Pieces& pieces, std::size_t length) {
  Pieces cut;
  for (const auto piece : pieces) cut.push_back(piece.first(std::min(length, piece.size())));
  return cut;
}

Pieces aligned(const Samples& samples, const Pieces& pieces, std::size_t unit) {
  Pieces result;
  for (const auto piece : pieces) {
    const auto of_samples = std::ranges::find(samples.pieces, piece.data(), &std::span<const std::byte>::data);
    const std::uint64_t offset = samples.offsets[static_cast<std::size_t>(of_samples - samples.pieces.begin())];
    const std::size_t before = static_cast<std::size_t>((unit - offset % unit) % unit);
    const bool long_enough = piece.size() / 4 >= unit;
    result.push_back(long_enough ? piece.subspan(before, (piece.size() - before) / unit * unit) : piece);
  }
  return result;
}

Result<Samples> take_samples(RandomAccess& input, std::uint64_t offset, std::size_t count,
                             std::size_t length) {
  const std::uint64_t bytes = input.size() - std::min(offset, input.size());
  if (bytes == 0) return Samples{};
  const bool all = bytes <= std::uint64_t{count} * length;
  const std::size_t pieces =
      all ? static_cast<std::size_t>(std::max<std::uint64_t>(1, bytes / length)) : count;
  const std::uint64_t step = pieces == 1 ? 0 : (all ? bytes / pieces : (bytes - length) / (pieces - 1));
  Samples samples;
  samples.memory.resize(static_cast<std::size_t>(all ? bytes : std::uint64_t{count} * length));
  std::size_t used = 0;
  for (std::size_t i = 0; i < pieces; ++i) {
    const std::uint64_t begin = step * i / kAlignment * kAlignment;
    const std::uint64_t next = i + 1 == pieces ? bytes : step * (i + 1) / kAlignment * kAlignment;
    const auto piece =
        std::span(samples.memory).subspan(used, all ? static_cast<std::size_t>(next - begin) : length);
    if (auto done = input.read_at(offset + begin, piece); !done) return done.error();
    samples.pieces.emplace_back(piece);
    samples.offsets.push_back(begin);
    used += piece.size();
  }
  return samples;
}

}  // namespace tdz
