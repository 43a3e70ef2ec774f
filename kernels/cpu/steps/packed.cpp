// SPDX-License-Identifier: Apache-2.0
// The layout `packed`, tile by tile: a tile of words becomes codes, lanes and groups while it is in the
// first-level cache. The groups' kernels are compiled once for each instruction set, as kernels/cpu/sweep.cpp
// does for the sweeps; this file includes itself once for each of them.

#define TDZ_WITH_AVX512
#include "kernels/cpu/disabled_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/steps/packed.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <cstring>
#include <optional>

#include "kernels/cpu/steps/packed.hpp"
#include "kernels/cpu/steps/packed_shapes.hpp"
#include "kernels/cpu/steps/steps.hpp"
#include "kernels/cpu/sweep.hpp"
#include "kernels/steps/chosen_widths.hpp"

#undef TDZ_KERNELS_BYTES
#define TDZ_KERNELS_BYTES (HWY_TARGET == HWY_AVX3_DL)

#include "kernels/cpu/steps/packed-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tdz::cpu {
namespace HWY_NAMESPACE {

void group_widths(unsigned word, const TileGroups& tile, const std::uint8_t* words, std::uint8_t* widths) {
  with_word(word, [&](auto w) HWY_ATTR { widths_of_groups<decltype(w)>(tile, words, widths); });
}

std::uint8_t* pack_groups(unsigned word, const TileGroups& tile, const std::uint8_t* words,
                          const std::uint8_t* widths, std::uint8_t* to) {
  return with_word(word,
                   [&](auto w) HWY_ATTR { return pack_groups_of<decltype(w)>(tile, words, widths, to); });
}

const std::uint8_t* unpack_groups(unsigned word, const TileGroups& tile, const std::uint8_t* from,
                                  const std::uint8_t* end, const std::uint8_t* widths, std::uint8_t* words) {
  return with_word(
      word, [&](auto w) HWY_ATTR { return unpack_groups_of<decltype(w)>(tile, from, end, widths, words); });
}

std::uint8_t expand_codes(const std::uint8_t* codes, std::size_t groups, const std::uint8_t* table,
                          std::uint8_t* widths) {
  return expand_codes_of(codes, groups, table, widths);
}

void find_codes(const std::uint8_t* widths, std::size_t groups, const std::uint8_t* chosen, std::size_t count,
                std::uint8_t* codes) {
  find_codes_of(widths, groups, chosen, count, codes);
}

}  // namespace HWY_NAMESPACE
}  // namespace tdz::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tdz::cpu {

HWY_EXPORT(group_widths);
HWY_EXPORT(pack_groups);
HWY_EXPORT(unpack_groups);
HWY_EXPORT(expand_codes);
HWY_EXPORT(find_codes);

namespace {

// ---- Tiles

// Codes and lanes of a tile stay in a first-level cache of 32 KiB. Unpacked words are read once more only.
constexpr std::size_t kTileToPack = 8192, kTileToUnpack = 16384;
constexpr std::size_t kLongestBlock = kGroupWords * kMaxSideTuple * kMaxWidth;
static_assert(kLongestBlock >= kTileToPack && kLongestBlock >= kTileToUnpack);

/// A tile of a chunk.
struct Tile {
  std::size_t run;  ///< the word where its run begins
  SweepPart part;   ///< of this run
  TileGroups groups;
  std::size_t whole;  ///< its words, with those that fill up its last block

  std::size_t words() const { return part.last - part.first; }
  std::size_t end() const { return run + part.last; }
  bool is_short() const { return words() != whole; }
};

/// Memory of one tile. Words after the last one of a chunk are zero.
class TileMemory {
 public:
  TileMemory(const PackedWords& of, std::size_t tile_bytes) : words_(of) {
    const std::size_t block = block_words() * words_.pass.word;
    tile_words_ = std::max<std::size_t>(1, tile_bytes / block) * block_words();
    // Tiles end where a run does; equally long ones leave no short one there.
    if (of.run != 0) tile_words_ = in_blocks(of.run / (1 + (of.run - 1) / tile_words_));
  }

  Tile tile(std::size_t first) const {
    const std::size_t run = words_.run == 0 ? 0 : first - first % words_.run;
    const std::size_t run_words = words_.run == 0 ? words_.words : std::min(words_.run, words_.words - run);
    const std::size_t last = std::min(run_words, first - run + tile_words_), words = last - (first - run);
    const std::size_t whole = in_blocks(words);
    const auto groups = static_cast<std::size_t>(packed_groups(words, words_.lanes));
    return {run,
            {run_words, first - run, last},
            {groups, words_.lanes, whole / words_.lanes * words_.pass.word},
            whole};
  }

  std::uint8_t* codes() { return codes_; }
  std::uint8_t* lanes() { return words_.lanes == 1 ? codes_ : lanes_; }
  LaneMap map(const Tile& tile) const {
    return LaneMap::of_width(words_.pass.word, words_.lanes, tile.whole);
  }

 private:
  std::size_t block_words() const { return kGroupWords * words_.lanes; }
  std::size_t in_blocks(std::size_t words) const {
    return (words + block_words() - 1) / block_words() * block_words();
  }

  const PackedWords& words_;
  std::size_t tile_words_;
  alignas(64) std::uint8_t codes_[kLongestBlock];
  alignas(64) std::uint8_t lanes_[kLongestBlock];
};

/// Calls use(tile, where its lanes are) for every tile of the chunk.
template <class Use>
void for_each_tile(const PackedWords& words, const std::uint8_t* in, const Use& use) {
  TileMemory memory(words, kTileToPack);
  const std::size_t word = words.pass.word;
  for (std::size_t first = 0; first < words.words;) {
    const Tile tile = memory.tile(first);
    const std::size_t count = tile.words();
    const std::uint8_t* codes = forward_part(words.pass, tile.part, in + tile.run * word, memory.codes());
    if (tile.is_short()) {
      if (codes != memory.codes()) std::memcpy(memory.codes(), codes, count * word);
      std::memset(memory.codes() + count * word, 0, (tile.whole - count) * word);
      codes = memory.codes();
    }
    if (words.lanes > 1) {
      deinterleave(memory.map(tile), codes, memory.lanes());
      codes = memory.lanes();
    }
    use(tile, codes);
    first = tile.end();
  }
}

// ---- The widths of a chunk

using WidthCounts = std::uint32_t[kMostWidthCount];

void count_widths(const std::uint8_t* widths, std::size_t groups, WidthCounts& sum) {
  // Four tables, because equal widths follow one another, and an addition waits for the one before it.
  WidthCounts counts[4] = {};
  for (std::size_t g = 0; g < groups; ++g) ++counts[g % 4][widths[g]];
  for (unsigned w = 0; w < kMostWidthCount; ++w)
    sum[w] = counts[0][w] + counts[1][w] + counts[2][w] + counts[3][w];
}

std::size_t kinds_of(const WidthCounts& counts) {
  return static_cast<std::size_t>(std::ranges::count_if(counts, [](std::uint32_t n) { return n != 0; }));
}

void find_widths(const PackedWords& words, const std::uint8_t* in, std::uint8_t* widths) {
  for_each_tile(words, in, [&](const Tile& tile, const std::uint8_t* lanes) {
    HWY_DYNAMIC_DISPATCH(group_widths)(words.pass.word, tile.groups, lanes, widths);
    widths += tile.groups.groups;
  });
}

/// The bytes of packed bits of `groups` groups.
std::size_t bytes_of_groups(const std::uint8_t* widths, std::size_t groups) {
  std::uint32_t sum = 0;
  for (std::size_t g = 0; g < groups; ++g) sum += widths[g];
  return 2 * std::size_t{sum};
}

void put_place(std::uint8_t* places, std::size_t i, std::size_t place) {
  for (std::size_t b = 0; b < 4; ++b) places[4 * i + b] = static_cast<std::uint8_t>(place >> (8 * b));
}
std::size_t get_place(const std::uint8_t* places, std::size_t i) {
  std::size_t place = 0;
  for (std::size_t b = 4; b-- > 0;) place = place << 8 | places[4 * i + b];
  return place;
}

/// Calls use(i, first group, groups) for the groups of each place.
template <class Use>
void for_each_place(std::size_t groups, const Use& use) {
  for (std::size_t i = 0, g = 0; g < groups; ++i, g += kGroupsOfPlace)
    use(i, g, std::min(kGroupsOfPlace, groups - g));
}

}  // namespace

// ---- encode

namespace {

std::size_t pack(const PackedWords& words, const std::uint8_t* in, const PackedRoom& room) {
  std::uint8_t* bits = room.bits;
  const std::uint8_t* widths = room.group_widths;
  for_each_tile(words, in, [&](const Tile& tile, const std::uint8_t* lanes) {
    bits = HWY_DYNAMIC_DISPATCH(pack_groups)(words.pass.word, tile.groups, lanes, widths, bits);
    widths += tile.groups.groups;
  });
  return static_cast<std::size_t>(bits - room.bits);
}

/// Each group with the width that it needs, in one sweep.
std::size_t find_widths_and_pack(const PackedWords& words, const std::uint8_t* in, const PackedRoom& room) {
  std::uint8_t* bits = room.bits;
  std::uint8_t* widths = room.group_widths;
  for_each_tile(words, in, [&](const Tile& tile, const std::uint8_t* lanes) {
    HWY_DYNAMIC_DISPATCH(group_widths)(words.pass.word, tile.groups, lanes, widths);
    bits = HWY_DYNAMIC_DISPATCH(pack_groups)(words.pass.word, tile.groups, lanes, widths, bits);
    widths += tile.groups.groups;
  });
  return static_cast<std::size_t>(bits - room.bits);
}

/// Words of 16 bits have 17 widths, of which a chunk hardly ever uses all; so they are packed at once. Wider
/// words use more than may stand in a file, which is known only after all groups were seen.
constexpr unsigned kBitsOfFewWidths = 16;

bool has_few_widths(const PackedWords& words) {
  return words.bits <= kBitsOfFewWidths;
}

}  // namespace

PackedLengths encode_packed(const PackedWords& words, const std::uint8_t* in, const PackedRoom& room) {
  const std::size_t groups = words.groups();
  std::optional<std::size_t> bits;
  if (has_few_widths(words)) {
    bits = find_widths_and_pack(words, in, room);
  } else {
    find_widths(words, in, room.group_widths);
  }
  WidthCounts counts;
  count_widths(room.group_widths, groups, counts);
  const ChosenWidths chosen(counts, words.bits, static_cast<std::uint32_t>(groups));
  for (unsigned i = 0; i < chosen.count(); ++i) room.widths[i] = chosen[i];
  if (kinds_of(counts) > kMostGroupWidths) {
    std::uint8_t codes[kMostWidthCount];
    chosen.list_codes(codes);
    for (std::size_t g = 0; g < groups; ++g) room.group_widths[g] = room.widths[codes[room.group_widths[g]]];
    bits.reset();
  }
  if (!bits) bits = pack(words, in, room);
  HWY_DYNAMIC_DISPATCH(find_codes)(room.group_widths, groups, room.widths, chosen.count(), room.codes);
  std::size_t place = 0;
  for_each_place(groups, [&](std::size_t i, std::size_t first, std::size_t count) {
    put_place(room.places, i, place);
    place += bytes_of_groups(room.group_widths + first, count);
  });
  return {chosen.count(), *bits};
}

// ---- decode

namespace {

formats::Fault check_widths(std::span<const std::uint8_t> widths, unsigned bits) {
  for (std::size_t i = 0; i < widths.size(); ++i) {
    if (widths[i] > bits) return corrupt("packed: a width is more than a word has");
    if (i > 0 && widths[i] <= widths[i - 1]) return corrupt("packed: widths that do not ascend");
  }
  return {};
}

/// False: a code that no width has, or half a byte after the last one that is not zero.
bool read_codes(const PackedParts& parts, std::size_t groups, std::uint8_t* group_widths) {
  constexpr std::uint8_t kNone = 0x80;
  std::array<std::uint8_t, kMostGroupWidths> table;
  table.fill(kNone);
  std::ranges::copy(parts.widths, table.begin());
  if (groups % 2 != 0 && parts.codes[groups / 2] >> 4 != 0) return false;
  return (HWY_DYNAMIC_DISPATCH(expand_codes)(parts.codes.data(), groups, table.data(), group_widths) &
          kNone) == 0;
}

bool places_fit(const PackedParts& parts, std::size_t groups, const std::uint8_t* group_widths) {
  std::size_t place = 0;
  bool fit = true;
  for_each_place(groups, [&](std::size_t i, std::size_t first, std::size_t count) {
    fit = fit && get_place(parts.places.data(), i) == place;
    place += bytes_of_groups(group_widths + first, count);
  });
  return fit && place == parts.bits.bytes;
}

bool is_zero(const std::uint8_t* bytes, std::size_t count) {
  return std::all_of(bytes, bytes + count, [](std::uint8_t b) { return b == 0; });
}

/// Lanes that have no word in the last block have no group there.
void clear_missing_groups(const Tile& tile, std::size_t word, std::uint8_t* lanes) {
  const std::size_t group = kGroupWords * word, rows = tile.groups.groups / tile.groups.lanes;
  for (std::size_t lane = tile.groups.groups % tile.groups.lanes; lane != 0 && lane < tile.groups.lanes;
       ++lane)
    std::memset(lanes + lane * tile.groups.pitch + rows * group, 0, group);
}

/// The bits of tile after tile, where they lie, or put together if a gap cuts them. Kernels may read
/// everything up to `end`, also gaps.
class TileBits {
 public:
  TileBits(const PackedBits& bits, unsigned word_bits)
      : from_(bits.begin),
        left_(std::min(bits.first, bits.bytes)),
        piece_(bits.piece),
        gap_(bits.gap),
        asks_ahead_(word_bits == 8) {
    const std::size_t after = bits.bytes - left_;
    end_ = bits.begin + bits.bytes + (after == 0 ? 0 : (1 + (after - 1) / piece_) * gap_);
  }

  struct Bits {
    const std::uint8_t *from, *end;
  };
  /// The next `count` bytes. Precondition: they are there, and no more than a tile has.
  Bits next(std::size_t count) {
    if (count <= left_) {
      from_ += count, left_ -= count;
      if (asks_ahead_) ask(std::min(count, left_));
      return {from_ - count, end_};
    }
    std::uint8_t* to = memory_;
    while (count > 0) {
      const std::size_t part = std::min(count, left_);
      to = std::copy_n(from_, part, to);
      from_ += part, left_ -= part, count -= part;
      if (left_ == 0 && count > 0) from_ += gap_, left_ = piece_;
    }
    return {memory_, to};
  }

 private:
  void ask(std::size_t count) const {
    constexpr std::size_t kLine = 64;
    for (std::size_t at = 0; at < count; at += kLine) __builtin_prefetch(from_ + at);
  }

  const std::uint8_t *from_, *end_;
  std::size_t left_;  ///< of this piece
  const std::size_t piece_, gap_;
  /// Groups of bytes are so short that they would wait for memory: a fifth of decoding a block. Asking costs
  /// wider words 2 to 4 %, because the processor has asked for theirs.
  const bool asks_ahead_;
  alignas(64) std::uint8_t memory_[kLongestBlock];
};

/// Unpacks all tiles. False: a word after the last one is not zero.
bool unpack(const PackedWords& words, const PackedBits& all_bits, const std::uint8_t* widths,
            std::uint8_t* out) {
  TileMemory memory(words, kTileToUnpack);
  TileBits bits_of_tiles(all_bits, words.bits);
  const std::size_t word = words.pass.word;
  const bool plain = words.lanes == 1 && words.pass == Pass{.word = words.pass.word};
  std::size_t settled = 0;
  for (std::size_t first = 0; first < words.words;) {
    const Tile tile = memory.tile(first);
    const std::size_t count = tile.words();
    const bool direct = plain && !tile.is_short();
    std::uint8_t* lanes = direct ? out + first * word : memory.lanes();
    const auto bits = bits_of_tiles.next(bytes_of_groups(widths, tile.groups.groups));
    HWY_DYNAMIC_DISPATCH(unpack_groups)(words.pass.word, tile.groups, bits.from, bits.end, widths, lanes);
    widths += tile.groups.groups;
    first = tile.end();
    if (direct) continue;
    // A block that is not full may lack groups too: those of lanes without a word in it.
    if (words.lanes > 1) clear_missing_groups(tile, word, lanes);
    if (words.lanes > 1) interleave(memory.map(tile), lanes, memory.codes());
    if (tile.part.first == 0) settled = 0;
    settled = inverse_part(words.pass, tile.part, memory.codes(), out + tile.run * word, settled);
    if (tile.is_short() && !is_zero(memory.codes() + count * word, (tile.whole - count) * word)) return false;
  }
  return true;
}

}  // namespace

formats::Fault decode_packed(const PackedWords& words, const PackedParts& parts, std::uint8_t* group_widths,
                             std::uint8_t* out) {
  const std::size_t groups = words.groups();
  if (auto fault = check_widths(parts.widths, words.bits)) return fault;
  if (!read_codes(parts, groups, group_widths)) return corrupt("packed: a code that stands for no width");
  if (!places_fit(parts, groups, group_widths)) return corrupt("packed: places that the widths do not give");
  if (!unpack(words, parts.bits, group_widths, out)) return corrupt("packed: bits after the last word");
  return {};
}

}  // namespace tdz::cpu
#endif
