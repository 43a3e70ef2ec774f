// SPDX-License-Identifier: Apache-2.0
// Integrate in vectors of 64 bytes, where one instruction of AVX-512 moves any byte anywhere (VBMI: vpermb):
// low orders over tuples of at most a vector. Each order is the scheme of Kogge and Stone over the vector,
// and a carry. All orders follow each other in registers, so values are read and written once.
// difference-inl.hpp does the same for all other tuples, orders and instruction sets.
#if defined(TDZ_KERNELS_CPU_INTEGRATE_WIDE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TDZ_KERNELS_CPU_INTEGRATE_WIDE_INL_HPP
#undef TDZ_KERNELS_CPU_INTEGRATE_WIDE_INL_HPP
#else
#define TDZ_KERNELS_CPU_INTEGRATE_WIDE_INL_HPP
#endif

#include "kernels/cpu/vectors-inl.hpp"

#if TDZ_KERNELS_BYTES

HWY_BEFORE_NAMESPACE();
namespace tdz::cpu {
namespace HWY_NAMESPACE {

inline constexpr std::size_t kWide = 64;
inline constexpr unsigned kHighestWideOrder = 4;
inline constexpr std::size_t kWideAtOnce = 4;
using WideBytes = hn::FixedTag<std::uint8_t, kWide>;
using WideVector = hn::Vec<WideBytes>;

template <class T>
HWY_INLINE WideVector add_wide(WideVector a, WideVector b) {
  const hn::Repartition<T, WideBytes> d;
  return hn::BitCast(WideBytes(), hn::Add(hn::BitCast(d, a), hn::BitCast(d, b)));
}
template <class T>
HWY_INLINE WideVector subtract_wide(WideVector a, WideVector b) {
  const hn::Repartition<T, WideBytes> d;
  return hn::BitCast(WideBytes(), hn::Sub(hn::BitCast(d, a), hn::BitCast(d, b)));
}
template <class T>
HWY_INLINE WideVector unzigzag_wide(WideVector codes) {
  const hn::Repartition<T, WideBytes> d;
  const auto code = hn::BitCast(d, codes);
  const auto sign = hn::Sub(hn::Zero(d), hn::And(code, hn::Set(d, T{1})));
  return hn::BitCast(WideBytes(), hn::Xor(hn::ShiftRight<1>(code), sign));
}

/// The 64 bytes that end at byte `end` of the values; zeros before the start.
HWY_INLINE WideVector wide_before(const std::uint8_t* values, std::size_t end) {
  if (end >= kWide) return hn::LoadU(WideBytes(), values + end - kWide);
  HWY_ALIGN std::uint8_t bytes[kWide] = {};
  std::memcpy(bytes + kWide - end, values, end);
  return hn::Load(WideBytes(), bytes);
}

/// The shuffles for one tuple of `stride` bytes; kRounds of them sum a vector. They move words by 1, 2, 4 ..
/// tuples; but where a tuple is shorter than a block of 16 bytes, the last two add the newest words of the
/// block before, and of the two blocks before: shuffles within blocks are the quicker ones.
template <unsigned kRounds>
class WideShuffles {
 public:
  HWY_INLINE explicit WideShuffles(std::size_t stride) : stride_(stride) {
    const WideVector place = hn::Iota(WideBytes(), 0);
    for (unsigned k = 0; k < kRounds; ++k) {
      const std::size_t back = stride << k;
      at_[k] = hn::Sub(place, bytes_of(back));
      used_[k] = ~std::uint64_t{0} << back;
      if (k < kInBlocks) at_[k] = hn::Or(hn::Sub(in(place, kBlock), bytes_of(back)), outside(place, back));
    }
    if constexpr (kInBlocks > 0) {
      at_[kInBlocks] = hn::Add(hn::Sub(place, in(place, kBlock)), last_tuple(in(place, kBlock), 0));
      used_[kInBlocks] = 0xFFFF0000FFFF0000;
      at_[kInBlocks + 1] = last_tuple(in(place, 2 * kBlock), 2 * kBlock);
      used_[kInBlocks + 1] = 0xFFFFFFFF00000000;
    }
    newest_ = last_tuple(place, kWide);
  }

  /// Sums each vector. Several side by side: one alone waits for each of its shuffles.
  template <class T, std::size_t N>
  HWY_INLINE void sum(WideVector (&x)[N]) const {
    for (unsigned k = 0; k < kRounds; ++k)
      for (WideVector& v : x) v = add_wide<T>(v, moved(k, v));
  }
  /// For each byte of a vector the newest one of its lane in the vector before.
  HWY_INLINE WideVector newest(WideVector x) const {
    return WideVector{_mm512_permutexvar_epi8(newest_.raw, x.raw)};
  }

 private:
  HWY_INLINE WideVector moved(unsigned k, WideVector x) const {
    if (k < kInBlocks) return hn::TableLookupBytesOr0(x, at_[k]);
    return WideVector{_mm512_maskz_permutexvar_epi8(used_[k], at_[k].raw, x.raw)};
  }

  static constexpr unsigned kInBlocks = kRounds > 2 ? kRounds - 2 : 0;

  static HWY_INLINE WideVector bytes_of(std::size_t byte) {
    return hn::Set(WideBytes(), static_cast<std::uint8_t>(byte));
  }
  static HWY_INLINE WideVector in(WideVector place, std::size_t part) {
    return hn::And(place, bytes_of(part - 1));
  }
  /// 0x80, which gives 0, where a block has nothing `back` bytes before.
  static HWY_INLINE WideVector outside(WideVector place, std::size_t back) {
    return hn::And(hn::VecFromMask(WideBytes(), hn::Lt(in(place, kBlock), bytes_of(back))), bytes_of(0x80));
  }
  /// The same place of a tuple in the last one before `end`.
  HWY_INLINE WideVector last_tuple(WideVector place, std::size_t end) const {
    // The place in its own tuple: a difference below 0 is a large byte, so the lesser of the two is right.
    for (unsigned k = kRounds; k-- > 0;) place = hn::Min(place, hn::Sub(place, bytes_of(stride_ << k)));
    return hn::Add(place, bytes_of(end - stride_));
  }

  std::size_t stride_;
  WideVector at_[kRounds > 0 ? kRounds : 1];
  std::uint64_t used_[kRounds > 0 ? kRounds : 1];
  WideVector newest_;
};

/// Whether four vectors of whole tuples are summed as quads: what apart() and together() cost is less than
/// the rounds that they save.
constexpr bool takes_quads(unsigned order, unsigned rounds) {
  return order >= 2 && rounds >= 3;
}

/// Four vectors of units of 64 >> kRounds bytes (a tuple each), one behind the other in memory, set apart:
/// vector k gets unit k of every four. Then four units are summed without a shuffle, and one vector of their
/// sums takes all the rounds, where each of the four would have taken them. apart() and together() cost as
/// many shuffles as four rounds, once for all orders.
template <unsigned kRounds>
class WideQuads {
  using Unit = hwy::UnsignedFromSize<(kWide >> kRounds)>;
  static constexpr std::size_t kUnits = kWide / sizeof(Unit);

 public:
  HWY_INLINE WideQuads() {
    HWY_ALIGN Unit at[4][kUnits];
    for (std::size_t i = 0; i < kUnits; ++i) {
      const std::size_t half = i / (kUnits / 2), group = i % (kUnits / 2), place = i / 4, unit = i % 4;
      const std::size_t from = (unit / 2 * kUnits) + unit % 2 * (kUnits / 2) + place;
      at[0][i] = static_cast<Unit>(4 * group + half);
      at[1][i] = static_cast<Unit>(4 * group + half + 2);
      at[2][i] = static_cast<Unit>(from);
      at[3][i] = static_cast<Unit>(from + kUnits / 4);
    }
    for (unsigned k = 0; k < 4; ++k)
      at_[k] = hn::Load(WideBytes(), reinterpret_cast<const std::uint8_t*>(at[k]));
  }

  HWY_INLINE void apart(WideVector (&x)[4]) const {
    const WideVector a = picked(x[0], x[1], 0), b = picked(x[2], x[3], 0);
    const WideVector c = picked(x[0], x[1], 1), d = picked(x[2], x[3], 1);
    x[0] = lower_halves(a, b), x[1] = upper_halves(a, b);
    x[2] = lower_halves(c, d), x[3] = upper_halves(c, d);
  }
  /// The inverse.
  HWY_INLINE void together(WideVector (&x)[4]) const {
    const WideVector a = lower_halves(x[0], x[1]), b = lower_halves(x[2], x[3]);
    const WideVector c = upper_halves(x[0], x[1]), d = upper_halves(x[2], x[3]);
    x[0] = picked(a, b, 2), x[1] = picked(a, b, 3);
    x[2] = picked(c, d, 2), x[3] = picked(c, d, 3);
  }

 private:
  HWY_INLINE WideVector picked(WideVector a, WideVector b, unsigned which) const {
    const __m512i at = at_[which].raw;
    if constexpr (sizeof(Unit) == 1) return WideVector{_mm512_permutex2var_epi8(a.raw, at, b.raw)};
    if constexpr (sizeof(Unit) == 2) return WideVector{_mm512_permutex2var_epi16(a.raw, at, b.raw)};
    if constexpr (sizeof(Unit) == 4) return WideVector{_mm512_permutex2var_epi32(a.raw, at, b.raw)};
    if constexpr (sizeof(Unit) == 8) return WideVector{_mm512_permutex2var_epi64(a.raw, at, b.raw)};
  }
  static HWY_INLINE WideVector lower_halves(WideVector a, WideVector b) {
    return WideVector{_mm512_shuffle_i64x2(a.raw, b.raw, 0x44)};
  }
  static HWY_INLINE WideVector upper_halves(WideVector a, WideVector b) {
    return WideVector{_mm512_shuffle_i64x2(a.raw, b.raw, 0xEE)};
  }

  WideVector at_[4];
};

/// Turns residuals into words [first, last), as integrate() does. Preconditions: the tuple has `stride`
/// bytes, at most kWide, and kRounds is the least number for which stride << kRounds is at least kWide.
/// kPeriodic: a vector holds whole tuples, so each lane has the same places in every vector; then a carry
/// waits for one addition only.
template <class T, unsigned kOrder, unsigned kRounds, bool kPeriodic>
HWY_NOINLINE void integrate_wide(const std::uint8_t* from, std::uint8_t* values, std::size_t first,
                                 std::size_t last, std::size_t stride, bool zigzag) {
  const WideShuffles<kRounds> s(stride);
  const std::size_t end = first * sizeof(T), bytes = (last - first) * sizeof(T);
  std::uint8_t* to = values + end;
  // Newton's backward differences of the newest words, as load_carries() has them.
  WideVector carry[kOrder];
  for (unsigned j = 0; j < kOrder; ++j)
    carry[kOrder - 1 - j] = s.newest(wide_before(values, end - HWY_MIN(j * stride, end)));
  for (unsigned k = 1; k < kOrder; ++k)
    for (unsigned j = 0; j + k < kOrder; ++j) carry[j] = subtract_wide<T>(carry[j + 1], carry[j]);

  const auto integrate = [&](auto& x) HWY_ATTR {
    for (WideVector& v : x) v = zigzag ? unzigzag_wide<T>(v) : v;
    for (unsigned q = 0; q < kOrder; ++q) {
      s.template sum<T>(x);
      for (WideVector& v : x) {
        const WideVector sums = v;
        v = add_wide<T>(sums, carry[q]);
        carry[q] = kPeriodic ? add_wide<T>(carry[q], s.newest(sums)) : s.newest(v);
      }
    }
  };
  const auto each_four = [&](const auto& integrate_four) HWY_ATTR {
    std::size_t p = 0;
    for (; p + kWideAtOnce * kWide <= bytes; p += kWideAtOnce * kWide) {
      WideVector x[kWideAtOnce];
      for (std::size_t v = 0; v < kWideAtOnce; ++v) x[v] = hn::LoadU(WideBytes(), from + p + v * kWide);
      integrate_four(x);
      for (std::size_t v = 0; v < kWideAtOnce; ++v) hn::StoreU(x[v], WideBytes(), to + p + v * kWide);
    }
    return p;
  };
  std::size_t p = 0;
  if constexpr (kPeriodic && takes_quads(kOrder, kRounds)) {
    const WideQuads<kRounds> quads;
    p = each_four([&](WideVector(&x)[4]) HWY_ATTR {
      for (WideVector& v : x) v = zigzag ? unzigzag_wide<T>(v) : v;
      quads.apart(x);
      for (unsigned q = 0; q < kOrder; ++q) {
        for (unsigned k = 1; k < 4; ++k) x[k] = add_wide<T>(x[k], x[k - 1]);
        WideVector sums[] = {x[3]};
        s.template sum<T>(sums);
        const WideVector before = add_wide<T>(subtract_wide<T>(sums[0], x[3]), carry[q]);
        for (WideVector& v : x) v = add_wide<T>(v, before);
        carry[q] = add_wide<T>(carry[q], s.newest(sums[0]));
      }
      quads.together(x);
    });
  } else {
    p = each_four(integrate);
  }
  for (; p < bytes; p += kWide) {
    const std::size_t there = HWY_MIN(kWide, bytes - p);
    HWY_ALIGN std::uint8_t padded[kWide] = {};
    std::memcpy(padded, from + p, there);
    WideVector x[] = {hn::Load(WideBytes(), padded)};
    integrate(x);
    hn::Store(x[0], WideBytes(), padded);
    std::memcpy(to + p, padded, there);
  }
}

template <class T>
using IntegrateWide = void (*)(const std::uint8_t* from, std::uint8_t* values, std::size_t first,
                               std::size_t last, std::size_t stride, bool zigzag);

/// With more rounds of all orders columns are faster, but for quads (measured on Zen 5).
inline constexpr unsigned kMostWideRounds = 12;

/// The kernel for this tuple; null if there is none.
template <class T, unsigned kOrder, unsigned kRounds = log2_of(kWide / sizeof(T))>
HWY_INLINE IntegrateWide<T> integrate_wide_of(std::size_t stride) {
  if (kOrder == 0 || stride > kWide) return nullptr;
  if constexpr (kRounds > 0) {
    if (stride << (kRounds - 1) >= kWide) return integrate_wide_of<T, kOrder, kRounds - 1>(stride);
  }
  constexpr bool few = kOrder * kRounds <= kMostWideRounds;
  if constexpr (kOrder > 0 && kOrder <= kHighestWideOrder) {
    if (kWide % stride == 0) {
      if constexpr (few || takes_quads(kOrder, kRounds)) return &integrate_wide<T, kOrder, kRounds, true>;
    } else {
      if constexpr (few) return &integrate_wide<T, kOrder, kRounds, false>;
    }
  }
  return nullptr;
}

}  // namespace HWY_NAMESPACE
}  // namespace tdz::cpu
HWY_AFTER_NAMESPACE();

#endif

#endif  // include guard, toggled per target
