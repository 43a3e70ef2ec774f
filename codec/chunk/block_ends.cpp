// SPDX-License-Identifier: Apache-2.0
#include "codec/chunk/block_ends.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <tuple>

#include "kernels/steps/bits.hpp"
#include "kernels/uniform/block.hpp"

namespace tdz {
namespace {

constexpr BitsTimes256 kEntry = 3 * kBit + kBit / 2;  // of a byte in the table of a code

struct BlockPrice {
  std::size_t least;    ///< the length of the blocks that are joined
  BitsTimes256 header;  ///< about what a block takes beside its bytes and the table of its code
  BitsTimes256 worth;   ///< what cuts must promise to save, in parts of 1000; 0: only noise is not cut
};
/// All noise is packed so, and most of it does not change.
constexpr BlockPrice kOfLiterals{2048, 160 * kBit, 8};
/// Packed so only where a trial shows that it pays.
constexpr BlockPrice kOfMatches{4096, 960 * kBit, 0};

/// n log2 n, for the counts of short blocks.
constexpr std::uint32_t kSmallCounts = 2048;
constexpr std::array<std::uint32_t, kSmallCounts> kTimesLog = [] {
  std::array<std::uint32_t, kSmallCounts> products{};
  for (std::uint32_t n = 1; n < kSmallCounts; ++n) products[n] = static_cast<std::uint32_t>(n * log2_of(n));
  return products;
}();
BitsTimes256 times_log2(std::uint32_t n) {
  return n < kSmallCounts ? kTimesLog[n] : n * log2_of(n);
}

constexpr BitsTimes256 kNoise = 8 * kBit - kBit / 32;  // of a byte: no code saves anything

using Counts = std::array<std::uint32_t, 256>;

struct Block {
  std::size_t bytes;
  std::size_t top;  ///< no byte is as large
  BitsTimes256 bits;
  bool stays;  ///< it and the next one are known to be larger together than apart
  Counts counts;
};

/// a - b, or 0: logarithms are near, not exact.
BitsTimes256 minus(BitsTimes256 a, BitsTimes256 b) {
  return a - std::min(a, b);
}

/// About what zstd makes of it: its entropy, but no byte takes less than a bit; its header, and the table of
/// its code. If only one byte in `seen` was counted, header and table count only one part in `seen` too.
BitsTimes256 bits_of(const Block& block, BitsTimes256 header, unsigned seen = 1) {
  BitsTimes256 saved = 0;
  std::uint32_t entries = 0, most = 0;
  for (std::size_t b = 0; b < block.top; ++b) {
    const std::uint32_t n = block.counts[b];
    saved += times_log2(n);
    entries += n != 0 ? 1 : 0;
    most = std::max(most, n);
  }
  const auto bytes = static_cast<std::uint32_t>(block.bytes);
  const BitsTimes256 entropy = minus(times_log2(bytes), saved);
  const BitsTimes256 of_most = minus(most * log2_of(bytes), times_log2(most));
  const BitsTimes256 code = entropy + minus(most * kBit, of_most) + entries * kEntry / seen;
  return header / seen + std::min(code, bytes * 8 * kBit);
}

/// `bytes`: at most 4096.
void count(std::span<const std::byte> bytes, Block& block) {
  block.bytes = bytes.size();
  std::ranges::copy(uniform::count_run(bytes), block.counts.begin());
  block.top = 256;
  while (block.top > 1 && block.counts[block.top - 1] == 0) --block.top;
}

/// All is noise; or parts of 16 KiB, by a quarter of their bytes, promise too little with codes of their own.
bool is_alike(std::span<const std::byte> bytes, const BlockPrice& price) {
  constexpr std::size_t kPart = 16384, kSeen = 4;
  Block part{}, all{};
  BitsTimes256 apart = 0;
  bool noise = true;
  for (std::size_t begin = 0; begin < bytes.size(); begin += kPart) {
    count(bytes.subspan(begin, std::min(kPart / kSeen, bytes.size() - begin)), part);
    const BitsTimes256 own = bits_of(part, price.header, kSeen);
    noise = noise && own > part.bytes * kNoise;
    if (begin == kPart && (noise || price.worth == 0)) return noise;
    apart += own;
    for (std::size_t b = 0; b < part.top; ++b) all.counts[b] += part.counts[b];
    all.bytes += part.bytes;
    all.top = std::max(all.top, part.top);
  }
  return minus(bits_of(all, price.header, kSeen), apart) <= apart * price.worth / 1000;
}

class Joining {
 public:
  explicit Joining(const BlockPrice& price) : price_(price) {}

  /// The blocks of at most 128 KiB, valid until the next call.
  std::span<const Block> run(std::span<const std::byte> bytes) {
    blocks_.resize(kLongestBlock / price_.least);
    count_ = 0;
    for (; !bytes.empty(); bytes = bytes.subspan(blocks_[count_++].bytes)) {
      Block& block = blocks_[count_];
      count(bytes.first(std::min(price_.least, bytes.size())), block);
      block.bits = bits_of(block, price_.header);
      block.stays = false;
    }
    while (join_pairs()) {
    }
    return std::span(blocks_).first(count_);
  }

 private:
  /// Joins each block with the next one where that saves something, by pairs, so that blocks grow evenly.
  /// Returns whether it did.
  bool join_pairs() {
    std::size_t kept = 0;
    bool joined = false;
    for (std::size_t i = 0; i < count_; ++kept) {
      if (i + 1 < count_ && !blocks_[i].stays && join(blocks_[i], blocks_[i + 1])) {
        put(both_, blocks_[kept]);
        if (kept > 0) blocks_[kept - 1].stays = false;
        joined = true;
        i += 2;
        continue;
      }
      blocks_[i].stays = true;
      if (kept != i) put(blocks_[i], blocks_[kept]);
      ++i;
    }
    count_ = kept;
    return joined;
  }

  /// Counts from `top` on are 0, and are not copied.
  static void put(const Block& from, Block& to) {
    std::copy_n(from.counts.begin(), from.top, to.counts.begin());
    std::tie(to.bytes, to.top, to.bits, to.stays) = std::tie(from.bytes, from.top, from.bits, from.stays);
  }

  /// Leaves the joined block in both_, if it is not larger.
  bool join(const Block& a, const Block& b) {
    both_.bytes = a.bytes + b.bytes;
    both_.top = std::max(a.top, b.top);
    for (std::size_t i = 0; i < both_.top; ++i)
      both_.counts[i] = (i < a.top ? a.counts[i] : 0) + (i < b.top ? b.counts[i] : 0);
    both_.bits = bits_of(both_, price_.header);
    both_.stays = false;
    return both_.bits <= a.bits + b.bits;
  }

  const BlockPrice& price_;
  std::vector<Block> blocks_;  // 70 KB, so none until something changes
  std::size_t count_ = 0;
  Block both_{};
};

}  // namespace

std::vector<std::size_t> block_lengths(std::span<const std::byte> bytes, BlockContent content) {
  std::vector<std::size_t> lengths;
  const BlockPrice& price = content == BlockContent::literals ? kOfLiterals : kOfMatches;
  Joining joining(price);
  for (std::size_t length = 0; !bytes.empty(); bytes = bytes.subspan(length)) {
    length = std::min(kLongestBlock, bytes.size());
    const auto part = bytes.first(length);
    if (is_alike(part, price)) {
      lengths.push_back(length);
      continue;
    }
    for (const Block& block : joining.run(part)) lengths.push_back(block.bytes);
  }
  return lengths;
}

}  // namespace tdz
