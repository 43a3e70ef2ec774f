// SPDX-License-Identifier: Apache-2.0
#include "kernels/uniform/fse_weights.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <utility>

#include "kernels/uniform/bit_stream.hpp"
#include "kernels/uniform/tree_weights.hpp"

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

/// Every weight that occurs gets a part; what is left over or missing is the most frequent one's.
Shares shares_of(std::span<const std::uint8_t> weights) {
  Shares shares;
  std::array<std::size_t, kValues> counts{};
  for (const std::uint8_t w : weights) ++counts[w];
  int left = static_cast<int>(shares.size());
  for (std::size_t s = 0; s < kValues; ++s) {
    if (counts[s] == 0) continue;
    shares.of[s] = std::max(1, static_cast<int>(counts[s] * shares.size() / weights.size()));
    left -= shares.of[s];
  }
  *std::ranges::max_element(shares.of) += left;
  return shares;
}

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

void put_share(BitWriter& out, unsigned left, int share) {
  const ShareCode code(left);
  const auto value = static_cast<unsigned>(share + 1);
  if (value < code.short_ones) return out.put(value, code.bits - 1);
  out.put(value < code.half ? value : value + code.short_ones, code.bits);
}

/// The number of symbols without a share, in steps of at most 3.
void put_zeros(BitWriter& out, std::size_t zeros) {
  for (; zeros >= 3; zeros -= 3) out.put(3, 2);
  out.put(zeros, 2);
}

std::size_t put_shares(std::byte* to, const Shares& shares) {
  BitWriter out(to);
  out.put(shares.log - kShortestLog, 4);
  auto left = static_cast<unsigned>(shares.size());
  for (std::size_t s = 0; left > 0;) {
    out.flush();
    const int share = shares.of[s++];
    put_share(out, left, share);
    left -= static_cast<unsigned>(share);
    if (share != 0) continue;
    const std::size_t begin = s;
    while (shares.of[s] == 0) ++s;
    put_zeros(out, s - begin);
  }
  return out.bytes();
}

// ---- The stream: two states take turns

/// The state of this symbol from which `next` follows.
using Before = std::array<std::array<std::uint8_t, 1u << kLongestLog>, kValues>;

Before before_of(const Table& table) {
  Before before{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    auto& row = before[table[i].symbol];
    std::fill_n(row.begin() + table[i].base, 1u << table[i].bits, static_cast<std::uint8_t>(i));
  }
  return before;
}

/// The first state of a symbol has the most bits, never 0: so a reader finds that bits are missing behind the
/// last two weights, and ends there.
std::uint8_t last_state(const Table& table, std::uint8_t symbol) {
  return static_cast<std::uint8_t>(std::ranges::find(table, symbol, &State::symbol) - table.begin());
}

std::size_t put_stream(std::byte* to, const Shares& shares, std::span<const std::uint8_t> weights) {
  const Table table = table_of(shares);
  const Before before = before_of(table);
  BitWriter out(to);
  const std::size_t n = weights.size();
  std::uint8_t later = last_state(table, weights[n - 1]), state = last_state(table, weights[n - 2]);
  for (std::size_t i = n - 2; i-- > 0;) {
    const std::uint8_t earlier = before[weights[i]][later];
    out.put(later - table[earlier].base, table[earlier].bits);
    out.flush();
    later = std::exchange(state, earlier);
  }
  out.put(later, shares.log);
  out.put(state, shares.log);
  return out.end();
}

}  // namespace

std::optional<std::vector<std::byte>> write_fse_weights(std::span<const std::uint8_t> weights) {
  if (weights.size() < 2 || std::ranges::count(weights, weights[0]) == std::ssize(weights))
    return std::nullopt;
  const Shares shares = shares_of(weights);
  std::vector<std::byte> bytes(2 * kMostWeights + kBitSlack);  // 4 bits a share, 6 bits a weight
  const std::size_t table = put_shares(bytes.data(), shares);
  bytes.resize(table + put_stream(bytes.data() + table, shares, weights));
  return bytes;
}

std::optional<Weights> read_fse_weights(std::span<const std::byte> bytes) {
  Weights weights(kMostWeights);
  FseSpace space;
  weights.resize(fse_weights(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                             static_cast<std::uint32_t>(bytes.size()), space, weights.data()));
  if (weights.empty()) return std::nullopt;
  return weights;
}

}  // namespace tdz::uniform
