// SPDX-License-Identifier: Apache-2.0
// Scale in vectors of f64, compiled once per instruction set like sweep.cpp. Multiplication, division and
// conversion are IEEE operations in every one of them, so the bytes are those of plain C++.
//
// Rounding to an integer is a sum: x + 1.5 * 2^52 has no bits for a fraction, and its low bits are the
// integer. That holds for |x| < 2^51; what lies beyond is left to plain C++.
#include <cfloat>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/cpu/disabled_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/scale_vectors.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/scale_run.hpp"

static_assert(FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 1, "f64 must be computed as f64");

#undef TDZ_SCALE_PLAIN
#define TDZ_SCALE_PLAIN (TDZ_KERNELS_PLAIN || !HWY_HAVE_FLOAT64)

// A multiplication and an addition with one rounding. Highway imitates it with two roundings where the CPU
// has none; that does not serve. The other targets keep the division of f64.
#undef TDZ_SCALE_FMA
#if HWY_TARGET == HWY_AVX2 && HWY_NATIVE_FMA
#define TDZ_SCALE_FMA 1
#else
#define TDZ_SCALE_FMA 0
#endif

HWY_BEFORE_NAMESPACE();
namespace tdz::cpu {
namespace HWY_NAMESPACE {

#if TDZ_SCALE_PLAIN

#if HWY_TARGET == HWY_WASM

/// Highway 1.0 has no vectors of f64 for WebAssembly: the products of a table, one by one. Those that are 1
/// change nothing. Write is called with a number and where its word goes.
template <class Q, class Write>
void decode_each(const ScaleRun& run, const std::uint8_t* scaled, std::uint8_t* words, const Write& write) {
  const PairTable& table = *run.table;
  std::size_t lane = run.lane % table.period;
  for (std::size_t i = 0; i < run.words; ++i) {
    Q q;
    std::memcpy(&q, scaled + i * sizeof(Q), sizeof(Q));
    write(static_cast<double>(q) * table.num[lane] / table.den[lane], words + i * sizeof(Q));
    if (++lane == table.period) lane = 0;
  }
}

/// Of a simple table, all numbers are normal or 0, and all integers below 2^51.
template <class Q>
void decode_integers(const ScaleRun& run, const std::uint8_t* scaled, std::uint8_t* words) {
  decode_each<Q>(run, scaled, words, [](double t, std::uint8_t* to) HWY_ATTR {
    constexpr double kNoFraction = 0x1.8p52;
    const auto word = static_cast<Q>(static_cast<std::int64_t>((t + kNoFraction) - kNoFraction));
    std::memcpy(to, &word, sizeof(word));
  });
}

bool decode_in_vectors(const ScaleRun& run, const std::uint8_t* scaled, std::uint8_t* words) {
  const bool real = run.shape.kind != ScaleKind::integer;
  if (real && run.shape.word == 4) {
    decode_each<std::int32_t>(run, scaled, words, [](double t, std::uint8_t* to) HWY_ATTR {
      const auto word = static_cast<float>(t);
      std::memcpy(to, &word, sizeof(word));
    });
  } else if (!real && run.shape.word == 2) {
    decode_integers<std::int16_t>(run, scaled, words);
  } else if (!real && run.shape.word == 4) {
    decode_integers<std::int32_t>(run, scaled, words);
  } else {
    return false;  // rare, or words that need a look at each q
  }
  return true;
}

#else

bool decode_in_vectors(const ScaleRun&, const std::uint8_t*, std::uint8_t*) {
  return false;
}

#endif

bool encode_in_vectors(const ScaleRun&, FillWord, bool, const std::uint8_t*, std::uint8_t*, std::uint8_t*) {
  return false;
}

bool mark_in_vectors(const ScaleRun&, std::uint64_t, const std::uint8_t*, std::uint8_t*) {
  return false;
}

std::size_t fill_in_vectors(std::size_t, std::uint64_t, const std::uint8_t*, std::uint8_t*, std::size_t) {
  return 0;
}

#else

namespace hn = hwy::HWY_NAMESPACE;

using Real = hn::CappedTag<double, 4>;
using Reals = hn::Vec<Real>;
template <class T>
using Of = hn::Rebind<T, Real>;  ///< as many T as there are f64 in a vector
template <class T>
using VecOf = hn::Vec<Of<T> >;

inline constexpr std::size_t kLanes = hn::MaxLanes(Real());
inline constexpr std::size_t kBlockWords = 64;  ///< one word of hole bits
static_assert(kLanes <= PairTable::kVector && kBlockWords % kLanes == 0);

inline constexpr double kMagic = 0x1.8p52;
inline constexpr std::int64_t kMagicBits = 0x4338000000000000;
inline constexpr double kFarthest = 0x1p51;

/// Vectors are loaded and stored as bytes: no alignment is asked for.
template <class T>
HWY_INLINE VecOf<T> load(const std::uint8_t* from) {
  const hn::Repartition<std::uint8_t, Of<T> > bytes;
  return hn::BitCast(Of<T>(), hn::LoadU(bytes, from));
}

template <class T>
HWY_INLINE void store(VecOf<T> v, std::uint8_t* to) {
  const hn::Repartition<std::uint8_t, Of<T> > bytes;
  hn::StoreU(hn::BitCast(bytes, v), bytes, to);
}

HWY_INLINE Reals nearest_integer(Reals x) {
  const auto magic = hn::Set(Real(), kMagic);
  return hn::Sub(hn::Add(x, magic), magic);
}

/// Precondition: an integer, nearer than kFarthest.
HWY_INLINE VecOf<std::int64_t> integer_of(Reals x) {
  const auto bits = hn::BitCast(Of<std::int64_t>(), hn::Add(x, hn::Set(Real(), kMagic)));
  return hn::Sub(bits, hn::Set(Of<std::int64_t>(), kMagicBits));
}

HWY_INLINE Reals real_of(VecOf<std::int64_t> n) {
  const auto bits = hn::Add(n, hn::Set(Of<std::int64_t>(), kMagicBits));
  return hn::Sub(hn::BitCast(Real(), bits), hn::Set(Real(), kMagic));
}

/// Integers of any width as f64.
template <class T>
HWY_INLINE Reals load_integers(const std::uint8_t* from) {
  if constexpr (sizeof(T) == 8) {
    return real_of(load<T>(from));
  } else if constexpr (hwy::IsSame<T, std::uint32_t>()) {
    const auto wide = hn::PromoteTo(Of<std::uint64_t>(), load<T>(from));
    return real_of(hn::BitCast(Of<std::int64_t>(), wide));
  } else if constexpr (sizeof(T) == 4) {
    return hn::PromoteTo(Real(), load<T>(from));
  } else {
    return hn::PromoteTo(Real(), hn::PromoteTo(Of<std::int32_t>(), load<T>(from)));
  }
}

/// The low bits of integers.
template <std::size_t kWidth>
HWY_INLINE void store_integers(Reals x, std::uint8_t* to) {
  const auto n = integer_of(x);
  if constexpr (kWidth == 8) {
    store<std::int64_t>(n, to);
  } else {
    const auto bits = hn::BitCast(Of<std::uint64_t>(), n);
    if constexpr (kWidth == 4) store<std::uint32_t>(hn::TruncateTo(Of<std::uint32_t>(), bits), to);
    if constexpr (kWidth == 2) store<std::uint16_t>(hn::TruncateTo(Of<std::uint16_t>(), bits), to);
    if constexpr (kWidth == 1) store<std::uint8_t>(hn::TruncateTo(Of<std::uint8_t>(), bits), to);
  }
}

template <class T>
HWY_INLINE std::uint64_t bits_of(hn::Mask<Of<T> > mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(Of<T>(), mask, bytes);
  return bytes[0];
}

/// Gathers whether some number was beyond what vectors can do.
class Trouble {
 public:
  HWY_INLINE Trouble() : seen_(hn::Zero(Of<std::int64_t>())) {}
  HWY_INLINE void see(hn::Mask<Real> mask) {
    seen_ = hn::Or(seen_, hn::BitCast(Of<std::int64_t>(), hn::VecFromMask(Real(), mask)));
  }
  /// Integers that are not nearer than kFarthest.
  HWY_INLINE void see_far(VecOf<std::int64_t> n) {
    const Of<std::int64_t> d;
    const auto shifted = hn::Add(n, hn::Set(d, std::int64_t{1} << 51));
    seen_ = hn::Or(seen_, hn::And(shifted, hn::Set(d, static_cast<std::int64_t>(~std::uint64_t{0} << 52))));
  }
  HWY_INLINE bool any() const {
    const Of<std::int64_t> d;
    return !hn::AllTrue(d, hn::Eq(seen_, hn::Zero(d)));
  }

 private:
  VecOf<std::int64_t> seen_;
};

/// The pairs of the words of a vector, which move on with every vector.
class Pairs {
 public:
  HWY_INLINE Pairs(const PairTable& table, std::size_t lane)
      : table_(table), lane_(lane % table.period), step_(kLanes % table.period) {
    load_pairs();
  }
  HWY_INLINE Reals unscale(Reals q) const {
    if (table_.multiply) q = hn::Mul(q, num_);
    return table_.divide ? hn::Div(q, den_) : q;
  }
  HWY_INLINE Reals scale(Reals x) const {
    if (table_.divide) x = hn::Mul(x, den_);
    return table_.multiply ? hn::Div(x, num_) : x;
  }
  /// As unscale(), but not rounded as a division: the error is below 3 units in the last place, because the
  /// inverse and the product are rounded once each. No number of a pair is near the ends of f64's range.
  HWY_INLINE Reals nearly_unscale(Reals q) const {
    if (table_.multiply) q = hn::Mul(q, num_);
    return hn::Mul(q, inverse_);
  }
  HWY_INLINE bool divides() const { return table_.divide; }

  HWY_INLINE const PairTable& table() const { return table_; }
  HWY_INLINE std::size_t lane() const { return lane_; }
  HWY_INLINE void go_to(std::size_t lane) {
    lane_ = lane;
    load_pairs();
  }
  HWY_INLINE void skip(std::size_t words) {
    if (step_ != 0) go_to((lane_ + words) % table_.period);
  }
  HWY_INLINE void next() {
    if (step_ == 0) return;
    lane_ += step_;
    if (lane_ >= table_.period) lane_ -= table_.period;
    load_pairs();
  }

 private:
  HWY_INLINE void load_pairs() {
    num_ = hn::LoadU(Real(), table_.num + lane_);
    den_ = hn::LoadU(Real(), table_.den + lane_);
    inverse_ = hn::LoadU(Real(), table_.inverse + lane_);
  }

  const PairTable& table_;
  std::size_t lane_, step_;
  Reals num_, den_, inverse_;
};

// ---- words, by kind and width: load, keeps(x, scaled) and the two stores

/// f32. The table is simple, so no t is subnormal or overflows.
struct Float {
  using Scaled = std::int32_t;

  static HWY_INLINE Reals load_number(const std::uint8_t* from, Trouble&) {
    return hn::PromoteTo(Real(), load<float>(from));
  }
  static HWY_INLINE Reals load_scaled(const std::uint8_t* from, Trouble&) {
    return load_integers<Scaled>(from);
  }
  static HWY_INLINE void store_number(Reals t, std::uint8_t* to, Trouble&) {
    store<float>(hn::DemoteTo(Of<float>(), t), to);
  }
  static HWY_INLINE std::uint64_t same(Reals t, const std::uint8_t* word, Trouble&) {
    const auto again = hn::BitCast(Of<std::uint32_t>(), hn::DemoteTo(Of<float>(), t));
    return bits_of<std::uint32_t>(hn::Eq(again, load<std::uint32_t>(word)));
  }
};

struct Double {
  using Scaled = std::int64_t;

  static HWY_INLINE Reals load_number(const std::uint8_t* from, Trouble&) { return load<double>(from); }
  static HWY_INLINE Reals load_scaled(const std::uint8_t* from, Trouble& trouble) {
    trouble.see_far(load<Scaled>(from));
    return load_integers<Scaled>(from);
  }
  static HWY_INLINE void store_number(Reals t, std::uint8_t* to, Trouble&) { store<double>(t, to); }
  static HWY_INLINE std::uint64_t same(Reals t, const std::uint8_t* word, Trouble&) {
    const auto again = hn::BitCast(Of<std::uint64_t>(), t);
    return bits_of<std::uint64_t>(hn::Eq(again, load<std::uint64_t>(word)));
  }
};

/// Integers below 8 bytes. The table is simple, so every t is nearer than kFarthest, and a t that differs
/// from x as a number differs in its low bits too: |t - x| <= |x| where q is not 0, and t = 0 elsewhere.
template <class T>
struct Integer {
  using Scaled = hwy::MakeSigned<T>;

  static HWY_INLINE Reals load_number(const std::uint8_t* from, Trouble&) { return load_integers<T>(from); }
  static HWY_INLINE Reals load_scaled(const std::uint8_t* from, Trouble&) {
    return load_integers<Scaled>(from);
  }
  static HWY_INLINE void store_number(Reals t, std::uint8_t* to, Trouble&) {
    store_integers<sizeof(T)>(nearest_integer(t), to);
  }
  static HWY_INLINE std::uint64_t same(Reals t, const std::uint8_t* word, Trouble&) {
    return bits_of<double>(hn::Eq(nearest_integer(t), load_integers<T>(word)));
  }
};

struct Long {
  using Scaled = std::int64_t;

  static HWY_INLINE Reals load_number(const std::uint8_t* from, Trouble& trouble) {
    return load_scaled(from, trouble);
  }
  static HWY_INLINE Reals load_scaled(const std::uint8_t* from, Trouble& trouble) {
    trouble.see_far(load<Scaled>(from));
    return load_integers<Scaled>(from);
  }
  static HWY_INLINE Reals near(Reals t, Trouble& trouble) {
    trouble.see(hn::Not(hn::Lt(hn::Abs(t), hn::Set(Real(), kFarthest))));
    return nearest_integer(t);
  }
  static HWY_INLINE void store_number(Reals t, std::uint8_t* to, Trouble& trouble) {
    store_integers<8>(near(t, trouble), to);
  }
  static HWY_INLINE std::uint64_t same(Reals t, const std::uint8_t* word, Trouble& trouble) {
    return bits_of<double>(hn::Eq(near(t, trouble), load_integers<Scaled>(word)));
  }
};

template <class Word>
inline constexpr std::size_t kWidth = sizeof(typename Word::Scaled);

// ---- blocks of 64 words

/// f32 without a division, which takes longer than all the rest. A number and one that is 3 units of f64 away
/// round to the same f32, except where a tie of f32 lies between them: there the 29 bits that f32 does not
/// have are near 2^28. False: a number lies within 8 units of a tie. Then nothing that was written counts.
HWY_INLINE bool decode_by_inverse(Pairs& pairs, Trouble& trouble, const std::uint8_t* scaled,
                                  std::uint8_t* words) {
  const Of<std::uint64_t> d;
  const auto from_tie = hn::Set(d, 8 - (std::uint64_t{1} << 28)),
             far = hn::Set(d, (std::uint64_t{1} << 29) - 16);
  Trouble near;
  for (std::size_t i = 0; i < kBlockWords; i += kLanes, pairs.next()) {
    const Reals t = pairs.nearly_unscale(Float::load_scaled(scaled + i * 4, trouble));
    const auto distance = hn::And(hn::Add(hn::BitCast(d, t), from_tie), far);
    near.see(hn::RebindMask(Real(), hn::Eq(distance, hn::Zero(d))));
    Float::store_number(t, words + i * 4, trouble);
  }
  return !near.any();
}

#if TDZ_SCALE_FMA

using Single = hn::CappedTag<float, 8>;
using Singles = hn::Vec<Single>;

/// The pairs of a vector of f32.
struct ShortPairs {
  HWY_INLINE ShortPairs(const PairTable& table, std::size_t lane)
      : den(hn::LoadU(Single(), table.den32 + lane)), inverse(hn::LoadU(Single(), table.inverse32 + lane)) {}

  /// `a` / den, rounded once. The first quotient is within 2 units, the second one, from the remainder, below
  /// one. There the remainder is exact, and the inverse is the nearest f32: so the third is the nearest to
  /// the quotient (Markstein, Computation of elementary functions on the IBM RISC System/6000 processor,
  /// 1990, theorem 8.1).
  HWY_INLINE Singles quotient(Singles a) const {
    const auto first = hn::Mul(a, inverse);
    const auto second = hn::MulAdd(hn::NegMulAdd(first, den, a), inverse, first);
    return hn::MulAdd(hn::NegMulAdd(second, den, a), inverse, second);
  }

  Singles den, inverse;
};

/// f32 from q and den that are f32 themselves, twice as many in a vector. The quotient in f64, rounded to
/// f32, is the quotient rounded to f32 at once, since f64 has more than 2 * 24 + 1 bits (Figueroa, When is
/// double rounding innocuous?, 1995). False: some q is beyond 2^24. Then nothing that was written counts.
HWY_INLINE bool decode_short(const PairTable& table, std::size_t lane, const std::uint8_t* scaled,
                             std::uint8_t* words) {
  constexpr std::size_t kStep = hn::MaxLanes(Single());
  const hn::Rebind<std::int32_t, Single> integers;
  const hn::Rebind<std::uint32_t, Single> bits;
  const hn::Repartition<std::uint8_t, Single> bytes;
  const std::size_t step = kStep % table.period;
  const auto largest = hn::Set(bits, 1u << 24);
  auto most = hn::Zero(bits);
  ShortPairs pairs(table, lane);
  for (std::size_t i = 0; i < kBlockWords; i += kStep) {
    const auto q = hn::LoadU(bytes, scaled + i * 4);
    most = hn::Max(most, hn::Add(hn::BitCast(bits, q), largest));
    const auto t = pairs.quotient(hn::ConvertTo(Single(), hn::BitCast(integers, q)));
    hn::StoreU(hn::BitCast(bytes, t), bytes, words + i * 4);
    if (step == 0) continue;
    lane = lane + step < table.period ? lane + step : lane + step - table.period;
    pairs = ShortPairs(table, lane);
  }
  const auto limit = hn::Add(largest, largest);
  return hn::AllTrue(bits, hn::Eq(hn::Max(most, limit), limit));
}

#endif

template <class Word>
HWY_INLINE void decode_block(Pairs& pairs, Trouble& trouble, const std::uint8_t* scaled,
                             std::uint8_t* words) {
#if TDZ_SCALE_FMA
  if constexpr (hwy::IsSame<Word, Float>()) {
    if (pairs.table().short_den && decode_short(pairs.table(), pairs.lane(), scaled, words))
      return pairs.skip(kBlockWords);
  }
#endif
  if constexpr (hwy::IsSame<Word, Float>()) {
    const std::size_t lane = pairs.lane();
    if (pairs.divides() && decode_by_inverse(pairs, trouble, scaled, words)) return;
    pairs.go_to(lane);
  }
  for (std::size_t i = 0; i < kBlockWords; i += kLanes, pairs.next()) {
    const Reals t = pairs.unscale(Word::load_scaled(scaled + i * kWidth<Word>, trouble));
    Word::store_number(t, words + i * kWidth<Word>, trouble);
  }
}

/// Which of the rounded numbers fit the word. Those of 8 bytes that fit but lie too far are trouble.
template <class Word>
HWY_INLINE hn::Mask<Real> fits(Reals v, [[maybe_unused]] Reals rounded, [[maybe_unused]] Trouble& trouble) {
  if constexpr (kWidth<Word> == 8) {
    const auto size = hn::Abs(v);
    const auto fit = hn::Lt(size, hn::Set(Real(), kFarthest - 1));  // rounding up stays nearer than kFarthest
    trouble.see(hn::AndNot(fit, hn::Le(size, hn::Set(Real(), 0x1p53))));
    return fit;
  } else {
    constexpr double kLargest = hwy::LimitsMax<typename Word::Scaled>();
    return hn::And(hn::Ge(rounded, hn::Set(Real(), -kLargest - 1)),
                   hn::Le(rounded, hn::Set(Real(), kLargest)));
  }
}

template <std::size_t kBytes>
HWY_INLINE std::uint64_t equal_bits(const std::uint8_t* words, std::uint64_t fill) {
  using T = hwy::UnsignedFromSize<kBytes>;
  return bits_of<T>(hn::Eq(load<T>(words), hn::Set(Of<T>(), static_cast<T>(fill))));
}

#if TDZ_SCALE_FMA

/// Which of 64 f32 are kept, by the arithmetic of decode_short: bits of `kept`. A sum with 1.5 * 2^23 has no
/// bits for a fraction and rounds the exact product once, so q is that of f64 wherever |q| < 2^22. From 2^32
/// on a number is a hole in either. False: some q lies between; then nothing that was written counts.
HWY_INLINE bool encode_short(const PairTable& table, std::size_t lane, FillWord fill,
                             const std::uint8_t* words, std::uint8_t* scaled, std::uint64_t& kept) {
  constexpr std::size_t kStep = hn::MaxLanes(Single());
  const hn::Rebind<std::int32_t, Single> integers;
  const hn::Rebind<std::uint32_t, Single> bits;
  const hn::Repartition<std::uint8_t, Single> bytes;
  const std::size_t step = kStep % table.period;
  const auto magic = hn::Set(Single(), 0x1.8p23F), near = hn::Set(Single(), 0x1p22F),
             far = hn::Set(Single(), 0x1p32F);
  const auto filled = hn::Set(bits, static_cast<std::uint32_t>(fill.word));
  const auto no_fill = hn::VecFromMask(bits, hn::Eq(hn::Set(bits, fill.some ? 0 : 1), hn::Set(bits, 1)));
  auto between = hn::Zero(bits);
  kept = 0;
  ShortPairs pairs(table, lane);
  for (std::size_t i = 0; i < kBlockWords; i += kStep) {
    const auto word = hn::BitCast(bits, hn::LoadU(bytes, words + i * 4));
    const auto q = hn::Sub(hn::MulAdd(hn::BitCast(Single(), word), pairs.den, magic), magic);
    const auto again = hn::BitCast(bits, pairs.quotient(q));
    const auto is_near = hn::Lt(hn::Abs(q), near), is_far = hn::Ge(hn::Abs(q), far);
    const auto not_fill = hn::Or(no_fill, hn::Not(hn::VecFromMask(bits, hn::Eq(word, filled))));
    const auto number = hn::VecFromMask(Single(), hn::Eq(q, q));
    const auto neither = hn::AndNot(hn::VecFromMask(Single(), hn::Or(is_near, is_far)), number);
    between = hn::Or(between, hn::And(hn::BitCast(bits, neither), not_fill));
    const auto keeps = hn::And(hn::And(hn::VecFromMask(bits, hn::Eq(again, word)), not_fill),
                               hn::BitCast(bits, hn::VecFromMask(Single(), is_near)));
    std::uint8_t mask[8] = {};
    hn::StoreMaskBits(bits, hn::MaskFromVec(keeps), mask);
    kept |= std::uint64_t{mask[0]} << i;
    hn::StoreU(hn::BitCast(bytes, hn::ConvertTo(integers, q)), bytes, scaled + i * 4);
    if (step == 0) continue;
    lane = lane + step < table.period ? lane + step : lane + step - table.period;
    pairs = ShortPairs(table, lane);
  }
  return hn::AllTrue(bits, hn::Eq(between, hn::Zero(bits)));
}

#endif

/// The hole bits of 64 words.
template <class Word>
HWY_INLINE std::uint64_t encode_block(Pairs& pairs, Trouble& trouble, FillWord fill,
                                      const std::uint8_t* words, std::uint8_t* scaled) {
  std::uint64_t kept = 0;
#if TDZ_SCALE_FMA
  if constexpr (hwy::IsSame<Word, Float>()) {
    if (pairs.table().short_den && encode_short(pairs.table(), pairs.lane(), fill, words, scaled, kept)) {
      pairs.skip(kBlockWords);
      return ~kept;
    }
    kept = 0;
  }
#endif
  for (std::size_t i = 0; i < kBlockWords; i += kLanes, pairs.next()) {
    const std::uint8_t* from = words + i * kWidth<Word>;
    const Reals v = pairs.scale(Word::load_number(from, trouble));
    const Reals rounded = nearest_integer(v);
    const auto fit = fits<Word>(v, rounded, trouble);
    const Reals q = hn::IfThenElseZero(fit, rounded);
    store_integers<kWidth<Word> >(q, scaled + i * kWidth<Word>);
    std::uint64_t bits = bits_of<double>(fit) & Word::same(pairs.unscale(q), from, trouble);
    if (fill.some) bits &= ~equal_bits<kWidth<Word> >(from, fill.word);
    kept |= bits << i;
  }
  return ~kept;
}

// ---- runs

template <class Word>
HWY_NOINLINE bool decode_words(const ScaleRun& run, const std::uint8_t* scaled, std::uint8_t* words) {
  const std::size_t whole = run.words - run.words % kBlockWords, rest = run.words - whole;
  Pairs pairs(*run.table, run.lane);
  Trouble trouble;
  for (std::size_t i = 0; i < whole; i += kBlockWords) {
    decode_block<Word>(pairs, trouble, scaled + i * kWidth<Word>, words + i * kWidth<Word>);
  }
  if (rest != 0) {
    std::uint8_t from[kBlockWords * 8] = {}, to[kBlockWords * 8];
    std::memcpy(from, scaled + whole * kWidth<Word>, rest * kWidth<Word>);
    decode_block<Word>(pairs, trouble, from, to);
    std::memcpy(words + whole * kWidth<Word>, to, rest * kWidth<Word>);
  }
  return !trouble.any();
}

template <class Word>
HWY_NOINLINE bool encode_words(const ScaleRun& run, FillWord fill, const std::uint8_t* words,
                               std::uint8_t* scaled, std::uint8_t* holes) {
  const std::size_t whole = run.words - run.words % kBlockWords, rest = run.words - whole;
  Pairs pairs(*run.table, run.lane);
  Trouble trouble;
  for (std::size_t i = 0; i < whole; i += kBlockWords) {
    const std::uint64_t bits =
        encode_block<Word>(pairs, trouble, fill, words + i * kWidth<Word>, scaled + i * kWidth<Word>);
    std::memcpy(holes + i / 8, &bits, sizeof(bits));
  }
  if (rest != 0) {
    std::uint8_t from[kBlockWords * 8] = {}, to[kBlockWords * 8];
    std::memcpy(from, words + whole * kWidth<Word>, rest * kWidth<Word>);
    const std::uint64_t all = encode_block<Word>(pairs, trouble, fill, from, to);
    const std::uint64_t bits = all & (~std::uint64_t{0} >> (64 - rest));
    std::memcpy(scaled + whole * kWidth<Word>, to, rest * kWidth<Word>);
    std::memcpy(holes + whole / 8, &bits, (rest + 7) / 8);
  }
  return !trouble.any();
}

/// Whole vectors of words, unlike the others: a word needs no f64 here.
template <class T>
HWY_INLINE std::uint64_t mark_block(const std::uint8_t* words, T fill) {
  const hn::CappedTag<T, 32 / sizeof(T)> d;
  const hn::Repartition<std::uint8_t, decltype(d)> bytes;
  constexpr std::size_t kStep = hn::MaxLanes(d);
  std::uint64_t marks = 0;
  for (std::size_t i = 0; i < kBlockWords; i += kStep) {
    std::uint8_t bits[8] = {};
    const auto v = hn::BitCast(d, hn::LoadU(bytes, words + i * sizeof(T)));
    hn::StoreMaskBits(d, hn::Eq(v, hn::Set(d, fill)), bits);
    std::uint64_t some = 0;
    std::memcpy(&some, bits, sizeof(some));
    marks |= some << i;
  }
  return marks;
}

template <class T>
HWY_NOINLINE bool mark_words(const ScaleRun& run, std::uint64_t fill, const std::uint8_t* words,
                             std::uint8_t* holes) {
  const std::size_t whole = run.words - run.words % kBlockWords, rest = run.words - whole;
  for (std::size_t i = 0; i < whole; i += kBlockWords) {
    const std::uint64_t bits = mark_block<T>(words + i * sizeof(T), static_cast<T>(fill));
    std::memcpy(holes + i / 8, &bits, sizeof(bits));
  }
  if (rest != 0) {
    std::uint8_t from[kBlockWords * 8] = {};
    std::memcpy(from, words + whole * sizeof(T), rest * sizeof(T));
    const std::uint64_t all = mark_block<T>(from, static_cast<T>(fill));
    const std::uint64_t bits = all & (~std::uint64_t{0} >> (64 - rest));
    std::memcpy(holes + whole / 8, &bits, (rest + 7) / 8);
  }
  return true;
}

bool mark_in_vectors(const ScaleRun& run, std::uint64_t fill, const std::uint8_t* words,
                     std::uint8_t* holes) {
  switch (run.shape.word) {
    case 1:
      return mark_words<std::uint8_t>(run, fill, words, holes);
    case 2:
      return mark_words<std::uint16_t>(run, fill, words, holes);
    case 4:
      return mark_words<std::uint32_t>(run, fill, words, holes);
    case 8:
      return mark_words<std::uint64_t>(run, fill, words, holes);
    default:
      return false;
  }
}

/// Holes of 64 words at a time, by their bits.
template <class T>
HWY_NOINLINE std::size_t fill_words(T fill, const std::uint8_t* holes, std::uint8_t* words,
                                    std::size_t count) {
  const hn::CappedTag<T, 32 / sizeof(T)> d;
  const hn::Repartition<std::uint8_t, decltype(d)> bytes;
  constexpr std::size_t kStep = hn::MaxLanes(d);
  const auto filled = hn::Set(d, fill);
  const std::size_t whole = count / kBlockWords * kBlockWords;
  for (std::size_t first = 0; first < whole; first += kBlockWords) {
    std::uint64_t bits;
    std::memcpy(&bits, holes + first / 8, sizeof(bits));
    if (bits == 0) continue;
    for (std::size_t i = 0; i < kBlockWords; i += kStep) {
      const std::uint64_t some = bits >> i;
      std::uint8_t mask[8];
      std::memcpy(mask, &some, sizeof(mask));
      std::uint8_t* to = words + (first + i) * sizeof(T);
      const auto v = hn::BitCast(d, hn::LoadU(bytes, to));
      const auto chosen = hn::IfThenElse(hn::LoadMaskBits(d, mask), filled, v);
      hn::StoreU(hn::BitCast(bytes, chosen), bytes, to);
    }
  }
  return whole;
}

std::size_t fill_in_vectors(std::size_t word, std::uint64_t fill, const std::uint8_t* holes,
                            std::uint8_t* words, std::size_t count) {
  switch (word) {
    case 1:
      return fill_words(static_cast<std::uint8_t>(fill), holes, words, count);
    case 2:
      return fill_words(static_cast<std::uint16_t>(fill), holes, words, count);
    case 4:
      return fill_words(static_cast<std::uint32_t>(fill), holes, words, count);
    case 8:
      return fill_words(fill, holes, words, count);
    default:
      return 0;
  }
}

/// The one place where kind and width become compile-time constants. Decoding knows signed words only.
template <class Use>
HWY_INLINE bool with_word(const ScaleShape& shape, bool unsigned_words, const Use& use) {
  const bool real = shape.kind == ScaleKind::real;
  switch (shape.word) {
    case 1:
      return unsigned_words ? use(Integer<std::uint8_t>()) : use(Integer<std::int8_t>());
    case 2:
      return unsigned_words ? use(Integer<std::uint16_t>()) : use(Integer<std::int16_t>());
    case 4:
      if (real) return use(Float());
      return unsigned_words ? use(Integer<std::uint32_t>()) : use(Integer<std::int32_t>());
    default:
      return real ? use(Double()) : use(Long());
  }
}

bool decode_in_vectors(const ScaleRun& run, const std::uint8_t* scaled, std::uint8_t* words) {
  return with_word(run.shape, false,
                   [&](auto word) { return decode_words<decltype(word)>(run, scaled, words); });
}

bool encode_in_vectors(const ScaleRun& run, FillWord fill, bool unsigned_words, const std::uint8_t* words,
                       std::uint8_t* scaled, std::uint8_t* holes) {
  return with_word(run.shape, unsigned_words,
                   [&](auto word) { return encode_words<decltype(word)>(run, fill, words, scaled, holes); });
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace tdz::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tdz::cpu {

HWY_EXPORT(decode_in_vectors);
HWY_EXPORT(encode_in_vectors);
HWY_EXPORT(mark_in_vectors);
HWY_EXPORT(fill_in_vectors);

bool decode_vectors(const ScaleRun& run, const std::uint8_t* scaled, std::uint8_t* words) {
  return !run.table->plain && HWY_DYNAMIC_DISPATCH(decode_in_vectors)(run, scaled, words);
}

bool encode_vectors(const ScaleRun& run, FillWord fill, bool unsigned_words, const std::uint8_t* words,
                    std::uint8_t* scaled, std::uint8_t* holes) {
  return !run.table->plain &&
         HWY_DYNAMIC_DISPATCH(encode_in_vectors)(run, fill, unsigned_words, words, scaled, holes);
}

bool mark_vectors(const ScaleRun& run, std::uint64_t fill, const std::uint8_t* words, std::uint8_t* holes) {
  return HWY_DYNAMIC_DISPATCH(mark_in_vectors)(run, fill, words, holes);
}

std::size_t fill_vectors(std::size_t word, std::uint64_t fill, const std::uint8_t* holes, std::uint8_t* words,
                         std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(fill_in_vectors)(word, fill, holes, words, count);
}

}  // namespace tdz::cpu
#endif
