// SPDX-License-Identifier: Apache-2.0
// Words minus what their block predicts. A sum of products of earlier words: every word of the block is
// there, so a vector holds neighbouring words.
#if defined(TDZ_KERNELS_CPU_STEPS_PREDICT_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TDZ_KERNELS_CPU_STEPS_PREDICT_INL_HPP
#undef TDZ_KERNELS_CPU_STEPS_PREDICT_INL_HPP
#else
#define TDZ_KERNELS_CPU_STEPS_PREDICT_INL_HPP
#endif

#include "kernels/cpu/steps/predict_blocks.hpp"
#include "kernels/cpu/steps/words-inl.hpp"
#if !TDZ_KERNELS_PLAIN
#include "kernels/cpu/steps/products-inl.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace tdz::cpu {
namespace HWY_NAMESPACE {

/// What a block predicts for word i from the words before it, mod 2^64.
template <class T>
HWY_INLINE std::uint64_t prediction(const Predictor& p, const Number& number, const std::uint8_t* words,
                                    std::size_t i) {
  if (p.order == 0 || i == 0) return 0;
  if (i < p.order) return get<T>(words, i - 1);
  std::uint64_t sum = 0;
  for (std::size_t j = 0; j < p.order; ++j) {
    const auto x = static_cast<std::uint64_t>(number.of(get<T>(words, i - 1 - j)));
    sum += static_cast<std::uint64_t>(std::int64_t{p.coefficient[j]}) * x;
  }
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(sum) >> p.shift);
}

/// Words [first, last) of a block.
template <class T>
HWY_NOINLINE void predict_words(const BlockJob& job, const Number number, std::size_t first,
                                std::size_t last) {
  for (std::size_t i = first; i < last; ++i) {
    const std::uint64_t residual = get<T>(job.from, i) - prediction<T>(*job.predictor, number, job.from, i);
    put<T>(job.to, i, static_cast<T>(residual & number.mask()));
  }
}

template <class T>
HWY_NOINLINE void undo_words(const BlockJob& job, const Number number, std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i) {
    const std::uint64_t x = get<T>(job.from, i) + prediction<T>(*job.predictor, number, job.to, i);
    put<T>(job.to, i, static_cast<T>(x & number.mask()));
  }
}

#if TDZ_KERNELS_PLAIN

template <class T>
HWY_INLINE std::size_t predict_vectors(const BlockJob&, const Number&, std::size_t first) {
  return first;
}

#else

/// Numbers of 32 bits that stand for the words: unsigned words of full width lose 2^(bits - 1), so that they
/// are signed; what that takes from a sum is known beforehand.
constexpr bool is_offset(const Number& number, std::size_t word_bits) {
  return !number.is_signed && number.bits == word_bits && word_bits >= 16;
}

/// What the offset takes from the sum of a block's products.
template <class T>
HWY_INLINE std::uint64_t offset_of(const Predictor& p, const Number& number) {
  if (!is_offset(number, 8 * sizeof(T))) return 0;
  std::int64_t sum = 0;
  for (std::size_t j = 0; j < p.order; ++j) sum += p.coefficient[j];
  return static_cast<std::uint64_t>(sum) << (8 * sizeof(T) - 1);
}

/// Words as numbers of 16 bits. Each is a factor of many products, so numbers that are not the words
/// themselves are made once.
template <class T>
struct Numbers16 {
  static constexpr std::size_t kStep = kVector / 2;

  explicit Numbers16(const Number& number)
      : is_signed(number.is_signed), flip(is_offset(number, 8 * sizeof(T)) ? INT16_MIN : std::int16_t{0}) {}

  bool are_words() const { return sizeof(T) == 2 && flip == 0; }
  HWY_INLINE hn::Vec<I16> of_words(const std::uint8_t* words) const {
    if constexpr (sizeof(T) == 2) {
      return hn::Xor(hn::BitCast(I16(), hn::LoadU(Bytes(), words)), hn::Set(I16(), flip));
    } else {
      const hn::Half<Bytes> half;
      const auto bytes = hn::LoadU(half, words);
      if (!is_signed) return hn::PromoteTo(I16(), bytes);
      return hn::PromoteTo(I16(), hn::BitCast(hn::RebindToSigned<decltype(half)>(), bytes));
    }
  }
  /// Precondition: the words fill a vector. The last vector overlaps the one before it.
  HWY_INLINE void make(const std::uint8_t* words, std::size_t count, std::uint8_t* numbers) const {
    for (std::size_t i = 0; i < count; i += kStep) {
      const std::size_t at = HWY_MIN(i, count - kStep);
      hn::StoreU(hn::BitCast(Bytes(), of_words(words + at * sizeof(T))), Bytes(), numbers + 2 * at);
    }
  }

  bool is_signed;
  std::int16_t flip;
};

/// What predicts words in 32 bits, two products for each of them.
template <class T>
struct Pairs {
  Pairs(const Predictor& p, const Number& number)
      : count((p.order + 1u) / 2),
        shift(p.shift),
        offset(hn::BitCast(I32(), hn::Set(U32(), static_cast<std::uint32_t>(offset_of<T>(p, number))))) {
    for (std::size_t j = 0; j < count; ++j) {
      const std::int16_t* c = p.coefficient + 2 * j;
      const auto far = static_cast<std::uint16_t>(2 * j + 1 < p.order ? c[1] : 0);
      factor[j] = hn::Set(
          I32(), static_cast<std::int32_t>(std::uint32_t{far} | std::uint32_t(std::uint16_t(c[0])) << 16));
    }
  }

  std::size_t count;
  int shift;
  hn::Vec<I32> offset;
  hn::Vec<I32> factor[kMostCoefficients / 2];
};

/// The residuals of `kVectors` vectors from word i on. Neighbouring words fill 32 bits, so a load at an even
/// distance has the pairs of every second word, and a load one word later those of the others.
template <class T, std::size_t kVectors>
HWY_INLINE void predict_pairs_at(const Pairs<T>& p, const BlockJob& job, const std::uint8_t* numbers,
                                 std::size_t i) {
  constexpr std::size_t kStep = kVector / 2;
  hn::Vec<I32> even[kVectors], odd[kVectors];
  for (std::size_t v = 0; v < kVectors; ++v) even[v] = odd[v] = p.offset;
  for (std::size_t j = 0; j < p.count; ++j) {
    const auto factor = p.factor[j];
    for (std::size_t v = 0; v < kVectors; ++v) {
      const std::uint8_t* before = numbers + 2 * (i + v * kStep - 2 - 2 * j);
      even[v] = hn::Add(even[v], pair_products(hn::BitCast(I32(), hn::LoadU(Bytes(), before)), factor));
      odd[v] = hn::Add(odd[v], pair_products(hn::BitCast(I32(), hn::LoadU(Bytes(), before + 2)), factor));
    }
  }
  const auto low = hn::Set(U32(), 0xFFFFu);
  for (std::size_t v = 0; v < kVectors; ++v) {
    // The shift may be logical: only bits below the 32nd are wanted, and shift <= 15.
    const auto e = hn::And(hn::ShiftRightSame(hn::BitCast(U32(), even[v]), p.shift), low);
    const auto o = hn::ShiftLeft<16>(hn::ShiftRightSame(hn::BitCast(U32(), odd[v]), p.shift));
    const auto predicted = hn::BitCast(I16(), hn::Or(e, o));
    const std::size_t at = i + v * kStep;
    const auto* words = sizeof(T) == 2 ? job.from : numbers;
    const auto residual = hn::Sub(hn::BitCast(I16(), hn::LoadU(Bytes(), words + 2 * at)), predicted);
    if constexpr (sizeof(T) == 2) {
      hn::StoreU(hn::BitCast(Bytes(), residual), Bytes(), job.to + 2 * at);
    } else {
      const hn::Half<Bytes> half;
      hn::StoreU(hn::DemoteTo(half, hn::And(residual, hn::Set(I16(), 0xFF))), half, job.to + at);
    }
  }
}

template <class T>
HWY_NOINLINE std::size_t predict_pairs(const BlockJob& job, const Number& number, std::size_t first) {
  constexpr std::size_t kStep = kVector / 2, kVectors = 4;
  if (first + kStep > job.words) return first;
  HWY_ALIGN std::uint8_t memory[2 * kPredictBlock];
  const Numbers16<T> of_words(number);
  if (!of_words.are_words()) of_words.make(job.from, job.words, memory);
  const std::uint8_t* numbers = of_words.are_words() ? job.from : memory;
  const Pairs<T> p(*job.predictor, number);
  std::size_t i = first;
  for (; i + kVectors * kStep <= job.words; i += kVectors * kStep)
    predict_pairs_at<T, kVectors>(p, job, numbers, i);
  for (; i + kStep <= job.words; i += kStep) predict_pairs_at<T, 1>(p, job, numbers, i);
  return i;
}

/// Words of 32 bits as numbers. Each is a factor of many products, so numbers that are not the words
/// themselves are made once.
struct Numbers32 {
  explicit Numbers32(const Number& number)
      : unused(static_cast<int>(32 - number.bits)),
        is_signed(number.is_signed),
        flip(hn::Set(I32(), is_offset(number, 32) ? INT32_MIN : 0)) {}

  bool are_words() const { return is_signed ? unused == 0 : unused != 0; }
  HWY_INLINE hn::Vec<I32> of(hn::Vec<I32> x) const {
    return is_signed ? hn::ShiftRightSame(hn::ShiftLeftSame(x, unused), unused) : hn::Xor(x, flip);
  }
  /// Precondition: the words fill a vector. The last vector overlaps the one before it.
  HWY_INLINE void make(const std::uint8_t* words, std::size_t count, std::uint8_t* numbers) const {
    constexpr std::size_t kStep = kVector / 4;
    for (std::size_t i = 0; i < count; i += kStep) {
      const std::size_t at = 4 * HWY_MIN(i, count - kStep);
      const auto x = of(hn::BitCast(I32(), hn::LoadU(Bytes(), words + at)));
      hn::StoreU(hn::BitCast(Bytes(), x), Bytes(), numbers + at);
    }
  }

  int unused;
  bool is_signed;
  hn::Vec<I32> flip;
};

/// What predicts words in 64 bits, a product for each of 32 bits.
struct Singles {
  Singles(const Predictor& p, const Number& number)
      : order(p.order),
        shift(p.shift),
        offset(hn::Set(U64(), offset_of<std::uint32_t>(p, number))),
        mask(hn::Set(U32(), static_cast<std::uint32_t>(number.mask()))) {
    for (std::size_t j = 0; j < order; ++j) factor[j] = hn::Set(I32(), p.coefficient[j]);
  }

  std::size_t order;
  int shift;
  hn::Vec<U64> offset;
  hn::Vec<U32> mask;
  hn::Vec<I32> factor[kMostCoefficients];
};

/// The residuals of `kVectors` vectors from word i on. What is a factor of the odd words is one of the even
/// words for the next coefficient.
template <std::size_t kVectors>
HWY_INLINE void predict_singles_at(const Singles& p, const BlockJob& job, const std::uint8_t* numbers,
                                   std::size_t i) {
  constexpr std::size_t kStep = kVector / 4;
  hn::Vec<U64> even[kVectors], odd[kVectors];
  hn::Vec<I32> later[kVectors];
  for (std::size_t v = 0; v < kVectors; ++v) {
    even[v] = odd[v] = p.offset;
    later[v] = hn::BitCast(I32(), hn::LoadU(Bytes(), numbers + 4 * (i + v * kStep)));
  }
  for (std::size_t j = 0; j < p.order; ++j) {
    const auto factor = p.factor[j];
    for (std::size_t v = 0; v < kVectors; ++v) {
      const auto x = hn::BitCast(I32(), hn::LoadU(Bytes(), numbers + 4 * (i + v * kStep - 1 - j)));
      even[v] = hn::Add(even[v], hn::BitCast(U64(), hn::MulEven(x, factor)));
      odd[v] = hn::Add(odd[v], hn::BitCast(U64(), hn::MulEven(later[v], factor)));
      later[v] = x;
    }
  }
  for (std::size_t v = 0; v < kVectors; ++v) {
    const auto e = hn::BitCast(U32(), hn::ShiftRightSame(even[v], p.shift));
    const auto o = hn::BitCast(U32(), hn::ShiftLeft<32>(hn::ShiftRightSame(odd[v], p.shift)));
    const auto x = hn::BitCast(U32(), hn::LoadU(Bytes(), job.from + 4 * (i + v * kStep)));
    const auto residual = hn::And(hn::Sub(x, hn::OddEven(o, e)), p.mask);
    hn::StoreU(hn::BitCast(Bytes(), residual), Bytes(), job.to + 4 * (i + v * kStep));
  }
}

HWY_NOINLINE std::size_t predict_singles(const BlockJob& job, const Number& number, std::size_t first) {
  constexpr std::size_t kStep = kVector / 4, kVectors = 4;
  if (first + kStep > job.words) return first;
  HWY_ALIGN std::uint8_t memory[4 * kPredictBlock];
  const Numbers32 of_words(number);
  if (!of_words.are_words()) of_words.make(job.from, job.words, memory);
  const std::uint8_t* numbers = of_words.are_words() ? job.from : memory;
  const Singles p(*job.predictor, number);
  std::size_t i = first;
  for (; i + kVectors * kStep <= job.words; i += kVectors * kStep)
    predict_singles_at<kVectors>(p, job, numbers, i);
  for (; i + kStep <= job.words; i += kStep) predict_singles_at<1>(p, job, numbers, i);
  return i;
}

/// Returns the first word that is not done.
template <class T>
HWY_INLINE std::size_t predict_vectors(const BlockJob& job, const Number& number, std::size_t first) {
  if constexpr (sizeof(T) <= 2) return predict_pairs<T>(job, number, first);
  if constexpr (sizeof(T) == 4) return predict_singles(job, number, first);
  return first;
}

#endif

template <class T>
HWY_NOINLINE void predict_block_of(const BlockJob& job, const Number& number) {
  const std::size_t head = HWY_MIN(job.words, job.predictor->order + std::size_t{job.predictor->order % 2u});
  predict_words<T>(job, number, 0, head);
  predict_words<T>(job, number, predict_vectors<T>(job, number, head), job.words);
}

}  // namespace HWY_NAMESPACE
}  // namespace tdz::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
