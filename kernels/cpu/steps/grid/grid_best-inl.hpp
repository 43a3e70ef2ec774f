// SPDX-License-Identifier: Apache-2.0
// What the residuals of a block cost with each predictor, and which is the best.
//
// A word costs the logarithm of the magnitude of its residual: the exponent and the first bits of a float of
// it. Vectors keep the exponent's bias, which all predictors have alike.
#if defined(TDZ_KERNELS_CPU_STEPS_GRID_BEST_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TDZ_KERNELS_CPU_STEPS_GRID_BEST_INL_HPP
#undef TDZ_KERNELS_CPU_STEPS_GRID_BEST_INL_HPP
#else
#define TDZ_KERNELS_CPU_STEPS_GRID_BEST_INL_HPP
#endif

#include "kernels/cpu/steps/grid/grid_kinds-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tdz::cpu {
namespace HWY_NAMESPACE {

// ---- Costs

inline constexpr std::size_t kLooksStep = 4;  ///< lines; so many are looked at together

#if TDZ_KERNELS_PLAIN
inline constexpr std::size_t kCostParts = 1;
#else
// Sums of products are the only vectors of the project that may have 64 bytes: they need no shuffles.
using WideI32 = hn::CappedTag<std::int32_t, kGridWide>;
using WideU32 = hn::CappedTag<std::uint32_t, kGridWide>;
using WideFloat = hn::CappedTag<float, kGridWide>;
inline constexpr std::size_t kCostParts = hn::MaxLanes(WideU32());
#endif

/// A cost is the sum of its parts; all are at most 32 words of less than 2^18 each.
using CostParts = std::uint32_t[kCostParts];

/// The words of a block in some of its lines, and the predictors in question.
struct GridLook {
  const GridBlockJob* block;
  std::size_t first;          ///< line; after it, every kLooksStep lines
  std::size_t point;          ///< of the first word
  std::size_t words;          ///< of a line
  const std::uint8_t* which;  ///< of the run's rows
  std::size_t rows;
};

// ---- Word by word

/// 256 times log2 of r + 1, about.
HWY_INLINE std::uint64_t log_after(std::uint64_t r) {
  const auto unset = static_cast<unsigned>(hwy::Num0BitsAboveMS1Bit_Nonzero64(r + 1));
  return std::uint64_t{63 - unset} << 8 | ((r + 1) << unset >> 55 & 255);
}

/// The same of the magnitude of a residual that has a sign.
HWY_INLINE std::uint64_t plain_cost(std::uint64_t residual, unsigned bits) {
  const unsigned unused = 64 - bits;
  const auto r = static_cast<std::int64_t>(residual << unused) >> unused;
  return log_after(r < 0 ? 0 - static_cast<std::uint64_t>(r) : static_cast<std::uint64_t>(r));
}

template <class Kind>
HWY_NOINLINE void plain_costs(const GridRun& run, const Kind& kind, const GridLook& look, CostParts* costs) {
  using T = typename Kind::Word;
  const auto point = static_cast<std::ptrdiff_t>(look.point);
  std::memset(costs, 0, look.rows * sizeof(CostParts));
  for (std::size_t y = look.first; y < look.block->lines; y += kLooksStep) {
    const GridLineJob& line = look.block->line[y];
    for (std::size_t p = 0; p < look.rows; ++p) {
      HWY_ALIGN typename Kind::Sum sums[kGridWide];
      plain_sums(kind, run.pairs, line, run.rows[look.which[p]], 0, point, sums);
      std::uint64_t cost = 0;
      for (std::size_t i = 0; i < look.words; ++i) {
        const T x = kind.word(grid_get<Kind>(line.own, point + static_cast<std::ptrdiff_t>(i)));
        cost += plain_cost(static_cast<T>(x - kind.guess(sums[i])), 8u * run.kind.width);
      }
      costs[p][0] += static_cast<std::uint32_t>(cost);
    }
  }
}

// ---- Words of 1 and 2 bytes

// In whole blocks a residual is the difference of two numbers. In others it has as many bits as the word.
// That is no matter of speed: which of them it is decides what is chosen.

#if TDZ_KERNELS_PLAIN

template <class Kind>
HWY_NOINLINE void small_costs(const GridRun& run, const Kind& kind, const GridLook& look, CostParts* costs) {
  if (look.words < kGridWide) return plain_costs(run, kind, look, costs);
  const auto point = static_cast<std::ptrdiff_t>(look.point);
  std::memset(costs, 0, look.rows * sizeof(CostParts));
  for (std::size_t y = look.first; y < look.block->lines; y += kLooksStep) {
    const GridLineJob& line = look.block->line[y];
    for (std::size_t p = 0; p < look.rows; ++p) {
      std::uint32_t sums[kGridWide];
      plain_sums(kind, run.pairs, line, run.rows[look.which[p]], 0, point, sums);
      std::uint64_t cost = 0;
      for (std::size_t i = 0; i < kGridWide; ++i) {
        const std::int32_t x = grid_get<Kind>(line.own, point + static_cast<std::ptrdiff_t>(i));
        const std::int32_t guess = static_cast<std::int32_t>(sums[i]) >> kGridShift;
        const std::int32_t residual = x + (Kind::kFlip ? 0x8000 : 0) - guess;
        cost += log_after(static_cast<std::uint32_t>(residual < 0 ? -residual : residual));
      }
      costs[p][0] += static_cast<std::uint32_t>(cost);
    }
  }
}

#else

using WideSum = hn::Vec<WideI32>;
inline constexpr std::size_t kWideSums = kGridWide / kCostParts;  ///< of a block's words in a line

/// log_after() of each word, and the bias.
HWY_INLINE hn::Vec<WideU32> logs_after(WideSum r) {
  const auto next = hn::ConvertTo(WideFloat(), hn::Add(hn::Abs(r), hn::Set(WideI32(), 1)));
  return hn::ShiftRight<15>(hn::BitCast(WideU32(), next));
}

/// The two halves of each of vector v's blocks become one vector, or two.
HWY_INLINE void put_halves(TermPair halves, std::size_t v, WideSum* to) {
#if HWY_TARGET == HWY_AVX3_DL
  to[v] = hn::Combine(WideI32(), halves.high, halves.low);
#else
  to[2 * v] = halves.low;
  to[2 * v + 1] = halves.high;
#endif
}

/// The 16-bit numbers of a vector in the order of load_pair(), each in 32 bits.
HWY_INLINE TermPair load_wide(const std::uint8_t* numbers) {
  const auto x = hn::BitCast(I16(), hn::LoadU(Bytes(), numbers)), none = hn::Zero(I16());
  const auto wide = [](hn::Vec<I16> high) HWY_ATTR { return hn::ShiftRight<16>(hn::BitCast(I32(), high)); };
  return {wide(hn::InterleaveLower(I16(), none, x)), wide(hn::InterleaveUpper(I16(), none, x))};
}

/// The words of a block in a line, and their terms in pairs.
template <std::size_t kPairs>
struct SmallLine {
  WideSum term[kPairs][kWideSums];
  WideSum word[kWideSums];

  /// `lost`: what a number lacks.
  HWY_INLINE SmallLine(const GridLineJob& line, std::size_t point, std::int32_t lost) {
    for (std::size_t v = 0; v < kGridParts; ++v) {
      const auto at = static_cast<std::ptrdiff_t>(point + v * kVector / 2);
      for (std::size_t p = 0; p < kPairs; ++p) put_halves(load_pair(line, p, at), v, term[p]);
      put_halves(load_wide(line.own + 2 * at), v, word);
    }
    for (auto& one : word) one = hn::Add(one, hn::Set(WideI32(), lost));
  }
};

/// What cost(h, residuals h) says of each predictor, added unless it is the first line.
template <std::size_t kPairs, class Cost>
HWY_INLINE void put_line_costs(const GridRun& run, const GridLook& look, const SmallLine<kPairs>& line,
                               bool is_first, const Cost& cost, CostParts* costs) {
  for (std::size_t r = 0; r < look.rows; ++r) {
    const GridRow& row = run.rows[look.which[r]];
    WideSum sum[2][kWideSums];  // two, so that additions wait less for one another
    for (auto& one : sum[0]) one = hn::Set(WideI32(), static_cast<std::int32_t>(row.offset));
    for (auto& one : sum[1]) one = hn::Zero(WideI32());
    for (std::size_t p = 0; p < kPairs; ++p) {
      const auto factor = hn::Set(WideI32(), pair_of_factors(row, p));
      for (std::size_t h = 0; h < kWideSums; ++h)
        sum[p % 2][h] = add_pair_products(sum[p % 2][h], line.term[p][h], factor);
    }
    auto all = is_first ? hn::Zero(WideU32()) : hn::Load(WideU32(), costs[r]);
    for (std::size_t h = 0; h < kWideSums; ++h) {
      const auto guess = hn::ShiftRight<kGridShift>(hn::Add(sum[0][h], sum[1][h]));
      all = hn::Add(all, cost(h, hn::Sub(line.word[h], guess)));
    }
    hn::Store(all, WideU32(), costs[r]);
  }
}

template <std::size_t kPairs, bool kWholeBlock>
HWY_NOINLINE void pair_costs(const GridRun& run, std::int32_t lost, const GridLook& look, CostParts* costs) {
  WideSum there[kWideSums];  // all bits of the words that there are
  if constexpr (!kWholeBlock) {
    HWY_ALIGN std::int16_t words[kGridWide];
    for (std::size_t i = 0; i < kGridWide; ++i) words[i] = i < look.words ? -1 : 0;
    for (std::size_t v = 0; v < kGridParts; ++v)
      put_halves(load_wide(reinterpret_cast<const std::uint8_t*>(words) + v * kVector), v, there);
  }
  const int unused = 32 - 8 * run.kind.width;
  const auto cost = [&](std::size_t h, WideSum residual) HWY_ATTR {
    if constexpr (kWholeBlock) return logs_after(residual);
    const auto cut = hn::ShiftRightSame(hn::ShiftLeftSame(residual, unused), unused);
    return hn::And(logs_after(cut), hn::BitCast(WideU32(), there[h]));
  };
  for (std::size_t y = look.first; y < look.block->lines; y += kLooksStep) {
    const SmallLine<kPairs> line(look.block->line[y], look.point, lost);
    put_line_costs(run, look, line, y == look.first, cost, costs);
  }
}

template <class Kind>
HWY_INLINE void small_costs(const GridRun& run, const Kind&, const GridLook& look, CostParts* costs) {
  constexpr std::int32_t kLost = Kind::kFlip ? 0x8000 : 0;
  with_pairs<Kind>(run.pairs, [&](auto pairs) HWY_ATTR {
    if (look.words == kGridWide)
      pair_costs<decltype(pairs)::kValue, true>(run, kLost, look, costs);
    else
      pair_costs<decltype(pairs)::kValue, false>(run, kLost, look, costs);
  });
}

#endif

// ---- Words of 3 and 4 bytes

#if HWY_HAVE_FLOAT64 && !TDZ_KERNELS_PLAIN

using WideF64 = hn::CappedTag<double, kCostParts / 2>;
using WideU64 = hn::CappedTag<std::uint64_t, kCostParts / 2>;
inline constexpr std::size_t kWideDoubles = hn::MaxLanes(WideF64());
inline constexpr std::size_t kDoubleSums = kGridWide / kWideDoubles;  ///< of a block's words in a line

/// A residual becomes a double, whose exponent and first bits are its logarithm.
class DoubleCost {
 public:
  explicit DoubleCost(unsigned bits)
      : half_(hn::Set(WideU64(), std::uint64_t{1} << (bits - 1))),
        mask_(hn::Set(WideU64(), (std::uint64_t{1} << bits) - 1)),
        two_52_(hn::BitCast(WideU64(), hn::Set(WideF64(), kTwo52))),
        zero_(hn::Set(WideF64(), kTwo52 + static_cast<double>(std::uint64_t{1} << (bits - 1)))) {}

  /// Numbers as operator() takes them.
  HWY_INLINE hn::Vec<WideU64> word(hn::Vec<WideF64> number) const {
    return hn::Add(hn::BitCast(WideU64(), hn::Add(number, hn::Set(WideF64(), kWhole))), half_);
  }
  HWY_INLINE hn::Vec<WideU64> operator()(hn::Vec<WideU64> word, hn::Vec<WideF64> sum) const {
    const auto guess = hn::ShiftRight<kGridShift>(hn::BitCast(WideU64(), sum));
    const auto residual = hn::Or(hn::And(hn::Sub(word, guess), mask_), two_52_);
    const auto size = hn::Abs(hn::Sub(hn::BitCast(WideF64(), residual), zero_));
    return hn::ShiftRight<44>(hn::BitCast(WideU64(), hn::Add(size, hn::Set(WideF64(), 1.0))));
  }

 private:
  hn::Vec<WideU64> half_, mask_, two_52_;
  hn::Vec<WideF64> zero_;
};

/// The words of a block in a line, and their terms, where loads do not cross lines of the cache.
template <std::size_t kPairs>
struct DoubleLine {
  HWY_ALIGN_MAX double term[2 * kPairs][kGridWide];
  hn::Vec<WideU64> word[kDoubleSums];

  HWY_INLINE DoubleLine(const GridLineJob& line, std::size_t point, const DoubleCost& cost) {
    const hn::Repartition<std::uint8_t, WideF64> bytes;
    const auto load = [&](const std::uint8_t* numbers, std::size_t v) HWY_ATTR {
      return hn::BitCast(WideF64(), hn::LoadU(bytes, numbers + 8 * (point + v * kWideDoubles)));
    };
    for (std::size_t v = 0; v < kDoubleSums; ++v) {
      word[v] = cost.word(load(line.own, v));
      for (std::size_t j = 0; j < 2 * kPairs; ++j)
        hn::Store(load(line.term[j], v), WideF64(), term[j] + v * kWideDoubles);
    }
  }
};

template <std::size_t kPairs, bool kWholeBlock>
HWY_NOINLINE void double_costs(const GridRun& run, const GridLook& look, CostParts* costs) {
  const DoubleCost cost(8u * run.kind.width);
  HWY_ALIGN_MAX std::uint64_t there[kGridWide];  // all bits of the words that there are
  for (std::size_t i = 0; i < kGridWide; ++i) there[i] = i < look.words ? ~std::uint64_t{0} : 0;
  for (std::size_t y = look.first; y < look.block->lines; y += kLooksStep) {
    const DoubleLine<kPairs> line(look.block->line[y], look.point, cost);
    for (std::size_t r = 0; r < look.rows; ++r) {
      const GridRow& row = run.rows[look.which[r]];
      hn::Vec<WideF64> sum[kDoubleSums];
      for (auto& one : sum) one = hn::Set(WideF64(), kWhole + static_cast<double>(row.offset));
      for (std::size_t j = 0; j < 2 * kPairs; ++j) {
        const auto factor = hn::Set(WideF64(), row.factor[j]);
        for (std::size_t v = 0; v < kDoubleSums; ++v)
          sum[v] = hn::MulAdd(hn::Load(WideF64(), line.term[j] + v * kWideDoubles), factor, sum[v]);
      }
      auto all =
          hn::BitCast(WideU64(), y == look.first ? hn::Zero(WideU32()) : hn::Load(WideU32(), costs[r]));
      for (std::size_t v = 0; v < kDoubleSums; ++v) {
        const auto one = cost(line.word[v], sum[v]);
        all = hn::Add(all, kWholeBlock ? one : hn::And(one, hn::Load(WideU64(), there + v * kWideDoubles)));
      }
      hn::Store(hn::BitCast(WideU32(), all), WideU32(), costs[r]);
    }
  }
}

HWY_INLINE void middle_costs(const GridRun& run, const GridLook& look, CostParts* costs) {
  with_pairs<MiddleGrid>(run.pairs, [&](auto pairs) HWY_ATTR {
    if (look.words == kGridWide)
      double_costs<decltype(pairs)::kValue, true>(run, look, costs);
    else
      double_costs<decltype(pairs)::kValue, false>(run, look, costs);
  });
}

#endif

// ---- All words

template <class Kind>
HWY_INLINE void costs_of(const GridRun& run, const Kind& kind, const GridLook& look, CostParts* costs) {
  if constexpr (sizeof(typename Kind::Num) == 2) {
    small_costs(run, kind, look, costs);
#if HWY_HAVE_FLOAT64 && !TDZ_KERNELS_PLAIN
  } else if constexpr (hwy::IsSame<Kind, MiddleGrid>()) {
    middle_costs(run, look, costs);
#endif
  } else {
    plain_costs(run, kind, look, costs);
  }
}

// ---- The best of them

// Half of the lines decide: a quarter of them between all predictors, the others between the best ones.
inline constexpr std::size_t kLooksAgain = 2;
static_assert(kLooksStep % kChoosingLines == 0 && kLooksAgain % kChoosingLines == 0);
inline constexpr std::size_t kBestRows = 4;

/// Blocks that choose together: what one of them waits for, others need not.
inline constexpr std::size_t kGridBatch = 8;

/// Blocks of the same lines, side by side, and what they choose between.
struct GridBatch {
  HWY_ALIGN_MAX CostParts parts[kGridBatch][kMostGridRows];
  HWY_ALIGN_MAX std::uint32_t cost[kMostGridRows][kGridBatch];
  HWY_ALIGN_MAX std::uint32_t best[kBestRows][kGridBatch];  ///< costs, and in the low 8 bits which row it is
};

#if !TDZ_KERNELS_PLAIN

/// The parts of a cost as one vector of the usual length.
HWY_INLINE hn::Vec<U32> load_parts(const CostParts& parts) {
  const auto first = hn::Load(U32(), parts);
  if constexpr (kCostParts == kVector / 4) return first;
  return hn::Add(first, hn::Load(U32(), parts + kCostParts - kVector / 4));
}

#endif

/// The parts of a cost become one. Blocks that are not there cost nothing.
HWY_INLINE void add_parts(std::size_t rows, std::size_t blocks, GridBatch& batch) {
  std::memset(batch.cost, 0, rows * sizeof batch.cost[0]);
#if TDZ_KERNELS_PLAIN
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t b = 0; b < blocks; ++b) batch.cost[r][b] = batch.parts[b][r][0];
#else
  for (std::size_t b = blocks; b % 4 != 0; ++b) std::memset(batch.parts[b], 0, rows * sizeof(CostParts));
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t b = 0; b < blocks; b += 4) {  // a block's parts become a lane
      hn::Vec<U32> parts[4];
      for (std::size_t k = 0; k < 4; ++k) parts[k] = load_parts(batch.parts[b + k][r]);
      transpose_blocks(parts);
      const auto sum =
          hn::BitCast(Bytes(), hn::Add(hn::Add(parts[0], parts[1]), hn::Add(parts[2], parts[3])));
      const auto other = hn::BitCast(U32(), kVector == kBlock ? hn::Zero(Bytes()) : swap_blocks(sum));
      const auto all = hn::Add(hn::BitCast(U32(), sum), other);
      store_lower_block(hn::BitCast(Bytes(), all), reinterpret_cast<std::uint8_t*>(batch.cost[r] + b));
    }
  }
#endif
}

/// The least costs of each block; of equal ones, the first.
HWY_INLINE void find_best(std::size_t rows, GridBatch& batch) {
#if TDZ_KERNELS_PLAIN
  for (std::size_t b = 0; b < kGridBatch; ++b) {
    for (auto& best : batch.best) best[b] = UINT32_MAX;
    for (std::size_t r = 0; r < rows; ++r) {
      std::uint32_t key = batch.cost[r][b] << 8 | static_cast<std::uint32_t>(r);
      for (auto& best : batch.best) {
        const std::uint32_t other = best[b];
        best[b] = HWY_MIN(other, key);
        key = HWY_MAX(other, key);
      }
    }
  }
#else
  for (std::size_t b = 0; b < kGridBatch; b += kVector / 4) {
    hn::Vec<U32> best[kBestRows];
    for (auto& one : best) one = hn::Set(U32(), UINT32_MAX);
    for (std::size_t r = 0; r < rows; ++r) {
      const auto row = hn::Set(U32(), static_cast<std::uint32_t>(r));
      auto key = hn::Or(hn::ShiftLeft<8>(hn::Load(U32(), batch.cost[r] + b)), row);
      for (auto& one : best) {
        const auto other = one;
        one = hn::Min(other, key);
        key = hn::Max(other, key);
      }
    }
    for (std::size_t k = 0; k < kBestRows; ++k) hn::Store(best[k], U32(), batch.best[k] + b);
  }
#endif
}

/// At most kGridBatch blocks from column `first` on.
template <class Kind>
HWY_INLINE void choose_batch(const GridRun& run, const Kind& kind, std::size_t rows,
                             const GridBlockJob& block, std::size_t first, std::size_t count,
                             GridBatch& batch, std::uint8_t* choices) {
  std::uint8_t which[kMostGridRows];
  for (std::size_t r = 0; r < rows; ++r) which[r] = static_cast<std::uint8_t>(r);
  const auto look_at = [&](std::size_t b, std::size_t line) {
    const std::size_t point = (first + b) * kGridWide;
    return GridLook{&block, line, point, HWY_MIN(kGridWide, run.points - point), which, rows};
  };
  for (std::size_t b = 0; b < count; ++b) costs_of(run, kind, look_at(b, 0), batch.parts[b]);
  add_parts(rows, count, batch);
  find_best(rows, batch);
  const std::size_t best = HWY_MIN(rows, kBestRows);
  if (best == 1 || kLooksAgain >= block.lines) {
    for (std::size_t b = 0; b < count; ++b) choices[b] = static_cast<std::uint8_t>(batch.best[0][b]);
    return;
  }
  for (std::size_t b = 0; b < count; ++b) {
    GridLook look = look_at(b, kLooksAgain);
    for (std::size_t k = 0; k < best; ++k) which[k] = static_cast<std::uint8_t>(batch.best[k][b]);
    look.rows = best;
    costs_of(run, kind, look, batch.parts[b]);
  }
  add_parts(best, count, batch);
  for (std::size_t b = 0; b < count; ++b) {
    std::size_t least = 0;
    for (std::size_t k = 0; k < best; ++k) {
      batch.cost[k][b] += batch.best[k][b] >> 8;
      if (batch.cost[k][b] < batch.cost[least][b]) least = k;
    }
    choices[b] = static_cast<std::uint8_t>(batch.best[least][b]);
  }
}

template <class Kind>
HWY_NOINLINE void choose_blocks(const GridRun& run, const Kind& kind, std::size_t rows,
                                const GridBlockJob& block, std::size_t first, std::size_t count,
                                std::uint8_t* choices) {
  if (block.lines == 0) {
    std::memset(choices, 0, count);
    return;
  }
  GridBatch batch;
  for (std::size_t c = 0; c < count; c += kGridBatch)
    choose_batch(run, kind, rows, block, first + c, HWY_MIN(kGridBatch, count - c), batch, choices + c);
}

}  // namespace HWY_NAMESPACE
}  // namespace tdz::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
