// SPDX-License-Identifier: Apache-2.0
// Byte planes: transposes a matrix of bytes, from records to columns and back. A record is a tuple of words;
// a column is one of its bytes, in all records. Planes are the case of tuples of one word. Bit planes use
// this too.
#if defined(TDZ_KERNELS_CPU_PLANES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TDZ_KERNELS_CPU_PLANES_INL_HPP
#undef TDZ_KERNELS_CPU_PLANES_INL_HPP
#else
#define TDZ_KERNELS_CPU_PLANES_INL_HPP
#endif

#include "kernels/cpu/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tdz::cpu {
namespace HWY_NAMESPACE {

/// Where the columns lie. The last record may be incomplete: then the first `longer` lanes have one word more
/// than `rows`.
struct ColumnMap {
  std::size_t word;    ///< bytes, a power of two
  std::size_t rows;    ///< whole records
  std::size_t longer;  ///< words of the incomplete record

  HWY_INLINE std::size_t operator[](std::size_t column) const {
    const std::size_t byte = column & (word - 1), lane = column - byte;  // in bytes of a record
    const std::size_t incomplete = HWY_MIN(lane, longer * word);         // its bytes in the lanes before
    return lane * rows + incomplete + byte * (rows + (lane < longer * word ? 1 : 0));
  }
};

/// A part of a chunk: some rows and some neighbouring columns of its records. The records lie `pitch` bytes
/// apart.
struct Tile {
  std::size_t first_row, rows;
  std::size_t first_column, columns;
  std::size_t pitch;
};

/// The number of rows in one step of the transposition.
inline constexpr std::size_t kGroup = kVector;

/// One group of kColumns columns. If records have fewer than kColumns bytes, a table packs them.
template <std::size_t kColumns>
struct Strip {
  using Unit = hwy::UnsignedFromSize<kBlock / kColumns>;
  static constexpr std::size_t kRecords = kBlock / kColumns;  ///< in one block

  std::size_t width;  ///< columns in use
  std::size_t pitch;  ///< of the records

  /// Bytes from one block of records to the next.
  HWY_INLINE std::size_t step() const { return kRecords * pitch; }

  /// Whether the records fill all kColumns columns: then nothing is packed, and no group writes beyond its
  /// end.
  HWY_INLINE bool exact() const { return width == kColumns; }

  /// Byte c of record r: in the wide block at r * kColumns + c, in the packed one at r * width + c.
  HWY_INLINE Vector packing() const {
    HWY_ALIGN std::uint8_t from[kBlock] = {};
    for (std::size_t r = 0; r < kRecords; ++r) {
      for (std::size_t c = 0; c < HWY_MIN(width, kColumns); ++c) {
        from[r * width + c] = static_cast<std::uint8_t>(r * kColumns + c);
      }
    }
    return hn::LoadDup128(Bytes(), from);
  }

  /// Packed records to columns within a block.
  HWY_INLINE Vector spreading() const {
    HWY_ALIGN std::uint8_t from[kBlock] = {};
    for (std::size_t c = 0; c < width; ++c) {
      for (std::size_t r = 0; r < kRecords; ++r) {
        from[c * kRecords + r] = static_cast<std::uint8_t>(r * width + c);
      }
    }
    return hn::LoadDup128(Bytes(), from);
  }

  HWY_INLINE void scatter_group(const std::uint8_t* records, std::uint8_t* const (&column)[kColumns],
                                std::size_t row, Vector spread, std::size_t apart = kBlock) const {
    Vector v[kColumns];
    for (std::size_t k = 0; k < kColumns; ++k) {
      v[k] = load_blocks(records + k * step(), apart * pitch);
      if constexpr (kRecords > 1) v[k] = hn::TableLookupBytes(v[k], spread);
    }
    perfect_shuffle<Unit, log2_of(kColumns)>(v);
    for (std::size_t c = 0; c < kColumns; ++c) {
      if (c < width) store_blocks(v[c], column[c] + row, apart);
    }
  }

  HWY_INLINE void gather_group(const std::uint8_t* const (&column)[kColumns], std::size_t row,
                               std::uint8_t* records, Vector pack, std::size_t apart = kBlock) const {
    Vector v[kColumns];
    for (std::size_t c = 0; c < kColumns; ++c) v[c] = load_blocks(column[c] + row, apart);
    perfect_shuffle<std::uint8_t, log2_of(kColumns)>(v);
    if (kRecords > 1 && !exact()) {
      for (std::size_t k = 0; k < kColumns; ++k) v[k] = hn::TableLookupBytes(v[k], pack);
    }
    // In order of addresses: each block overwrites the unused bytes behind the packed block before it.
    for (std::size_t k = 0; k < kColumns; ++k) store_lower_block(v[k], records + k * step());
    for (std::size_t k = 0; k < kColumns; ++k) store_upper_block(v[k], records + apart * pitch + k * step());
  }

  /// Whether the group at `row` would read or write beyond the last record; then it goes through a copy.
  HWY_INLINE bool spills(std::size_t row, std::size_t rows) const {
    return !exact() && row + kGroup + kBlock > rows;
  }

  HWY_INLINE void scatter_any(const std::uint8_t* records, std::size_t rows,
                              std::uint8_t* const (&column)[kColumns], std::size_t row, Vector spread) const {
    if (!spills(row, rows)) return scatter_group(records + row * pitch, column, row, spread);
    std::uint8_t copy[(kGroup + 1) * kBlock] = {};
    std::memcpy(copy, records + row * pitch, kGroup * pitch);
    scatter_group(copy, column, row, spread);
  }

  HWY_INLINE void gather_any(const std::uint8_t* const (&column)[kColumns], std::size_t rows,
                             std::uint8_t* records, std::size_t row, Vector pack) const {
    if (!spills(row, rows)) return gather_group(column, row, records + row * pitch, pack);
    std::uint8_t copy[(kGroup + 1) * kBlock];
    gather_group(column, row, copy, pack);
    std::memcpy(records + row * pitch, copy, kGroup * pitch);
  }

  /// If the last group does not fit, it overlaps the group before it; the same for the last block.
  /// Precondition: rows >= kBlock, and rows >= kGroup unless exact().
  HWY_INLINE void scatter(const std::uint8_t* records, std::size_t rows,
                          std::uint8_t* const (&column)[kColumns]) const {
    const Vector spread = spreading();
    if (rows < kGroup) return scatter_group(records, column, 0, spread, rows - kBlock);
    const std::size_t last = rows - kGroup;
    for (std::size_t row = 0; row < last; row += kGroup) scatter_any(records, rows, column, row, spread);
    scatter_any(records, rows, column, last, spread);
  }

  HWY_INLINE void gather(const std::uint8_t* const (&column)[kColumns], std::size_t rows,
                         std::uint8_t* records) const {
    const Vector pack = packing();
    if (rows < kGroup) return gather_group(column, 0, records, pack, rows - kBlock);
    const std::size_t last = rows - kGroup;
    for (std::size_t row = 0; row < last; row += kGroup) gather_any(column, rows, records, row, pack);
    gather_any(column, rows, records, last, pack);
  }
};

template <std::size_t kColumns>
HWY_NOINLINE void scatter_strip(const std::uint8_t* records, const Tile& tile, const ColumnMap& map,
                                std::uint8_t* out) {
  std::uint8_t* column[kColumns];
  for (std::size_t c = 0; c < kColumns; ++c) {
    column[c] = out + map[tile.first_column + HWY_MIN(c, tile.columns - 1)] + tile.first_row;
  }
  // Two calls: so the compiler leaves the special cases out of the exact one.
  const Strip<kColumns> exact{kColumns, tile.pitch}, packed{tile.columns, tile.pitch};
  tile.columns == kColumns ? exact.scatter(records, tile.rows, column)
                           : packed.scatter(records, tile.rows, column);
}

template <std::size_t kColumns>
HWY_NOINLINE void gather_strip(const std::uint8_t* in, const ColumnMap& map, const Tile& tile,
                               std::uint8_t* records) {
  const std::uint8_t* column[kColumns];
  for (std::size_t c = 0; c < kColumns; ++c) {
    column[c] = in + map[tile.first_column + HWY_MIN(c, tile.columns - 1)] + tile.first_row;
  }
  // Two calls: so the compiler leaves the special cases out of the exact one.
  const Strip<kColumns> exact{kColumns, tile.pitch}, packed{tile.columns, tile.pitch};
  tile.columns == kColumns ? exact.gather(column, tile.rows, records)
                           : packed.gather(column, tile.rows, records);
}

/// For fewer rows than a group has: byte by byte.
HWY_NOINLINE void scatter_bytes(const std::uint8_t* records, const Tile& tile, const ColumnMap& map,
                                std::uint8_t* out) {
  for (std::size_t c = 0; c < tile.columns; ++c) {
    std::uint8_t* column = out + map[tile.first_column + c] + tile.first_row;
    for (std::size_t row = 0; row < tile.rows; ++row) column[row] = records[row * tile.pitch + c];
  }
}

HWY_NOINLINE void gather_bytes(const std::uint8_t* in, const ColumnMap& map, const Tile& tile,
                               std::uint8_t* records) {
  for (std::size_t c = 0; c < tile.columns; ++c) {
    const std::uint8_t* column = in + map[tile.first_column + c] + tile.first_row;
    for (std::size_t row = 0; row < tile.rows; ++row) records[row * tile.pitch + c] = column[row];
  }
}

/// Whether a tile has too few rows for a group of its columns.
HWY_INLINE bool is_small(const Tile& tile) {
  return tile.rows < (tile.columns < 16 ? kGroup : kBlock);
}

/// Moves a tile of records to its columns in `out`. If a record is narrower than its pitch, it has at least
/// 16 columns.
HWY_NOINLINE void scatter_tile(const std::uint8_t* records, const Tile& tile, const ColumnMap& map,
                               std::uint8_t* out) {
  if (is_small(tile)) return scatter_bytes(records, tile, map, out);
  if (tile.columns == 1) return copy_bytes(records, out + map[tile.first_column] + tile.first_row, tile.rows);
  if (tile.columns <= 2) return scatter_strip<2>(records, tile, map, out);
  if (tile.columns <= 4) return scatter_strip<4>(records, tile, map, out);
  if (tile.columns <= 8) return scatter_strip<8>(records, tile, map, out);
  if (tile.columns < 16) return scatter_strip<16>(records, tile, map, out);
  for (std::size_t c = 0; c < tile.columns; c += 16) {
    const std::size_t first = HWY_MIN(c, tile.columns - 16);
    const Tile strip{tile.first_row, tile.rows, tile.first_column + first, 16, tile.pitch};
    scatter_strip<16>(records + first, strip, map, out);
  }
}

HWY_NOINLINE void gather_tile(const std::uint8_t* in, const ColumnMap& map, const Tile& tile,
                              std::uint8_t* records) {
  if (is_small(tile)) return gather_bytes(in, map, tile, records);
  if (tile.columns == 1) return copy_bytes(in + map[tile.first_column] + tile.first_row, records, tile.rows);
  if (tile.columns <= 2) return gather_strip<2>(in, map, tile, records);
  if (tile.columns <= 4) return gather_strip<4>(in, map, tile, records);
  if (tile.columns <= 8) return gather_strip<8>(in, map, tile, records);
  if (tile.columns < 16) return gather_strip<16>(in, map, tile, records);
  for (std::size_t c = 0; c < tile.columns; c += 16) {
    const std::size_t first = HWY_MIN(c, tile.columns - 16);
    const Tile strip{tile.first_row, tile.rows, tile.first_column + first, 16, tile.pitch};
    gather_strip<16>(in, map, strip, records + first);
  }
}

/// Words [first, first + words) of the incomplete record: the last words of the longer lanes.
HWY_NOINLINE void scatter_incomplete(const std::uint8_t* from, std::size_t first, std::size_t words,
                                     const ColumnMap& map, std::uint8_t* out) {
  for (std::size_t c = 0; c < words * map.word; ++c) out[map[first * map.word + c] + map.rows] = from[c];
}

HWY_NOINLINE void gather_incomplete(const std::uint8_t* in, const ColumnMap& map, std::uint8_t* record) {
  for (std::size_t c = 0; c < map.longer * map.word; ++c) record[c] = in[map[c] + map.rows];
}

// ---- Bit planes: bit b of all words together. Eight bytes of a byte plane are one record. Its 8 x 8 bits
// are transposed (Warren, Hacker's Delight, 7-3); after that, byte b of all records is bit plane b.

/// One of three rounds: swaps the two quarters of every square that are not on its diagonal.
template <int kShift, class V>
HWY_INLINE V swap_quarters(V x, std::uint64_t lower_left) {
  const auto mask = hn::Set(Words<std::uint64_t>(), lower_left);
  const auto changed = hn::And(hn::Xor(x, hn::ShiftRight<kShift>(x)), mask);
  return hn::Xor(x, hn::Xor(changed, hn::ShiftLeft<kShift>(changed)));
}

/// Bit j of byte k becomes bit k of byte j, in every eight bytes. Its own inverse.
struct TransposeBits {
  HWY_INLINE Vector operator()(Vector bytes) const {
    auto x = hn::BitCast(Words<std::uint64_t>(), bytes);
    x = swap_quarters<7>(x, 0x00AA00AA00AA00AAull);
    x = swap_quarters<14>(x, 0x0000CCCC0000CCCCull);
    x = swap_quarters<28>(x, 0x00000000F0F0F0F0ull);
    return hn::BitCast(Bytes(), x);
  }
};

/// Words [first, first + words) of a chunk of `total` words, all of them multiples of 8.
struct BitTile {
  std::size_t word;  ///< bytes
  std::size_t first, words, total;

  /// Byte plane b is a matrix of 8-byte records; its columns are the bit planes.
  HWY_INLINE ColumnMap bits() const { return {8, total / 8, 0}; }
  HWY_INLINE Tile bit_tile() const { return {first / 8, words / 8, 0, 8, 8}; }
  HWY_INLINE ColumnMap byte_planes() const { return {word, words, 0}; }
  HWY_INLINE Tile byte_tile() const { return {0, words, 0, word, word}; }
};

HWY_NOINLINE void scatter_bits(const std::uint8_t* records, const BitTile& tile, std::uint8_t* out) {
  HWY_ALIGN std::uint8_t plane[kSweepBytes];
  scatter_tile(records, tile.byte_tile(), tile.byte_planes(), plane);
  map_vectors(plane, plane, tile.words * tile.word, TransposeBits());
  for (std::size_t b = 0; b < tile.word; ++b) {
    scatter_tile(plane + b * tile.words, tile.bit_tile(), tile.bits(), out + b * tile.total);
  }
}

HWY_NOINLINE void gather_bits(const std::uint8_t* in, const BitTile& tile, std::uint8_t* records) {
  HWY_ALIGN std::uint8_t plane[kSweepBytes];
  for (std::size_t b = 0; b < tile.word; ++b) {
    gather_tile(in + b * tile.total, tile.bits(), tile.bit_tile(), plane + b * tile.words);
  }
  map_vectors(plane, plane, tile.words * tile.word, TransposeBits());
  gather_tile(plane, tile.byte_planes(), tile.byte_tile(), records);
}

}  // namespace HWY_NAMESPACE
}  // namespace tdz::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
