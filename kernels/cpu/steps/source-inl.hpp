// SPDX-License-Identifier: Apache-2.0
// One lane minus another, and zigzag of words that do not fill their memory: the maps of the step `lanes`.
#if defined(TDZ_KERNELS_CPU_STEPS_SOURCE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TDZ_KERNELS_CPU_STEPS_SOURCE_INL_HPP
#undef TDZ_KERNELS_CPU_STEPS_SOURCE_INL_HPP
#else
#define TDZ_KERNELS_CPU_STEPS_SOURCE_INL_HPP
#endif

#include "kernels/cpu/steps/words-inl.hpp"
#if !TDZ_KERNELS_PLAIN
#include "kernels/cpu/vectors-inl.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace tdz::cpu {
namespace HWY_NAMESPACE {

/// x -> code(x - source), all in the lowest `bits` bits.
template <class T>
struct SubtractSource {
  unsigned bits;
  bool zigzag;

  HWY_INLINE T operator()(T x, T source) const {
    const T mask = static_cast<T>(Number{bits, false}.mask());
    const T difference = static_cast<T>(x - source);
    const bool negative = (difference >> (bits - 1) & 1) != 0;
    const T code = static_cast<T>(static_cast<T>(difference + difference) ^ (negative ? mask : 0));
    return static_cast<T>((zigzag ? code : difference) & mask);
  }
#if !TDZ_KERNELS_PLAIN
  HWY_INLINE hn::Vec<Words<T>> operator()(hn::Vec<Words<T>> x, hn::Vec<Words<T>> source) const {
    const Words<T> d;
    const auto mask = hn::Set(d, static_cast<T>(Number{bits, false}.mask()));
    const auto top = hn::Set(d, static_cast<T>(T{1} << (bits - 1)));
    const auto difference = hn::Sub(x, source);
    if (!zigzag) return hn::And(difference, mask);
    const auto sign = hn::VecFromMask(d, hn::TestBit(difference, top));
    return hn::And(hn::Xor(hn::Add(difference, difference), sign), mask);
  }
#endif
};

/// The inverse.
template <class T>
struct AddSource {
  unsigned bits;
  bool zigzag;

  HWY_INLINE T operator()(T code, T source) const {
    const T mask = static_cast<T>(Number{bits, false}.mask());
    const T difference = static_cast<T>((code >> 1) ^ ((code & 1) != 0 ? mask : 0));
    return static_cast<T>(((zigzag ? difference : code) + source) & mask);
  }
#if !TDZ_KERNELS_PLAIN
  HWY_INLINE hn::Vec<Words<T>> operator()(hn::Vec<Words<T>> code, hn::Vec<Words<T>> source) const {
    const Words<T> d;
    const auto mask = hn::Set(d, static_cast<T>(Number{bits, false}.mask()));
    if (!zigzag) return hn::And(hn::Add(code, source), mask);
    const auto sign = hn::Sub(hn::Zero(d), hn::And(code, hn::Set(d, T{1})));
    return hn::And(hn::Add(hn::Xor(hn::ShiftRight<1>(code), sign), source), mask);
  }
#endif
};

/// to[i] = map(from[i], source[i]); may run in place. No source: zeros.
template <class T, class Map>
HWY_NOINLINE void map_pairs(const std::uint8_t* from, const std::uint8_t* source, std::uint8_t* to,
                            std::size_t words, const Map map) {
  std::size_t i = 0;
#if !TDZ_KERNELS_PLAIN
  const Words<T> d;
  constexpr std::size_t kStep = kVector / sizeof(T);
  for (; i + kStep <= words; i += kStep) {
    const auto x = hn::BitCast(d, hn::LoadU(Bytes(), from + i * sizeof(T)));
    const auto m =
        source == nullptr ? hn::Zero(d) : hn::BitCast(d, hn::LoadU(Bytes(), source + i * sizeof(T)));
    hn::StoreU(hn::BitCast(Bytes(), map(x, m)), Bytes(), to + i * sizeof(T));
  }
#endif
  for (; i < words; ++i) put<T>(to, i, map(get<T>(from, i), source == nullptr ? T{0} : get<T>(source, i)));
}

}  // namespace HWY_NAMESPACE
}  // namespace tdz::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
