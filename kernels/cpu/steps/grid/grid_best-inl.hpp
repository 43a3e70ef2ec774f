// SPDX-License-Identifier: Apache-2.0
// The best predictor of each block.
#if defined(TDZ_KERNELS_CPU_STEPS_GRID_BEST_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TDZ_KERNELS_CPU_STEPS_GRID_BEST_INL_HPP
#undef TDZ_KERNELS_CPU_STEPS_GRID_BEST_INL_HPP
#else
#define TDZ_KERNELS_CPU_STEPS_GRID_BEST_INL_HPP
#endif

#include "kernels/cpu/steps/grid/grid_costs-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tdz::cpu {
namespace HWY_NAMESPACE {

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
