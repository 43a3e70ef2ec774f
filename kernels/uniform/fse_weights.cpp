// SPDX-License-Identifier: Apache-2.0
#include "kernels/uniform/fse_weights.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <utility>

#include "kernels/uniform/bit_stream.hpp"
#include "kernels/uniform/tree_text.hpp"

namespace tdz::uniform {
namespace {

constexpr unsigned kShortestLog = 5, kLongestLog = 6;  // of the table's size: section 4.2.1.2
constexpr std::size_t kValues = kLargestWeight + 1;

/// In parts of 2^log. -1: less than one part, but not nothing.
struct Shares {
  unsigned log = kLongestLog;
  std::array<int, kValues> of{};

  std::size_t size() const { return std::size_t{1} << log; }
};

/// One state: its symbol, and the next state is base + what `bits` bits say.
struct State {
  std::uint8_t symbol = 0, bits = 0, base = 0;
};
using Table = std::vector<State>;

// ---- The table

/// Section 4.1.1: rare symbols at the end, the others in steps that meet every free place once.
std::vector<std::uint8_t> spread(const Shares& shares) {
  std::vector<std::uint8_t> symbols(shares.size());
  std::size_t free = shares.size(), at = 0;
  for (std::size_t s = 0; s < kValues; ++s)
    if (shares.of[s] == -1) symbols[--free] = static_cast<std::uint8_t>(s);
  const std::size_t step = shares.size() / 2 + shares.size() / 8 + 3;
  for (std::size_t s = 0; s < kValues; ++s) {
    for (int i = 0; i < shares.of[s]; ++i) {
      symbols[at] = static_cast<std::uint8_t>(s);
      do at = (at + step) % shares.size();
      while (at >= free && free != 0);
    }
  }
  return symbols;
}

/// A symbol with c states numbers them c, c + 1, ..: number x has the bits that take x to the table's size.
Table table_of(const Shares& shares) {
  std::array<unsigned, kValues> number{};
  for (std::size_t s = 0; s < kValues; ++s) number[s] = static_cast<unsigned>(std::abs(shares.of[s]));
  Table table;
  for (const std::uint8_t symbol : spread(shares)) {
    const unsigned x = number[symbol]++;
    const unsigned bits = shares.log + 1 - static_cast<unsigned>(std::bit_width(x));
    table.push_back(
        {symbol, static_cast<std::uint8_t>(bits), static_cast<std::uint8_t>((x << bits) - shares.size())});
  }
  return table;
}

// ---- Shares

/// Section 4.1.1: a share is written as share + 1, at most `most` = what is left + 1. Values below
/// `short_ones` take one bit less.
struct ShareCode {
  unsigned most, bits, half, short_ones;

  explicit ShareCode(unsigned left)
      : most(left + 1),
        bits(static_cast<unsigned>(std::bit_width(most))),
        half(1u << (bits - 1)),
        short_ones(2 * half - 1 - most) {}
};

int take_share(std::span<const std::byte> bytes, std::int64_t& at, unsigned left) {
  const ShareCode code(left);
  unsigned value = bits_at(bytes, at, code.bits - 1);
  at += code.bits - 1;
  if (value < code.short_ones) return static_cast<int>(value) - 1;
  value = bits_at(bytes, at - (code.bits - 1), code.bits);
  ++at;
  return static_cast<int>(value < code.half ? value : value - code.short_ones) - 1;
}

/// Also the bytes that it takes.
std::optional<std::pair<Shares, std::size_t>> take_shares(std::span<const std::byte> bytes) {
  Shares shares;
  std::int64_t at = 4;
  shares.log = kShortestLog + bits_at(bytes, 0, 4);
  if (shares.log > kLongestLog) return std::nullopt;
  int left = static_cast<int>(shares.size());
  for (std::size_t s = 0; left > 0;) {
    if (s >= kValues) return std::nullopt;
    shares.of[s] = take_share(bytes, at, static_cast<unsigned>(left));
    left -= std::abs(shares.of[s]);
    if (shares.of[s++] != 0) continue;
    for (unsigned zeros = 3; zeros == 3 && s < kValues; s += zeros, at += 2) zeros = bits_at(bytes, at, 2);
  }
  const auto used = static_cast<std::size_t>((at + 7) / 8);
  if (left < 0 || used >= bytes.size()) return std::nullopt;
  return std::pair(shares, used);
}

// ---- The stream: two states take turns

std::optional<Weights> take_stream(std::span<const std::byte> bytes, const Shares& shares) {
  const Table table = table_of(shares);
  BackwardBits in(bytes);
  if (!in.has_end() || in.left() < 2 * std::int64_t{shares.log}) return std::nullopt;
  State state = table[in.take(shares.log)], other = table[in.take(shares.log)];
  Weights weights;
  while (in.left() >= state.bits && weights.size() < kMostWeights) {
    weights.push_back(state.symbol);
    state = std::exchange(other, table[state.base + in.take(state.bits)]);
  }
  if (in.left() != 0 || weights.size() + 2 > kMostWeights) return std::nullopt;
  weights.insert(weights.end(), {state.symbol, other.symbol});
  return weights;
}

}  // namespace

std::optional<std::vector<std::byte>> write_fse_weights(std::span<const std::uint8_t> weights) {
  TextSpace space;
  std::ranges::copy(weights, space.weights);
  const unsigned bytes = pack_weights(OneThread(), static_cast<unsigned>(weights.size()), space);
  if (bytes == 0) return std::nullopt;
  const auto packed = std::as_bytes(std::span(space.packed)).first(bytes);
  return std::vector(packed.begin(), packed.end());
}

std::optional<Weights> read_fse_weights(std::span<const std::byte> bytes) {
  const auto found = take_shares(bytes);
  if (!found) return std::nullopt;
  return take_stream(bytes.subspan(found->second), found->first);
}

}  // namespace tdz::uniform
