// SPDX-License-Identifier: Apache-2.0
// How a block divides a tile among its threads, and where the tile's bytes lie. Pure arithmetic, for host and
// device.
//
// A tile is `tile_rows` rows of `tuple` words. A thread takes `rows` consecutive rows of one lane, a segment.
// Written tuple = 2^side * groups, a warp takes 2^side neighbouring lanes and 32 / 2^side consecutive
// segments of each, so the threads of a warp read, row by row, the words
//
//     segment * rows * tuple + row * tuple + lane
//
// with segment = first + thread / 2^side and lane = base + thread mod 2^side.
//
// With `rows` odd (in units of 4 bytes) and side <= 5, segment * rows * tuple runs over distinct multiples of
// 2^side mod 32 and the lanes fill the gaps: no two threads meet in a bank, for any tuple. The tile therefore
// needs no padding, keeps the order of device memory, and can be moved by bulk copies.
#pragma once

#include <cstdint>

#include "kernels/cuda/tile/scan_job.hpp"

namespace tdz::cuda {

inline constexpr unsigned kWarp = 32;
inline constexpr unsigned kGranule = 16;   ///< bytes; the unit of a bulk copy
inline constexpr unsigned kMaxWarps = 16;  ///< compute warps of a block: 512 threads leave 128 registers each
inline constexpr unsigned kMaxStrands =
    16;  ///< warps that share the rows of one group of lanes; bounds the tables

template <class T>
TDZ_HOST_DEVICE constexpr T smaller(T a, T b) {
  return a < b ? a : b;
}

struct TileShape {
  std::uint32_t tuple = 1;
  std::uint32_t side = 0;     ///< log2 of the lanes that lie side by side in a warp
  std::uint32_t groups = 1;   ///< groups of 2^side lanes; warp w serves group w mod groups
  std::uint32_t strands = 1;  ///< warps of a group, one after another along the rows
  std::uint32_t rows = 1;     ///< rows of a segment

  TDZ_HOST_DEVICE constexpr std::uint32_t warps() const { return groups * strands; }
  TDZ_HOST_DEVICE constexpr std::uint32_t threads() const { return warps() * kWarp; }
  TDZ_HOST_DEVICE constexpr std::uint32_t segments() const { return strands * (kWarp >> side); }
  TDZ_HOST_DEVICE constexpr std::uint32_t tile_rows() const { return segments() * rows; }
  TDZ_HOST_DEVICE constexpr std::uint32_t tile_words() const { return tile_rows() * tuple; }
};

/// Lanes side by side in a warp, as a power of two: as many as divide the tuple.
constexpr std::uint32_t lanes_side_by_side(std::uint32_t tuple) {
  std::uint32_t side = 0;
  while (side < 5 && tuple % (2u << side) == 0) ++side;
  return side;
}

/// Narrow tuples are divided into tiles; for other tuples a thread walks a column.
constexpr bool is_narrow(std::uint32_t tuple) {
  return (tuple >> lanes_side_by_side(tuple)) <= kMaxWarps;
}

/// The shape with about `warps` warps. Precondition: is_narrow(tuple).
constexpr TileShape tile_shape(std::uint32_t tuple, std::uint32_t rows, std::uint32_t warps) {
  const std::uint32_t side = lanes_side_by_side(tuple);
  const std::uint32_t groups = tuple >> side;
  const std::uint32_t strands = warps < 2 * groups ? 1 : warps / groups;
  return {tuple, side, groups, smaller(strands, kMaxStrands), rows};
}

/// The same bytes in the cheapest form: planes of one byte are plain bytes, and a tuple of one has one lane.
constexpr Pass simplest(Pass steps) {
  if (steps.layout == Layout::tuple_planes && steps.tuple == 1) steps.layout = Layout::planes;
  if (steps.layout == Layout::planes && steps.word == 1) steps.layout = Layout::interleaved;
  return steps;
}

/// Planes in which a lane's rows lie side by side, four to be read at once.
constexpr bool in_dense_planes(const Pass& asked) {
  const Pass steps = simplest(asked);
  return steps.layout == Layout::tuple_planes || (steps.layout == Layout::planes && steps.tuple == 1);
}

/// Bytes of narrow tuples are integrated by matrix products (byte_matrix.hpp): a warp takes 16 segments of
/// whole rows and whole slices of 16 bytes. An odd number of slices would avoid all bank conflicts. 30 slices
/// make two threads meet in a bank, but such long segments gain more than that costs.
inline constexpr unsigned kWarpSegments = 16;
inline constexpr unsigned kPastBytes = 64;        ///< of a segment that its next values depend on, at most
inline constexpr std::uint32_t kMatrixTuple = 8;  ///< the widest
constexpr bool uses_matrix(const Pass& steps) {
  const bool as_they_are = steps.layout == Layout::interleaved || steps.layout == Layout::planes;
  return steps.word == 1 && as_they_are && !steps.zigzag && steps.order != 0 && steps.tuple >= 2 &&
         steps.tuple <= kMatrixTuple;
}
TDZ_HOST_DEVICE constexpr std::uint32_t matrix_rows(std::uint32_t tuple) {
  return tuple == 7 ? 80 : 480 / tuple;
}
constexpr TileShape matrix_shape(std::uint32_t tuple, std::uint32_t warps) {
  static_assert(kWarpSegments == kWarp >> 1);
  return {tuple, 1, 1, smaller(warps, kMaxStrands), matrix_rows(tuple)};
}

TDZ_HOST_DEVICE constexpr std::uint32_t tiles_of(std::uint64_t words, const TileShape& shape) {
  return static_cast<std::uint32_t>((words + shape.tile_words() - 1) / shape.tile_words());
}

/// The tiles that a kernel is compiled for. A kernel of fewer kinds has less code, and compiles in less time.
enum class TileKind : std::uint8_t {
  any,
  one_lane,
  several_lanes,
  several_interleaved_lanes,
};

/// The part of a tile that one thread works on.
struct Assignment {
  std::uint32_t lane;     ///< of the tuple
  std::uint32_t segment;  ///< of the tile, from its first row on
  std::uint32_t strand;
};

TDZ_HOST_DEVICE constexpr Assignment assignment(const TileShape& shape, std::uint32_t thread) {
  const std::uint32_t warp = thread / kWarp, in_warp = thread % kWarp;
  const std::uint32_t strand = warp / shape.groups, group = warp % shape.groups;
  const std::uint32_t lane = (group << shape.side) + (in_warp & ((1u << shape.side) - 1));
  return {lane, strand * (kWarp >> shape.side) + (in_warp >> shape.side), strand};
}

/// Consecutive bytes of a transformed chunk.
struct Piece {
  std::uint64_t begin = 0;
  std::uint32_t bytes = 0;
};

/// How many pieces of a transformed chunk make up a tile.
constexpr std::uint32_t piece_count(const Pass& steps) {
  switch (steps.layout) {
    case Layout::planes:
      return steps.word;
    case Layout::tuple_planes:
      return steps.word * steps.tuple;
    case Layout::bit_planes:
      return steps.word * 8u;
    case Layout::interleaved:
      break;
  }
  return 1;
}

/// Bytes of a tile's longest piece.
constexpr std::uint32_t longest_piece(const Pass& steps, const TileShape& shape) {
  switch (steps.layout) {
    case Layout::planes:
      return shape.tile_words();
    case Layout::tuple_planes:
      return shape.tile_rows();
    case Layout::bit_planes:
      return shape.tile_words() / 8;
    case Layout::interleaved:
      break;
  }
  return shape.tile_words() * steps.word;
}

/// Where the pieces of one chunk lie. Divides once, when it is made.
struct PieceMap {
  Layout layout = Layout::interleaved;
  std::uint32_t word = 1, tuple = 1;
  std::uint64_t words = 0;
  std::uint64_t lane_words = 0;    ///< of the shorter lanes
  std::uint32_t longer_lanes = 0;  ///< the first of them are one word longer

  PieceMap() = default;
  TDZ_HOST_DEVICE constexpr PieceMap(const Pass& steps, Layout as, std::uint64_t chunk_words)
      : layout(as), word(steps.word), tuple(steps.tuple), words(chunk_words) {
    if (as != Layout::tuple_planes) return;
    lane_words = words / tuple;
    longer_lanes = static_cast<std::uint32_t>(words % tuple);
  }

  /// Piece `index` of the tile that begins at row `row` and has at most `tile_rows` rows. Pieces of tuple
  /// planes are counted byte by byte, and within a byte lane by lane: so neighbouring threads read
  /// neighbouring pieces.
  TDZ_HOST_DEVICE constexpr Piece piece(std::uint32_t index, std::uint64_t row,
                                        std::uint32_t tile_rows) const {
    const std::uint64_t first = row * tuple, tile_words = std::uint64_t{tile_rows} * tuple;
    switch (layout) {
      case Layout::planes:
        return part(index * words, first, tile_words, words);
      case Layout::tuple_planes:
        return lane_part(index % tuple, index / tuple, row, tile_rows);
      case Layout::bit_planes:
        return part(index * (words / 8), first / 8, tile_words / 8, words / 8);
      case Layout::interleaved:
        break;
    }
    return part(0, first * word, tile_words * word, words * word);
  }

  /// Where the plane of byte `byte` of a lane begins in the chunk. A piece's index would exceed 32 bits in
  /// the widest tuples.
  TDZ_HOST_DEVICE constexpr std::uint64_t plane_begin(std::uint32_t lane, std::uint32_t byte) const {
    return lane_part(lane, byte, 0, 1).begin;
  }

  /// Where the plane of byte `byte` begins in a tile, mod 16: the plane of lane `lane`, or of all lanes.
  /// Every thread asks this for every tile, so only the low bits are computed.
  TDZ_HOST_DEVICE constexpr std::uint32_t phase(std::uint32_t lane, std::uint32_t byte,
                                                std::uint64_t row) const {
    const auto low_row = static_cast<std::uint32_t>(row);
    if (layout == Layout::planes)
      return (byte * static_cast<std::uint32_t>(words) + low_row * tuple) % kGranule;
    const auto shorter = static_cast<std::uint32_t>(lane_words);
    const std::uint32_t before = lane * shorter + smaller(lane, longer_lanes);
    return (before * word + byte * (shorter + (lane < longer_lanes ? 1 : 0)) + low_row) % kGranule;
  }

 private:
  /// Bytes [first, first + bytes) of a plane of `plane` bytes that starts at `origin`.
  TDZ_HOST_DEVICE static constexpr Piece part(std::uint64_t origin, std::uint64_t first, std::uint64_t bytes,
                                              std::uint64_t plane) {
    if (first >= plane) return {origin + plane, 0};
    return {origin + first, static_cast<std::uint32_t>(smaller(bytes, plane - first))};
  }

  /// Lane after lane, and plane after plane within a lane; the first words % tuple lanes are one word longer.
  TDZ_HOST_DEVICE constexpr Piece lane_part(std::uint32_t lane, std::uint32_t byte, std::uint64_t row,
                                            std::uint32_t tile_rows) const {
    const std::uint64_t length = lane_words + (lane < longer_lanes ? 1 : 0);
    const std::uint64_t before = lane * lane_words + smaller(lane, longer_lanes);
    return part(before * word + byte * length, row, tile_rows, length);
  }
};

/// The distance of two pieces in shared memory. Within its room a piece keeps its address mod 16, so that
/// whole granules can be moved.
constexpr std::uint32_t piece_stride(const Pass& steps, const TileShape& shape) {
  const std::uint32_t longest = longest_piece(steps, shape);
  if (steps.layout == Layout::interleaved) return longest;  // every tile begins on a granule
  return ((longest + 2 * kGranule - 1) / kGranule | 1) *
         kGranule;  // odd in granules: neighbours differ in bank
}

/// A piece divided for copying: whole granules, and the bytes at both ends that no granule may touch.
struct Granules {
  std::uint64_t begin = 0;  ///< of the first granule
  std::uint32_t bytes = 0;  ///< a multiple of 16
  std::uint64_t tail = 0;   ///< bytes from here to the piece's end are moved one by one
};

/// For reading: granules may reach beyond the piece, but not beyond the chunk.
TDZ_HOST_DEVICE constexpr Granules granules_around(const Piece& piece, std::uint64_t chunk_bytes) {
  const std::uint64_t end = piece.begin + piece.bytes;
  const std::uint64_t begin = piece.begin & ~std::uint64_t{kGranule - 1};
  const std::uint64_t up = (end + kGranule - 1) & ~std::uint64_t{kGranule - 1};
  const std::uint64_t stop = up <= chunk_bytes ? up : end & ~std::uint64_t{kGranule - 1};
  if (piece.bytes == 0 || stop <= begin) return {begin, 0, piece.begin};
  return {begin, static_cast<std::uint32_t>(stop - begin), smaller(stop, end)};
}

/// For writing: granules stay within the piece. Its first bytes up to `begin` are moved one by one too.
TDZ_HOST_DEVICE constexpr Granules granules_within(const Piece& piece) {
  const std::uint64_t end = piece.begin + piece.bytes;
  const std::uint64_t begin = (piece.begin + kGranule - 1) & ~std::uint64_t{kGranule - 1};
  const std::uint64_t stop = end & ~std::uint64_t{kGranule - 1};
  if (stop <= begin) return {end, 0, end};
  return {begin, static_cast<std::uint32_t>(stop - begin), stop};
}

}  // namespace tdz::cuda
