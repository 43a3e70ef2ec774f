// SPDX-License-Identifier: Apache-2.0
// Sums of products of the neighbours in a grid, for least squares.
#if defined(TDZ_KERNELS_CPU_STEPS_GRID_SQUARES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TDZ_KERNELS_CPU_STEPS_GRID_SQUARES_INL_HPP
#undef TDZ_KERNELS_CPU_STEPS_GRID_SQUARES_INL_HPP
#else
#define TDZ_KERNELS_CPU_STEPS_GRID_SQUARES_INL_HPP
#endif

#include "kernels/cpu/steps/grid/grid_kinds-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tdz::cpu {
namespace HWY_NAMESPACE {

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
