// SPDX-License-Identifier: Apache-2.0
// Compiles the step `grid` once per instruction set and picks one at run time, as kernels/cpu/sweep.cpp does
// for the sweeps. This file includes itself once per target.

#define TDZ_WITH_AVX512
#include "kernels/cpu/disabled_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/steps/grid/grid_vectors.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/steps/grid/grid_walk.hpp"

#include "kernels/cpu/steps/grid/grid_best-inl.hpp"
#include "kernels/cpu/steps/grid/grid_encode-inl.hpp"
#include "kernels/cpu/steps/grid/grid_restore-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tdz::cpu {
namespace HWY_NAMESPACE {

void fill_grid(const GridRun& run) {
  with_grid_kind(run.kind, [&](const auto& kind) HWY_ATTR { fill_lines(run, kind); });
}

void subtract_grid(const GridRun& run) {
  with_grid_kind(run.kind, [&](const auto& kind) HWY_ATTR { subtract_lines(run, kind); });
}

void add_grid(const GridRun& run) {
  with_grid_kind(run.kind, [&](const auto& kind) HWY_ATTR { add_lines(run, kind); });
}

void choose_rows(const GridRun& run, std::size_t rows, const GridBlockJob& block, std::size_t first,
                 std::size_t count, std::uint8_t* choices) {
  with_grid_kind(run.kind, [&](const auto& kind)
                               HWY_ATTR { choose_blocks(run, kind, rows, block, first, count, choices); });
}

void grid_squares(const GridRun& run, const GridFactors& factors, const GridBlockJob& block,
                  std::size_t column, double (*sums)[kGridFactors]) {
  with_grid_kind(run.kind,
                 [&](const auto& kind) HWY_ATTR { squares_of(run, kind, factors, block, column, sums); });
}

}  // namespace HWY_NAMESPACE
}  // namespace tdz::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tdz::cpu {

HWY_EXPORT(fill_grid);
HWY_EXPORT(subtract_grid);
HWY_EXPORT(add_grid);
HWY_EXPORT(choose_rows);
HWY_EXPORT(grid_squares);

void fill_grid(const GridRun& run) {
  HWY_DYNAMIC_DISPATCH(fill_grid)(run);
}

void subtract_grid(const GridRun& run) {
  HWY_DYNAMIC_DISPATCH(subtract_grid)(run);
}

void add_grid(const GridRun& run) {
  HWY_DYNAMIC_DISPATCH(add_grid)(run);
}

void choose_rows(const GridRun& run, std::size_t rows, const GridBlockJob& block, std::size_t first,
                 std::size_t count, std::uint8_t* choices) {
  HWY_DYNAMIC_DISPATCH(choose_rows)(run, rows, block, first, count, choices);
}

void grid_squares(const GridRun& run, const GridFactors& factors, const GridBlockJob& block,
                  std::size_t column, double (*sums)[kGridFactors]) {
  HWY_DYNAMIC_DISPATCH(grid_squares)(run, factors, block, column, sums);
}

}  // namespace tdz::cpu
#endif
