// SPDX-License-Identifier: Apache-2.0
// Sums of products of numbers of 16 bits, for predictions.
#if defined(TDZ_KERNELS_CPU_STEPS_PRODUCTS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TDZ_KERNELS_CPU_STEPS_PRODUCTS_INL_HPP
#undef TDZ_KERNELS_CPU_STEPS_PRODUCTS_INL_HPP
#else
#define TDZ_KERNELS_CPU_STEPS_PRODUCTS_INL_HPP
#endif

#include "kernels/cpu/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tdz::cpu {
namespace HWY_NAMESPACE {

using I16 = Words<std::int16_t>;
using I32 = Words<std::int32_t>;
using U32 = Words<std::uint32_t>;
using U64 = Words<std::uint64_t>;

/// In every 32 bits the sum of two products: low half by low half, high half by high half.
HWY_INLINE hn::Vec<I32> pair_products(hn::Vec<I32> a, hn::Vec<I32> b) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_EMU128
  auto none = hn::Zero(I32());
  return hn::ReorderWidenMulAccumulate(I32(), hn::BitCast(I16(), a), hn::BitCast(I16(), b), none, none);
#elif HWY_TARGET == HWY_WASM
  return {wasm_i32x4_dot_i16x8(a.raw, b.raw)};
#else
  const auto low =
      hn::Mul(hn::ShiftRight<16>(hn::ShiftLeft<16>(a)), hn::ShiftRight<16>(hn::ShiftLeft<16>(b)));
  return hn::Add(low, hn::Mul(hn::ShiftRight<16>(a), hn::ShiftRight<16>(b)));
#endif
}

/// The same, added to sums; for AVX3_DL in vectors of 64 bytes too.
template <class Vector>
HWY_INLINE Vector add_pair_products(Vector sum, Vector a, Vector b) {
#if HWY_TARGET == HWY_AVX3_DL && !HWY_COMPILER_MSVC
  // One instruction of AVX512-VNNI, which AVX3_DL implies but Highway's attributes do not name.
  asm("vpdpwssd %2, %1, %0" : "+v"(sum.raw) : "v"(a.raw), "v"(b.raw));
  return sum;
#else
  return hn::Add(sum, pair_products(a, b));
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace tdz::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
