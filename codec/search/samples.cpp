// SPDX-License-Identifier: Apache-2.0
#include "codec/search/samples.hpp"

#include <algorithm>

#include "codec/search/repeats.hpp"
#include "codec/stream/memory_io.hpp"

namespace tdz {
namespace {

constexpr std::uint64_t kAlignment = 8;  // the longest word
constexpr std::size_t kSpacings = 4;     // that are tried, to find samples which do not repeat each other
constexpr std::uint64_t kLonger = 2;  // an input this many times as long as its samples leaves room for that

/// Samples of `bytes` bytes behind `offset`.
Result<Samples> spread_over(RandomAccess& input, std::uint64_t offset, std::uint64_t bytes, std::size_t count,
                            std::size_t length) {
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

Result<bool> repeat_each_other(const Samples& samples) {
  MemoryRandomAccess memory(samples.memory);
  auto distance = repeat_distance(memory, 0);
  if (!distance) return distance.error();
  return *distance != 0;
}

}  // namespace

std::size_t bytes_of(const Pieces& pieces) {
  std::size_t sum = 0;
  for (const auto piece : pieces) sum += piece.size();
  return sum;
}

Pieces first_of(const Pieces& pieces, std::size_t length) {
  Pieces cut;
  for (const auto piece : pieces) cut.push_back(piece.first(std::min(length, piece.size())));
  return cut;
}

Pieces aligned(const Samples& samples, const Pieces& pieces, std::size_t unit) {
  Pieces result;
  for (const auto piece : pieces) {
    const auto of_samples =
        std::ranges::find(samples.pieces, piece.data(), &std::span<const std::byte>::data);
    const std::uint64_t offset =
        samples.offsets[static_cast<std::size_t>(of_samples - samples.pieces.begin())];
    const std::size_t before = static_cast<std::size_t>((unit - offset % unit) % unit);
    const bool long_enough = piece.size() / 4 >= unit;
    result.push_back(long_enough ? piece.subspan(before, (piece.size() - before) / unit * unit) : piece);
  }
  return result;
}

Result<Samples> take_samples(RandomAccess& input, std::uint64_t offset, std::size_t count,
                             std::size_t length) {
  return spread_over(input, offset, input.size() - std::min(offset, input.size()), count, length);
}

Result<Samples> take_different_samples(RandomAccess& input, std::uint64_t offset, std::size_t count,
                                       std::size_t length) {
  const std::uint64_t bytes = input.size() - std::min(offset, input.size());
  const std::uint64_t together = std::uint64_t{count} * length;
  auto usual = spread_over(input, offset, bytes, count, length);
  if (!usual || bytes < kLonger * together) return usual;
  auto repeated = repeat_each_other(*usual);
  if (!repeated) return repeated.error();
  if (!*repeated) return usual;
  const std::uint64_t shift =
      std::min(together, bytes / (2 * kSpacings));  // the end of the input is not seen: at most 3/8
  for (std::size_t closer = 1; closer < kSpacings; ++closer) {
    auto samples = spread_over(input, offset, bytes - closer * shift, count, length);
    if (!samples) return samples;
    repeated = repeat_each_other(*samples);
    if (!repeated) return repeated.error();
    if (!*repeated) return samples;
  }
  return usual;
}

}  // namespace tdz
