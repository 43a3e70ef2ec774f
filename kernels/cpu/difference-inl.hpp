// SPDX-License-Identifier: Apache-2.0
// Difference and integrate, of any order over any tuple.
//
// Both follow from one prediction: with h_j the word j tuples back (zero before the start) and D = 1 - B^s,
//     x_i - (D^q x)_i  =  sum_{k=0}^{q-1} (D^k x)_{i-s}  =  h_1 + (h_1 - h_2) + (h_1 - 2 h_2 + h_3) + ...
// difference takes it away from a value, integrate adds it to a residual. The history lies in the values
// themselves, so no state passes from one block to the next.
//
// Where a tuple is shorter than a few vectors, integrate would wait for its own stores. There each lane of a vector
// (a "column") sums a run of its own: Nakano 2012 and Merrill and Garland 2016 call it reduce-then-scan.
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

// ---- the prediction

/// h_1 + (h_1 - h_2) + ... : each term is the head of one more difference.
template <class D, std::size_t kTerms>
HWY_INLINE hn::Vec<D> sum_of_differences(D d, const hn::Vec<D> (&h)[kTerms]) {
  if constexpr (kTerms == 1) {
    return h[0];
  } else {
    hn::Vec<D> difference[kTerms - 1];
    for (std::size_t j = 0; j + 1 < kTerms; ++j) difference[j] = hn::Sub(h[j], h[j + 1]);
    return hn::Add(h[0], sum_of_differences(d, difference));
  }
}

/// Stands for the words before the start; a piece that needs it is no longer than this.
alignas(kVector) inline constexpr std::uint8_t kZeros[512] = {};

/// One piece of a block: the words themselves and, for each j up to the order, the words j tuples back.
template <unsigned kOrder>
struct Piece {
  const std::uint8_t* from;
  const std::uint8_t* history[kOrder];
  std::uint8_t* to;
  std::size_t bytes;
};

template <class T>
struct PlainLoad {
  HWY_INLINE hn::Vec<Words<T>> operator()(const std::uint8_t* from) const {
    return hn::BitCast(Words<T>(), hn::LoadU(Bytes(), from));
  }
};

/// For values that are still big-endian.
template <class T, class Swap>
struct SwappedLoad {
  HWY_INLINE hn::Vec<Words<T>> operator()(const std::uint8_t* from) const {
    return hn::BitCast(Words<T>(), swap(hn::LoadU(Bytes(), from)));
  }
  Swap swap;
};

template <class T, unsigned kOrder, class Load>
HWY_INLINE hn::Vec<Words<T>> predict(const std::uint8_t* const (&history)[kOrder], std::size_t p, const Load& load) {
  hn::Vec<Words<T>> h[kOrder];
  for (unsigned j = 0; j < kOrder; ++j) h[j] = load(history[j] + p);
  return sum_of_differences(Words<T>(), h);
}

struct Subtract {
  template <class V>
  HWY_INLINE V operator()(V value, V prediction) const {
    return hn::Sub(value, prediction);
  }
};

struct Add {
  template <class V>
  HWY_INLINE V operator()(V residual, V prediction) const {
    return hn::Add(residual, prediction);
  }
};

template <class T, unsigned kOrder, class Load, class Join>
HWY_INLINE void predict_piece(const Piece<kOrder>& piece, const Load& load, const Join& join) {
  std::size_t p = 0;
  for (; p + kVector <= piece.bytes; p += kVector) {
    const auto joined = join(load(piece.from + p), predict<T>(piece.history, p, load));
    hn::StoreU(hn::BitCast(Bytes(), joined), Bytes(), piece.to + p);
  }
  const std::size_t rest = piece.bytes - p;
  if (rest == 0) return;
  HWY_ALIGN std::uint8_t padded[kOrder + 1][kVector] = {};
  const std::uint8_t* history[kOrder];
  std::memcpy(padded[0], piece.from + p, rest);
  for (unsigned j = 0; j < kOrder; ++j) {
    history[j] = static_cast<const std::uint8_t*>(std::memcpy(padded[j + 1], piece.history[j] + p, rest));
  }
  const auto joined = join(load(padded[0]), predict<T>(history, 0, load));
  hn::Store(hn::BitCast(Bytes(), joined), Bytes(), padded[0]);
  std::memcpy(piece.to + p, padded[0], rest);
}

/// Words [first, last) of a chunk, piece by piece: in a piece, each h_j is there for all words or for none.
/// `values` is the start of the chunk. Precondition for integrate: the tuple is as long as a vector.
template <class T, unsigned kOrder, class Load, class Join>
HWY_INLINE void predict_words(const std::uint8_t* from, const std::uint8_t* values, std::uint8_t* to,
                              std::size_t first, std::size_t last, std::size_t tuple, const Load& load,
                              const Join& join) {
  for (std::size_t i = first; i < last;) {
    const std::size_t there = i / tuple;  // h_j is there for j <= this
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
    predict_piece<T>(piece, load, join);
    i += words;
  }
}

// ---- integrate in registers: order 1 over a tuple of at most one block

/// The shuffles for one tuple. A carry is kept as a block of values: byte p holds a byte of the newest word of p's
/// lane, so that it can be added to the next block as it is.
template <class T>
struct BlockShuffles {
  static constexpr unsigned kRounds = log2_of(kBlock / sizeof(T));

  /// Precondition: tuple * sizeof(T) <= kBlock.
  explicit BlockShuffles(std::size_t tuple) : stride(tuple * sizeof(T)) {
    HWY_ALIGN std::uint8_t shifts[kRounds + 1][kVector], next[2][kBlock], next_but_one[2][kBlock];
    for (std::size_t p = 0; p < kBlock; ++p) {
      for (unsigned k = 0; k < kRounds; ++k) {
        const std::size_t back = stride << k;
        shifts[k][p] = shifts[k][p + kVector - kBlock] = static_cast<std::uint8_t>(p >= back ? p - back : 0x80);
      }
      next[0][p] = static_cast<std::uint8_t>(newest(p));
      next_but_one[0][p] = next_but_one[1][p] = next[1][p] = static_cast<std::uint8_t>(newest(newest(p)));
    }
    for (unsigned k = 0; k < kRounds; ++k) shift[k] = hn::Load(Bytes(), shifts[k]);
    to_next_block = hn::LoadDup128(Bytes(), next[0]);
    to_next_vector = kVector == kBlock ? to_next_block : hn::LoadDup128(Bytes(), next_but_one[0]);
    to_both_blocks = hn::LoadU(Bytes(), next[0]);
  }

  /// Where the last word of the same lane lies in the block before, for byte p of a block.
  std::size_t newest(std::size_t p) const { return kBlock - stride + p % stride; }

  std::size_t stride;
  Vector shift[kRounds + 1];  ///< each word from 1, 2, 4, 8 tuples before it, or zero
  Vector to_next_block;       ///< a block's last words to where the next block adds them
  Vector to_next_vector;      ///< the same past a whole vector
  Vector to_both_blocks;      ///< in block 0 past no block, in block 1 past one
};

template <class T>
HWY_INLINE Vector add(Vector a, Vector b) {
  const Words<T> d;
  return hn::BitCast(Bytes(), hn::Add(hn::BitCast(d, a), hn::BitCast(d, b)));
}

HWY_INLINE Vector swap_blocks(Vector v) { return hn::ConcatLowerUpper(Bytes(), v, v); }

/// Sums each block by Kogge and Stone's scheme, adds block 0 to block 1, then the carry. Only the carry's own
/// last addition waits for the vector before. kPeriodic: the tuple divides the block, so that a carry's lanes are
/// in the same places in every block. The map undoes zigzag on the way in.
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
      carry = add<T>(hn::TableLookupBytes(carry, s.to_next_vector), hn::TableLookupBytes(last, s.to_both_blocks));
    }
  }
  return carry;
}

/// With the rounds that this tuple needs: shifts of a block or more add nothing.
template <class T, unsigned kRounds = BlockShuffles<T>::kRounds, class Map>
HWY_INLINE Vector integrate_blocks_of(const std::uint8_t* from, std::uint8_t* to, std::size_t bytes,
                                      const BlockShuffles<T>& shuffles, Vector carry, const Map& map) {
  if constexpr (kRounds > 0) {
    if (shuffles.stride << (kRounds - 1) >= kBlock) {
      return integrate_blocks_of<T, kRounds - 1>(from, to, bytes, shuffles, carry, map);
    }
  }
  if (kBlock % shuffles.stride == 0) return integrate_blocks<T, kRounds, true>(from, to, bytes, shuffles, carry, map);
  return integrate_blocks<T, kRounds, false>(from, to, bytes, shuffles, carry, map);
}

/// The block of values that ends at byte `end`; zeros before the start.
HWY_INLINE Vector block_before(const std::uint8_t* values, std::size_t end) {
  HWY_ALIGN std::uint8_t block[kBlock] = {};
  const std::size_t there = HWY_MIN(end, kBlock);
  std::memcpy(block + kBlock - there, values + end - there, there);
  return hn::LoadDup128(Bytes(), block);
}

/// The carries of every order at byte `end`: Newton's backward differences of the words before it.
template <class T, unsigned kOrder>
HWY_INLINE void load_carries(const std::uint8_t* values, std::size_t end, const BlockShuffles<T>& shuffles,
                             Vector (&carry)[kOrder]) {
  const Words<T> d;
  for (std::size_t j = 0; j < kOrder; ++j) {
    const std::size_t back = j * shuffles.stride;
    carry[kOrder - 1 - j] = hn::Zero(Bytes());
    if (back < end) {
      carry[kOrder - 1 - j] = hn::TableLookupBytes(block_before(values, end - back), shuffles.to_both_blocks);
    }
  }
  for (unsigned k = 1; k < kOrder; ++k) {
    for (unsigned j = 0; j + k < kOrder; ++j) {
      carry[j] = hn::BitCast(Bytes(), hn::Sub(hn::BitCast(d, carry[j + 1]), hn::BitCast(d, carry[j])));
    }
  }
}

/// Order by order; the first one undoes zigzag.
template <class T, unsigned kOrder, class Map>
HWY_NOINLINE void integrate_in_registers(const std::uint8_t* from, std::uint8_t* values, std::size_t first,
                                         std::size_t last, const BlockShuffles<T>& shuffles, const Map& map) {
  std::uint8_t* to = values + first * sizeof(T);
  const std::size_t bytes = (last - first) * sizeof(T), rest = bytes % kVector, whole = bytes - rest;
  Vector carry[kOrder];
  load_carries<T>(values, first * sizeof(T), shuffles, carry);
  carry[0] = integrate_blocks_of<T>(from, to, whole, shuffles, carry[0], map);
  for (unsigned k = 1; k < kOrder; ++k) {
    carry[k] = integrate_blocks_of<T>(to, to, whole, shuffles, carry[k], Identity());
  }
  if (rest == 0) return;
  HWY_ALIGN std::uint8_t padded[kVector] = {};
  std::memcpy(padded, from + whole, rest);
  integrate_blocks_of<T>(padded, padded, kVector, shuffles, carry[0], map);
  for (unsigned k = 1; k < kOrder; ++k) {
    integrate_blocks_of<T>(padded, padded, kVector, shuffles, carry[k], Identity());
  }
  std::memcpy(to + whole, padded, rest);
}

/// Whether that beats the columns, which hardly slow down with the order: one order in registers takes a step for
/// each round and about one more, the columns about eight. Measured on Zen 3, see docs/notes.
template <class T>
HWY_INLINE bool in_registers(std::size_t tuple, unsigned order) {
  const std::size_t stride = tuple * sizeof(T);
  unsigned steps = 1;
  for (std::size_t shift = stride; shift < kBlock; shift *= 2) ++steps;
  return stride <= kBlock && (order == 1 || order * steps <= 8);
}

// ---- integrate in columns

/// Wider tuples wait long enough for their own stores to be done, narrower ones go through columns.
inline constexpr std::size_t kWidestColumnTuple = 64;
inline constexpr std::size_t kLongestRun = kSweepBytes / kVector;
static_assert(kWidestColumnTuple <= kLongestRun);

/// The sums of every lane before a block: sum[k][l] is lane l's after k + 1 integrations.
template <class T>
struct Carry {
  T sum[kHighestOrder][kWidestColumnTuple];
};

/// The `tuple` words before word `i`; zeros before the start.
template <class T>
HWY_INLINE void load_history(const std::uint8_t* values, std::size_t back, std::size_t i, std::size_t tuple, T* to) {
  const std::size_t zeros = back <= i ? 0 : HWY_MIN(back - i, tuple);
  for (std::size_t l = 0; l < zeros; ++l) to[l] = 0;
  if (zeros < tuple) std::memcpy(to + zeros, values + (i + zeros - back) * sizeof(T), (tuple - zeros) * sizeof(T));
}

/// Newton's backward differences of the last `order` tuples: sum[k] = D^(order-1-k) of the newest.
template <class T>
HWY_INLINE void load_carry(const std::uint8_t* values, std::size_t i, std::size_t tuple, unsigned order,
                           Carry<T>& carry) {
  for (unsigned j = 0; j < order; ++j) load_history(values, (j + 1) * tuple, i, tuple, carry.sum[order - 1 - j]);
  for (unsigned k = 1; k < order; ++k) {
    for (unsigned j = 0; j + k < order; ++j) {
      for (std::size_t l = 0; l < tuple; ++l) {
        carry.sum[j][l] = static_cast<T>(carry.sum[j + 1][l] - carry.sum[j][l]);
      }
    }
  }
}

/// The sum of the lanes before each lane, by Kogge and Stone's scheme in a block, then across the blocks.
template <class D, std::size_t kShift = 1>
HWY_INLINE hn::Vec<D> sum_in_blocks(D d, hn::Vec<D> v) {
  if constexpr (kShift * sizeof(hn::TFromD<D>) < kBlock) {
    return sum_in_blocks<D, 2 * kShift>(d, hn::Add(v, hn::ShiftLeftLanes<kShift>(d, v)));
  } else {
    return v;
  }
}

template <class T>
HWY_INLINE hn::Vec<Words<T>> exclusive_sum(hn::Vec<Words<T>> v) {
  const Words<T> d;
  auto sum = sum_in_blocks(d, v);
  if constexpr (kVector != kBlock) {
    const auto lower = hn::ConcatLowerLower(d, sum, hn::Zero(d));  // block 1: the sums of block 0
    const auto byte = hn::And(hn::Iota(Bytes(), 0), hn::Set(Bytes(), std::uint8_t{sizeof(T) - 1}));
    const auto last = hn::Add(byte, hn::Set(Bytes(), std::uint8_t{kBlock - sizeof(T)}));
    sum = hn::Add(sum, hn::BitCast(d, hn::TableLookupBytes(hn::BitCast(Bytes(), lower), last)));
  }
  return hn::Sub(sum, v);
}

/// Column c is the c-th run of `run` words; row r holds word r of every run. Transposes in squares of one block;
/// the last square overlaps the one before it unless it fits.
template <class T>
struct Columns {
  static constexpr std::size_t kSide = kBlock / sizeof(T);
  static constexpr std::size_t kCount = kVector / sizeof(T);

  static HWY_INLINE void load(const std::uint8_t* residuals, std::size_t run, std::uint8_t* rows) {
    for (std::size_t r = 0; r < run; r += kSide) {
      const std::size_t first = HWY_MIN(r, run - kSide);
      Vector square[kSide];
      for (std::size_t c = 0; c < kSide; ++c) {
        square[c] = load_blocks(residuals + (c * run + first) * sizeof(T), kBlock * run);
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

/// One lane of the tuple in all columns, order by order: each pass sums what the next one starts from.
template <class T>
HWY_INLINE void integrate_lane(std::uint8_t* first, std::uint8_t* end, std::size_t step, unsigned order,
                               const T* carry) {
  const Words<T> d;
  auto total = hn::Zero(d);
  for (std::uint8_t* row = first; row < end; row += step) {
    total = hn::Add(total, hn::BitCast(d, hn::Load(Bytes(), row)));
  }
  for (unsigned k = 0; k < order; ++k) {
    auto value = hn::Add(exclusive_sum<T>(total), hn::Set(d, carry[k * kWidestColumnTuple]));
    total = hn::Zero(d);
    for (std::uint8_t* row = first; row < end; row += step) {
      value = hn::Add(value, hn::BitCast(d, hn::Load(Bytes(), row)));
      total = hn::Add(total, value);
      hn::Store(hn::BitCast(Bytes(), value), Bytes(), row);
    }
  }
}

template <class T>
HWY_NOINLINE void integrate_columns(const std::uint8_t* residuals, std::uint8_t* values, std::size_t run,
                                    std::size_t tuple, unsigned order, const Carry<T>& carry) {
  HWY_ALIGN std::uint8_t rows[kSweepBytes];
  Columns<T>::load(residuals, run, rows);
  for (std::size_t lane = 0; lane < tuple; ++lane) {
    integrate_lane<T>(rows + lane * kVector, rows + run * kVector, tuple * kVector, order, &carry.sum[0][lane]);
  }
  Columns<T>::store(rows, run, values);
}

/// What is left when the columns would be shorter than a square.
template <class T>
HWY_NOINLINE void integrate_words(const std::uint8_t* residuals, std::uint8_t* values, std::size_t words,
                                  std::size_t tuple, unsigned order, Carry<T>& carry) {
  for (std::size_t i = 0, lane = 0; i < words; ++i, lane = lane + 1 < tuple ? lane + 1 : 0) {
    T value = load_word<T>(residuals + i * sizeof(T));
    for (unsigned k = 0; k < order; ++k) {
      value = carry.sum[k][lane] = static_cast<T>(carry.sum[k][lane] + value);
    }
    store_word(value, values + i * sizeof(T));
  }
}

template <class T>
HWY_NOINLINE void integrate_narrow(const std::uint8_t* residuals, std::uint8_t* values, std::size_t first,
                                   std::size_t last, std::size_t tuple, unsigned order) {
  Carry<T> carry;
  for (std::size_t i = first; i < last;) {
    const std::uint8_t* from = residuals + (i - first) * sizeof(T);
    std::uint8_t* to = values + i * sizeof(T);
    const std::size_t longest = HWY_MIN((last - i) / Columns<T>::kCount, kLongestRun);
    const std::size_t run = longest - longest % tuple;  // whole tuples, so that a row is one lane
    const bool columns = run >= Columns<T>::kSide;
    load_carry(values, i, tuple, order, carry);
    if (columns) integrate_columns(from, to, run, tuple, order, carry);
    if (!columns) integrate_words(from, to, last - i, tuple, order, carry);
    i = columns ? i + run * Columns<T>::kCount : last;
  }
}

// ---- the pair

/// Words [first, last) of `values` (the start of the chunk) to residuals.
template <class T, unsigned kOrder, class Load>
HWY_NOINLINE void difference(const std::uint8_t* values, std::uint8_t* residuals, std::size_t first, std::size_t last,
                             std::size_t tuple, const Load& load) {
  predict_words<T, kOrder>(values + first * sizeof(T), values, residuals, first, last, tuple, load, Subtract());
}

/// Residuals to words [first, last) of `values` (the start of the chunk), whose words before `first` are done.
/// May run in place.
template <class T, unsigned kOrder>
HWY_NOINLINE void integrate(const std::uint8_t* residuals, std::uint8_t* values, std::size_t first, std::size_t last,
                            std::size_t tuple) {
  if (tuple <= kWidestColumnTuple) return integrate_narrow<T>(residuals, values, first, last, tuple, kOrder);
  predict_words<T, kOrder>(residuals, values, values + first * sizeof(T), first, last, tuple, PlainLoad<T>(), Add());
}

}  // namespace HWY_NAMESPACE
}  // namespace tdz::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
