// SPDX-License-Identifier: Apache-2.0
// Groups of 16 words and their bits: the width that a group needs, packing, unpacking.
//
// Packing joins neighbours in vectors (two words of b bits become one of 2 b, and so on) until 64 bits hold
// as many words as they can, and then stores these pieces one after another. Unpacking shuffles the bytes
// that hold a word into its lane, and shifts. Lemire and Boytsov, "Decoding billions of integers per second
// through vectorization", 2015, compare such layouts; this one keeps the words in their order.
//
// With TDZ_KERNELS_BYTES there are the instructions of AVX-512 that move any byte anywhere (VBMI: vpermb) and
// take any 8 bits of 64 (vpmultishiftqb). Vectors have 32 bytes, as everywhere (vectors-inl.hpp): four pieces
// of 64 bits. Packed, a piece is as many words as fit in it, one after another.
#if defined(TDZ_KERNELS_CPU_STEPS_PACKED_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TDZ_KERNELS_CPU_STEPS_PACKED_INL_HPP
#undef TDZ_KERNELS_CPU_STEPS_PACKED_INL_HPP
#else
#define TDZ_KERNELS_CPU_STEPS_PACKED_INL_HPP
#endif

#include "kernels/cpu/steps/packed_shapes.hpp"
#include "kernels/cpu/steps/words-inl.hpp"
#if !TDZ_KERNELS_PLAIN
#include "kernels/cpu/vectors-inl.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace tdz::cpu {
namespace HWY_NAMESPACE {

template <class T>
inline constexpr std::size_t kGroupBytes = 16 * sizeof(T);

/// A piece is as many words as fill 64 bits at most, once they are packed.
template <class T>
inline constexpr std::size_t kWordsOfPiece = 8 / sizeof(T);
template <class T>
inline constexpr std::size_t kPieces = 16 / kWordsOfPiece<T>;

// ---- The width of a group

/// The bits of the widest of words of which `all` has every bit.
template <class T>
HWY_INLINE std::uint8_t width_of_bits(T all) {
  if constexpr (sizeof(T) == 8) {
    const auto above = hwy::Num0BitsAboveMS1Bit_Nonzero64(all | 1);
    return static_cast<std::uint8_t>(64 - above - (all == 0));
  } else {
    return static_cast<std::uint8_t>(63 - hwy::Num0BitsAboveMS1Bit_Nonzero64(std::uint64_t{all} << 1 | 1));
  }
}

template <class T>
HWY_INLINE std::uint8_t width_of_group(const std::uint8_t* words) {
  T all = 0;
  for (std::size_t i = 0; i < 16; ++i) all = static_cast<T>(all | get<T>(words, i));
  return width_of_bits(all);
}

#if TDZ_KERNELS_PLAIN

template <class T>
HWY_INLINE std::size_t widths_in_vectors(const std::uint8_t*, std::size_t, std::size_t, std::uint8_t*) {
  return 0;
}

#else

/// Words that fit in 16 bytes. So many groups are joined to one vector.
template <class T>
inline constexpr std::size_t kJoined = kBlock / sizeof(T);

/// Every row has the words of one group in each block of 16 bytes. Joins the rows: word i of a block becomes
/// all bits of row i. Two neighbouring rows share a vector after one step, four after two steps.
template <class Unit, std::size_t N>
HWY_INLINE Vector join_rows(Vector (&row)[N]) {
  if constexpr (N == 1) {
    return row[0];
  } else {
    const Words<Unit> units;
    Vector next[N / 2];
    for (std::size_t i = 0; i < N / 2; ++i) {
      const auto a = hn::BitCast(units, row[2 * i]), b = hn::BitCast(units, row[2 * i + 1]);
      next[i] =
          hn::BitCast(Bytes(), hn::Or(hn::InterleaveLower(units, a, b), hn::InterleaveUpper(units, a, b)));
    }
    if constexpr (N == 2) {
      return next[0];
    } else {
      return join_rows<hwy::MakeWide<Unit>>(next);
    }
  }
}

/// A group as one row: all bits of the words that stand in the same place of its vectors.
template <class T>
HWY_INLINE Vector row_of_group(const std::uint8_t* words) {
  Vector all = hn::LoadU(Bytes(), words);
  for (std::size_t p = kVector; p < kGroupBytes<T>; p += kVector)
    all = hn::Or(all, hn::LoadU(Bytes(), words + p));
  return all;
}

/// The lowest byte of each word becomes the width of the word, the others become anything. Half bytes have
/// their widths in tables; a byte that is not zero counts with the bytes below it.
template <class T>
HWY_INLINE Vector widths_of_words(Vector words) {
  HWY_ALIGN static constexpr std::uint8_t kLow[] = {0, 1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4};
  HWY_ALIGN static constexpr std::uint8_t kHigh[] = {0, 5, 6, 6, 7, 7, 7, 7, 8, 8, 8, 8, 8, 8, 8, 8};
  HWY_ALIGN static constexpr std::uint8_t kBelow[] = {0, 8, 16, 24, 32, 40, 48, 56,
                                                      0, 8, 16, 24, 32, 40, 48, 56};
  const Vector half_byte = hn::Set(Bytes(), std::uint8_t{15});
  const Vector high = hn::BitCast(Bytes(), hn::ShiftRight<4>(hn::BitCast(Words<std::uint16_t>(), words)));
  Vector width = hn::Max(hn::TableLookupBytes(hn::LoadDup128(Bytes(), kLow), hn::And(words, half_byte)),
                         hn::TableLookupBytes(hn::LoadDup128(Bytes(), kHigh), hn::And(high, half_byte)));
  if constexpr (sizeof(T) > 1) {
    const auto below =
        hn::And(hn::LoadDup128(Bytes(), kBelow), hn::Set(Bytes(), std::uint8_t{8 * sizeof(T) - 8}));
    width = hn::Add(width, hn::IfThenZeroElse(hn::Eq(width, hn::Zero(Bytes())), below));
  }
  const auto with_upper = [](auto shifted, Vector all)
                              HWY_ATTR { return hn::Max(all, hn::BitCast(Bytes(), shifted)); };
  if constexpr (sizeof(T) > 4)
    width = with_upper(hn::ShiftRight<32>(hn::BitCast(Words<std::uint64_t>(), width)), width);
  if constexpr (sizeof(T) > 2)
    width = with_upper(hn::ShiftRight<16>(hn::BitCast(Words<std::uint32_t>(), width)), width);
  if constexpr (sizeof(T) > 1)
    width = with_upper(hn::ShiftRight<8>(hn::BitCast(Words<std::uint16_t>(), width)), width);
  return width;
}

/// kJoined rows; of bytes, a row has a group in each block.
template <class T>
HWY_INLINE void widths_of_rows(const std::uint8_t* words, std::size_t stride, std::uint8_t* widths) {
  constexpr std::size_t kBlocks = kVector / kBlock, kGroupsOfRow = sizeof(T) == 1 ? kBlocks : 1;
  Vector rows[kJoined<T>];
  for (std::size_t i = 0; i < kJoined<T>; ++i)
    rows[i] = row_of_group<T>(words + i * kGroupsOfRow * kGroupBytes<T>);
  Vector joined = join_rows<T>(rows);
  if constexpr (kGroupsOfRow < kBlocks) joined = hn::Or(joined, swap_blocks(joined));
  HWY_ALIGN std::uint8_t found[kVector];
  hn::Store(widths_of_words<T>(joined), Bytes(), found);
  for (std::size_t i = 0; i < kJoined<T>; ++i)
    for (std::size_t b = 0; b < kGroupsOfRow; ++b)
      widths[(i * kGroupsOfRow + b) * stride] = found[b * kBlock + i * sizeof(T)];
}

/// Returns how many of the groups are done.
template <class T>
HWY_INLINE std::size_t widths_in_vectors(const std::uint8_t* words, std::size_t groups, std::size_t stride,
                                         std::uint8_t* widths) {
  constexpr std::size_t kAtOnce = kJoined<T> * (sizeof(T) == 1 ? kVector / kBlock : 1);
  std::size_t g = 0;
  for (; g + kAtOnce <= groups; g += kAtOnce)
    widths_of_rows<T>(words + g * kGroupBytes<T>, stride, widths + g * stride);
  return g;
}

#endif

/// Groups one after another; their widths `stride` bytes apart.
template <class T>
HWY_INLINE void widths_of_run(const std::uint8_t* words, std::size_t groups, std::size_t stride,
                              std::uint8_t* widths) {
  for (std::size_t g = widths_in_vectors<T>(words, groups, stride, widths); g < groups; ++g)
    widths[g * stride] = width_of_group<T>(words + g * kGroupBytes<T>);
}

// ---- Packing

// No branch depends on a width that may change from group to group: a wrong guess of the processor takes
// longer than a group. Up to 32 bytes after a group become anything.

/// Pieces of `bits` bits one after another, where each fills a byte at least.
template <std::size_t kCount>
HWY_INLINE void store_pieces(const std::uint64_t* pieces, std::size_t bits, std::uint8_t* to) {
  std::uint64_t begun = 0;
  for (std::size_t i = 0, at = 0; i < kCount; ++i) {
    put<std::uint64_t>(to + at / 8, 0, pieces[i] << (at % 8) | begun);
    at += bits;
    begun = pieces[i] >> 1 >> (bits - 1 - at % 8);  // what does not fill its byte
  }
}

/// The same for fewer bits: several pieces may share a byte.
template <std::size_t kCount>
HWY_INLINE void store_short_pieces(const std::uint64_t* pieces, std::size_t bits, std::uint8_t* to) {
  std::uint64_t begun = 0;
  for (std::size_t i = 0, at = 0; i < kCount; ++i, at += bits) {
    const std::uint64_t word = pieces[i] << (at % 8) | begun;
    put<std::uint64_t>(to + at / 8, 0, word);
    begun = word >> (8 * ((at + bits) / 8 - at / 8));
  }
}

#if TDZ_KERNELS_PLAIN

template <class T>
HWY_INLINE void join_words(const std::uint8_t* words, unsigned width, std::uint64_t* pieces) {
  for (std::size_t p = 0; p < kPieces<T>; ++p) {
    pieces[p] = 0;
    for (std::size_t i = 0; i < kWordsOfPiece<T>; ++i)
      pieces[p] |= std::uint64_t{get<T>(words, p * kWordsOfPiece<T> + i)} << (i * width);
  }
}

#else

/// Two neighbours of kField bits, of which `used` count, become one word of twice the field.
template <class Wide, class V>
HWY_INLINE V join_neighbours(V v, unsigned used) {
  constexpr int kField = 4 * sizeof(Wide);
  const hn::Repartition<Wide, hn::DFromV<V>> d;
  const auto x = hn::BitCast(d, v);
  const auto low = hn::And(x, hn::Set(d, static_cast<Wide>((Wide{1} << kField) - 1)));
  const auto high = hn::ShiftLeftSame(hn::ShiftRight<kField>(x), static_cast<int>(used));
  return hn::BitCast(hn::DFromV<V>(), hn::Or(low, high));
}

template <class T, class V>
HWY_INLINE V join_to_pieces(V v, unsigned width) {
  if constexpr (sizeof(T) == 1) v = join_neighbours<std::uint16_t>(v, width);
  if constexpr (sizeof(T) <= 2) v = join_neighbours<std::uint32_t>(v, width << (2 / sizeof(T) - 1));
  if constexpr (sizeof(T) <= 4) v = join_neighbours<std::uint64_t>(v, width * (4 / sizeof(T)));
  return v;
}

template <class T>
HWY_INLINE void join_words(const std::uint8_t* words, unsigned width, std::uint64_t* pieces) {
  auto* to = reinterpret_cast<std::uint8_t*>(pieces);
  for (std::size_t p = 0; p < kGroupBytes<T>; p += kVector)
    hn::StoreU(join_to_pieces<T>(hn::LoadU(Bytes(), words + p), width), Bytes(), to + p);
}

/// The two pieces of each block, of `bits` bits, become one of 128 bits. Shifts by 64 are two shifts: some
/// instructions cannot.
template <class V>
HWY_INLINE V join_pieces(V v, unsigned bits) {
  const hn::Repartition<std::uint64_t, hn::DFromV<V>> d;
  const int left = static_cast<int>(bits / 2), right = static_cast<int>(32 - bits / 2);
  const auto pieces = hn::BitCast(d, v), zero = hn::Zero(d);
  const auto high = hn::InterleaveUpper(d, pieces, pieces);
  const auto below = hn::ShiftLeftSame(hn::ShiftLeftSame(high, left), left);
  const auto above = hn::ShiftRightSame(hn::ShiftRightSame(high, right), right);
  const auto low = hn::InterleaveLower(d, pieces, zero);
  return hn::BitCast(hn::DFromV<V>(), hn::Or(low, hn::InterleaveLower(d, below, above)));
}

#if TDZ_KERNELS_BYTES

/// Four pieces, of as many bits as the shape was made for, one after another. Writes 32 bytes.
HWY_INLINE void store_four_pieces(const PieceBytes& shape, Vector pieces, std::uint8_t* to) {
  const Words<std::uint64_t> d;
  const auto moved = hn::Shl(hn::BitCast(d, pieces), hn::Load(d, shape.shifts));
  const auto part = [&](std::size_t odd) HWY_ATTR {
    const Vector places = hn::Load(Bytes(), shape.bytes[odd]);
    return Vector{_mm256_maskz_permutexvar_epi8(shape.used[odd], places.raw, moved.raw)};
  };
  hn::StoreU(hn::Or(part(0), part(1)), Bytes(), to);
}

/// Precondition: the shapes have the width.
template <class T, class Shapes>
HWY_INLINE void pack_in_pieces(const Shapes& shapes, const std::uint8_t* words, unsigned width,
                               std::uint8_t* to) {
  constexpr std::size_t kVectorWords = kVector / sizeof(T);
  for (std::size_t p = 0; p < kGroupBytes<T>; p += kVector, to += kVectorWords * width / 8)
    store_four_pieces(shapes.of[width], join_to_pieces<T>(hn::LoadU(Bytes(), words + p), width), to);
}

#endif

/// Words of one and two bytes: 8 of them fill whole bytes, and one block of 16.
template <class T>
HWY_INLINE void pack_short_words(const std::uint8_t* words, unsigned width, std::uint8_t* to) {
  const hn::Full128<std::uint8_t> block;
  const hn::Half<decltype(block)> half;
  if constexpr (sizeof(T) == 1) {
    const auto pieces = join_to_pieces<T>(hn::LoadU(block, words), width);
    hn::StoreU(hn::LowerHalf(half, pieces), half, to);
    hn::StoreU(hn::UpperHalf(half, pieces), half, to + width);
  } else {
    for (std::size_t p = 0; p < kGroupBytes<T>; p += kVector) {
      const auto joined = join_pieces(join_to_pieces<T>(hn::LoadU(Bytes(), words + p), width), 4 * width);
      store_lower_block(joined, to + p / kBlock * width);
      store_upper_block(joined, to + (p / kBlock + 1) * width);
    }
  }
}

/// Blocks whose bits begin in the middle of a byte move there.
template <class V>
HWY_INLINE V shift_blocks(V v, unsigned bits) {
  const hn::Repartition<std::uint64_t, hn::DFromV<V>> d;
  const auto words = hn::BitCast(d, v), zero = hn::Zero(d);
  const auto above = hn::ShiftRightSame(hn::ShiftRight<32>(words), static_cast<int>(32 - bits));
  const auto shifted = hn::ShiftLeftSame(words, static_cast<int>(bits));
  return hn::BitCast(hn::DFromV<V>(), hn::Or(shifted, hn::InterleaveLower(d, zero, above)));
}

/// Four words fill a block of at most 16 bytes, and eight whole bytes: every second block may begin with half
/// a byte of the block before it.
template <class V>
HWY_INLINE void store_two_blocks(V first, V second, unsigned width, std::uint8_t* to) {
  const hn::Full128<std::uint8_t> block;
  const unsigned odd = width % 2;
  hn::StoreU(first, block, to);
  std::uint8_t* middle = to + width / 2;
  const std::uint8_t begun = static_cast<std::uint8_t>(*middle & (0u - odd));
  hn::StoreU(shift_blocks(second, 4 * odd), block, middle);
  *middle = static_cast<std::uint8_t>(*middle | begun);
}

HWY_INLINE void pack_words_of_4_bytes(const std::uint8_t* words, unsigned width, std::uint8_t* to) {
#if TDZ_KERNELS_BYTES
  if (HWY_LIKELY(width != 1 && width <= kPack32.kWidest))
    return pack_in_pieces<std::uint32_t>(kPack32, words, width, to);
#endif
  const hn::Full128<std::uint8_t> block;
  HWY_ALIGN std::uint8_t joined[kGroupBytes<std::uint32_t>];
  for (std::size_t p = 0; p < sizeof(joined); p += kVector) {
    const auto pieces = join_to_pieces<std::uint32_t>(hn::LoadU(Bytes(), words + p), width);
    hn::Store(join_pieces(pieces, 2 * width), Bytes(), joined + p);
  }
  for (std::size_t p = 0; p < sizeof(joined); p += 2 * kBlock, to += width)
    store_two_blocks(hn::Load(block, joined + p), hn::Load(block, joined + p + kBlock), width, to);
}

/// Words of 8 bytes whose upper halves are zero.
HWY_INLINE void pack_lower_halves(const std::uint8_t* words, unsigned width, std::uint8_t* to) {
  const Words<std::uint32_t> d;
  HWY_ALIGN std::uint8_t halves[kGroupBytes<std::uint32_t>];
  for (std::size_t p = 0; p < sizeof(halves); p += kVector) {
    const auto lower = hn::BitCast(d, hn::LoadU(Bytes(), words + 2 * p));
    const auto upper = hn::BitCast(d, hn::LoadU(Bytes(), words + 2 * p + kVector));
    hn::Store(hn::BitCast(Bytes(), hn::ConcatEven(d, upper, lower)), Bytes(), halves + p);
  }
  pack_words_of_4_bytes(halves, width, to);
}

#endif

/// 16 words below 2^width to 2 * width bytes.
template <class T>
HWY_INLINE void pack_group(const std::uint8_t* words, unsigned width, std::uint8_t* to) {
#if TDZ_KERNELS_BYTES
  if constexpr (sizeof(T) == 2) return pack_in_pieces<T>(kPack16, words, width, to);
#endif
#if !TDZ_KERNELS_PLAIN
  if constexpr (sizeof(T) <= 2) return pack_short_words<T>(words, width, to);
  if constexpr (sizeof(T) == 4) return pack_words_of_4_bytes(words, width, to);
  if constexpr (sizeof(T) == 8) {
    if (width <= 32) return pack_lower_halves(words, width, to);
  }
#endif
  const std::size_t bits = width * kWordsOfPiece<T>;
  HWY_ALIGN std::uint64_t pieces[kPieces<T>];
  join_words<T>(words, width, pieces);
  if (HWY_LIKELY(bits >= 8)) {
    store_pieces<kPieces<T>>(pieces, bits, to);
  } else {
    store_short_pieces<kPieces<T>>(pieces, bits, to);
  }
}

// ---- Unpacking

/// Word i of `width` bits. Reads up to 8 bytes after the 8 bytes in which the word begins.
HWY_INLINE std::uint64_t packed_word(const std::uint8_t* from, unsigned width, std::size_t i) {
  const std::size_t bit = i * width, shift = bit % 8;
  std::uint64_t word = get<std::uint64_t>(from + bit / 8, 0) >> shift;
  if (shift + width > 64) word |= std::uint64_t{from[bit / 8 + 8]} << (64 - shift);
  return word & (~std::uint64_t{0} >> (64 - width));
}

/// Precondition: width > 0.
template <class T>
HWY_INLINE void unpack_words(const std::uint8_t* from, unsigned width, std::uint8_t* words) {
  for (std::size_t i = 0; i < 16; ++i) put<T>(words, i, static_cast<T>(packed_word(from, width, i)));
}

#if TDZ_KERNELS_PLAIN

template <class T>
HWY_INLINE void unpack_group(const std::uint8_t* from, unsigned width, std::uint8_t* words) {
  if (width == 0) {
    std::memset(words, 0, kGroupBytes<T>);
  } else {
    unpack_words<T>(from, width, words);
  }
}

#else

/// Blocks `first` and, in a long vector, `first` + 1 of a group's bits.
template <class Shapes>
HWY_INLINE Vector load_packed(const std::uint8_t* from, unsigned width, std::size_t first) {
  const auto block = [&](std::size_t number)
                         HWY_ATTR { return from + number * Shapes::kBlockWords * width / 8; };
  if constexpr (kVector == kBlock) return hn::LoadU(Bytes(), block(first));
  const hn::Half<Bytes> half;
  return hn::Combine(Bytes(), hn::LoadU(half, block(first + 1)), hn::LoadU(half, block(first)));
}

/// Each word of loaded blocks, from the `from`-th on, in its lane.
template <class Lane, class Shapes>
HWY_INLINE hn::Vec<Words<Lane>> spread(const Shapes& shapes, Vector blocks, unsigned width, std::size_t from,
                                       std::size_t first) {
  const Words<Lane> d;
  const std::size_t shape = first % Shapes::kPeriod;
  const auto lanes =
      hn::BitCast(d, hn::TableLookupBytes(blocks, hn::LoadU(Bytes(), shapes.bytes[width][from][shape])));
  const auto shifts = hn::LoadU(d, shapes.shifts[width][from][shape]);
  return hn::And(hn::Shr(lanes, shifts), hn::Set(d, static_cast<Lane>((std::uint64_t{1} << width) - 1)));
}

template <class T, class Shapes>
HWY_INLINE void unpack_lanes(const Shapes& shapes, const std::uint8_t* from, unsigned width,
                             std::uint8_t* words) {
  constexpr std::size_t kBlocks = kVector / kBlock;
  for (std::size_t p = 0, first = 0; p < kGroupBytes<T>; p += kVector, first += kBlocks) {
    const auto lanes = spread<T>(shapes, load_packed<Shapes>(from, width, first), width, 0, first);
    hn::StoreU(hn::BitCast(Bytes(), lanes), Bytes(), words + p);
  }
}

/// Even and odd words in lanes of twice their length.
template <class T, class Shapes>
HWY_INLINE void unpack_halves(const Shapes& shapes, const std::uint8_t* from, unsigned width,
                              std::uint8_t* words) {
  using Lane = hwy::MakeWide<T>;
  constexpr std::size_t kBlocks = kVector / kBlock;
  for (std::size_t p = 0, first = 0; p < kGroupBytes<T>; p += kVector, first += kBlocks) {
    const Vector blocks = load_packed<Shapes>(from, width, first);
    const auto even = spread<Lane>(shapes, blocks, width, 0, first);
    const auto odd = spread<Lane>(shapes, blocks, width, 1, first);
    hn::StoreU(hn::BitCast(Bytes(), hn::Or(even, hn::ShiftLeft<8 * sizeof(T)>(odd))), Bytes(), words + p);
  }
}

/// 16 bytes of bits at most: the even words in the first block of a long vector, the odd ones in the second.
template <class D>
HWY_INLINE void unpack_bytes(D d, const std::uint8_t* from, unsigned width, std::uint8_t* words) {
  const hn::Full128<std::uint8_t> block;
  const hn::Full128<std::uint16_t> pairs;
  const auto bits = hn::LoadDup128(Bytes(), from);
  const auto part = [&](std::size_t first) HWY_ATTR {
    const auto bytes = hn::TableLookupBytes(bits, hn::LoadU(Bytes(), kUnpackBytes.bytes[width][first][0]));
    const auto lanes = hn::Mul(hn::BitCast(d, bytes), hn::LoadU(d, kUnpackBytes.shifts[width][first][0]));
    return hn::ShiftRightSame(lanes, static_cast<int>(16 - width));
  };
  if constexpr (hn::MaxLanes(d) == 8) {
    const auto joined = hn::Or(part(0), hn::ShiftLeft<8>(part(1)));
    hn::StoreU(hn::BitCast(Bytes(), joined), Bytes(), words);
  } else {
    const auto both = part(0);
    const auto odd = hn::ShiftLeft<8>(hn::UpperHalf(pairs, both));
    hn::StoreU(hn::BitCast(block, hn::Or(hn::LowerHalf(pairs, both), odd)), block, words);
  }
}

#if TDZ_KERNELS_BYTES

/// A group of `width` bits a word to 16 words. Reads 32 bytes where each vector of words begins.
template <class T, class Shapes>
HWY_INLINE void unpack_pieces(const Shapes& shapes, const std::uint8_t* from, unsigned width,
                              std::uint8_t* words) {
  const Words<T> d;
  const auto mask = hn::Set(d, static_cast<T>((std::uint64_t{1} << width) - 1));
  for (std::size_t i = 0; i < 16; i += Shapes::kVectorWords) {
    const std::size_t bit = i * width, begin = bit % 8 / 4;
    const Vector bits = hn::LoadU(Bytes(), from + bit / 8);
    const Vector places = hn::Load(Bytes(), shapes.bytes[width][begin]);
    const Vector shifts = hn::Load(Bytes(), shapes.shifts[width][begin]);
    const Vector pieces{_mm256_permutexvar_epi8(places.raw, bits.raw)};
    const Vector spread{_mm256_multishift_epi64_epi8(shifts.raw, pieces.raw)};
    const Vector result = hn::BitCast(Bytes(), hn::And(hn::BitCast(d, spread), mask));
    if constexpr (sizeof(T) == 1) {
      store_lower_block(result, words);
    } else {
      hn::StoreU(result, Bytes(), words + i * sizeof(T));
    }
  }
}

#endif

/// 2 * width bytes to 16 words. Reads up to kUnpackSlack bytes after them. Branches only between widths that
/// rarely stand beside one another.
template <class T>
HWY_INLINE void unpack_group(const std::uint8_t* from, unsigned width, std::uint8_t* words) {
#if TDZ_KERNELS_BYTES
  if constexpr (sizeof(T) == 1) return unpack_pieces<T>(kBitsOf8, from, width, words);
  if constexpr (sizeof(T) == 2) return unpack_pieces<T>(kBitsOf16, from, width, words);
  if (sizeof(T) == 4 && width <= kBitsOf32.kWidest) return unpack_pieces<T>(kBitsOf32, from, width, words);
  if (sizeof(T) == 8 && width <= kBitsOf64.kWidest) return unpack_pieces<T>(kBitsOf64, from, width, words);
#endif
  if constexpr (sizeof(T) == 1) {
    unpack_bytes(Words<std::uint16_t>(), from, width, words);
  } else if constexpr (sizeof(T) == 2) {
    unpack_halves<T>(kUnpackWords16, from, width, words);
  } else if constexpr (sizeof(T) == 4) {
    if (width <= decltype(kUnpackWords32)::kWidest)
      return unpack_lanes<T>(kUnpackWords32, from, width, words);
    unpack_halves<T>(kUnpackWide32, from, width, words);
  } else {
    if (width <= decltype(kUnpackWords64)::kWidest)
      return unpack_lanes<T>(kUnpackWords64, from, width, words);
    unpack_words<T>(from, width, words);
  }
}

#endif

// ---- Many groups

#if TDZ_KERNELS_PLAIN

HWY_INLINE std::size_t expand_in_vectors(const std::uint8_t*, std::size_t, const std::uint8_t*, std::uint8_t*,
                                         std::uint8_t&) {
  return 0;
}

#else

/// Returns how many groups are done.
HWY_INLINE std::size_t expand_in_vectors(const std::uint8_t* codes, std::size_t groups,
                                         const std::uint8_t* table, std::uint8_t* widths, std::uint8_t& all) {
  const auto of_code = hn::LoadDup128(Bytes(), table);
  auto seen = hn::Zero(Bytes());
  std::size_t g = 0;
  for (; g + 2 * kVector <= groups; g += 2 * kVector) {
    const auto pairs = hn::LoadU(Bytes(), codes + g / 2);
    const auto even = hn::TableLookupBytes(of_code, hn::And(pairs, hn::Set(Bytes(), 15)));
    const auto high = hn::ShiftRight<4>(hn::BitCast(Words<std::uint16_t>(), pairs));
    const auto odd = hn::TableLookupBytes(of_code, hn::And(hn::BitCast(Bytes(), high), hn::Set(Bytes(), 15)));
    seen = hn::Or(seen, hn::Or(even, odd));
    const auto lower = hn::InterleaveLower(Bytes(), even, odd);
    const auto upper = hn::InterleaveUpper(Bytes(), even, odd);
    store_blocks(lower, widths + g, 2 * kBlock);
    store_blocks(upper, widths + g + kBlock, 2 * kBlock);
  }
  HWY_ALIGN std::uint8_t parts[kVector];
  hn::Store(seen, Bytes(), parts);
  for (const std::uint8_t part : parts) all = static_cast<std::uint8_t>(all | part);
  return g;
}

#endif

#if TDZ_KERNELS_PLAIN

HWY_INLINE std::size_t codes_in_vectors(const std::uint8_t*, std::size_t, const std::uint8_t*, std::size_t,
                                        std::uint8_t*) {
  return 0;
}

#else

/// Returns how many groups are done.
HWY_INLINE std::size_t codes_in_vectors(const std::uint8_t* widths, std::size_t groups,
                                        const std::uint8_t* chosen, std::size_t count, std::uint8_t* codes) {
  const hn::Repartition<std::int8_t, Bytes> d;
  const hn::Half<Bytes> half;
  const Words<std::int16_t> pairs;
  std::size_t g = 0;
  for (; g + kVector <= groups; g += kVector) {
    const auto width = hn::BitCast(d, hn::LoadU(Bytes(), widths + g));
    auto code = hn::Zero(d);
    for (std::size_t i = 0; i + 1 < count; ++i) {
      const auto narrower = hn::Gt(width, hn::Set(d, static_cast<std::int8_t>(chosen[i])));
      code = hn::Sub(code, hn::VecFromMask(d, narrower));
    }
    const auto of_pair = hn::BitCast(pairs, code);
    const auto joined = hn::And(hn::Or(of_pair, hn::ShiftRight<4>(of_pair)), hn::Set(pairs, 0xFF));
    hn::StoreU(hn::DemoteTo(half, joined), half, codes + g / 2);
  }
  return g;
}

#endif

/// The code of a width is how many of the chosen ones, which ascend, are narrower. Half a byte each.
HWY_INLINE void find_codes_of(const std::uint8_t* widths, std::size_t groups, const std::uint8_t* chosen,
                              std::size_t count, std::uint8_t* codes) {
  const auto code = [&](std::size_t g) HWY_ATTR {
    unsigned narrower = 0;
    for (std::size_t i = 0; i + 1 < count; ++i) narrower += widths[g] > chosen[i] ? 1 : 0;
    return narrower;
  };
  for (std::size_t g = codes_in_vectors(widths, groups, chosen, count, codes); g < groups; g += 2) {
    const unsigned second = g + 1 < groups ? code(g + 1) : 0;
    codes[g / 2] = static_cast<std::uint8_t>(code(g) | second << 4);
  }
}

/// The width of each group, by a table of 16. Returns all bits of these widths.
HWY_INLINE std::uint8_t expand_codes_of(const std::uint8_t* codes, std::size_t groups,
                                        const std::uint8_t* table, std::uint8_t* widths) {
  std::uint8_t all = 0;
  for (std::size_t g = expand_in_vectors(codes, groups, table, widths, all); g < groups; ++g) {
    widths[g] = table[codes[g / 2] >> (g % 2 * 4) & 15];
    all = static_cast<std::uint8_t>(all | widths[g]);
  }
  return all;
}

/// Calls visit(group, where its words begin) for all groups of a tile. By value: stores of bytes might change
/// what a reference shows.
template <class T, class Visit>
HWY_INLINE void for_each_group(const TileGroups tile, const Visit& visit) {
  if (tile.lanes == 1) {
    for (std::size_t g = 0; g < tile.groups; ++g) visit(g, g * kGroupBytes<T>);
    return;
  }
  for (std::size_t g = 0, block = 0; g < tile.groups; block += kGroupBytes<T>) {
    const std::size_t last = HWY_MIN(g + tile.lanes, tile.groups);
    for (std::size_t at = block; g < last; ++g, at += tile.pitch) visit(g, at);
  }
}

template <class T>
HWY_NOINLINE void widths_of_groups(const TileGroups& tile, const std::uint8_t* words, std::uint8_t* widths) {
  const std::size_t rows = tile.groups / tile.lanes, longer = tile.groups % tile.lanes;
  for (std::size_t lane = 0; lane < HWY_MIN(tile.lanes, tile.groups); ++lane)
    widths_of_run<T>(words + lane * tile.pitch, rows + (lane < longer), tile.lanes, widths + lane);
}

template <class T>
HWY_NOINLINE std::uint8_t* pack_groups_of(const TileGroups& tile, const std::uint8_t* words,
                                          const std::uint8_t* widths, std::uint8_t* to) {
  for_each_group<T>(tile, [&](std::size_t g, std::size_t at) HWY_ATTR {
    const std::size_t width = widths[g];
    pack_group<T>(words + at, static_cast<unsigned>(width), to);
    to += 2 * width;
  });
  return to;
}

/// `end`: of what may be read.
template <class T>
HWY_NOINLINE const std::uint8_t* unpack_groups_of(const TileGroups& tile, const std::uint8_t* from,
                                                  const std::uint8_t* end, const std::uint8_t* widths,
                                                  std::uint8_t* words) {
  const auto left = static_cast<std::size_t>(end - from);
  if (HWY_LIKELY(left >= tile.groups * kGroupBytes<T> + kUnpackSlack)) {
    for_each_group<T>(tile, [&](std::size_t g, std::size_t at) HWY_ATTR {
      const std::size_t width = widths[g];
      unpack_group<T>(from, static_cast<unsigned>(width), words + at);
      from += 2 * width;
    });
    return from;
  }
  for_each_group<T>(tile, [&](std::size_t g, std::size_t at) HWY_ATTR {
    const std::size_t bytes = 2 * std::size_t{widths[g]};
    if (static_cast<std::size_t>(end - from) >= bytes + kUnpackSlack) {
      unpack_group<T>(from, widths[g], words + at);
    } else {
      HWY_ALIGN std::uint8_t padded[2 * 64 + kUnpackSlack] = {};
      if (bytes != 0) std::memcpy(padded, from, bytes);  // without bits there may be no memory
      unpack_group<T>(padded, widths[g], words + at);
    }
    from += bytes;
  });
  return from;
}

}  // namespace HWY_NAMESPACE
}  // namespace tdz::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
