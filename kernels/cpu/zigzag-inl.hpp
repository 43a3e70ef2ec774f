// SPDX-License-Identifier: Apache-2.0
// The steps that need only one word: zigzag (residuals of either sign to small codes, and back) and byteswap
// (big-endian words to little-endian, and back). If possible, other kernels apply these maps to words that
// they load anyway.
#if defined(TDZ_KERNELS_CPU_ZIGZAG_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TDZ_KERNELS_CPU_ZIGZAG_INL_HPP
#undef TDZ_KERNELS_CPU_ZIGZAG_INL_HPP
#else
#define TDZ_KERNELS_CPU_ZIGZAG_INL_HPP
#endif

#include "kernels/cpu/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tdz::cpu {
namespace HWY_NAMESPACE {

template <class T>
struct ZigzagMap {
  HWY_INLINE Vector operator()(Vector residual) const {
    const Words<hwy::MakeSigned<T>> d;
    const auto r = hn::BitCast(d, residual);
    return hn::BitCast(Bytes(), hn::Xor(hn::Add(r, r), hn::BroadcastSignBit(r)));
  }
};

template <class T>
struct UnzigzagMap {
  HWY_INLINE Vector operator()(Vector code) const {
    const Words<T> d;
    const auto c = hn::BitCast(d, code);
    const auto sign = hn::Sub(hn::Zero(d), hn::And(c, hn::Set(d, T{1})));
    return hn::BitCast(Bytes(), hn::Xor(hn::ShiftRight<1>(c), sign));
  }
};

/// Its own inverse.
template <class T>
struct ByteswapMap {
  ByteswapMap() {
    HWY_ALIGN std::uint8_t place[kVector];
    for (std::size_t p = 0; p < kVector; ++p) {
      place[p] = static_cast<std::uint8_t>(p % kBlock ^ (sizeof(T) - 1));
    }
    places = hn::Load(Bytes(), place);
  }
  HWY_INLINE Vector operator()(Vector words) const { return hn::TableLookupBytes(words, places); }

  Vector places;
};

template <class T>
HWY_NOINLINE void zigzag(const std::uint8_t* residuals, std::uint8_t* codes, std::size_t bytes) {
  map_vectors(residuals, codes, bytes, ZigzagMap<T>());
}

template <class T>
HWY_NOINLINE void unzigzag(const std::uint8_t* codes, std::uint8_t* residuals, std::size_t bytes) {
  map_vectors(codes, residuals, bytes, UnzigzagMap<T>());
}

template <class T>
HWY_NOINLINE void byteswap(const std::uint8_t* from, std::uint8_t* to, std::size_t bytes) {
  map_vectors(from, to, bytes, ByteswapMap<T>());
}

}  // namespace HWY_NAMESPACE
}  // namespace tdz::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
