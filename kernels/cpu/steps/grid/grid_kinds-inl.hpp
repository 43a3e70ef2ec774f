// SPDX-License-Identifier: Apache-2.0
// What the words of a grid become: numbers in memory of their own (grid_walk.hpp), with those around the ends
// of a line, and sums of their products with coefficients.
#if defined(TDZ_KERNELS_CPU_STEPS_GRID_KINDS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TDZ_KERNELS_CPU_STEPS_GRID_KINDS_INL_HPP
#undef TDZ_KERNELS_CPU_STEPS_GRID_KINDS_INL_HPP
#else
#define TDZ_KERNELS_CPU_STEPS_GRID_KINDS_INL_HPP
#endif

#include "kernels/cpu/steps/grid/grid_walk.hpp"
#include "kernels/cpu/steps/words-inl.hpp"
#if !TDZ_KERNELS_PLAIN
#include "kernels/cpu/steps/products-inl.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace tdz::cpu {
namespace HWY_NAMESPACE {

inline constexpr std::size_t kGridWide = kGridBlockPoints;

/// Words of 1 and 2 bytes. Only bits 12 to 27 of a sum count, so 32 bits hold it.
template <class T, bool kSign>
struct SmallGrid {
  using Word = T;
  using Num = std::int16_t;
  using Left = Num;  ///< the type of what stands to the left, while words are restored
  using Sum = std::uint32_t;
  static constexpr bool kSigned = kSign;
  static constexpr bool kFlip = sizeof(T) == 2 && !kSigned;

  explicit SmallGrid(const Number&) {}
  HWY_INLINE Num number(T word) const {
    if constexpr (kFlip) return static_cast<Num>(word ^ 0x8000u);
    if constexpr (sizeof(T) == 1 && kSigned) return static_cast<std::int8_t>(word);
    return static_cast<Num>(word);
  }
  HWY_INLINE T word(Num number) const {
    if constexpr (kFlip) return static_cast<T>(static_cast<std::uint16_t>(number) ^ 0x8000u);
    return static_cast<T>(number);
  }
  HWY_INLINE Left left(T word) const { return number(word); }
  HWY_INLINE double value(Num number) const { return number + (kFlip ? 32768 : 0); }
  HWY_INLINE Left left_of(Num number) const { return number; }
  HWY_INLINE Num number_of(Left left) const { return left; }
  HWY_INLINE Sum product(std::int16_t c, Num x) const {
    return static_cast<Sum>(std::int32_t{c}) * static_cast<Sum>(std::int32_t{x});
  }
  HWY_INLINE T guess(Sum sum) const { return static_cast<T>(sum >> kGridShift); }
  HWY_INLINE T masked(T x) const { return x; }
};

/// Words of 3 and 4 bytes. Their numbers are doubles, for vectors to multiply: at most 16 products of at most
/// 2^47 each, so every sum is exact, in whichever order it is made. Only bits 12 to 43 of a sum count.
struct MiddleGrid {
  using Word = std::uint32_t;
  using Num = double;
  using Left = std::int64_t;
  using Sum = std::uint64_t;

  explicit MiddleGrid(const Number& n) : kind(n), mask(static_cast<Word>(n.mask())) {}
  HWY_INLINE Num number(Word word) const { return static_cast<double>(kind.of(word)); }
  HWY_INLINE Word word(Num number) const {
    return static_cast<Word>(static_cast<std::int64_t>(number)) & mask;
  }
  HWY_INLINE Left left(Word word) const { return kind.of(word); }
  HWY_INLINE double value(Num number) const { return number; }
  HWY_INLINE Left left_of(Num number) const { return static_cast<std::int64_t>(number); }
  HWY_INLINE Num number_of(Left left) const { return static_cast<double>(left); }
  HWY_INLINE Sum product(std::int16_t c, Num x) const {
    return static_cast<Sum>(std::int64_t{c} * static_cast<std::int64_t>(x));
  }
  HWY_INLINE Sum product(std::int16_t c, Left x) const { return static_cast<Sum>(std::int64_t{c} * x); }
  HWY_INLINE Word guess(Sum sum) const { return static_cast<Word>(sum >> kGridShift); }
  HWY_INLINE Word masked(Word x) const { return x & mask; }

  Number kind;
  Word mask;
};

/// Longer words, in sums of 64 bits.
template <class T>
struct LargeGrid {
  using Word = T;
  using Num = T;
  using Left = Num;
  using Sum = std::uint64_t;

  explicit LargeGrid(const Number& n) : kind(n), mask(static_cast<T>(n.mask())) {}
  HWY_INLINE Num number(T word) const { return word; }
  HWY_INLINE T word(Num number) const { return number; }
  HWY_INLINE Left left(T word) const { return word; }
  HWY_INLINE double value(Num number) const { return static_cast<double>(kind.of(number)); }
  HWY_INLINE Left left_of(Num number) const { return number; }
  HWY_INLINE Num number_of(Left left) const { return left; }
  HWY_INLINE Sum product(std::int16_t c, Num x) const {
    return static_cast<Sum>(std::int64_t{c}) * static_cast<Sum>(kind.of(x));
  }
  HWY_INLINE T guess(Sum sum) const {
    return static_cast<T>(static_cast<std::uint64_t>(static_cast<std::int64_t>(sum) >> kGridShift));
  }
  HWY_INLINE T masked(T x) const { return static_cast<T>(x & mask); }

  Number kind;
  T mask;
};

template <std::size_t kPairs>
struct PairCount {
  static constexpr std::size_t kValue = kPairs;
};

/// Whether the sums of a kind are made word by word.
template <class Kind>
inline constexpr bool kWordByWord = TDZ_KERNELS_PLAIN || sizeof(typename Kind::Num) != 2;
#if HWY_HAVE_FLOAT64
template <>
inline constexpr bool kWordByWord<MiddleGrid> = TDZ_KERNELS_PLAIN;
#endif

/// Calls use(PairCount) with the run's number of pairs. Word by word, a pair that a row lacks costs nothing:
/// then one number serves for all.
template <class Kind, class Use>
HWY_INLINE void with_pairs(std::size_t pairs, const Use& use) {
  if constexpr (kWordByWord<Kind>) return use(PairCount<kGridTerms / 2>());
  if (pairs == kGridPairs[0]) return use(PairCount<kGridPairs[0]>());
  if (pairs == kGridPairs[1]) return use(PairCount<kGridPairs[1]>());
  if (pairs == kGridPairs[2]) return use(PairCount<kGridPairs[2]>());
  use(PairCount<kGridPairs[3]>());
}

template <class Kind>
HWY_INLINE typename Kind::Num grid_get(const std::uint8_t* line, std::ptrdiff_t point) {
  typename Kind::Num x;
  std::memcpy(&x, line + point * static_cast<std::ptrdiff_t>(sizeof x), sizeof x);
  return x;
}

template <class Kind>
HWY_INLINE void grid_put(std::uint8_t* line, std::ptrdiff_t point, typename Kind::Num x) {
  std::memcpy(line + point * static_cast<std::ptrdiff_t>(sizeof x), &x, sizeof x);
}

/// Before the line's own words are known, what stands to their left is the first word above.
template <class Kind>
HWY_INLINE void open_line(const GridLineJob& job) {
  const auto first = grid_get<Kind>(job.ref[1], 0);
  grid_put<Kind>(job.own, -1, first);
  grid_put<Kind>(job.own, -2, first);
}

/// For other lines it is the line's own first word.
template <class Kind>
HWY_INLINE void close_begin(const GridLineJob& job) {
  const auto first = grid_get<Kind>(job.own, 0);
  grid_put<Kind>(job.own, -1, first);
  grid_put<Kind>(job.own, -2, first);
}

/// To the right of its end the last word stands, as far as a sum of the last block looks.
template <class Kind>
HWY_INLINE void close_end(const GridLineJob& job, const GridRun& run) {
  const auto points = static_cast<std::ptrdiff_t>(run.points);
  const auto end = static_cast<std::ptrdiff_t>(run.columns * kGridWide + 2);
  const auto last = grid_get<Kind>(job.own, points - 1);
  for (std::ptrdiff_t i = points; i < end; ++i) grid_put<Kind>(job.own, i, last);
}

// ---- Sums over a block of one line

/// The sums of 16 words from `point` on, without the pairs of terms before `first`.
template <class Kind>
HWY_INLINE void plain_sums(const Kind& kind, std::size_t pairs, const GridLineJob& job, const GridRow& row,
                           std::size_t first, std::ptrdiff_t point, typename Kind::Sum* sums) {
  for (std::size_t i = 0; i < kGridWide; ++i) sums[i] = static_cast<typename Kind::Sum>(row.offset);
  for (std::size_t j = 2 * first; j < 2 * pairs; ++j) {
    const std::int16_t c = row.c[j];
    if (c == 0) continue;
    for (std::size_t i = 0; i < kGridWide; ++i) {
      sums[i] += kind.product(c, grid_get<Kind>(job.term[j], point + static_cast<std::ptrdiff_t>(i)));
    }
  }
}

#if !TDZ_KERNELS_PLAIN

using U16 = Words<std::uint16_t>;
inline constexpr std::size_t kGridParts = kGridWide * 2 / kVector;  ///< vectors of 16-bit numbers in a block

/// In each block: lane x of vector y becomes lane y of vector x.
HWY_INLINE void transpose_blocks(hn::Vec<U32>* v) {
  const auto low_01 = hn::InterleaveLower(U32(), v[0], v[1]),
             high_01 = hn::InterleaveUpper(U32(), v[0], v[1]);
  const auto low_23 = hn::InterleaveLower(U32(), v[2], v[3]),
             high_23 = hn::InterleaveUpper(U32(), v[2], v[3]);
  const auto of_64 = [](auto x) HWY_ATTR { return hn::BitCast(U64(), x); };
  const auto of_32 = [](auto x) HWY_ATTR { return hn::BitCast(U32(), x); };
  v[0] = of_32(hn::InterleaveLower(U64(), of_64(low_01), of_64(low_23)));
  v[1] = of_32(hn::InterleaveUpper(U64(), of_64(low_01), of_64(low_23)));
  v[2] = of_32(hn::InterleaveLower(U64(), of_64(high_01), of_64(high_23)));
  v[3] = of_32(hn::InterleaveUpper(U64(), of_64(high_01), of_64(high_23)));
}

/// The numbers of a pair of terms, alternating, in two vectors: the first and the second four of each 16
/// bytes.
struct TermPair {
  hn::Vec<I32> low, high;
};

HWY_INLINE TermPair load_pair(const GridLineJob& job, std::size_t pair, std::ptrdiff_t point) {
  const auto a = hn::BitCast(I16(), hn::LoadU(Bytes(), job.term[2 * pair] + 2 * point));
  const auto b = hn::BitCast(I16(), hn::LoadU(Bytes(), job.term[2 * pair + 1] + 2 * point));
  return {hn::BitCast(I32(), hn::InterleaveLower(I16(), a, b)),
          hn::BitCast(I32(), hn::InterleaveUpper(I16(), a, b))};
}

/// The coefficients of a pair of terms as load_pair() has the terms.
HWY_INLINE std::int32_t pair_of_factors(const GridRow& row, std::size_t pair) {
  std::int32_t both;  // little-endian, as vectors are
  std::memcpy(&both, row.c + 2 * pair, sizeof both);
  return both;
}

/// Sums of 16 words: the first and the second four of each 16 bytes. Pairs of terms before kFirst do not
/// count.
template <std::size_t kFirst, std::size_t kPairs>
HWY_INLINE void pair_sums(const GridLineJob& job, const GridRow& row, std::size_t point, hn::Vec<I32>* low,
                          hn::Vec<I32>* high) {
  const auto offset = hn::BitCast(I32(), hn::Set(U32(), static_cast<std::uint32_t>(row.offset)));
  for (std::size_t v = 0; v < kGridParts; ++v) low[v] = high[v] = offset;
  for (std::size_t p = kFirst; p < kPairs; ++p) {
    const auto factor = hn::Set(I32(), pair_of_factors(row, p));
    for (std::size_t v = 0; v < kGridParts; ++v) {
      const TermPair pair = load_pair(job, p, static_cast<std::ptrdiff_t>(point + v * kVector / 2));
      low[v] = add_pair_products(low[v], pair.low, factor);
      high[v] = add_pair_products(high[v], pair.high, factor);
    }
  }
}

/// Residual i of a vector of them, each in 16 bits.
template <class T>
HWY_INLINE hn::Vec<U16> load_residuals(const std::uint8_t* from, std::size_t i) {
  if constexpr (sizeof(T) == 1) return hn::PromoteTo(U16(), hn::LoadU(hn::Half<Bytes>(), from + i));
  return hn::BitCast(U16(), hn::LoadU(Bytes(), from + 2 * i));
}

#if HWY_HAVE_FLOAT64

using F64 = Words<double>;
inline constexpr std::size_t kGridDoubles = kGridWide * 8 / kVector;  ///< vectors of doubles in a block

/// A double of this size has steps of 1.
inline constexpr double kTwo52 = 4503599627370496.0;

/// 1.5 times 2^52: added to a whole number of less than 2^51 it leaves that number in the low bits.
inline constexpr double kWhole = 6755399441055744.0;

HWY_INLINE hn::Vec<F64> load_doubles(const std::uint8_t* line, std::ptrdiff_t point) {
  return hn::BitCast(F64(), hn::LoadU(Bytes(), line + 8 * point));
}

/// Sums of 16 words, with `more` added.
template <std::size_t kFirst, std::size_t kPairs>
HWY_INLINE void double_sums(const GridLineJob& job, const GridRow& row, double more, std::size_t point,
                            hn::Vec<F64>* sum) {
  for (std::size_t v = 0; v < kGridDoubles; ++v)
    sum[v] = hn::Set(F64(), kWhole + static_cast<double>(row.offset) + more);
  for (std::size_t j = 2 * kFirst; j < 2 * kPairs; ++j) {
    const auto factor = hn::Set(F64(), row.factor[j]);
    for (std::size_t v = 0; v < kGridDoubles; ++v) {
      const auto x = load_doubles(job.term[j], static_cast<std::ptrdiff_t>(point + v * kVector / 8));
      sum[v] = hn::MulAdd(x, factor, sum[v]);
    }
  }
}

#endif
#endif

/// Calls use(kind) for the words of a run.
template <class Use>
HWY_INLINE void with_grid_kind(const WordKind& kind, const Use& use) {
  const Number number{8u * kind.width, kind.sign == Sign::is_signed};
  if (kind.word == 1)
    return number.is_signed ? use(SmallGrid<std::uint8_t, true>(number))
                            : use(SmallGrid<std::uint8_t, false>(number));
  if (kind.word == 2)
    return number.is_signed ? use(SmallGrid<std::uint16_t, true>(number))
                            : use(SmallGrid<std::uint16_t, false>(number));
  if (kind.word == 4) return use(MiddleGrid(number));
  return use(LargeGrid<std::uint64_t>(number));
}

}  // namespace HWY_NAMESPACE
}  // namespace tdz::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
