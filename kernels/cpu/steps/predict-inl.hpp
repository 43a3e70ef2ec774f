// SPDX-License-Identifier: Apache-2.0
// Words minus what their block predicts, a sum of products of earlier words; and residuals back to words. On
// the way there every word of the block is there, so a vector holds neighbouring words. On the way back a
// word needs the words just before it, so a vector holds one word of each of several blocks, and the blocks
// run side by side.
#if defined(TDZ_KERNELS_CPU_STEPS_PREDICT_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TDZ_KERNELS_CPU_STEPS_PREDICT_INL_HPP
#undef TDZ_KERNELS_CPU_STEPS_PREDICT_INL_HPP
#else
#define TDZ_KERNELS_CPU_STEPS_PREDICT_INL_HPP
#endif

#include "kernels/cpu/steps/seams.hpp"
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

// ---- and the way back

#if !TDZ_KERNELS_PLAIN

/// A lane of the sums has twice the bits of a word (bytes count as 16 bits) and belongs to one block. Two
/// words of a block fill it, so a transposition of lanes brings 16 bytes of every block to where time runs
/// down the rows.
template <class T>
struct Side {
  static constexpr bool kPairs = sizeof(T) <= 2;  ///< a product of pairs; else a product for every word
  using Wide = hwy::UnsignedFromSize<kPairs ? 4 : 8>;
  using Signed = hwy::MakeSigned<Wide>;
  static constexpr std::size_t kBlocks = kVector / sizeof(Wide);  ///< in one vector
  static constexpr std::size_t kSide = kBlock / sizeof(Wide);     ///< vectors of a transposition
  static constexpr std::size_t kStep = 2 * kSide;                 ///< words of a block that it takes
  static constexpr std::size_t kHalf = 4 * sizeof(Wide);          ///< bits of a word in a lane

  using D = Words<Wide>;
  using V = hn::Vec<D>;
};

/// Eight bytes of a block as 16 bytes, or 16 bytes as they are.
template <class T>
HWY_INLINE auto load_side(const std::uint8_t* from) {
  const hn::CappedTag<std::uint8_t, kBlock> block;
  if constexpr (sizeof(T) == 1) {
    const hn::CappedTag<std::uint16_t, kBlock / 2> words;
    return hn::BitCast(block, hn::PromoteTo(words, hn::LoadU(hn::Half<decltype(block)>(), from)));
  } else {
    return hn::LoadU(block, from);
  }
}

template <class T, class V>
HWY_INLINE void store_side(V block, std::uint8_t* to) {
  const hn::CappedTag<std::uint8_t, kBlock> d;
  if constexpr (sizeof(T) == 1) {
    const hn::CappedTag<std::int16_t, kBlock / 2> words;
    const hn::Half<decltype(d)> half;
    const auto bytes = hn::And(hn::BitCast(words, block), hn::Set(words, 0xFF));
    hn::StoreU(hn::DemoteTo(half, bytes), half, to);
  } else {
    hn::StoreU(block, d, to);
  }
}

/// Words i and later of the blocks, two in a lane, time running down the rows; and back.
template <class T>
HWY_INLINE void load_rows(const BlockJob* jobs, std::size_t i, Vector (&rows)[Side<T>::kSide]) {
  constexpr std::size_t kSide = Side<T>::kSide;
  for (std::size_t r = 0; r < kSide; ++r) {
    const auto lower = load_side<T>(jobs[r].from + i * sizeof(T));
    if constexpr (kVector == kBlock) {
      rows[r] = lower;
    } else {
      rows[r] = hn::Combine(Bytes(), load_side<T>(jobs[kSide + r].from + i * sizeof(T)), lower);
    }
  }
  perfect_shuffle<typename Side<T>::Wide, log2_of(kSide)>(rows);
}

template <class T>
HWY_INLINE void store_rows(Vector (&rows)[Side<T>::kSide], const BlockJob* jobs, std::size_t i) {
  constexpr std::size_t kSide = Side<T>::kSide;
  perfect_shuffle<typename Side<T>::Wide, log2_of(kSide)>(rows);
  for (std::size_t r = 0; r < kSide; ++r) {
    if constexpr (kVector == kBlock) {
      store_side<T>(rows[r], jobs[r].to + i * sizeof(T));
    } else {
      const hn::Half<Bytes> half;
      store_side<T>(hn::LowerHalf(half, rows[r]), jobs[r].to + i * sizeof(T));
      store_side<T>(hn::UpperHalf(half, rows[r]), jobs[kSide + r].to + i * sizeof(T));
    }
  }
}

/// What does not change while the blocks of one vector run.
template <class T, unsigned kTerms>
struct SideRule {
  using S = Side<T>;
  HWY_ALIGN typename S::Wide factor[kTerms][S::kBlocks];
  HWY_ALIGN typename S::Wide offset[S::kBlocks], shift[S::kBlocks];

  SideRule(const BlockJob* jobs, const Number& number) {
    using Wide = typename S::Wide;
    for (std::size_t b = 0; b < S::kBlocks; ++b) {
      const Predictor& p = *jobs[b].predictor;
      shift[b] = p.shift;
      offset[b] = static_cast<Wide>(offset_of<T>(p, number));
      for (std::size_t k = 0; k < kTerms; ++k) factor[k][b] = factor_of(p, k);
    }
  }

  /// Coefficients behind the order are zero.
  static HWY_INLINE typename S::Wide factor_of(const Predictor& p, std::size_t k) {
    if constexpr (S::kPairs) {
      return static_cast<std::uint16_t>(p.coefficient[2 * k + 1]) |
             std::uint32_t{static_cast<std::uint16_t>(p.coefficient[2 * k])} << 16;
    } else {
      return static_cast<typename S::Wide>(std::int64_t{p.coefficient[k]});
    }
  }
};

/// Words to the numbers that the sums take.
template <class T>
struct SideNumbers {
  using S = Side<T>;
  using V = typename S::V;

  explicit SideNumbers(const Number& number)
      : unused(static_cast<int>(S::kHalf - number.bits)),
        flip(hn::Set(typename S::D(),
                     is_offset(number, 8 * sizeof(T)) ? lower_bit() | lower_bit() << S::kHalf : 0)),
        used(hn::Set(typename S::D(), number.is_signed ? ~typename S::Wide{0} : mask_of(number))),
        word(hn::Set(typename S::D(), static_cast<typename S::Wide>(number.mask()))) {}

  static constexpr typename S::Wide lower_bit() { return typename S::Wide{1} << (S::kHalf - 1); }
  static HWY_INLINE typename S::Wide mask_of(const Number& number) {
    return static_cast<typename S::Wide>(S::kPairs ? number.mask() << S::kHalf : number.mask());
  }

  int unused;
  V flip, used, word;
};

/// The sum of products before word `row`, offset included. `history` holds what came before, newest last.
template <class T, unsigned kTerms>
HWY_INLINE typename Side<T>::V sum_of_products(const SideRule<T, kTerms>& rule,
                                               const typename Side<T>::Wide* row) {
  using S = Side<T>;
  const typename S::D d;
  auto sum = hn::Load(d, rule.offset);
  for (std::size_t k = kTerms; k-- > 0;) {  // the newest word comes last: the others need not wait for it
    const auto c = hn::BitCast(I32(), hn::Load(d, rule.factor[k]));
    if constexpr (S::kPairs) {
      const auto x = hn::BitCast(I32(), hn::Load(d, row - (1 + 2 * k) * S::kBlocks));
      sum = hn::Add(sum, hn::BitCast(d, pair_products(x, c)));
    } else {
      const auto x = hn::BitCast(I32(), hn::Load(d, row - (1 + k) * S::kBlocks));
      sum = hn::Add(sum, hn::BitCast(d, hn::MulEven(x, c)));
    }
  }
  return sum;
}

/// Word to history: a pair with the word before it on top, or a number of 32 bits.
template <class T>
HWY_INLINE typename Side<T>::V to_history(typename Side<T>::V x, typename Side<T>::V before,
                                          const SideNumbers<T>& numbers) {
  using S = Side<T>;
  const typename S::D d;
  if constexpr (sizeof(T) == 2) {
    return hn::Or(hn::ShiftLeft<16>(x), hn::ShiftRight<16>(before));
  } else if constexpr (sizeof(T) == 1) {
    const auto top = hn::BitCast(d, hn::ShiftRight<8>(hn::BitCast(I32(), hn::ShiftLeft<24>(x))));
    return hn::Or(hn::And(top, numbers.used), hn::ShiftRight<16>(before));
  } else {
    const auto number =
        hn::ShiftRightSame(hn::ShiftLeftSame(hn::BitCast(I32(), x), numbers.unused), numbers.unused);
    return hn::And(hn::BitCast(d, number), numbers.used);
  }
}

/// Two words of a block to one lane, as they lie in memory.
template <class T>
HWY_INLINE typename Side<T>::V to_memory(typename Side<T>::V first, typename Side<T>::V second,
                                         typename Side<T>::V pair, const SideNumbers<T>& numbers) {
  using S = Side<T>;
  if constexpr (S::kPairs) {
    return hn::Xor(pair, numbers.flip);
  } else {
    const auto low = hn::And(hn::Xor(first, numbers.flip), numbers.word);
    const auto high = hn::And(hn::Xor(second, numbers.flip), numbers.word);
    return hn::Or(low, hn::ShiftLeft<S::kHalf>(high));
  }
}

/// The lanes of one vector of blocks through time: rows of history, the newest at `row`.
template <class T, unsigned kTerms>
struct SideState {
  using S = Side<T>;
  static constexpr std::size_t kBack = S::kPairs ? 2 * kTerms : kTerms;
  static constexpr std::size_t kRows = 64;

  HWY_ALIGN typename S::Wide history[(kBack + kRows) * S::kBlocks];

  HWY_INLINE typename S::Wide* row(std::size_t r) { return history + (kBack + r) * S::kBlocks; }

  /// Rows of the words before `head`, which are done; zeros before the start.
  HWY_INLINE void begin(const BlockJob* jobs, const Number& number, std::size_t head) {
    for (std::size_t back = 1; back <= kBack; ++back) {
      for (std::size_t b = 0; b < S::kBlocks; ++b) {
        const std::uint64_t newest = number_at(jobs[b], number, head, back);
        const std::uint64_t before = number_at(jobs[b], number, head, back + 1);
        const std::uint64_t pair = (before & 0xFFFF) | newest << 16;
        history[(kBack - back) * S::kBlocks + b] = static_cast<typename S::Wide>(S::kPairs ? pair : newest);
      }
    }
  }

  static HWY_INLINE std::uint64_t number_at(const BlockJob& job, const Number& number, std::size_t head,
                                            std::size_t back) {
    if (back > head) return 0;
    const T x = get<T>(job.to, head - back);
    if (is_offset(number, 8 * sizeof(T))) return static_cast<std::uint64_t>(x) ^ number.mask() / 2 + 1;
    return static_cast<std::uint64_t>(number.of(x));
  }

  /// The last rows become the ones before the first.
  HWY_INLINE void wrap() {
    std::memcpy(history, history + kRows * S::kBlocks, kBack * S::kBlocks * sizeof(typename S::Wide));
  }
};

/// kChains vectors of blocks from word `first` on, as far as whole steps go; `words` words are in each block.
/// Returns the first word that is not done.
template <class T, unsigned kTerms, unsigned kChains>
HWY_NOINLINE std::size_t undo_side_by_side(const BlockJob* jobs, const Number& number, std::size_t first,
                                           std::size_t words) {
  using S = Side<T>;
  using State = SideState<T, kTerms>;
  const typename S::D d;
  const SideNumbers<T> numbers(number);
  State state[kChains];
  SideRule<T, kTerms> rules[2] = {{jobs, number}, {jobs + (kChains - 1) * S::kBlocks, number}};
  for (std::size_t c = 0; c < kChains; ++c) state[c].begin(jobs + c * S::kBlocks, number, first);
  std::size_t r = 0;
  for (; first + S::kStep <= words; first += S::kStep, r += S::kStep) {
    if (r == State::kRows) {
      for (State& s : state) s.wrap();
      r = 0;
    }
    Vector rows[kChains][S::kSide];
    for (std::size_t c = 0; c < kChains; ++c) load_rows<T>(jobs + c * S::kBlocks, first, rows[c]);
    for (std::size_t k = 0; k < S::kSide; ++k) {
      for (std::size_t c = 0; c < kChains; ++c) {
        const auto shift = hn::Load(d, rules[c].shift);
        const auto residuals = hn::Xor(hn::BitCast(d, rows[c][k]), numbers.flip);
        typename S::Wide* row = state[c].row(r + 2 * k);
        const auto a = hn::Add(hn::Shr(sum_of_products<T, kTerms>(rules[c], row), shift), residuals);
        const auto with_a = to_history<T>(a, hn::Load(d, row - S::kBlocks), numbers);
        hn::Store(with_a, d, row);
        row += S::kBlocks;
        const auto later = hn::ShiftRight<S::kHalf>(residuals);
        const auto b = hn::Add(hn::Shr(sum_of_products<T, kTerms>(rules[c], row), shift), later);
        const auto with_b = to_history<T>(b, with_a, numbers);
        hn::Store(with_b, d, row);
        rows[c][k] = hn::BitCast(Bytes(), to_memory<T>(a, b, with_b, numbers));
      }
    }
    for (std::size_t c = 0; c < kChains; ++c) store_rows<T>(rows[c], jobs + c * S::kBlocks, first);
  }
  return first;
}

/// In WebAssembly orders share copies of the loop, and there is one chain: a page loads every copy.
#if HWY_TARGET == HWY_WASM
inline constexpr bool kFewCopies = true;
#else
inline constexpr bool kFewCopies = false;
#endif

/// As undo_side_by_side, with at least `order` terms. kOrder: the orders that have a copy of the loop,
/// ascending.
template <class T, unsigned kChains, unsigned kOrder, unsigned... kHigher>
HWY_INLINE std::size_t undo_up_to(const BlockJob* jobs, const Number& number, std::size_t first,
                                  std::size_t words, unsigned order) {
  if constexpr (sizeof...(kHigher) > 0) {
    if (order > kOrder) return undo_up_to<T, kChains, kHigher...>(jobs, number, first, words, order);
  }
  return undo_side_by_side<T, kOrder / (Side<T>::kPairs ? 2 : 1), kChains>(jobs, number, first, words);
}

template <class T, unsigned kChains>
HWY_NOINLINE std::size_t undo_by_order(const BlockJob* jobs, const Number& number, std::size_t first,
                                       std::size_t words, unsigned order) {
  if constexpr (kFewCopies) {
    return undo_up_to<T, kChains, 8, 16, 32>(jobs, number, first, words, order);
  } else {
    return undo_up_to<T, kChains, 2, 4, 6, 8, 10, 12, 16, 32>(jobs, number, first, words, order);
  }
}

/// The first few of `jobs`, of which there are `count`. Returns how many.
template <class T>
HWY_NOINLINE std::size_t undo_some(const BlockJob* jobs, std::size_t count, const Number& number) {
  constexpr std::size_t kBlocks = Side<T>::kBlocks, kMost = 2 * kBlocks;
  const std::size_t chains = !kFewCopies && count > kBlocks ? 2 : 1;
  const std::size_t some = HWY_MIN(count, chains * kBlocks);
  BlockJob group[kMost];  // the last job again where some are missing: it does the same twice
  std::size_t words = jobs[0].words;
  unsigned order = 0;
  for (std::size_t b = 0; b < kMost; ++b) {
    group[b] = jobs[HWY_MIN(b, some - 1)];
    words = HWY_MIN(words, group[b].words);
    order = HWY_MAX(order, unsigned{group[b].predictor->order});
  }
  const std::size_t head = HWY_MIN(std::size_t{order}, words);
  for (std::size_t b = 0; b < some; ++b) undo_words<T>(jobs[b], number, 0, head);
  constexpr unsigned kMostChains = kFewCopies ? 1 : 2;
  const auto undo = chains == 1 ? &undo_by_order<T, 1> : &undo_by_order<T, kMostChains>;
  const std::size_t done = undo(group, number, head, words, order);
  for (std::size_t b = 0; b < some; ++b) undo_words<T>(jobs[b], number, done, jobs[b].words);
  return some;
}

template <class T>
HWY_NOINLINE void undo_blocks_of(const BlockJob* jobs, std::size_t count, const Number& number) {
  if constexpr (sizeof(T) == 8) {
    for (std::size_t b = 0; b < count; ++b) undo_words<T>(jobs[b], number, 0, jobs[b].words);
  } else {
    for (std::size_t b = 0; b < count;) b += undo_some<T>(jobs + b, count - b, number);
  }
}

#else

template <class T>
HWY_NOINLINE void undo_blocks_of(const BlockJob* jobs, std::size_t count, const Number& number) {
  for (std::size_t b = 0; b < count; ++b) undo_words<T>(jobs[b], number, 0, jobs[b].words);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace tdz::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
