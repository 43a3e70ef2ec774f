// SPDX-License-Identifier: Apache-2.0
// What encoding a grid computes line by line: words minus what their neighbours say of them, and sums of
// products of the neighbours, for least squares.
#if defined(TDZ_KERNELS_CPU_STEPS_GRID_ENCODE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TDZ_KERNELS_CPU_STEPS_GRID_ENCODE_INL_HPP
#undef TDZ_KERNELS_CPU_STEPS_GRID_ENCODE_INL_HPP
#else
#define TDZ_KERNELS_CPU_STEPS_GRID_ENCODE_INL_HPP
#endif

#include "kernels/cpu/steps/grid/grid_kinds-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tdz::cpu {
namespace HWY_NAMESPACE {

// ---- Numbers of whole lines

template <class Kind>
HWY_INLINE void plain_numbers(const Kind& kind, const std::uint8_t* words, std::size_t first,
                              std::size_t points, std::uint8_t* numbers) {
  for (std::size_t i = first; i < points; ++i)
    grid_put<Kind>(numbers, static_cast<std::ptrdiff_t>(i), kind.number(get<typename Kind::Word>(words, i)));
}

#if HWY_HAVE_FLOAT64 && !TDZ_KERNELS_PLAIN

/// A word becomes the low bits of a double of 2^52; with a sign it is flipped first.
HWY_INLINE void double_numbers(const MiddleGrid& kind, const std::uint8_t* words, std::size_t points,
                               std::uint8_t* numbers) {
  constexpr std::size_t kLanes = kVector / 8;
  const std::uint64_t half = kind.kind.is_signed ? std::uint64_t{1} << (kind.kind.bits - 1) : 0;
  const auto mask = hn::Set(U64(), std::uint64_t{kind.mask}), flip = hn::Set(U64(), half);
  const auto two_52 = hn::BitCast(U64(), hn::Set(F64(), kTwo52));
  const auto zero = hn::Set(F64(), kTwo52 + static_cast<double>(half));
  std::size_t i = 0;
  for (; i + kLanes <= points; i += kLanes) {
    const hn::Rebind<std::uint32_t, U64> narrow;
    const hn::Repartition<std::uint8_t, decltype(narrow)> bytes;
    const auto x = hn::PromoteTo(U64(), hn::BitCast(narrow, hn::LoadU(bytes, words + 4 * i)));
    const auto low = hn::Or(hn::Xor(hn::And(x, mask), flip), two_52);
    const auto number = hn::Sub(hn::BitCast(F64(), low), zero);
    hn::StoreU(hn::BitCast(Bytes(), number), Bytes(), numbers + 8 * i);
  }
  plain_numbers(kind, words, i, points, numbers);
}

#endif

template <class Kind>
HWY_INLINE void make_numbers(const Kind& kind, const std::uint8_t* words, std::size_t points,
                             std::uint8_t* numbers) {
#if HWY_HAVE_FLOAT64 && !TDZ_KERNELS_PLAIN
  if constexpr (hwy::IsSame<Kind, MiddleGrid>()) return double_numbers(kind, words, points, numbers);
#endif
  auto* HWY_RESTRICT own = reinterpret_cast<typename Kind::Num*>(numbers);
  for (std::size_t i = 0; i < points; ++i) own[i] = kind.number(get<typename Kind::Word>(words, i));
}

template <class Kind>
HWY_NOINLINE void fill_lines(const GridRun& run, const Kind& kind) {
  for (std::size_t n = 0; n < run.lines; ++n) {
    GridLineJob job;
    run.walk->line(n, job);
    make_numbers(kind, job.from, run.points, job.own);
    close_begin<Kind>(job);
    close_end<Kind>(job, run);
  }
}

// ---- Words to residuals

/// Above the first line of all stands nothing: its words lose the word to their left.
template <class Kind>
HWY_INLINE void subtract_first(const GridLineJob& job, const Kind& kind, std::size_t points) {
  using T = typename Kind::Word;
  T before = 0;
  for (std::size_t i = 0; i < points; ++i) {
    const T x = get<T>(job.from, i);
    put<T>(job.to, i, kind.masked(static_cast<T>(x - before)));
    before = x;
  }
}

/// Of the 16 words from `point` on.
template <std::size_t kPairs, class Kind>
HWY_INLINE void plain_residuals(const GridLineJob& job, const Kind& kind, const GridRow& row,
                                std::size_t point, std::uint8_t* to) {
  using T = typename Kind::Word;
  HWY_ALIGN typename Kind::Sum sums[kGridWide];
  plain_sums(kind, kPairs, job, row, 0, static_cast<std::ptrdiff_t>(point), sums);
  for (std::size_t i = 0; i < kGridWide; ++i) {
    const T x = kind.word(grid_get<Kind>(job.own, static_cast<std::ptrdiff_t>(point + i)));
    put<T>(to, i, kind.masked(static_cast<T>(x - kind.guess(sums[i]))));
  }
}

#if !TDZ_KERNELS_PLAIN

template <class Kind, std::size_t kPairs>
HWY_INLINE void small_residuals(const GridLineJob& job, const GridRow& row, std::size_t point,
                                std::uint8_t* to) {
  const auto guess = [](hn::Vec<I32> sum)
                         HWY_ATTR { return hn::ShiftRight<16>(hn::ShiftLeft<16 - kGridShift>(sum)); };
  hn::Vec<I32> low[kGridParts], high[kGridParts];
  pair_sums<0, kPairs>(job, row, point, low, high);
  for (std::size_t v = 0; v < kGridParts; ++v) {
    const std::uint8_t* own = job.own + 2 * (point + v * kVector / 2);
    const auto x = hn::BitCast(U16(), hn::LoadU(Bytes(), own));
    // In the order of load_pair(), and so in that of the words
    const auto guesses = hn::BitCast(U16(), hn::ReorderDemote2To(I16(), guess(low[v]), guess(high[v])));
    const auto residuals = hn::Sub(hn::Xor(x, hn::Set(U16(), Kind::kFlip ? 0x8000 : 0)), guesses);
    if constexpr (sizeof(typename Kind::Word) == 2) {
      hn::StoreU(hn::BitCast(Bytes(), residuals), Bytes(), to + v * kVector);
    } else {
      const hn::Half<Bytes> half;
      const auto bytes = hn::And(residuals, hn::Set(U16(), 0xFF));
      hn::StoreU(hn::DemoteTo(half, hn::BitCast(I16(), bytes)), half, to + v * kVector / 2);
    }
  }
}

#if HWY_HAVE_FLOAT64

/// The bits of the sums that count are the low half of each when it is shifted.
template <std::size_t kPairs>
HWY_INLINE void double_residuals(const GridLineJob& job, const MiddleGrid& kind, const GridRow& row,
                                 std::size_t point, std::uint8_t* to) {
  const auto mask = hn::Set(U32(), kind.mask);
  const auto whole = hn::Set(F64(), kWhole);
  hn::Vec<F64> sum[kGridDoubles];
  double_sums<0, kPairs>(job, row, 0, point, sum);
  const auto residual = [&](std::size_t v) HWY_ATTR {
    const auto x = load_doubles(job.own, static_cast<std::ptrdiff_t>(point + v * kVector / 8));
    const auto guess = hn::ShiftRight<kGridShift>(hn::BitCast(U64(), sum[v]));
    return hn::BitCast(U32(), hn::Sub(hn::BitCast(U64(), hn::Add(x, whole)), guess));
  };
  for (std::size_t v = 0; v < kGridDoubles; v += 2) {
    const auto both = hn::And(hn::ConcatEven(U32(), residual(v + 1), residual(v)), mask);
    hn::StoreU(hn::BitCast(Bytes(), both), Bytes(), to + v * kVector / 2);
  }
}

#endif
#endif

template <std::size_t kPairs, class Kind>
HWY_INLINE void residuals_of(const GridLineJob& job, const Kind& kind, const GridRow& row, std::size_t point,
                             std::uint8_t* to) {
#if !TDZ_KERNELS_PLAIN
  if constexpr (sizeof(typename Kind::Num) == 2) return small_residuals<Kind, kPairs>(job, row, point, to);
#if HWY_HAVE_FLOAT64
  if constexpr (hwy::IsSame<Kind, MiddleGrid>()) return double_residuals<kPairs>(job, kind, row, point, to);
#endif
#endif
  plain_residuals<kPairs>(job, kind, row, point, to);
}

template <std::size_t kPairs, class Kind>
HWY_INLINE void subtract_line(const GridRun& run, const GridLineJob& job, const Kind& kind) {
  using T = typename Kind::Word;
  open_line<Kind>(job);
  for (std::size_t b = 0; b < run.columns; ++b) {
    const std::size_t point = b * kGridWide;
    const GridRow& row = run.rows[job.choices[b]];
    std::uint8_t* to = job.to + point * sizeof(T);
    if (run.points - point >= kGridWide) {
      residuals_of<kPairs>(job, kind, row, point, to);
    } else {
      HWY_ALIGN std::uint8_t residuals[kGridWide * sizeof(T)];
      residuals_of<kPairs>(job, kind, row, point, residuals);
      std::memcpy(to, residuals, (run.points - point) * sizeof(T));
    }
  }
  close_begin<Kind>(job);
}

template <std::size_t kPairs, class Kind>
HWY_NOINLINE void subtract_other_lines(const GridRun& run, const Kind& kind) {
  for (std::size_t n = run.lanes; n < run.lines; ++n) {
    GridLineJob job;
    run.walk->line(n, job);
    subtract_line<kPairs>(run, job, kind);
  }
}

template <class Kind>
HWY_NOINLINE void subtract_lines(const GridRun& run, const Kind& kind) {
  for (std::size_t n = 0; n < HWY_MIN(run.lanes, run.lines); ++n) {
    GridLineJob job;
    run.walk->line(n, job);
    subtract_first(job, kind, run.points);
  }
  with_pairs<Kind>(run.pairs,
                   [&](auto pairs) HWY_ATTR { subtract_other_lines<decltype(pairs)::kValue>(run, kind); });
}

// ---- Sums of products, for least squares

inline constexpr std::size_t kApart = 4;  ///< sums that are made apart

template <class Kind>
HWY_INLINE const std::uint8_t* factor_line(const GridFactors& factors, const GridLineJob& job,
                                           std::size_t i) {
  return i < factors.count ? job.term[factors.term[i]] : job.own;
}

template <class Kind>
HWY_INLINE void plain_squares(const GridRun& run, const Kind& kind, const GridFactors& factors,
                              const GridBlockJob& block, std::size_t column, double (*sums)[kGridFactors]) {
  const std::size_t first = column * kGridWide, count = HWY_MIN(kGridWide, run.points - first);
  for (std::size_t i = 0; i <= factors.count; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double apart[kApart] = {};
      for (std::size_t y = 0; y < block.lines; ++y) {
        const std::uint8_t *a = factor_line<Kind>(factors, block.line[y], i),
                           *b = factor_line<Kind>(factors, block.line[y], j);
        for (std::size_t k = 0; k < count; ++k) {
          const auto point = static_cast<std::ptrdiff_t>(first + k);
          apart[k % kApart] += kind.value(grid_get<Kind>(a, point)) * kind.value(grid_get<Kind>(b, point));
        }
      }
      sums[i][j] = (apart[0] + apart[1]) + (apart[2] + apart[3]);
    }
  }
}

#if HWY_HAVE_FLOAT64 && !TDZ_KERNELS_PLAIN

HWY_INLINE void double_squares(const GridFactors& factors, const GridBlockJob& block, std::size_t column,
                               double (*sums)[kGridFactors]) {
  constexpr std::size_t kParts = kApart * 8 / kVector;
  for (std::size_t i = 0; i <= factors.count; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      hn::Vec<F64> sum[kParts];
      for (auto& part : sum) part = hn::Zero(F64());
      for (std::size_t y = 0; y < block.lines; ++y) {
        const std::uint8_t *a = factor_line<MiddleGrid>(factors, block.line[y], i),
                           *b = factor_line<MiddleGrid>(factors, block.line[y], j);
        for (std::size_t k = 0; k < kGridDoubles; ++k) {
          const auto point = static_cast<std::ptrdiff_t>(column * kGridWide + k * kVector / 8);
          auto& part = sum[k % kParts];
          part = hn::Add(part, hn::Mul(load_doubles(a, point), load_doubles(b, point)));
        }
      }
      HWY_ALIGN double apart[kApart];
      for (std::size_t k = 0; k < kParts; ++k) hn::Store(sum[k], F64(), apart + k * kVector / 8);
      sums[i][j] = (apart[0] + apart[1]) + (apart[2] + apart[3]);
    }
  }
}

#endif

#if !TDZ_KERNELS_PLAIN

inline constexpr std::size_t kTogether = 4;  ///< sums that are made in one pass

inline constexpr std::size_t kBlockNumbers = kGridBlockLines * kGridWide;

/// The numbers of a block, line after line, with zeros where it has none.
struct BlockNumbers {
  HWY_ALIGN std::int16_t number[kBlockNumbers];

  HWY_INLINE void take(const std::uint8_t* line, std::size_t y, std::size_t point, std::size_t words) {
    std::int16_t* to = number + y * kGridWide;
    std::memcpy(to, line + 2 * point, sizeof(std::int16_t) * kGridWide);
    for (std::size_t i = words; i < kGridWide; ++i) to[i] = 0;
  }
};

/// Adds the lanes of four vectors: of vector k, in lane k of each 16 bytes of the result.
HWY_INLINE void store_sums(hn::Vec<I32>* v, std::int32_t* sums) {
  hn::Vec<U32> lanes[kTogether];
  for (std::size_t k = 0; k < kTogether; ++k) lanes[k] = hn::BitCast(U32(), v[k]);
  transpose_blocks(lanes);
  const auto sum = hn::BitCast(Bytes(), hn::Add(hn::Add(lanes[0], lanes[1]), hn::Add(lanes[2], lanes[3])));
  const auto other = hn::BitCast(U32(), kVector == kBlock ? hn::Zero(Bytes()) : swap_blocks(sum));
  const auto all = hn::BitCast(Bytes(), hn::Add(hn::BitCast(U32(), sum), other));
  store_lower_block(all, reinterpret_cast<std::uint8_t*>(sums));
}

/// The sums of products of `a` and each of four others. All are whole numbers of less than 2^40, so their
/// order does not count. Products of bytes fit 32 bits. Two products of -2^15 are 2^31: so one is taken off
/// each pair.
template <bool kBytes>
HWY_INLINE void small_products(const BlockNumbers& a, const BlockNumbers* const* b, std::int64_t* sums) {
  const auto low_half = hn::Set(I32(), 0xFFFF), unit = hn::Set(I32(), 1);
  hn::Vec<I32> low[kTogether], high[kTogether];
  for (std::size_t k = 0; k < kTogether; ++k) low[k] = high[k] = hn::Zero(I32());
  for (std::size_t n = 0; n < kBlockNumbers; n += kVector / 2) {
    const auto x = hn::BitCast(I32(), hn::Load(I16(), a.number + n));
    for (std::size_t k = 0; k < kTogether; ++k) {
      const auto products = pair_products(x, hn::BitCast(I32(), hn::Load(I16(), b[k]->number + n)));
      if constexpr (kBytes) {
        low[k] = hn::Add(low[k], products);
      } else {
        const auto less = hn::Sub(products, unit);
        low[k] = hn::Add(low[k], hn::And(less, low_half));
        high[k] = hn::Add(high[k], hn::ShiftRight<16>(less));
      }
    }
  }
  HWY_ALIGN std::int32_t lows[kTogether], highs[kTogether];
  store_sums(low, lows);
  if constexpr (!kBytes) store_sums(high, highs);
  for (std::size_t k = 0; k < kTogether; ++k) {
    sums[k] = lows[k];
    if constexpr (!kBytes) sums[k] += (std::int64_t{highs[k]} << 16) + std::int64_t{kBlockNumbers / 2};
  }
}

/// A number that lost 2^15 has it back: (a + 2^15)(b + 2^15).
template <class Kind>
HWY_INLINE void small_squares(const GridFactors& factors, const GridBlockJob& block, std::size_t point,
                              std::size_t words, double (*sums)[kGridFactors]) {
  constexpr bool kBytes = sizeof(typename Kind::Word) == 1;
  constexpr std::int64_t kLost = 0x8000;
  BlockNumbers numbers[kGridFactors], ones;
  for (std::int16_t& one : ones.number) one = 1;
  for (std::size_t i = 0; i <= factors.count; ++i) {
    for (std::size_t y = 0; y < block.lines; ++y)
      numbers[i].take(factor_line<Kind>(factors, block.line[y], i), y, point, words);
    for (std::size_t n = block.lines * kGridWide; n < kBlockNumbers; ++n) numbers[i].number[n] = 0;
  }
  std::int64_t lost[kGridFactors] = {};
  const std::int64_t all = Kind::kFlip ? static_cast<std::int64_t>(block.lines * words) * kLost * kLost : 0;
  for (std::size_t i = 0; i <= factors.count; ++i) {
    std::int64_t products[kTogether];
    const BlockNumbers* others[kTogether];
    if constexpr (Kind::kFlip) {
      for (auto& other : others) other = &ones;
      small_products<kBytes>(numbers[i], others, products);
      lost[i] = kLost * products[0];
    }
    for (std::size_t j = 0; j <= i; j += kTogether) {
      for (std::size_t k = 0; k < kTogether; ++k) others[k] = &numbers[HWY_MIN(j + k, i)];
      small_products<kBytes>(numbers[i], others, products);
      for (std::size_t k = 0; k < kTogether && j + k <= i; ++k)
        sums[i][j + k] = static_cast<double>(products[k] + lost[i] + lost[j + k] + all);
    }
  }
}

#endif

template <class Kind>
HWY_NOINLINE void squares_of(const GridRun& run, const Kind& kind, const GridFactors& factors,
                             const GridBlockJob& block, std::size_t column, double (*sums)[kGridFactors]) {
#if !TDZ_KERNELS_PLAIN
  if constexpr (sizeof(typename Kind::Num) == 2) {
    const std::size_t point = column * kGridWide, words = HWY_MIN(kGridWide, run.points - point);
    return small_squares<Kind>(factors, block, point, words, sums);
  }
  if ((column + 1) * kGridWide <= run.points) {
#if HWY_HAVE_FLOAT64
    if constexpr (hwy::IsSame<Kind, MiddleGrid>()) return double_squares(factors, block, column, sums);
#endif
  }
#endif
  plain_squares(run, kind, factors, block, column, sums);
}

}  // namespace HWY_NAMESPACE
}  // namespace tdz::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
