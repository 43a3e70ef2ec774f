// SPDX-License-Identifier: Apache-2.0
// What choosing a predictor needs to know of a block: autocorrelation, and how large residuals are. All of it
// exact in integers, so that the order of the sums does not matter.
#if defined(TDZ_KERNELS_CPU_STEPS_ANALYSIS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TDZ_KERNELS_CPU_STEPS_ANALYSIS_INL_HPP
#undef TDZ_KERNELS_CPU_STEPS_ANALYSIS_INL_HPP
#else
#define TDZ_KERNELS_CPU_STEPS_ANALYSIS_INL_HPP
#endif

#include "kernels/cpu/steps/predict-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tdz::cpu {
namespace HWY_NAMESPACE {

/// Differences of narrow numbers fit into 32 bits, and stay two's complement in 64 for wide ones.
template <class T>
using Wider = hwy::SignedFromSize<(sizeof(T) <= 2) ? 4 : 8>;
/// What is correlated: 15 bits and a sign, or 25 bits and a sign.
template <class T>
using Windowed = hwy::SignedFromSize<(sizeof(T) <= 2) ? 2 : 4>;
template <class T>
inline constexpr int kWindowedBits = sizeof(T) <= 2 ? 15 : 25;

/// The numbers of a block. Signs are told apart outside the loops, so that compilers find vectors for them.
template <class T, class W>
HWY_INLINE void widen_numbers(const std::uint8_t* words, std::size_t count, const Number& number, W* to) {
  using Signed = hwy::MakeSigned<T>;
  const auto unused = static_cast<unsigned>(8 * sizeof(T)) - number.bits;
  if (!number.is_signed) {
    for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<W>(get<T>(words, i));
  } else if (unused == 0) {
    for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<Signed>(get<T>(words, i));
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      to[i] = static_cast<Signed>(static_cast<T>(get<T>(words, i) << unused)) >> unused;
    }
  }
}

/// The first number has no difference.
template <class W>
HWY_INLINE void difference_numbers(W* numbers, std::size_t count) {
  using Unsigned = hwy::MakeUnsigned<W>;
  for (std::size_t i = count; i-- > 1;) {
    numbers[i] = static_cast<W>(static_cast<Unsigned>(numbers[i]) - static_cast<Unsigned>(numbers[i - 1]));
  }
  if (count > 0) numbers[0] = 0;
}

/// Bits of the largest magnitude.
template <class W>
HWY_INLINE int bits_of_numbers(const W* numbers, std::size_t count) {
  W all = 0;
  for (std::size_t i = 0; i < count; ++i) {
    all = static_cast<W>(all | (numbers[i] ^ (numbers[i] >> (8 * sizeof(W) - 1))));
  }
  int bits = 0;
  while (bits < static_cast<int>(8 * sizeof(W)) - 1 && all >> bits != 0) ++bits;
  return bits;
}

#if !TDZ_KERNELS_PLAIN

/// Numbers of 25 bits times weights of 15 bits, without 15 places.
HWY_INLINE hn::Vec<I32> times_weight(hn::Vec<I32> x, hn::Vec<I32> weight) {
  const auto to_even = [](hn::Vec<I32> v)
                           HWY_ATTR { return hn::BitCast(I32(), hn::ShiftRight<32>(hn::BitCast(U64(), v))); };
  const auto even = hn::BitCast(U64(), hn::MulEven(x, weight));
  const auto odd = hn::BitCast(U64(), hn::MulEven(to_even(x), to_even(weight)));
  // The shifts may be logical: only bits below the 32nd are wanted.
  return hn::BitCast(I32(), hn::OddEven(hn::BitCast(U32(), hn::ShiftLeft<17>(odd)),
                                        hn::BitCast(U32(), hn::ShiftRight<15>(even))));
}

#endif

/// Scaled to the bits that the products leave room for.
template <class T, class W>
HWY_NOINLINE void apply_window(const W* numbers, std::size_t count, int bits, const std::uint16_t* window,
                               Windowed<T>* to) {
  const int excess = bits - kWindowedBits<T>;
  const int right = excess > 0 ? excess : 0, left = excess < 0 ? -excess : 0;
  std::size_t i = 0;
#if !TDZ_KERNELS_PLAIN
  if constexpr (sizeof(T) == 4 && sizeof(W) == 4) {
    const hn::Half<Words<std::uint16_t>> half;
    for (constexpr std::size_t kStep = kVector / 4; i + kStep <= count; i += kStep) {
      const auto x = hn::LoadU(I32(), numbers + i);
      const auto weight = hn::PromoteTo(I32(), hn::LoadU(half, window + i));
      hn::StoreU(times_weight(hn::ShiftLeftSame(hn::ShiftRightSame(x, right), left), weight), I32(), to + i);
    }
  }
#endif
  using Product = Wider<T>;
  for (; i < count; ++i) {
    const auto scaled = static_cast<Product>((Product{numbers[i]} >> right) * (Product{1} << left));
    to[i] = static_cast<Windowed<T>>((scaled * window[i]) >> 15);
  }
}

/// The products of numbers [begin, end) with those `lag` before them.
template <class W>
HWY_INLINE std::int64_t scalar_products(const W* x, std::size_t begin, std::size_t end, std::size_t lag) {
  std::int64_t sum = 0;
  for (std::size_t i = begin; i < end; ++i) sum += std::int64_t{x[i]} * x[i - lag];
  return sum;
}

#if !TDZ_KERNELS_PLAIN

/// The lags `lag` to `lag` + kLags - 1 at once. Of 4096 products of 30 bits, a vector of 32 bits holds the
/// sum of the high halves, and the low bits of the sum of all: the low halves are what is left, in 25 bits.
template <std::size_t kLags>
HWY_NOINLINE void correlate(const std::int16_t* x, std::size_t count, std::size_t lag, std::int64_t* sums) {
  constexpr std::size_t kStep = kVector / 2;
  hn::Vec<I32> all[kLags], high[kLags];
  for (std::size_t k = 0; k < kLags; ++k) all[k] = high[k] = hn::Zero(I32());
  const std::size_t first = lag + kLags - 1;
  std::size_t i = first;
  for (; i + kStep <= count; i += kStep) {
    const auto a = hn::BitCast(I32(), hn::LoadU(I16(), x + i));
    for (std::size_t k = 0; k < kLags; ++k) {
      const auto products = pair_products(a, hn::BitCast(I32(), hn::LoadU(I16(), x + i - lag - k)));
      all[k] = hn::Add(all[k], products);
      high[k] = hn::Add(high[k], hn::ShiftRight<16>(products));
    }
  }
  HWY_ALIGN std::int32_t highs[kVector / 4], lows[kVector / 4];
  for (std::size_t k = 0; k < kLags; ++k) {
    hn::Store(high[k], I32(), highs);
    hn::Store(hn::Sub(all[k], hn::ShiftLeft<16>(high[k])), I32(), lows);
    sums[k] = scalar_products(x, lag + k, HWY_MIN(first, count), lag + k);
    sums[k] += scalar_products(x, i, count, lag + k);
    for (std::size_t n = 0; n < kVector / 4; ++n) sums[k] += std::int64_t{highs[n]} * 65536 + lows[n];
  }
}

/// The same of 25 bits. The odd numbers of one lag are the even ones of the next.
template <std::size_t kLags>
HWY_NOINLINE void correlate(const std::int32_t* x, std::size_t count, std::size_t lag, std::int64_t* sums) {
  constexpr std::size_t kStep = kVector / 4;
  const Words<std::int64_t> d;
  hn::Vec<Words<std::int64_t>> sum[kLags];
  for (auto& s : sum) s = hn::Zero(d);
  const std::size_t first = lag + kLags - 1;
  std::size_t i = first;
  for (; i + kStep < count; i += kStep) {
    const auto even = hn::LoadU(I32(), x + i), odd = hn::LoadU(I32(), x + i + 1);
    auto later = hn::LoadU(I32(), x + i + 1 - lag);
    for (std::size_t k = 0; k < kLags; ++k) {
      const auto before = hn::LoadU(I32(), x + i - lag - k);
      sum[k] = hn::Add(sum[k], hn::Add(hn::MulEven(even, before), hn::MulEven(odd, later)));
      later = before;
    }
  }
  HWY_ALIGN std::int64_t parts[kVector / 8];
  for (std::size_t k = 0; k < kLags; ++k) {
    hn::Store(sum[k], d, parts);
    sums[k] = scalar_products(x, lag + k, HWY_MIN(first, count), lag + k);
    sums[k] += scalar_products(x, i, count, lag + k);
    for (const std::int64_t part : parts) sums[k] += part;
  }
}

template <class W>
HWY_INLINE void correlate_all(const W* x, std::size_t count, unsigned lags, std::int64_t* sums) {
  constexpr unsigned kLags = 4;
  unsigned lag = 0;
  for (; lag + kLags <= lags; lag += kLags) correlate<kLags>(x, count, lag, sums + lag);
  for (; lag < lags; ++lag) correlate<1>(x, count, lag, sums + lag);
}

#else

template <class W>
HWY_NOINLINE void correlate_all(const W* x, std::size_t count, unsigned lags, std::int64_t* sums) {
  for (unsigned lag = 0; lag < lags; ++lag) sums[lag] = scalar_products(x, lag, count, lag);
}

#endif

/// Most words of 32 bits, and their differences, are numbers of 32 bits: half the memory of wider ones, and
/// vectors have all that it takes. False: they are not.
template <class T>
HWY_INLINE bool window_narrow(const Number& number, bool differences, const std::uint8_t* words,
                              std::size_t count, const std::uint16_t* window, Windowed<T>* windowed) {
  if constexpr (sizeof(T) == 4) {
    if (!number.is_signed && number.bits == 32) return false;
    HWY_ALIGN std::int32_t numbers[kPredictBlock];
    numbers[0] = 0;  // otherwise gcc takes them for uninitialized, because `count` may be zero
    widen_numbers<T>(words, count, number, numbers);
    int bits = bits_of_numbers(numbers, count);
    if (differences) {
      if (bits > 30) return false;
      difference_numbers(numbers, count);
      bits = bits_of_numbers(numbers, count);
    }
    apply_window<T>(numbers, count, bits, window, windowed);
    return true;
  }
  return false;
}

template <class T>
HWY_NOINLINE void autocorrelate_of(const Number& number, bool differences, const std::uint8_t* words,
                                   std::size_t count, const std::uint16_t* window, unsigned lags,
                                   std::int64_t* sums) {
  HWY_ALIGN Windowed<T> windowed[kPredictBlock];
  if (!window_narrow<T>(number, differences, words, count, window, windowed)) {
    HWY_ALIGN Wider<T> numbers[kPredictBlock];
    widen_numbers<T>(words, count, number, numbers);
    if (differences) difference_numbers(numbers, count);
    apply_window<T>(numbers, count, bits_of_numbers(numbers, count), window, windowed);
  }
  correlate_all(windowed, count, static_cast<unsigned>(HWY_MIN(lags, count)), sums);
  for (std::size_t lag = count; lag < lags; ++lag) sums[lag] = 0;
}

/// The size of a word as a signed number in the lowest bits: its magnitude, or, for words of 8 bytes, its
/// length in bits.
template <class T>
HWY_INLINE std::uint64_t size_of_word(T word, unsigned unused) {
  using Signed = hwy::MakeSigned<T>;
  const auto x = static_cast<Signed>(static_cast<Signed>(static_cast<T>(word << unused)) >> unused);
  if constexpr (sizeof(T) == 8) {
    const auto magnitude = static_cast<T>(x < 0 ? ~x : x);
    return magnitude == 0 ? 0 : 64 - hwy::Num0BitsAboveMS1Bit_Nonzero64(magnitude);
  } else {
    return static_cast<T>(x < 0 ? T{0} - static_cast<T>(x) : static_cast<T>(x));
  }
}

#if !TDZ_KERNELS_PLAIN

/// Sums of sizes in vectors, of 4096 words at most: magnitudes of 16 bits need 27.
template <class T>
struct SizeSum {
  using D = Words<T>;
  using S = Words<hwy::MakeSigned<T>>;
  using Wide = hwy::UnsignedFromSize<sizeof(T) == 2 ? 4 : 8>;
  static constexpr bool kInVectors = sizeof(T) <= 4;
  static constexpr std::size_t kStep = kVector / sizeof(T);

  HWY_INLINE SizeSum() : sum(hn::Zero(Words<Wide>())) {}

  HWY_INLINE void add(hn::Vec<D> word, [[maybe_unused]] int unused) {
    const Words<Wide> wide;
    auto x = hn::BitCast(S(), word);
    if constexpr (sizeof(T) == 4) x = hn::ShiftRightSame(hn::ShiftLeftSame(x, unused), unused);
    const auto sign = hn::BitCast(D(), hn::BroadcastSignBit(x));
    const auto magnitude = hn::Sub(hn::Xor(hn::BitCast(D(), x), sign), sign);
    if constexpr (sizeof(T) == 1) {
      sum = hn::Add(sum, hn::SumsOf8(magnitude));
    } else {
      const auto pair = hn::BitCast(wide, magnitude);
      const auto low = hn::And(pair, hn::Set(wide, Wide{static_cast<T>(~T{0})}));
      sum = hn::Add(sum, hn::Add(low, hn::ShiftRight<4 * sizeof(Wide)>(pair)));
    }
  }
  HWY_INLINE std::uint64_t total() const {
    HWY_ALIGN Wide parts[kVector / sizeof(Wide)];
    hn::Store(sum, Words<Wide>(), parts);
    std::uint64_t all = 0;
    for (const Wide part : parts) all += part;
    return all;
  }

  hn::Vec<Words<Wide>> sum;
};

template <class T>
HWY_INLINE hn::Vec<Words<T>> words_before(const std::uint8_t* words, std::size_t i, std::size_t back) {
  return hn::BitCast(Words<T>(), hn::LoadU(Bytes(), words + (i - back) * sizeof(T)));
}

#endif

/// The sizes of words [first, last).
template <class T>
HWY_INLINE std::uint64_t sum_of_sizes(const std::uint8_t* words, std::size_t first, std::size_t last,
                                      unsigned unused) {
  std::size_t i = first;
  std::uint64_t sum = 0;
#if !TDZ_KERNELS_PLAIN
  if constexpr (SizeSum<T>::kInVectors) {
    SizeSum<T> sizes;
    for (; i + SizeSum<T>::kStep <= last; i += SizeSum<T>::kStep) {
      sizes.add(words_before<T>(words, i, 0), static_cast<int>(unused));
    }
    sum = sizes.total();
  }
#endif
  for (; i < last; ++i) sum += size_of_word<T>(get<T>(words, i), unused);
  return sum;
}

template <class T>
HWY_NOINLINE std::uint64_t size_of_residuals_of(const Number& number, const std::uint8_t* residuals,
                                                std::size_t words) {
  return sum_of_sizes<T>(residuals, 0, words, static_cast<unsigned>(8 * sizeof(T)) - number.bits);
}

#if !TDZ_KERNELS_PLAIN

/// The difference of this order at word i.
template <class T>
HWY_INLINE T difference_at(const std::uint8_t* words, std::size_t i, std::size_t order) {
  T d[kMostFixedOrders];
  for (std::size_t k = 0; k <= order; ++k) d[k] = get<T>(words, i - k);
  for (std::size_t n = order; n > 0; --n) {
    for (std::size_t k = 0; k < n; ++k) d[k] = static_cast<T>(d[k] - d[k + 1]);
  }
  return d[0];
}

/// All orders at once: the word and those before it are in registers.
template <class T>
HWY_INLINE void sizes_in_vectors(const std::uint8_t* words, std::size_t count, unsigned unused,
                                 std::uint64_t* sizes) {
  const std::size_t head = HWY_MIN(std::size_t{kMostFixedOrders - 1}, count);
  std::size_t rest = head;
  SizeSum<T> sums[kMostFixedOrders];
  for (; rest + SizeSum<T>::kStep <= count; rest += SizeSum<T>::kStep) {
    hn::Vec<Words<T>> d[kMostFixedOrders];
    for (std::size_t k = 0; k < kMostFixedOrders; ++k) d[k] = words_before<T>(words, rest, k);
    for (std::size_t order = 0; order < kMostFixedOrders; ++order) {
      sums[order].add(d[0], static_cast<int>(unused));
      for (std::size_t k = 0; k + order + 1 < kMostFixedOrders; ++k) d[k] = hn::Sub(d[k], d[k + 1]);
    }
  }
  for (std::size_t order = 0; order < kMostFixedOrders; ++order) {
    sizes[order] = sums[order].total();
    for (std::size_t i = order; i < head; ++i) {
      sizes[order] += size_of_word<T>(difference_at<T>(words, i, order), unused);
    }
    for (std::size_t i = rest; i < count; ++i) {
      sizes[order] += size_of_word<T>(difference_at<T>(words, i, order), unused);
    }
  }
}

#endif

template <class T>
HWY_NOINLINE void sizes_of_differences_of(const Number& number, const std::uint8_t* words, std::size_t count,
                                          std::uint64_t* sizes) {
  const auto unused = static_cast<unsigned>(8 * sizeof(T)) - number.bits;
#if !TDZ_KERNELS_PLAIN
  if constexpr (SizeSum<T>::kInVectors) return sizes_in_vectors<T>(words, count, unused, sizes);
#endif
  // Order by order, in place.
  HWY_ALIGN std::uint8_t differences[2][kPredictBlock * sizeof(T)];
  std::memcpy(differences[0], words, count * sizeof(T));
  for (std::size_t order = 0; order < kMostFixedOrders; ++order) {
    const std::uint8_t* from = differences[order % 2];
    std::uint8_t* to = differences[(order + 1) % 2];
    sizes[order] = sum_of_sizes<T>(from, HWY_MIN(order, count), count, unused);
    for (std::size_t i = order + 1; i < count; ++i)
      put<T>(to, i, static_cast<T>(get<T>(from, i) - get<T>(from, i - 1)));
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace tdz::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
