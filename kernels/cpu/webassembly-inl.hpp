// SPDX-License-Identifier: Apache-2.0
// Highway's operations for WebAssembly, with those replaced that Highway 1.0.3 has not, has word by word
// although there is an instruction, or has wrong. A name that hn declares itself hides that of Highway.
#if defined(TDZ_KERNELS_CPU_WEBASSEMBLY_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TDZ_KERNELS_CPU_WEBASSEMBLY_INL_HPP
#undef TDZ_KERNELS_CPU_WEBASSEMBLY_INL_HPP
#else
#define TDZ_KERNELS_CPU_WEBASSEMBLY_INL_HPP
#endif

#include "hwy/highway.h"

#if HWY_TARGET == HWY_WASM

HWY_BEFORE_NAMESPACE();
namespace tdz::cpu {
namespace HWY_NAMESPACE {
namespace hn {

using namespace hwy::HWY_NAMESPACE;

/// One instruction, and zero where `from` is 16 or more.
template <class V, class I>
HWY_INLINE I TableLookupBytes(V bytes, I from) {
  return {wasm_i8x16_swizzle(bytes.raw, from.raw)};
}
template <class V, class I>
HWY_INLINE I TableLookupBytesOr0(V bytes, I from) {
  return {wasm_i8x16_swizzle(bytes.raw, from.raw)};
}

/// Highway 1.0.3 extends signed numbers with zeros.
template <class V>
HWY_INLINE auto MulEven(V a, V b) -> decltype(hwy::HWY_NAMESPACE::MulEven(a, b)) {
  using Number = TFromV<V>;
  static_assert(sizeof(Number) == 4);
  if constexpr (Number(-1) < Number(0)) {
    const auto extended = [](V v) HWY_ATTR { return wasm_i64x2_shr(wasm_i64x2_shl(v.raw, 32), 32); };
    return {wasm_i64x2_mul(extended(a), extended(b))};
  } else {
    return hwy::HWY_NAMESPACE::MulEven(a, b);
  }
}

/// No instruction shifts each word by its own number of bits. Highway 1.0.3 has this for words of 16 and 32
/// bits.
template <class V>
HWY_INLINE V Shr(V v, V bits) {
  using Word = TFromV<V>;
  if constexpr (sizeof(Word) == 8) {
    HWY_ALIGN Word words[2], amounts[2];
    wasm_v128_store(words, v.raw);
    wasm_v128_store(amounts, bits.raw);
    for (int i = 0; i < 2; ++i) words[i] >>= amounts[i];
    return {wasm_v128_load(words)};
  } else {
    return hwy::HWY_NAMESPACE::Shr(v, bits);
  }
}

}  // namespace hn
}  // namespace HWY_NAMESPACE
}  // namespace tdz::cpu
HWY_AFTER_NAMESPACE();

#endif
#endif  // include guard, toggled per target
