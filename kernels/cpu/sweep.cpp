// SPDX-License-Identifier: Apache-2.0
// Compiles the sweeps once for each instruction set, and chooses one at run time. This file includes itself
// once for each target, as Highway's examples/skeleton.cc does.

#define TDZ_WITH_AVX512
#include "kernels/cpu/disabled_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/sweep.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <utility>

#include "kernels/cpu/sweep.hpp"

#undef TDZ_KERNELS_BYTES
#define TDZ_KERNELS_BYTES (HWY_TARGET == HWY_AVX3_DL)

#if !TDZ_KERNELS_PLAIN
#include "kernels/cpu/sweep-inl.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace tdz::cpu {
namespace HWY_NAMESPACE {

#if TDZ_KERNELS_PLAIN

void forward(const Pass& pass, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes) {
  plain_forward(pass, in, out, bytes);
}

void inverse(const Pass& pass, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes) {
  plain_inverse(pass, in, out, bytes);
}

const std::uint8_t* forward_part(const Pass& pass, const SweepPart& part, const std::uint8_t* in,
                                 std::uint8_t* to) {
  plain_forward_part(pass, part, in, to);
  return to;
}

std::size_t inverse_part(const Pass& pass, const SweepPart& part, const std::uint8_t* codes,
                         std::uint8_t* out, std::size_t) {
  plain_inverse_part(pass, part, codes, out);
  return 0;
}

#else

using Kernel = void (*)(const Sweep&, const std::uint8_t*, std::uint8_t*);

/// Each direction has a table of its own, so that a program that only decodes holds nothing of the other one.
struct Forward {
  Kernel sweep;
  const std::uint8_t* (*part)(const Sweep&, const SweepPart&, const std::uint8_t*, std::uint8_t*);

  template <class T, unsigned kOrder>
  static constexpr Forward of() {
    return {&forward_sweep<T, kOrder>, &forward_part_of<T, kOrder>};
  }
};

struct Inverse {
  Kernel sweep;
  std::size_t (*part)(const Sweep&, const SweepPart&, const std::uint8_t*, std::uint8_t*, std::size_t);

  template <class T, unsigned kOrder>
  static constexpr Inverse of() {
    return {&inverse_sweep<T, kOrder>, &inverse_part_of<T, kOrder>};
  }
};

template <class Direction, class T, unsigned... kOrder>
Direction of_order(unsigned order, std::integer_sequence<unsigned, kOrder...>) {
  static constexpr Direction kKernels[] = {Direction::template of<T, kOrder>()...};
  return kKernels[order];
}

static_assert(kHighestOrder == kMaxOrder && kHighestOrder == kHighestLaneOrder);

/// The one place where word and order become compile-time constants.
template <class Direction>
Direction kernels_of(unsigned word, unsigned order) {
  constexpr std::make_integer_sequence<unsigned, kHighestOrder + 1> orders;
  switch (word) {
    case 1:
      return of_order<Direction, std::uint8_t>(order, orders);
    case 2:
      return of_order<Direction, std::uint16_t>(order, orders);
    case 4:
      return of_order<Direction, std::uint32_t>(order, orders);
    default:
      return of_order<Direction, std::uint64_t>(order, orders);
  }
}

/// Removes what does nothing in this chunk: a difference if no tuple has a tuple before it, swaps of single
/// bytes, the order of lanes that hold one word each.
Sweep sweep_of(const Pass& pass, std::size_t words) {
  Sweep sweep{pass, words};
  const auto most = static_cast<std::uint32_t>(HWY_MIN(words, std::size_t{UINT32_MAX}));
  if (pass.tuple >= words) sweep.order = 0;
  sweep.tuple = sweep.order == 0 ? 1 : pass.tuple;
  sweep.layout_tuple = HWY_MIN(pass.layout_tuple, most);
  sweep.byteswap = pass.byteswap && pass.word > 1;
  return sweep;
}

template <class Direction>
void run(const Pass& pass, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes) {
  const Sweep sweep = sweep_of(pass, bytes / pass.word);
  if (sweep.words > 0) kernels_of<Direction>(sweep.word, sweep.order).sweep(sweep, in, out);
  const std::size_t done = sweep.words * sweep.word;
  if (done < bytes && in != out) std::memcpy(out + done, in + done, bytes - done);
}

void forward(const Pass& pass, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes) {
  run<Forward>(pass, in, out, bytes);
}

void inverse(const Pass& pass, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes) {
  run<Inverse>(pass, in, out, bytes);
}

const std::uint8_t* forward_part(const Pass& pass, const SweepPart& part, const std::uint8_t* in,
                                 std::uint8_t* to) {
  const Sweep sweep = sweep_of(pass, part.words);
  return kernels_of<Forward>(sweep.word, sweep.order).part(sweep, part, in, to);
}

std::size_t inverse_part(const Pass& pass, const SweepPart& part, const std::uint8_t* codes,
                         std::uint8_t* out, std::size_t settled) {
  const Sweep sweep = sweep_of(pass, part.words);
  return kernels_of<Inverse>(sweep.word, sweep.order).part(sweep, part, codes, out, settled);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace tdz::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tdz::cpu {

HWY_EXPORT(forward);
HWY_EXPORT(inverse);
HWY_EXPORT(forward_part);
HWY_EXPORT(inverse_part);

void forward(const Pass& pass, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes) {
  HWY_DYNAMIC_DISPATCH(forward)(pass, in, out, bytes);
}

void inverse(const Pass& pass, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes) {
  HWY_DYNAMIC_DISPATCH(inverse)(pass, in, out, bytes);
}

const std::uint8_t* forward_part(const Pass& pass, const SweepPart& part, const std::uint8_t* in,
                                 std::uint8_t* to) {
  return HWY_DYNAMIC_DISPATCH(forward_part)(pass, part, in, to);
}

std::size_t inverse_part(const Pass& pass, const SweepPart& part, const std::uint8_t* codes,
                         std::uint8_t* out, std::size_t settled) {
  return HWY_DYNAMIC_DISPATCH(inverse_part)(pass, part, codes, out, settled);
}

}  // namespace tdz::cpu
#endif
