// SPDX-License-Identifier: Apache-2.0
// Words minus what their neighbours in a grid say of them.
#if defined(TDZ_KERNELS_CPU_STEPS_GRID_SUBTRACT_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TDZ_KERNELS_CPU_STEPS_GRID_SUBTRACT_INL_HPP
#undef TDZ_KERNELS_CPU_STEPS_GRID_SUBTRACT_INL_HPP
#else
#define TDZ_KERNELS_CPU_STEPS_GRID_SUBTRACT_INL_HPP
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

}  // namespace HWY_NAMESPACE
}  // namespace tdz::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
