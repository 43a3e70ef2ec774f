// SPDX-License-Identifier: Apache-2.0
// Sums of products of the neighbours in a grid, for least squares.
#if defined(TDZ_KERNELS_CPU_STEPS_GRID_SQUARES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TDZ_KERNELS_CPU_STEPS_GRID_SQUARES_INL_HPP
#undef TDZ_KERNELS_CPU_STEPS_GRID_SQUARES_INL_HPP
#else
#define TDZ_KERNELS_CPU_STEPS_GRID_SQUARES_INL_HPP
#endif

#include "kernels/cpu/steps/grid_kinds-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tdz::cpu {
namespace HWY_NAMESPACE {

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

/// The sum of products over a whole block, or with `b` null of the numbers of `a`. All are whole numbers of
/// less than 2^40, so their order does not count. Products of bytes fit 32 bits. Two products of -2^15 are
/// 2^31: so one is taken off each pair.
template <bool kBytes>
HWY_INLINE std::int64_t small_products(const std::uint8_t* const* a, const std::uint8_t* const* b,
                                       std::size_t lines, std::ptrdiff_t point) {
  const auto one = hn::Set(I16(), 1);
  const auto low_half = hn::Set(I32(), 0xFFFF), unit = hn::Set(I32(), 1);
  auto low = hn::Zero(I32()), high = hn::Zero(I32());
  for (std::size_t y = 0; y < lines; ++y) {
    for (std::size_t v = 0; v < kGridParts; ++v) {
      const std::ptrdiff_t at = 2 * (point + static_cast<std::ptrdiff_t>(v * kVector / 2));
      const auto x = hn::BitCast(I32(), hn::LoadU(Bytes(), a[y] + at));
      const auto other =
          b == nullptr ? hn::BitCast(I32(), one) : hn::BitCast(I32(), hn::LoadU(Bytes(), b[y] + at));
      if constexpr (kBytes) {
        low = hn::Add(low, pair_products(x, other));
        continue;
      }
      const auto products = hn::Sub(pair_products(x, other), unit);
      low = hn::Add(low, hn::And(products, low_half));
      high = hn::Add(high, hn::ShiftRight<16>(products));
    }
  }
  HWY_ALIGN std::int32_t lows[kVector / 4], highs[kVector / 4];
  hn::Store(low, I32(), lows);
  hn::Store(high, I32(), highs);
  std::int64_t sum = kBytes ? 0 : static_cast<std::int64_t>(lines * kGridWide / 2);
  for (std::size_t k = 0; k < kVector / 4; ++k) sum += lows[k] + (std::int64_t{highs[k]} << 16);
  return sum;
}

template <class Kind>
HWY_INLINE void small_squares(const GridFactors& factors, const GridBlockJob& block, std::size_t column,
                              double (*sums)[kGridFactors]) {
  const auto point = static_cast<std::ptrdiff_t>(column * kGridWide);
  constexpr bool kBytes = sizeof(typename Kind::Word) == 1;
  const std::uint8_t* lines[kGridFactors][kGridBlockLines];
  std::int64_t lost[kGridFactors] = {};  // a number that lost 2^15 has it back: (a + o)(b + o)
  constexpr std::int64_t kLost = 0x8000;
  for (std::size_t i = 0; i <= factors.count; ++i) {
    for (std::size_t y = 0; y < block.lines; ++y) lines[i][y] = factor_line<Kind>(factors, block.line[y], i);
    if constexpr (Kind::kFlip)
      lost[i] = kLost * small_products<kBytes>(lines[i], nullptr, block.lines, point);
  }
  const std::int64_t all =
      Kind::kFlip ? static_cast<std::int64_t>(block.lines * kGridWide) * kLost * kLost : 0;
  for (std::size_t i = 0; i <= factors.count; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      sums[i][j] = static_cast<double>(small_products<kBytes>(lines[i], lines[j], block.lines, point) +
                                       lost[i] + lost[j] + all);
}

#endif

template <class Kind>
HWY_NOINLINE void squares_of(const GridRun& run, const Kind& kind, const GridFactors& factors,
                             const GridBlockJob& block, std::size_t column, double (*sums)[kGridFactors]) {
#if !TDZ_KERNELS_PLAIN
  if ((column + 1) * kGridWide <= run.points) {
    if constexpr (sizeof(typename Kind::Num) == 2) return small_squares<Kind>(factors, block, column, sums);
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
