// SPDX-License-Identifier: Apache-2.0
// Groups of packed words: how they lie in one tile of memory, as packed.cpp hands them to the kernels of
// packed-inl.hpp, and where the words of a group lie, as vectors take them. Data only, for all instruction
// sets.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tdz::cpu {

/// What unpack_group() may read after the bytes of a group.
inline constexpr std::size_t kUnpackSlack = 32;

/// Lanes lie `pitch` bytes apart, each with its groups one after another; groups count across the lanes.
struct TileGroups {
  std::size_t groups, lanes, pitch;
};

// ---- Lanes of 16 bytes: for each width which bytes go to each lane, and how far the bits of its word are
// from there.

/// Words of `width` bits, unpacked into lanes of sizeof(Lane) bytes. A vector takes every kStep-th word:
/// words that are half a lane long come in two vectors, the even ones and the odd ones, which join without a
/// move. So a block of 16 bytes of bits holds kStep * 16 / sizeof(Lane) words. Blocks begin at any bit, and
/// every kPeriod-th at the same bit of a byte.
template <class Lane, std::size_t kStepOf, unsigned kMost, std::size_t kPeriodOf>
struct UnpackShapes {
  static constexpr unsigned kWidest = kMost;
  static constexpr std::size_t kStep = kStepOf, kPeriod = kPeriodOf;
  static constexpr std::size_t kLanes = 16 / sizeof(Lane), kBlockWords = kStep * kLanes;

  /// [width][first word][block]: for TableLookupBytes.
  alignas(32) std::uint8_t bytes[kMost + 1][kStep][kPeriod][16] = {};
  /// Bits below the word; for lanes of 16 bits, which have no shift of their own, the power of two that moves
  /// the word to the top.
  alignas(32) Lane shifts[kMost + 1][kStep][kPeriod][kLanes] = {};

  constexpr UnpackShapes() {
    for (unsigned width = 1; width <= kMost; ++width)
      for (std::size_t first = 0; first < kStep; ++first)
        for (std::size_t block = 0; block < kPeriod; ++block) fill(width, first, block);
  }

 private:
  constexpr void fill(unsigned width, std::size_t first, std::size_t block) {
    const std::size_t begin = block * kBlockWords * width % 8;
    for (std::size_t i = 0; i < kLanes; ++i) {
      const std::size_t bit = begin + (first + i * kStep) * width;
      for (std::size_t b = 0; b < sizeof(Lane); ++b) {
        const std::size_t byte = bit / 8 + b;
        // Bytes after the block hold no bit of the word.
        bytes[width][first][block][i * sizeof(Lane) + b] = static_cast<std::uint8_t>(byte < 16 ? byte : 15);
      }
      const auto above = 8 * sizeof(Lane) - width - bit % 8;
      shifts[width][first][block][i] =
          static_cast<Lane>(sizeof(Lane) == 2 ? std::uint64_t{1} << above : bit % 8);
    }
  }
};

inline constexpr UnpackShapes<std::uint16_t, 2, 8, 1> kUnpackBytes{};
inline constexpr UnpackShapes<std::uint32_t, 2, 16, 2> kUnpackWords16{};
inline constexpr UnpackShapes<std::uint32_t, 1, 25, 2> kUnpackWords32{};
inline constexpr UnpackShapes<std::uint64_t, 2, 32, 2> kUnpackWide32{};
inline constexpr UnpackShapes<std::uint64_t, 1, 57, 4> kUnpackWords64{};

// ---- Vectors of four pieces of 64 bits (packed-inl.hpp, TDZ_KERNELS_BYTES).

inline constexpr std::size_t kVectorPieces = 4;

/// Words of `width` bits to a vector of words. A piece takes 8 bytes, in which its words must lie: that is so
/// for every width up to kMost.
template <class T, unsigned kMost>
struct WordBits {
  static constexpr unsigned kWidest = kMost;
  static constexpr std::size_t kPieceWords = 8 / sizeof(T), kVectorWords = kVectorPieces * kPieceWords;

  /// [width][begin]: the bits begin with a byte, or with the upper half of one, as only words of 64 bits do.
  alignas(32) std::uint8_t bytes[kMost + 1][2][32] = {};   ///< of the bits, for each byte of the pieces
  alignas(32) std::uint8_t shifts[kMost + 1][2][32] = {};  ///< of the piece, for each byte of the words

  constexpr WordBits() {
    for (unsigned width = 1; width <= kMost; ++width)
      for (std::size_t begin = 0; begin < 2; ++begin)
        for (std::size_t piece = 0; piece < kVectorPieces; ++piece) fill(width, begin, piece);
  }

 private:
  constexpr void fill(unsigned width, std::size_t begin, std::size_t piece) {
    const std::size_t bit = 4 * begin + piece * kPieceWords * width;
    for (std::size_t b = 0; b < 8; ++b) {
      const std::size_t at = 8 * piece + b, byte = bit / 8 + b, word = b / sizeof(T);
      bytes[width][begin][at] = static_cast<std::uint8_t>(byte < 32 ? byte : 31);
      // Bytes above a word may take any bits: they are cleared.
      shifts[width][begin][at] =
          static_cast<std::uint8_t>((bit % 8 + word * width + 8 * (b % sizeof(T))) % 64);
    }
  }
};

inline constexpr WordBits<std::uint8_t, 8> kBitsOf8{};
inline constexpr WordBits<std::uint16_t, 16> kBitsOf16{};
inline constexpr WordBits<std::uint32_t, 30> kBitsOf32{};
inline constexpr WordBits<std::uint64_t, 58> kBitsOf64{};

/// Four pieces of `bits` bits, one after another. Each is moved up within its 64 bits, to where its first
/// byte begins. A byte may take bits of two neighbours: of an even one and of an odd one.
struct PieceBytes {
  alignas(32) std::uint64_t shifts[kVectorPieces] = {};
  alignas(32) std::uint8_t bytes[2][32] = {};  ///< of the even and of the odd pieces, for each byte stored
  std::uint32_t used[2] = {};                  ///< a bit for each byte that has one

  constexpr PieceBytes() = default;
  constexpr explicit PieceBytes(std::size_t bits) {
    for (std::size_t piece = 0; piece < kVectorPieces; ++piece) {
      const std::size_t bit = piece * bits, shift = bit % 8;
      shifts[piece] = shift;
      for (std::size_t b = 0; b < (shift + bits + 7) / 8; ++b) {
        bytes[piece % 2][bit / 8 + b] = static_cast<std::uint8_t>(8 * piece + b);
        used[piece % 2] |= std::uint32_t{1} << (bit / 8 + b);
      }
    }
  }
};

/// [width]: words of `kWord` bytes. Pieces have no bits or at least 4, and 64 with their shift at most. So
/// words of 4 bytes lack the widths 1, 31 and 32.
template <std::size_t kWord>
struct PackShapes {
  static constexpr unsigned kLeast = kWord / 2, kWidest = 8 * kWord - (kWord == 4 ? 2 : 0);
  PieceBytes of[kWidest + 1] = {};

  constexpr PackShapes() {
    for (unsigned width = kLeast; width <= kWidest; ++width) of[width] = PieceBytes(width * 8 / kWord);
  }
};

inline constexpr PackShapes<2> kPack16{};
inline constexpr PackShapes<4> kPack32{};

}  // namespace tdz::cpu
