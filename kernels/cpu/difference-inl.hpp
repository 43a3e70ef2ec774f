// SPDX-License-Identifier: Apache-2.0
// The steps of a pass that change words: zigzag and byteswap, which need one word alone; difference and
// integrate, of any order over any tuple.
//
// These two follow from one prediction: with h_j the word j tuples back (zero before the start) and D = 1 -
// B^s,
//     x_i - (D^q x)_i  =  sum_{k=0}^{q-1} (D^k x)_{i-s}  =  h_1 + (h_1 - h_2) + (h_1 - 2 h_2 + h_3) + ...
// difference subtracts this prediction from a value, integrate adds it to a residual. The values themselves
// are the history, so no state passes from one block to the next.
//
// If a tuple is shorter than a few vectors, integrate would wait for its own stores. Then it sums in
// registers, or, for higher orders, in columns: each column of a vector sums a part of the block. This is
// reduce-then-scan, as Merrill and Garland (2016) name it. The orders follow each other while the data is in
// the cache, as in SAM (Maleki 2016).
#if defined(TDZ_KERNELS_CPU_DIFFERENCE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TDZ_KERNELS_CPU_DIFFERENCE_INL_HPP
#undef TDZ_KERNELS_CPU_DIFFERENCE_INL_HPP
#else
#define TDZ_KERNELS_CPU_DIFFERENCE_INL_HPP
#endif

#include "kernels/cpu/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tdz::cpu {
namespace HWY_NAMESPACE {

inline constexpr unsigned kHighestOrder = 8;

// ---- zigzag (residuals of either sign to small codes, and back) and byteswap (big-endian words to
// little-endian, and back). If possible, other kernels apply these maps to words that they load anyway.

template <class T>
struct ZigzagMap {
  HWY_INLINE Vector operator()(Vector residual) const {
    const Words<hwy::MakeSigned<T>> d;
    const auto r = hn::BitCast(d, residual);
    return hn::BitCast(Bytes(), hn::Xor(hn::Add(r, r), hn::BroadcastSignBit(r)));
  }
};

template <class T>
struct UnzigzagMap {
  HWY_INLINE Vector operator()(Vector code) const {
    const Words<T> d;
    const auto c = hn::BitCast(d, code);
    const auto sign = hn::Sub(hn::Zero(d), hn::And(c, hn::Set(d, T{1})));
    return hn::BitCast(Bytes(), hn::Xor(hn::ShiftRight<1>(c), sign));
  }
};

/// Its own inverse.
template <class T>
struct ByteswapMap {
  ByteswapMap() {
    HWY_ALIGN std::uint8_t place[kVector];
    for (std::size_t p = 0; p < kVector; ++p) {
      place[p] = static_cast<std::uint8_t>(p % kBlock ^ (sizeof(T) - 1));
    }
    places = hn::Load(Bytes(), place);
  }
  HWY_INLINE Vector operator()(Vector words) const { return hn::TableLookupBytes(words, places); }

  Vector places;
};

template <class T>
HWY_NOINLINE void zigzag(const std::uint8_t* residuals, std::uint8_t* codes, std::size_t bytes) {
  map_vectors(residuals, codes, bytes, ZigzagMap<T>());
}

template <class T>
HWY_NOINLINE void unzigzag(const std::uint8_t* codes, std::uint8_t* residuals, std::size_t bytes) {
  map_vectors(codes, residuals, bytes, UnzigzagMap<T>());
}

template <class T>
HWY_NOINLINE void byteswap(const std::uint8_t* from, std::uint8_t* to, std::size_t bytes) {
  map_vectors(from, to, bytes, ByteswapMap<T>());
}

// ---- the prediction

template <class T>
HWY_INLINE Vector add(Vector a, Vector b) {
  const Words<T> d;
  return hn::BitCast(Bytes(), hn::Add(hn::BitCast(d, a), hn::BitCast(d, b)));
}

template <class T>
HWY_INLINE Vector subtract(Vector a, Vector b) {
  const Words<T> d;
  return hn::BitCast(Bytes(), hn::Sub(hn::BitCast(d, a), hn::BitCast(d, b)));
}

/// h_1 + (h_1 - h_2) + ... : each term is the first word of one more difference.
template <class T, std::size_t kTerms>
HWY_INLINE Vector sum_of_differences(const Vector (&h)[kTerms]) {
  if constexpr (kTerms == 1) {
    return h[0];
  } else {
    Vector difference[kTerms - 1];
    for (std::size_t j = 0; j + 1 < kTerms; ++j) difference[j] = subtract<T>(h[j], h[j + 1]);
    return add<T>(h[0], sum_of_differences<T>(difference));
  }
}

/// Zeros in place of the words before the start. A piece that needs them is at most this long.
alignas(kVector) inline constexpr std::uint8_t kZeros[512] = {};

/// One piece of a block: its words, and for each j up to the order the words that lie j tuples before them.
template <unsigned kOrder>
struct Piece {
  const std::uint8_t* from;
  const std::uint8_t* history[kOrder];
  std::uint8_t* to;
  std::size_t bytes;
};

/// Computes what replaces a word, from the word and its history. The flags are run-time values: they cost a
/// branch that is always predicted right, and constants would triple the code.
template <class T>
struct ToResidual {
  template <std::size_t kOrder>
  HWY_INLINE Vector operator()(Vector value, Vector (&h)[kOrder]) const {
    if (swapped) {
      value = swap(value);
      for (Vector& word : h) word = swap(word);
    }
    const Vector residual = subtract<T>(value, sum_of_differences<T>(h));
    return zigzag ? ZigzagMap<T>()(residual) : residual;
  }

  bool zigzag;   ///< codes the result
  bool swapped;  ///< the words are still big-endian
  ByteswapMap<T> swap{};
};

template <class T>
struct ToValue {
  template <std::size_t kOrder>
  HWY_INLINE Vector operator()(Vector code, Vector (&h)[kOrder]) const {
    return add<T>(zigzag ? UnzigzagMap<T>()(code) : code, sum_of_differences<T>(h));
  }

  bool zigzag;
};

/// Precondition: whole vectors. Takes the piece by value: if not, any store might change its pointers, and
/// that costs half the speed.
template <unsigned kOrder, class To>
HWY_NOINLINE void predict_vectors(const Piece<kOrder> piece, const To to) {
  for (std::size_t p = 0; p < piece.bytes; p += kVector) {
    Vector h[kOrder];
    for (unsigned j = 0; j < kOrder; ++j) h[j] = hn::LoadU(Bytes(), piece.history[j] + p);
    hn::StoreU(to(hn::LoadU(Bytes(), piece.from + p), h), Bytes(), piece.to + p);
  }
}

/// The last part of a vector goes through a padded copy.
template <unsigned kOrder, class To>
HWY_INLINE void predict_piece(const Piece<kOrder>& piece, const To& to) {
  const std::size_t rest = piece.bytes % kVector, whole = piece.bytes - rest;
  Piece<kOrder> part = piece;
  part.bytes = whole;
  predict_vectors(part, to);
  if (rest == 0) return;
  HWY_ALIGN std::uint8_t padded[kOrder + 1][kVector] = {};
  const auto pad = [&](unsigned j, const std::uint8_t* from) HWY_ATTR {
    return static_cast<const std::uint8_t*>(std::memcpy(padded[j], from + whole, rest));
  };
  part = {pad(kOrder, piece.from), {}, padded[kOrder], kVector};
  for (unsigned j = 0; j < kOrder; ++j) part.history[j] = pad(j, piece.history[j]);
  predict_vectors(part, to);
  std::memcpy(piece.to + whole, part.to, rest);
}

/// Words [first, last) of a chunk, piece by piece. In a piece, each h_j exists for all words or for none.
/// `values` is the start of the chunk. Precondition for integrate: the tuple is as long as a vector.
template <class T, unsigned kOrder, class To>
HWY_INLINE void predict_words(const std::uint8_t* from, const std::uint8_t* values, std::uint8_t* to,
                              std::size_t first, std::size_t last, std::size_t tuple, const To& convert) {
  for (std::size_t i = first; i < last;) {
    const std::size_t there = i / tuple;  // h_j exists for j <= this
    std::size_t words = last - i;
    if (there < kOrder) {
      words = HWY_MIN(words, (there + 1) * tuple - i);
      words = HWY_MIN(words, sizeof(kZeros) / sizeof(T));
    }
    const std::size_t done = (i - first) * sizeof(T);
    Piece<kOrder> piece{from + done, {}, to + done, words * sizeof(T)};
    for (unsigned j = 1; j <= kOrder; ++j) {
      piece.history[j - 1] = j <= there ? values + (i - j * tuple) * sizeof(T) : kZeros;
    }
    predict_piece(piece, convert);
    i += words;
  }
}

// ---- integrate in registers: low orders over tuples of at most one block

/// The shuffles for one tuple. A carry is kept as a block of values: byte p holds a byte of the newest word
/// of p's lane. So it can be added to the next block as it is.
template <class T>
struct BlockShuffles {
  static constexpr unsigned kRounds = log2_of(kBlock / sizeof(T));

  /// Precondition: tuple * sizeof(T) <= kBlock.
  HWY_NOINLINE explicit BlockShuffles(std::size_t tuple) : stride(tuple * sizeof(T)) {
    HWY_ALIGN std::uint8_t shifts[kRounds + 1][kVector], next[2][kBlock], next_but_one[2][kBlock];
    for (std::size_t p = 0; p < kBlock; ++p) {
      for (unsigned k = 0; k < kRounds; ++k) {
        const std::size_t back = stride << k;
        shifts[k][p] = shifts[k][p + kVector - kBlock] =
            static_cast<std::uint8_t>(p >= back ? p - back : 0x80);
      }
      next[0][p] = static_cast<std::uint8_t>(newest(p));
      next_but_one[0][p] = next_but_one[1][p] = next[1][p] = static_cast<std::uint8_t>(newest(newest(p)));
    }
    for (unsigned k = 0; k < kRounds; ++k) shift[k] = hn::Load(Bytes(), shifts[k]);
    to_next_block = hn::LoadDup128(Bytes(), next[0]);
    to_next_vector = kVector == kBlock ? to_next_block : hn::LoadDup128(Bytes(), next_but_one[0]);
    to_both_blocks = hn::LoadU(Bytes(), next[0]);
  }

  /// For byte p of a block: where the last word of its lane lies in the block before.
  std::size_t newest(std::size_t p) const { return kBlock - stride + p % stride; }

  std::size_t stride;
  Vector shift[kRounds + 1];  ///< moves each word from 1, 2, 4, 8 tuples before it, or zero
  Vector to_next_block;       ///< moves a block's last words to where the next block adds them
  Vector to_next_vector;      ///< the same over a whole vector
  Vector to_both_blocks;      ///< the same over no block in block 0, over one block in block 1
};

/// Sums each block by the scheme of Kogge and Stone, adds block 0 to block 1, then adds the carry. Only the
/// last addition of the carry waits for the vector before. kPeriodic: the tuple divides the block, so the
/// lanes of a carry have the same places in every block. `map` undoes zigzag when a vector is loaded.
template <class T, unsigned kRounds, bool kPeriodic, class Map>
HWY_NOINLINE Vector integrate_blocks(const std::uint8_t* from, std::uint8_t* to, std::size_t bytes,
                                     const BlockShuffles<T>& shuffles, Vector carry, const Map& map) {
  const BlockShuffles<T> s = shuffles;
  const Vector upper = hn::ConcatLowerLower(Bytes(), hn::Set(Bytes(), std::uint8_t{0xFF}), hn::Zero(Bytes()));
  for (std::size_t p = 0; p < bytes; p += kVector) {
    Vector x = map(hn::LoadU(Bytes(), from + p));
    for (unsigned k = 0; k < kRounds; ++k) x = add<T>(x, hn::TableLookupBytesOr0(x, s.shift[k]));
    if constexpr (kVector == kBlock) {
      hn::StoreU(add<T>(x, carry), Bytes(), to + p);
      carry = add<T>(kPeriodic ? carry : hn::TableLookupBytes(carry, s.to_next_vector),
                     hn::TableLookupBytes(x, s.to_next_block));
    } else if constexpr (kPeriodic) {
      const Vector newest = hn::TableLookupBytes(x, s.to_next_block), other = swap_blocks(newest);
      hn::StoreU(add<T>(add<T>(x, hn::And(other, upper)), carry), Bytes(), to + p);
      carry = add<T>(carry, add<T>(newest, other));
    } else {
      const Vector lower = hn::And(swap_blocks(x), upper);
      x = add<T>(x, hn::TableLookupBytes(lower, s.to_next_block));
      hn::StoreU(add<T>(x, carry), Bytes(), to + p);
      const Vector last = hn::ConcatUpperUpper(Bytes(), x, x);
      carry =
          add<T>(hn::TableLookupBytes(carry, s.to_next_vector), hn::TableLookupBytes(last, s.to_both_blocks));
    }
  }
  return carry;
}

/// With as many rounds as this tuple needs: shifts by a block or more add nothing.
template <class T, unsigned kRounds = BlockShuffles<T>::kRounds, class Map>
HWY_NOINLINE Vector integrate_blocks_of(const std::uint8_t* from, std::uint8_t* to, std::size_t bytes,
                                        const BlockShuffles<T>& shuffles, Vector carry, const Map& map) {
  if constexpr (kRounds > 0) {
    if (shuffles.stride << (kRounds - 1) >= kBlock) {
      return integrate_blocks_of<T, kRounds - 1>(from, to, bytes, shuffles, carry, map);
    }
  }
  const bool periodic = kBlock % shuffles.stride == 0;
  return periodic ? integrate_blocks<T, kRounds, true>(from, to, bytes, shuffles, carry, map)
                  : integrate_blocks<T, kRounds, false>(from, to, bytes, shuffles, carry, map);
}

/// The block of values that ends at byte `end`; zeros before the start.
HWY_INLINE Vector block_before(const std::uint8_t* values, std::size_t end) {
  HWY_ALIGN std::uint8_t block[kBlock] = {};
  const std::size_t there = HWY_MIN(end, kBlock);
  std::memcpy(block + kBlock - there, values + end - there, there);
  return hn::LoadDup128(Bytes(), block);
}

/// The carries of every order at byte `end`: Newton's backward differences of the words before it.
template <class T>
HWY_INLINE void load_carries(const std::uint8_t* values, std::size_t end, unsigned order,
                             const BlockShuffles<T>& shuffles, Vector* carry) {
  for (std::size_t j = 0; j < order; ++j) {
    const std::size_t back = HWY_MIN(j * shuffles.stride, end);
    carry[order - 1 - j] = hn::TableLookupBytes(block_before(values, end - back), shuffles.to_both_blocks);
  }
  for (unsigned k = 1; k < order; ++k) {
    for (unsigned j = 0; j + k < order; ++j) {
      carry[j] = subtract<T>(carry[j + 1], carry[j]);
    }
  }
}

/// Order by order; the first order undoes zigzag.
template <class T>
HWY_INLINE void integrate_orders(const std::uint8_t* from, std::uint8_t* to, std::size_t bytes,
                                 unsigned order, const BlockShuffles<T>& shuffles, Vector* carry,
                                 bool zigzag) {
  carry[0] = zigzag ? integrate_blocks_of<T>(from, to, bytes, shuffles, carry[0], UnzigzagMap<T>())
                    : integrate_blocks_of<T>(from, to, bytes, shuffles, carry[0], Identity());
  for (unsigned k = 1; k < order; ++k) {
    carry[k] = integrate_blocks_of<T>(to, to, bytes, shuffles, carry[k], Identity());
  }
}

template <class T>
HWY_NOINLINE void integrate_in_registers(const std::uint8_t* from, std::uint8_t* values, std::size_t first,
                                         std::size_t last, unsigned order, const BlockShuffles<T>& shuffles,
                                         bool zigzag) {
  std::uint8_t* to = values + first * sizeof(T);
  const std::size_t bytes = (last - first) * sizeof(T), rest = bytes % kVector, whole = bytes - rest;
  Vector carry[kHighestOrder];
  load_carries(values, first * sizeof(T), order, shuffles, carry);
  integrate_orders(from, to, whole, order, shuffles, carry, zigzag);
  if (rest == 0) return;
  HWY_ALIGN std::uint8_t padded[kVector] = {};
  std::memcpy(padded, from + whole, rest);
  integrate_orders(padded, padded, kVector, order, shuffles, carry, zigzag);
  std::memcpy(to + whole, padded, rest);
}

inline constexpr unsigned kStepsOfColumns = 8;

/// Whether registers are faster than columns. Columns take nearly the same time for every order. In shuffles
/// with an addition: each order in registers takes one for each round and one more; columns take
/// kStepsOfColumns for all orders together (measured on Zen 3).
template <class T>
HWY_INLINE bool in_registers(std::size_t tuple, unsigned order) {
  const std::size_t stride = tuple * sizeof(T);
  unsigned steps = 1;
  for (std::size_t shift = stride; shift < kBlock; shift *= 2) ++steps;
  return stride <= kBlock && (order == 1 || order * steps <= kStepsOfColumns);
}

// ---- integrate in columns

/// Bytes of a tuple that goes through columns. With wider ones most stores are done before integrate needs
/// them, so that it takes word after word, as difference() does (measured on Zen 5).
inline constexpr std::size_t kWidestColumnTuple = 64;
inline constexpr std::size_t kLongestRun = kSweepBytes / kVector;
static_assert(kWidestColumnTuple <= kLongestRun);

/// The sums of all words before a block: sum[k][l] is the sum of lane l after k + 1 integrations.
template <class T>
struct Carry {
  static constexpr std::size_t kLanes = kWidestColumnTuple / sizeof(T);
  T sum[kHighestOrder][kLanes];
};

/// The `tuple` words before word `i`; zeros before the start.
template <class T>
HWY_INLINE void load_history(const std::uint8_t* values, std::size_t back, std::size_t i, std::size_t tuple,
                             T* to) {
  const std::size_t zeros = back <= i ? 0 : HWY_MIN(back - i, tuple);
  for (std::size_t l = 0; l < zeros; ++l) to[l] = 0;
  if (zeros == tuple) return;
  std::memcpy(to + zeros, values + (i + zeros - back) * sizeof(T), (tuple - zeros) * sizeof(T));
}

/// Newton's backward differences of the last `order` tuples: sum[k] = D^(order-1-k) of the newest.
template <class T>
HWY_INLINE void load_carry(const std::uint8_t* values, std::size_t i, std::size_t tuple, unsigned order,
                           Carry<T>& carry) {
  for (unsigned j = 1; j <= order; ++j) load_history(values, j * tuple, i, tuple, carry.sum[order - j]);
  for (unsigned k = 1; k < order; ++k) {
    for (unsigned j = 0; j + k < order; ++j) {
      for (std::size_t l = 0; l < tuple; ++l) {
        carry.sum[j][l] = static_cast<T>(carry.sum[j + 1][l] - carry.sum[j][l]);
      }
    }
  }
}

/// Column c is part c of the block, of `run` words. Row r holds word r of every part. Transposes in squares
/// of one block. If the last square does not fit, it overlaps the square before it.
template <class T>
struct Columns {
  static constexpr std::size_t kSide = kBlock / sizeof(T);
  static constexpr std::size_t kCount = kVector / sizeof(T);

  template <class Map>
  static HWY_INLINE void load(const std::uint8_t* residuals, std::size_t run, std::uint8_t* rows,
                              const Map& map) {
    for (std::size_t r = 0; r < run; r += kSide) {
      const std::size_t first = HWY_MIN(r, run - kSide);
      Vector square[kSide];
      for (std::size_t c = 0; c < kSide; ++c) {
        square[c] = map(load_blocks(residuals + (c * run + first) * sizeof(T), kBlock * run));
      }
      perfect_shuffle<T, log2_of(kSide)>(square);
      for (std::size_t k = 0; k < kSide; ++k) hn::Store(square[k], Bytes(), rows + (first + k) * kVector);
    }
  }

  static HWY_INLINE void store(const std::uint8_t* rows, std::size_t run, std::uint8_t* values) {
    for (std::size_t r = 0; r < run; r += kSide) {
      const std::size_t first = HWY_MIN(r, run - kSide);
      Vector square[kSide];
      for (std::size_t k = 0; k < kSide; ++k) square[k] = hn::Load(Bytes(), rows + (first + k) * kVector);
      perfect_shuffle<T, log2_of(kSide)>(square);
      for (std::size_t c = 0; c < kSide; ++c) {
        std::uint8_t* to = values + (c * run + first) * sizeof(T);
        store_lower_block(square[c], to);
        store_upper_block(square[c], to + kBlock * run);
      }
    }
  }
};

/// One lane of the tuple in all columns: rows `first`, first + step, ... before `end`.
template <class T>
using LaneKernel = void (*)(std::uint8_t* first, std::uint8_t* end, std::size_t step, const T* carry);

/// The sums of each column before its first row. `sums` comes with those of the column's `rows` rows alone.
/// From column to column, n rows add binomial(n + d - 1, d) times the sum d orders below: the coefficients of
/// (1 - x)^-n.
template <class T, unsigned kOrder>
HWY_INLINE void start_columns(T (&sums)[kOrder][kVector / sizeof(T)], std::size_t rows, const T* carry) {
  T factor[kOrder], sum[kOrder];
  std::uint64_t binomial = 1;
  for (unsigned d = 0; d < kOrder; ++d) {
    factor[d] = static_cast<T>(binomial);
    binomial = binomial * (rows + d) / (d + 1);
    sum[d] = carry[d * Carry<T>::kLanes];
  }
  for (std::size_t c = 0; c < kVector / sizeof(T); ++c) {
    for (unsigned k = kOrder; k-- > 0;) {
      std::uint64_t next = sums[k][c];
      for (unsigned d = 0; d <= k; ++d) next += std::uint64_t{factor[d]} * sum[k - d];
      sums[k][c] = sum[k];
      sum[k] = static_cast<T>(next);
    }
  }
}

/// All orders in one walk over the rows, and one before it for the sums from which each column starts.
template <class T, unsigned kOrder>
HWY_NOINLINE void integrate_lane(std::uint8_t* first, std::uint8_t* end, std::size_t step, const T* carry) {
  const Words<T> d;
  hn::Vec<Words<T>> sum[kOrder];
  HWY_ALIGN T sums[kOrder][kVector / sizeof(T)];
  for (unsigned k = 0; k < kOrder; ++k) sum[k] = hn::Zero(d);
  for (std::uint8_t* row = first; row < end; row += step) {
    auto value = hn::BitCast(d, hn::Load(Bytes(), row));
    for (unsigned k = 0; k < kOrder; ++k) value = sum[k] = hn::Add(sum[k], value);
  }
  for (unsigned k = 0; k < kOrder; ++k) hn::Store(sum[k], d, sums[k]);
  start_columns<T, kOrder>(sums, static_cast<std::size_t>(end - first + step - 1) / step, carry);
  for (unsigned k = 0; k < kOrder; ++k) sum[k] = hn::Load(d, sums[k]);
  for (std::uint8_t* row = first; row < end; row += step) {
    auto value = hn::BitCast(d, hn::Load(Bytes(), row));
    for (unsigned k = 0; k < kOrder; ++k) value = sum[k] = hn::Add(sum[k], value);
    hn::Store(hn::BitCast(Bytes(), value), Bytes(), row);
  }
}

template <class T, class Map>
HWY_NOINLINE void integrate_columns(const std::uint8_t* residuals, std::uint8_t* values, std::size_t run,
                                    std::size_t tuple, LaneKernel<T> integrate_lane, const Carry<T>& carry,
                                    const Map& map) {
  HWY_ALIGN std::uint8_t rows[kSweepBytes];
  Columns<T>::load(residuals, run, rows, map);
  for (std::size_t lane = 0; lane < tuple; ++lane) {
    integrate_lane(rows + lane * kVector, rows + run * kVector, tuple * kVector, &carry.sum[0][lane]);
  }
  Columns<T>::store(rows, run, values);
}

/// The rest, when columns would be shorter than a square. In place. One lane: its sums stay in registers.
template <class T, unsigned kOrder>
HWY_NOINLINE void integrate_one_lane(std::uint8_t* values, std::size_t words, const Carry<T>& carry) {
  T sum[kOrder];
  for (unsigned k = 0; k < kOrder; ++k) sum[k] = carry.sum[k][0];
  for (std::size_t i = 0; i < words; ++i) {
    T value = load_word<T>(values + i * sizeof(T));
    for (unsigned k = 0; k < kOrder; ++k) value = sum[k] = static_cast<T>(sum[k] + value);
    store_word(value, values + i * sizeof(T));
  }
}

template <class T>
HWY_NOINLINE void integrate_words(std::uint8_t* values, std::size_t words, std::size_t tuple, unsigned order,
                                  Carry<T>& carry) {
  for (std::size_t i = 0, lane = 0; i < words; ++i, lane = lane + 1 < tuple ? lane + 1 : 0) {
    T value = load_word<T>(values + i * sizeof(T));
    for (unsigned k = 0; k < order; ++k) {
      value = carry.sum[k][lane] = static_cast<T>(carry.sum[k][lane] + value);
    }
    store_word(value, values + i * sizeof(T));
  }
}

/// The kernels of one order.
template <class T>
struct OrderKernels {
  unsigned order;
  LaneKernel<T> columns;
  void (*one_lane)(std::uint8_t* values, std::size_t words, const Carry<T>& carry);
};

template <class T, class Map>
HWY_NOINLINE void integrate_narrow(const std::uint8_t* residuals, std::uint8_t* values, std::size_t first,
                                   std::size_t last, std::size_t tuple, const OrderKernels<T>& kernels,
                                   const Map& map) {
  Carry<T> carry;
  for (std::size_t i = first; i < last;) {
    const std::uint8_t* from = residuals + (i - first) * sizeof(T);
    std::uint8_t* to = values + i * sizeof(T);
    const std::size_t longest = HWY_MIN((last - i) / Columns<T>::kCount, kLongestRun);
    const std::size_t run = longest - longest % tuple;  // whole tuples, so that a row is one lane
    load_carry(values, i, tuple, kernels.order, carry);
    if (run < Columns<T>::kSide) {
      map_vectors(from, to, (last - i) * sizeof(T), map);
      if (tuple == 1) return kernels.one_lane(to, last - i, carry);
      return integrate_words(to, last - i, tuple, kernels.order, carry);
    }
    integrate_columns(from, to, run, tuple, kernels.columns, carry, map);
    i += run * Columns<T>::kCount;
  }
}

// ---- the pair

/// Turns words [first, last) into residuals. `values` is the start of the chunk.
template <class T, unsigned kOrder>
HWY_NOINLINE void difference(const std::uint8_t* values, std::uint8_t* residuals, std::size_t first,
                             std::size_t last, std::size_t tuple, const ToResidual<T>& to_residual) {
  predict_words<T, kOrder>(values + first * sizeof(T), values, residuals, first, last, tuple, to_residual);
}

/// Turns residuals into words [first, last). `values` is the start of the chunk; its words before `first` are
/// done. May run in place.
template <class T, unsigned kOrder>
HWY_NOINLINE void integrate(const std::uint8_t* residuals, std::uint8_t* values, std::size_t first,
                            std::size_t last, std::size_t tuple, const ToValue<T>& to_value) {
  std::uint8_t* to = values + first * sizeof(T);
  const OrderKernels<T> kernels{kOrder, &integrate_lane<T, kOrder>, &integrate_one_lane<T, kOrder>};
  if (tuple * sizeof(T) > kWidestColumnTuple) {
    predict_words<T, kOrder>(residuals, values, to, first, last, tuple, to_value);
  } else if (to_value.zigzag) {
    integrate_narrow<T>(residuals, values, first, last, tuple, kernels, UnzigzagMap<T>());
  } else {
    integrate_narrow<T>(residuals, values, first, last, tuple, kernels, Identity());
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace tdz::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
