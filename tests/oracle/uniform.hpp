// SPDX-License-Identifier: Apache-2.0
// A plain reader of uniform blocks by the list in CHK, as a device reads them: run by run, and all that
// FORMAT.md, section 4, names is verified. Slow. It judges writers and devices.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codec/chunk/parsed_chunk.hpp"
#include "formats/bytes.hpp"
#include "kernels/uniform/block.hpp"
#include "kernels/uniform/tree_weights.hpp"

namespace tdz::oracle {

/// The substreams of a chunk of coding 1, or nothing if anything differs: then it says nothing of the chunk.
/// Side data are not judged. Precondition: `packed` has the bytes that the record promises.
std::optional<std::vector<std::byte>> read_by_list(const ParsedChunk& chunk,
                                                   std::span<const std::byte> packed);

/// The weights of the tree whose description stands at the front of `bytes`: the bytes that it takes, or 0 if
/// there is none. One thread does what the warps of a device do together.
inline std::uint32_t read_weights(const std::uint8_t* bytes, std::uint32_t size, uniform::FseSpace& space,
                                  uniform::TreeWeights& tree) {
  const std::uint32_t length = uniform::listed_weights(bytes, size, space, tree);
  if (length == 0) return 0;
  uniform::WeightCounts count = {};
  for (std::uint32_t s = 0; s < tree.symbols; ++s) {
    if (tree.of[s] > uniform::kHeaviest) return 0;
    ++count[tree.of[s]];
  }
  return uniform::complete(tree, count) ? length : 0;
}

/// The tree whose description stands at the front of `bytes`. Nothing: no such tree, or a longer code.
std::optional<uniform::Tree> read_tree(std::span<const std::byte> bytes);

/// Bits [first, first + bits) of a little-endian integer; those outside of it are zero. At most 32 bits.
inline std::uint32_t bits_at(std::span<const std::byte> bytes, std::int64_t first, unsigned bits) {
  const std::int64_t byte = first >> 3;  // rounds down
  std::uint64_t value = 0;
  if (byte >= 0 && byte + 8 <= std::ssize(bytes)) {  // in the middle, where nearly all reads are
    value = formats::get_le<std::uint64_t>(bytes.subspan(static_cast<std::size_t>(byte)));
    return static_cast<std::uint32_t>(value >> (first & 7) & ((std::uint64_t{1} << bits) - 1));
  }
  for (int i = 0; i < 5; ++i) {
    if (byte + i < 0 || byte + i >= std::ssize(bytes)) continue;
    value |= std::to_integer<std::uint64_t>(bytes[static_cast<std::size_t>(byte + i)]) << (8 * i);
  }
  return static_cast<std::uint32_t>(value >> (first & 7) & ((std::uint64_t{1} << bits) - 1));
}

/// A bit stream of zstd, from the bit that ends it to the front: RFC 8878, section 4. Simple, not fast.
class BackwardBits {
 public:
  explicit BackwardBits(std::span<const std::byte> bytes) : bytes_(bytes) {
    if (!has_end()) return;
    const auto last = std::to_integer<std::uint8_t>(bytes.back());
    left_ = 8 * std::ssize(bytes) - 9 + std::bit_width(last);
  }
  /// False: the last byte is zero, so it holds no end.
  bool has_end() const { return !bytes_.empty() && bytes_.back() != std::byte{0}; }
  std::int64_t left() const { return left_; }
  /// Zeros stand before the first bit.
  std::uint32_t peek(unsigned bits) const { return bits_at(bytes_, left_ - bits, bits); }
  /// Precondition: bits <= left().
  void skip(unsigned bits) { left_ -= bits; }
  std::uint32_t take(unsigned bits) {
    const std::uint32_t value = peek(bits);
    skip(bits);
    return value;
  }

 private:
  std::span<const std::byte> bytes_;
  std::int64_t left_ = 0;
};

}  // namespace tdz::oracle
