// SPDX-License-Identifier: Apache-2.0
// Compiles the sweeps once for each instruction set, and chooses one at run time. This file includes itself
// once for each target, as Highway's examples/skeleton.cc does.

#define TDZ_WITH_AVX512
#include "kernels/cpu/disabled_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/sweep.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <optional>
#include <utility>

#include "kernels/cpu/sweep.hpp"

#undef TDZ_KERNELS_BYTES
#define TDZ_KERNELS_BYTES (HWY_TARGET == HWY_AVX3_DL)

#if !TDZ_KERNELS_PLAIN
#include "kernels/cpu/difference-inl.hpp"
#include "kernels/cpu/integrate_wide-inl.hpp"
#include "kernels/cpu/planes-inl.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace tdz::cpu {
namespace HWY_NAMESPACE {

#if TDZ_KERNELS_PLAIN

void forward(const Pass& pass, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes) {
  plain_forward(pass, in, out, bytes);
}

void inverse(const Pass& pass, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes) {
  plain_inverse(pass, in, out, bytes);
}

const std::uint8_t* forward_part(const Pass& pass, const SweepPart& part, const std::uint8_t* in,
                                 std::uint8_t* to) {
  plain_forward_part(pass, part, in, to);
  return to;
}

std::size_t inverse_part(const Pass& pass, const SweepPart& part, const std::uint8_t* codes,
                         std::uint8_t* out, std::size_t) {
  plain_inverse_part(pass, part, codes, out);
  return 0;
}

#else

// ---- The sweep: runs all steps of a pass block by block. A block stays in the first-level cache from the
// first step to the last. The forward sweep works in a small tile on the stack, the inverse one in its
// output.

HWY_INLINE bool has_layout(const Sweep& sweep) {
  return sweep.layout != Layout::interleaved;
}

/// The bytes of one record of the layout.
HWY_INLINE std::size_t record_bytes(const Sweep& sweep) {
  return std::size_t{sweep.layout_tuple} * sweep.word;
}

HWY_INLINE ColumnMap map_of(const Sweep& sweep) {
  return {sweep.word, sweep.words / sweep.layout_tuple, sweep.words % sweep.layout_tuple};
}

/// A block holds at least this many records, so that vectors take most rows of a tile.
inline constexpr std::size_t kRecordsOfBlock = 2 * kGroup;
/// Tiles of wider records: as many rows as one step of the transposition takes, and whole cache lines of a
/// record.
inline constexpr std::size_t kWideTileRows = kGroup;
inline constexpr std::size_t kWideTileBytes = kSweepBytes / kWideTileRows;

constexpr std::size_t greatest_common_divisor(std::size_t a, std::size_t b) {
  return b == 0 ? a : greatest_common_divisor(b, a % b);
}

HWY_INLINE bool is_wide(const Sweep& sweep) {
  return sweep.layout_tuple > kSweepBytes / kRecordsOfBlock / sweep.word;
}

/// Words of one block: whole records of the layout, and if possible whole rows of integrate's columns.
HWY_NOINLINE std::size_t block_words(const Sweep& sweep, bool by_records) {
  const std::size_t most = kSweepBytes / sweep.word, lanes = kVector / sweep.word;
  std::size_t granule = 8 * kGroup / sweep.word;  // for bit planes; planes take any number
  if (by_records && sweep.layout != Layout::bit_planes) granule = sweep.layout_tuple;
  const std::size_t rows = HWY_MIN(std::size_t{sweep.tuple}, kWidestColumnTuple / sweep.word + 1) * lanes;
  const std::size_t both = granule / greatest_common_divisor(granule, rows) * rows;
  if (both <= most) granule = both;
  return most - most % granule;
}

/// Turns words [first, last) of the chunk into residual codes. Returns where the codes are: in `to`, or in
/// place of the values.
template <class T, unsigned kOrder>
HWY_NOINLINE const std::uint8_t* code_words(const Sweep& sweep, const std::uint8_t* values, std::size_t first,
                                            std::size_t last, std::uint8_t* to) {
  const std::uint8_t* from = values + first * sizeof(T);
  const std::size_t bytes = (last - first) * sizeof(T);
  if constexpr (kOrder > 0) {
    difference<T, kOrder>(values, to, first, last, sweep.tuple, {sweep.zigzag, sweep.byteswap});
    return to;
  }
  if (sweep.byteswap) {
    byteswap<T>(from, to, bytes);
    from = to;
  }
  if (!sweep.zigzag) return from;
  zigzag<T>(from, to, bytes);
  return to;
}

/// The inverse. Leaves the words in the byte order in which integrate reads its history; settle() swaps them
/// later.
template <class T, unsigned kOrder>
struct WordDecoder {
  explicit WordDecoder(const Sweep& of) : sweep(of) {
#if TDZ_KERNELS_BYTES
    wide = integrate_wide_of<T, kOrder>(of.tuple * sizeof(T));
    if (wide != nullptr) return;
#endif
    if (kOrder > 0 && in_registers<T>(of.tuple, kOrder)) shuffles.emplace(of.tuple);
  }

  HWY_INLINE void operator()(const std::uint8_t* from, std::uint8_t* values, std::size_t first,
                             std::size_t last) const {
    if constexpr (kOrder > 0) {
#if TDZ_KERNELS_BYTES
      if (wide != nullptr) return wide(from, values, first, last, sweep.tuple * sizeof(T), sweep.zigzag);
#endif
      if (!shuffles) return integrate<T, kOrder>(from, values, first, last, sweep.tuple, {sweep.zigzag});
      integrate_in_registers(from, values, first, last, kOrder, *shuffles, sweep.zigzag);
    } else {
      std::uint8_t* to = values + first * sizeof(T);
      const std::size_t bytes = (last - first) * sizeof(T);
      if (sweep.zigzag) return unzigzag<T>(from, to, bytes);
      if (from != to) copy_bytes(from, to, bytes);
    }
  }

  const Sweep& sweep;
#if TDZ_KERNELS_BYTES
  IntegrateWide<T> wide = nullptr;            ///< none: integrate is faster, or there is no difference
#endif
  std::optional<BlockShuffles<T> > shuffles;  ///< none: integrate is faster, or there is no difference
};

/// Swaps the words that integrate will not read again. The first `settled` words are swapped already.
template <class T, unsigned kOrder>
HWY_INLINE std::size_t settle(const Sweep& sweep, std::uint8_t* values, std::size_t settled,
                              std::size_t last) {
  const std::size_t history = last < sweep.words ? std::size_t{kOrder} * sweep.tuple : 0;
  const std::size_t until = last > history + settled ? last - history : settled;
  byteswap<T>(values + settled * sizeof(T), values + settled * sizeof(T), (until - settled) * sizeof(T));
  return until;
}

/// Moves the codes of a block to their places in the layout: whole records, and the incomplete one if the
/// block is the chunk's last.
HWY_NOINLINE void scatter_words(const Sweep& sweep, const std::uint8_t* codes, std::size_t first,
                                std::size_t last, std::uint8_t* out) {
  if (sweep.layout == Layout::bit_planes) {
    const std::size_t whole = sweep.words - sweep.words % 8, end = HWY_MIN(last, whole), w = sweep.word;
    if (first < end) scatter_bits(codes, {w, first, end - first, whole}, out);
    if (end < last) std::memcpy(out + end * w, codes + (end - first) * w, (last - end) * w);
    return;
  }
  const std::size_t row = first / sweep.layout_tuple, end = last / sweep.layout_tuple;
  const std::size_t bytes = record_bytes(sweep);
  if (row < end) scatter_tile(codes, {row, end - row, 0, bytes, bytes}, map_of(sweep), out);
  if (end * sweep.layout_tuple == last) return;
  scatter_incomplete(codes + (end - row) * bytes, 0, map_of(sweep).longer, map_of(sweep), out);
}

/// The inverse. Returns where the codes are: in `codes`, or in `in` if nothing had to be moved.
HWY_NOINLINE const std::uint8_t* gather_words(const Sweep& sweep, const std::uint8_t* in, std::size_t first,
                                              std::size_t last, std::uint8_t* codes) {
  if (sweep.layout == Layout::bit_planes) {
    const std::size_t whole = sweep.words - sweep.words % 8, end = HWY_MIN(last, whole), w = sweep.word;
    if (first < end) gather_bits(in, {w, first, end - first, whole}, codes);
    if (end < last) std::memcpy(codes + (end - first) * w, in + end * w, (last - end) * w);
    return codes;
  }
  const std::size_t row = first / sweep.layout_tuple, end = last / sweep.layout_tuple;
  const std::size_t bytes = record_bytes(sweep);
  if (bytes == 1) return in + first;
  if (row < end) gather_tile(in, map_of(sweep), {row, end - row, 0, bytes, bytes}, codes);
  if (end * sweep.layout_tuple < last) gather_incomplete(in, map_of(sweep), codes + (end - row) * bytes);
  return codes;
}

/// Calls visit(tile) for the whole records of a chunk. Records are the inner loop, so the cache lines of the
/// columns fill up. If a last tile would be less than one step of the transposition, it overlaps the tile
/// before it.
template <class Visit>
HWY_INLINE void for_wide_tiles(const ColumnMap& map, std::size_t columns, const Visit& visit) {
  for (std::size_t at = 0; at < columns; at += kWideTileBytes) {
    const std::size_t width = HWY_MAX(kBlock, HWY_MIN(kWideTileBytes, columns - at));
    const std::size_t c = HWY_MIN(at, columns - width);
    for (std::size_t r = 0; r < map.rows; r += kWideTileRows) {
      const std::size_t rows = HWY_MIN(kWideTileRows, map.rows);
      visit(Tile{HWY_MIN(r, map.rows - rows), rows, c, width, width});
    }
  }
}

/// For records that are too wide for a block: tiles. Words can be coded in any order, because the values are
/// their history.
template <class T, unsigned kOrder>
HWY_NOINLINE void forward_wide(const Sweep& sweep, const std::uint8_t* values, std::uint8_t* out) {
  HWY_ALIGN std::uint8_t codes[kSweepBytes];
  const auto code = [&](std::size_t first, std::size_t bytes, std::uint8_t* to) HWY_ATTR {
    const std::uint8_t* done = code_words<T, kOrder>(sweep, values, first, first + bytes / sizeof(T), to);
    if (done != to) std::memcpy(to, done, bytes);
  };
  for_wide_tiles(map_of(sweep), record_bytes(sweep), [&](const Tile& tile) HWY_ATTR {
    for (std::size_t r = 0; r < tile.rows; ++r) {
      const std::size_t first = (tile.first_row + r) * sweep.layout_tuple + tile.first_column / sizeof(T);
      code(first, tile.columns, codes + r * tile.pitch);
    }
    scatter_tile(codes, tile, map_of(sweep), out);
  });
  for (std::size_t done = 0; done < map_of(sweep).longer;) {
    const std::size_t words = HWY_MIN(map_of(sweep).longer - done, kSweepBytes / sizeof(T));
    code(map_of(sweep).rows * sweep.layout_tuple + done, words * sizeof(T), codes);
    scatter_incomplete(codes, done, words, map_of(sweep), out);
    done += words;
  }
}

/// The inverse takes two sweeps, because integrate needs its words in order.
HWY_NOINLINE void gather_wide(const Sweep& sweep, const std::uint8_t* in, std::uint8_t* codes) {
  const std::size_t pitch = record_bytes(sweep);
  for_wide_tiles(map_of(sweep), pitch, [&](Tile tile) HWY_ATTR {
    tile.pitch = pitch;
    gather_tile(in, map_of(sweep), tile, codes + tile.first_row * pitch + tile.first_column);
  });
  const std::size_t whole = map_of(sweep).rows * sweep.layout_tuple;
  gather_incomplete(in, map_of(sweep), codes + whole * sweep.word);
}

template <class T, unsigned kOrder>
void forward_sweep(const Sweep& sweep, const std::uint8_t* in, std::uint8_t* out) {
  if (is_wide(sweep)) return forward_wide<T, kOrder>(sweep, in, out);
  HWY_ALIGN std::uint8_t tile[kSweepBytes];
  const std::size_t block = block_words(sweep, has_layout(sweep));
  for (std::size_t first = 0; first < sweep.words; first += block) {
    const std::size_t last = HWY_MIN(sweep.words, first + block);
    std::uint8_t* to = has_layout(sweep) ? tile : out + first * sizeof(T);
    const std::uint8_t* codes = code_words<T, kOrder>(sweep, in, first, last, to);
    if (has_layout(sweep)) {
      scatter_words(sweep, codes, first, last, out);
    } else if (codes != to) {
      copy_bytes(codes, to, (last - first) * sizeof(T));
    }
  }
}

template <class T, unsigned kOrder>
void inverse_sweep(const Sweep& sweep, const std::uint8_t* in, std::uint8_t* out) {
  const bool wide = is_wide(sweep), gather = has_layout(sweep) && !wide;
  if (wide) gather_wide(sweep, in, out);
  const std::uint8_t* codes = wide ? out : in;
  const std::size_t block = block_words(sweep, gather);
  const WordDecoder<T, kOrder> decode_words(sweep);
  std::size_t settled = 0;
  for (std::size_t first = 0; first < sweep.words; first += block) {
    const std::size_t last = HWY_MIN(sweep.words, first + block);
    std::uint8_t* to = out + first * sizeof(T);
    const std::uint8_t* gathered =
        gather ? gather_words(sweep, in, first, last, to) : codes + first * sizeof(T);
    decode_words(gathered, out, first, last);
    if (sweep.byteswap) settled = settle<T, kOrder>(sweep, out, settled, last);
  }
}

/// Parts of a chunk whose layout is not of this sweep: see SweepPart.
template <class T, unsigned kOrder>
const std::uint8_t* forward_part_of(const Sweep& sweep, const SweepPart& part, const std::uint8_t* in,
                                    std::uint8_t* to) {
  return code_words<T, kOrder>(sweep, in, part.first, part.last, to);
}

template <class T, unsigned kOrder>
std::size_t inverse_part_of(const Sweep& sweep, const SweepPart& part, const std::uint8_t* codes,
                            std::uint8_t* out, std::size_t settled) {
  const WordDecoder<T, kOrder> decode_words(sweep);
  decode_words(codes, out, part.first, part.last);
  return sweep.byteswap ? settle<T, kOrder>(sweep, out, settled, part.last) : 0;
}

// ---- The sweeps of all words and orders

using Kernel = void (*)(const Sweep&, const std::uint8_t*, std::uint8_t*);

/// Each direction has a table of its own, so that a program that only decodes holds nothing of the other one.
struct Forward {
  Kernel sweep;
  const std::uint8_t* (*part)(const Sweep&, const SweepPart&, const std::uint8_t*, std::uint8_t*);

  template <class T, unsigned kOrder>
  static constexpr Forward of() {
    return {&forward_sweep<T, kOrder>, &forward_part_of<T, kOrder>};
  }
};

struct Inverse {
  Kernel sweep;
  std::size_t (*part)(const Sweep&, const SweepPart&, const std::uint8_t*, std::uint8_t*, std::size_t);

  template <class T, unsigned kOrder>
  static constexpr Inverse of() {
    return {&inverse_sweep<T, kOrder>, &inverse_part_of<T, kOrder>};
  }
};

template <class Direction, class T, unsigned... kOrder>
Direction of_order(unsigned order, std::integer_sequence<unsigned, kOrder...>) {
  static constexpr Direction kKernels[] = {Direction::template of<T, kOrder>()...};
  return kKernels[order];
}

static_assert(kHighestOrder == kMaxOrder && kHighestOrder == kHighestLaneOrder);

/// The one place where word and order become compile-time constants.
template <class Direction>
Direction kernels_of(unsigned word, unsigned order) {
  constexpr std::make_integer_sequence<unsigned, kHighestOrder + 1> orders;
  switch (word) {
    case 1:
      return of_order<Direction, std::uint8_t>(order, orders);
    case 2:
      return of_order<Direction, std::uint16_t>(order, orders);
    case 4:
      return of_order<Direction, std::uint32_t>(order, orders);
    default:
      return of_order<Direction, std::uint64_t>(order, orders);
  }
}

/// Removes what does nothing in this chunk: a difference if no tuple has a tuple before it, swaps of single
/// bytes, the order of lanes that hold one word each.
Sweep sweep_of(const Pass& pass, std::size_t words) {
  Sweep sweep{pass, words};
  const auto most = static_cast<std::uint32_t>(HWY_MIN(words, std::size_t{UINT32_MAX}));
  if (pass.tuple >= words) sweep.order = 0;
  sweep.tuple = sweep.order == 0 ? 1 : pass.tuple;
  sweep.layout_tuple = HWY_MIN(pass.layout_tuple, most);
  sweep.byteswap = pass.byteswap && pass.word > 1;
  return sweep;
}

template <class Direction>
void run(const Pass& pass, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes) {
  const Sweep sweep = sweep_of(pass, bytes / pass.word);
  if (sweep.words > 0) kernels_of<Direction>(sweep.word, sweep.order).sweep(sweep, in, out);
  const std::size_t done = sweep.words * sweep.word;
  if (done < bytes && in != out) std::memcpy(out + done, in + done, bytes - done);
}

void forward(const Pass& pass, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes) {
  run<Forward>(pass, in, out, bytes);
}

void inverse(const Pass& pass, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes) {
  run<Inverse>(pass, in, out, bytes);
}

const std::uint8_t* forward_part(const Pass& pass, const SweepPart& part, const std::uint8_t* in,
                                 std::uint8_t* to) {
  const Sweep sweep = sweep_of(pass, part.words);
  return kernels_of<Forward>(sweep.word, sweep.order).part(sweep, part, in, to);
}

std::size_t inverse_part(const Pass& pass, const SweepPart& part, const std::uint8_t* codes,
                         std::uint8_t* out, std::size_t settled) {
  const Sweep sweep = sweep_of(pass, part.words);
  return kernels_of<Inverse>(sweep.word, sweep.order).part(sweep, part, codes, out, settled);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace tdz::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tdz::cpu {

HWY_EXPORT(forward);
HWY_EXPORT(inverse);
HWY_EXPORT(forward_part);
HWY_EXPORT(inverse_part);

void forward(const Pass& pass, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes) {
  HWY_DYNAMIC_DISPATCH(forward)(pass, in, out, bytes);
}

void inverse(const Pass& pass, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes) {
  HWY_DYNAMIC_DISPATCH(inverse)(pass, in, out, bytes);
}

const std::uint8_t* forward_part(const Pass& pass, const SweepPart& part, const std::uint8_t* in,
                                 std::uint8_t* to) {
  return HWY_DYNAMIC_DISPATCH(forward_part)(pass, part, in, to);
}

std::size_t inverse_part(const Pass& pass, const SweepPart& part, const std::uint8_t* codes,
                         std::uint8_t* out, std::size_t settled) {
  return HWY_DYNAMIC_DISPATCH(inverse_part)(pass, part, codes, out, settled);
}

}  // namespace tdz::cpu
#endif
