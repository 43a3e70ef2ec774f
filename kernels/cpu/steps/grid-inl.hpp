// SPDX-License-Identifier: Apache-2.0
// Words minus what their neighbours in a grid say of them, and back.
//
// What stands on other lines is a sum of vectors along the line. What stands to the left is added word by
// word. So four lines run side by side, each two blocks after the line before it: then all that a block sees
// is there, two points to its right too.
#if defined(TDZ_KERNELS_CPU_STEPS_GRID_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TDZ_KERNELS_CPU_STEPS_GRID_INL_HPP
#undef TDZ_KERNELS_CPU_STEPS_GRID_INL_HPP
#else
#define TDZ_KERNELS_CPU_STEPS_GRID_INL_HPP
#endif

#include "kernels/cpu/steps/grid_walk.hpp"
#include "kernels/cpu/steps/words-inl.hpp"
#if !TDZ_KERNELS_PLAIN
#include "kernels/cpu/steps/products-inl.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace tdz::cpu {
namespace HWY_NAMESPACE {

inline constexpr std::size_t kGridWide = kGridBlockPoints;

/// Words of 1 and 2 bytes. Only bits 12 to 27 of a sum count, so 32 bits hold it.
template <class T, bool kSign>
struct SmallGrid {
  using Word = T;
  using Num = std::int16_t;
  using Left = Num;  ///< the type of what stands to the left, while words are restored
  using Sum = std::uint32_t;
  static constexpr bool kJoins = true;  ///< a residual may be a part of the sum
  static constexpr bool kSigned = kSign;
  static constexpr bool kFlip = sizeof(T) == 2 && !kSigned;

  explicit SmallGrid(const Number&) {}
  HWY_INLINE Num number(T word) const {
    if constexpr (kFlip) return static_cast<Num>(word ^ 0x8000u);
    if constexpr (sizeof(T) == 1 && kSigned) return static_cast<std::int8_t>(word);
    return static_cast<Num>(word);
  }
  HWY_INLINE T word(Num number) const {
    if constexpr (kFlip) return static_cast<T>(static_cast<std::uint16_t>(number) ^ 0x8000u);
    return static_cast<T>(number);
  }
  HWY_INLINE Left left(T word) const { return number(word); }
  HWY_INLINE double value(Num number) const { return number + (kFlip ? 32768 : 0); }
  HWY_INLINE Left left_of(Num number) const { return number; }
  HWY_INLINE Num number_of(Left left) const { return left; }
  HWY_INLINE Sum product(std::int16_t c, Num x) const {
    return static_cast<Sum>(std::int32_t{c}) * static_cast<Sum>(std::int32_t{x});
  }
  HWY_INLINE T guess(Sum sum) const { return static_cast<T>(sum >> kGridShift); }
  HWY_INLINE T masked(T x) const { return x; }
};

/// Words of 3 and 4 bytes. Their numbers are doubles, for vectors to multiply: at most 16 products of at most
/// 2^47 each, so every sum is exact, in whichever order it is made. Only bits 12 to 43 of a sum count.
struct MiddleGrid {
  using Word = std::uint32_t;
  using Num = double;
  using Left = std::int64_t;
  using Sum = std::uint64_t;
  static constexpr bool kJoins = false;

  explicit MiddleGrid(const Number& n) : kind(n), mask(static_cast<Word>(n.mask())) {}
  HWY_INLINE Num number(Word word) const { return static_cast<double>(kind.of(word)); }
  HWY_INLINE Word word(Num number) const {
    return static_cast<Word>(static_cast<std::int64_t>(number)) & mask;
  }
  HWY_INLINE Left left(Word word) const { return kind.of(word); }
  HWY_INLINE double value(Num number) const { return number; }
  HWY_INLINE Left left_of(Num number) const { return static_cast<std::int64_t>(number); }
  HWY_INLINE Num number_of(Left left) const { return static_cast<double>(left); }
  HWY_INLINE Sum product(std::int16_t c, Num x) const {
    return static_cast<Sum>(std::int64_t{c} * static_cast<std::int64_t>(x));
  }
  HWY_INLINE Sum product(std::int16_t c, Left x) const { return static_cast<Sum>(std::int64_t{c} * x); }
  HWY_INLINE Word guess(Sum sum) const { return static_cast<Word>(sum >> kGridShift); }
  HWY_INLINE Word masked(Word x) const { return x & mask; }

  Number kind;
  Word mask;
};

/// Longer words, in sums of 64 bits.
template <class T>
struct LargeGrid {
  using Word = T;
  using Num = T;
  using Left = Num;
  using Sum = std::uint64_t;
  static constexpr bool kJoins = false;

  explicit LargeGrid(const Number& n) : kind(n), mask(static_cast<T>(n.mask())) {}
  HWY_INLINE Num number(T word) const { return word; }
  HWY_INLINE T word(Num number) const { return number; }
  HWY_INLINE Left left(T word) const { return word; }
  HWY_INLINE double value(Num number) const { return static_cast<double>(kind.of(number)); }
  HWY_INLINE Left left_of(Num number) const { return number; }
  HWY_INLINE Num number_of(Left left) const { return left; }
  HWY_INLINE Sum product(std::int16_t c, Num x) const {
    return static_cast<Sum>(std::int64_t{c}) * static_cast<Sum>(kind.of(x));
  }
  HWY_INLINE T guess(Sum sum) const {
    return static_cast<T>(static_cast<std::uint64_t>(static_cast<std::int64_t>(sum) >> kGridShift));
  }
  HWY_INLINE T masked(T x) const { return static_cast<T>(x & mask); }

  Number kind;
  T mask;
};

template <class Kind>
HWY_INLINE typename Kind::Num grid_get(const std::uint8_t* line, std::ptrdiff_t point) {
  typename Kind::Num x;
  std::memcpy(&x, line + point * static_cast<std::ptrdiff_t>(sizeof x), sizeof x);
  return x;
}

template <class Kind>
HWY_INLINE void grid_put(std::uint8_t* line, std::ptrdiff_t point, typename Kind::Num x) {
  std::memcpy(line + point * static_cast<std::ptrdiff_t>(sizeof x), &x, sizeof x);
}

/// Before the line's own words are known, what stands to their left is the first word above.
template <class Kind>
HWY_INLINE void open_line(const GridLineJob& job) {
  const auto first = grid_get<Kind>(job.ref[1], 0);
  grid_put<Kind>(job.own, -1, first);
  grid_put<Kind>(job.own, -2, first);
}

/// For other lines it is the line's own first word.
template <class Kind>
HWY_INLINE void close_begin(const GridLineJob& job) {
  const auto first = grid_get<Kind>(job.own, 0);
  grid_put<Kind>(job.own, -1, first);
  grid_put<Kind>(job.own, -2, first);
}

/// To the right of its end the last word stands, as far as a sum of the last block looks.
template <class Kind>
HWY_INLINE void close_end(const GridLineJob& job, const GridRun& run) {
  const auto points = static_cast<std::ptrdiff_t>(run.points);
  const auto end = static_cast<std::ptrdiff_t>(run.columns * kGridWide + 2);
  const auto last = grid_get<Kind>(job.own, points - 1);
  for (std::ptrdiff_t i = points; i < end; ++i) grid_put<Kind>(job.own, i, last);
}

// ---- Sums over a block of one line

/// The sums of 16 words from `point` on, without the pairs of terms before `first`.
template <class Kind>
HWY_INLINE void plain_sums(const Kind& kind, std::size_t pairs, const GridLineJob& job, const GridRow& row,
                           std::size_t first, std::ptrdiff_t point, typename Kind::Sum* sums) {
  for (std::size_t i = 0; i < kGridWide; ++i) sums[i] = static_cast<typename Kind::Sum>(row.offset);
  for (std::size_t j = 2 * first; j < 2 * pairs; ++j) {
    const std::int16_t c = row.c[j];
    if (c == 0) continue;
    for (std::size_t i = 0; i < kGridWide; ++i) {
      sums[i] += kind.product(c, grid_get<Kind>(job.term[j], point + static_cast<std::ptrdiff_t>(i)));
    }
  }
}

/// A residual counts as a part of the sum of its word.
template <class Kind>
HWY_INLINE void join_residuals(const std::uint8_t* residuals, typename Kind::Sum* sums) {
  for (std::size_t i = 0; i < kGridWide; ++i)
    sums[i] += static_cast<typename Kind::Sum>(get<typename Kind::Word>(residuals, i)) << kGridShift;
}

#if TDZ_KERNELS_PLAIN

template <class Kind>
HWY_INLINE void grid_sums(const Kind& kind, std::size_t pairs, const GridLineJob& job, const GridRow& row,
                          std::size_t first, std::ptrdiff_t point, const std::uint8_t* residuals,
                          typename Kind::Sum* sums) {
  plain_sums(kind, pairs, job, row, first, point, sums);
  if (residuals != nullptr) join_residuals<Kind>(residuals, sums);
}

#else

using U16 = Words<std::uint16_t>;
inline constexpr std::size_t kGridParts = kGridWide * 2 / kVector;  ///< vectors of 16-bit numbers in a block

/// The numbers of a pair of terms, alternating, in two vectors: the first and the second four of each 16
/// bytes.
struct TermPair {
  hn::Vec<I32> low, high;
};

HWY_INLINE TermPair load_pair(const GridLineJob& job, std::size_t pair, std::ptrdiff_t point) {
  const auto a = hn::BitCast(I16(), hn::LoadU(Bytes(), job.term[2 * pair] + 2 * point));
  const auto b = hn::BitCast(I16(), hn::LoadU(Bytes(), job.term[2 * pair + 1] + 2 * point));
  return {hn::BitCast(I32(), hn::InterleaveLower(I16(), a, b)),
          hn::BitCast(I32(), hn::InterleaveUpper(I16(), a, b))};
}

HWY_INLINE hn::Vec<I32> pair_factor(const GridRow& row, std::size_t pair) {
  std::int32_t both;  // little-endian, as vectors are
  std::memcpy(&both, row.c + 2 * pair, sizeof both);
  return hn::Set(I32(), both);
}

/// Residual i of a vector of them, each in 16 bits.
template <class T>
HWY_INLINE hn::Vec<U16> load_residuals(const std::uint8_t* from, std::size_t i) {
  if constexpr (sizeof(T) == 1) return hn::PromoteTo(U16(), hn::LoadU(hn::Half<Bytes>(), from + i));
  return hn::BitCast(U16(), hn::LoadU(Bytes(), from + 2 * i));
}

template <class T>
HWY_INLINE void grid_sums_16(std::size_t pairs, const GridLineJob& job, const GridRow& row, std::size_t first,
                             std::ptrdiff_t point, const std::uint8_t* residuals, std::uint32_t* sums) {
  const auto offset = hn::BitCast(I32(), hn::Set(U32(), static_cast<std::uint32_t>(row.offset)));
  hn::Vec<I32> low[kGridParts], high[kGridParts];
  for (std::size_t v = 0; v < kGridParts; ++v) low[v] = high[v] = offset;
  if (residuals != nullptr) {
    for (std::size_t v = 0; v < kGridParts; ++v) {
      const auto r = load_residuals<T>(residuals, v * kVector / 2), none = hn::Zero(U16());
      const auto joined = [](auto both) HWY_ATTR {
        return hn::BitCast(I32(), hn::ShiftRight<16 - kGridShift>(hn::BitCast(U32(), both)));
      };
      low[v] = hn::Add(low[v], joined(hn::InterleaveLower(U16(), none, r)));
      high[v] = hn::Add(high[v], joined(hn::InterleaveUpper(U16(), none, r)));
    }
  }
  for (std::size_t p = first; p < pairs; ++p) {
    const auto factor = pair_factor(row, p);
    for (std::size_t v = 0; v < kGridParts; ++v) {
      const TermPair pair = load_pair(job, p, point + static_cast<std::ptrdiff_t>(v * kVector / 2));
      low[v] = hn::Add(low[v], pair_products(pair.low, factor));
      high[v] = hn::Add(high[v], pair_products(pair.high, factor));
    }
  }
  for (std::size_t v = 0; v < kGridParts; ++v) {  // whole vectors, as they are loaded later
    std::uint32_t* to = sums + v * kVector / 2;
    const auto a = hn::BitCast(Bytes(), low[v]), b = hn::BitCast(Bytes(), high[v]);
    if constexpr (kVector == kBlock) {
      hn::StoreU(hn::BitCast(U32(), a), U32(), to);
      hn::StoreU(hn::BitCast(U32(), b), U32(), to + kVector / 4);
    } else {
      hn::StoreU(hn::BitCast(U32(), hn::ConcatLowerLower(Bytes(), b, a)), U32(), to);
      hn::StoreU(hn::BitCast(U32(), hn::ConcatUpperUpper(Bytes(), b, a)), U32(), to + kVector / 4);
    }
  }
}

#if HWY_HAVE_FLOAT64

using F64 = Words<double>;
inline constexpr std::size_t kGridDoubles = kGridWide * 8 / kVector;  ///< vectors of doubles in a block

/// 1.5 times 2^52: added to a whole number of less than 2^51 it leaves that number in the low bits.
inline constexpr double kWhole = 6755399441055744.0;

HWY_INLINE hn::Vec<F64> load_doubles(const std::uint8_t* line, std::ptrdiff_t point) {
  return hn::BitCast(F64(), hn::LoadU(Bytes(), line + 8 * point));
}

HWY_INLINE void grid_sums_32(std::size_t pairs, const GridLineJob& job, const GridRow& row, std::size_t first,
                             std::ptrdiff_t point, std::uint64_t* sums) {
  hn::Vec<F64> sum[kGridDoubles];
  for (std::size_t v = 0; v < kGridDoubles; ++v)
    sum[v] = hn::Set(F64(), kWhole + static_cast<double>(row.offset));
  for (std::size_t j = 2 * first; j < 2 * pairs; ++j) {
    const auto factor = hn::Set(F64(), row.factor[j]);
    for (std::size_t v = 0; v < kGridDoubles; ++v) {
      const auto x = load_doubles(job.term[j], point + static_cast<std::ptrdiff_t>(v * kVector / 8));
      sum[v] = hn::MulAdd(x, factor, sum[v]);
    }
  }
  for (std::size_t v = 0; v < kGridDoubles; ++v)
    hn::StoreU(hn::BitCast(U64(), sum[v]), U64(), sums + v * kVector / 8);
}

#endif

template <class Kind>
HWY_INLINE void grid_sums(const Kind& kind, std::size_t pairs, const GridLineJob& job, const GridRow& row,
                          std::size_t first, std::ptrdiff_t point, const std::uint8_t* residuals,
                          typename Kind::Sum* sums) {
  if constexpr (sizeof(typename Kind::Num) == 2) {
    grid_sums_16<typename Kind::Word>(pairs, job, row, first, point, residuals, sums);
#if HWY_HAVE_FLOAT64
  } else if constexpr (hwy::IsSame<Kind, MiddleGrid>()) {
    grid_sums_32(pairs, job, row, first, point, sums);
#endif
  } else {
    plain_sums(kind, pairs, job, row, first, point, sums);
    if (residuals != nullptr) join_residuals<Kind>(residuals, sums);
  }
}

#endif

// ---- Numbers of whole lines

template <class Kind>
HWY_NOINLINE void fill_lines(const GridRun& run, const Kind& kind) {
  for (std::size_t n = 0; n < run.lines; ++n) {
    GridLineJob job;
    run.walk->line(n, job);
    auto* HWY_RESTRICT own = reinterpret_cast<typename Kind::Num*>(job.own);
    for (std::size_t i = 0; i < run.points; ++i) own[i] = kind.number(get<typename Kind::Word>(job.from, i));
    close_begin<Kind>(job);
    close_end<Kind>(job, run);
  }
}

// ---- Words to residuals

/// Above the first line of all stands nothing: its words lose the word to their left.
template <class Kind>
HWY_INLINE void subtract_first(const GridLineJob& job, const Kind& kind, std::size_t points) {
  using T = typename Kind::Word;
  T before = 0;
  for (std::size_t i = 0; i < points; ++i) {
    const T x = get<T>(job.from, i);
    put<T>(job.to, i, kind.masked(static_cast<T>(x - before)));
    before = x;
  }
}

template <class Kind>
HWY_INLINE void subtract_line(const GridRun& run, const GridLineJob& job, const Kind& kind) {
  using T = typename Kind::Word;
  open_line<Kind>(job);
  for (std::size_t b = 0; b < run.columns; ++b) {
    const std::size_t point = b * kGridWide, count = HWY_MIN(kGridWide, run.points - point);
    HWY_ALIGN typename Kind::Sum sums[kGridWide];
    grid_sums(kind, run.pairs, job, run.rows[job.choices[b]], 0, static_cast<std::ptrdiff_t>(point), nullptr,
              sums);
    for (std::size_t i = 0; i < count; ++i) {
      const T x = get<T>(job.from, point + i);
      put<T>(job.to, point + i, kind.masked(static_cast<T>(x - kind.guess(sums[i]))));
    }
  }
  close_begin<Kind>(job);
}

template <class Kind>
HWY_NOINLINE void subtract_lines(const GridRun& run, const Kind& kind) {
  for (std::size_t n = 0; n < run.lines; ++n) {
    GridLineJob job;
    run.walk->line(n, job);
    if (n < run.lanes)
      subtract_first(job, kind, run.points);
    else
      subtract_line(run, job, kind);
  }
}

// ---- Residuals to words

template <class Kind>
HWY_INLINE void add_first(const GridRun& run, const GridLineJob& job, const Kind& kind) {
  using T = typename Kind::Word;
  T x = 0;
  for (std::size_t i = 0; i < run.points; ++i) {
    x = kind.masked(static_cast<T>(x + get<T>(job.from, i)));
    put<T>(job.to, i, x);
    grid_put<Kind>(job.own, static_cast<std::ptrdiff_t>(i), kind.number(x));
  }
  close_begin<Kind>(job);
  close_end<Kind>(job, run);
}

/// Lines side by side: a vector of them where numbers are short.
template <class Kind>
inline constexpr std::size_t kGridSlots = sizeof(typename Kind::Num) == 2 && !TDZ_KERNELS_PLAIN ? 8 : 4;
inline constexpr std::size_t kGridLag = 2;  ///< blocks between a line and the next

/// A block of a line while its words are restored.
template <class Kind>
struct GridSlot {
  using T = typename Kind::Word;

  bool live = false;
  std::size_t wait = 0;    ///< blocks
  std::size_t number = 0;  ///< of the line
  std::size_t block = 0;
  GridLineJob job;
  std::int16_t left_factor = 0, two_left_factor = 0;
  typename Kind::Left left{}, two_left{};  ///< of the block's first word, then of the next block's
  HWY_ALIGN typename Kind::Sum sums[kGridWide] = {};
  typename Kind::Num* at = nullptr;  ///< the number of the block's first word
  const std::uint8_t* from = nullptr;
  std::uint8_t* to = nullptr;
  // Of a block that has fewer words, and of a slot that has no line.
  T residuals[kGridWide] = {}, words[kGridWide] = {};
  typename Kind::Num nowhere[kGridWide] = {};

  void rest() {
    live = false;
    at = nowhere;
    from = reinterpret_cast<const std::uint8_t*>(residuals);
    to = reinterpret_cast<std::uint8_t*>(words);
  }
};

template <class Kind>
HWY_INLINE void begin_block(const GridRun& run, const Kind& kind, GridSlot<Kind>& slot) {
  using T = typename Kind::Word;
  const std::size_t point = slot.block * kGridWide;
  slot.from = slot.job.from + point * sizeof(T);
  slot.to = slot.job.to + point * sizeof(T);
  if (run.points - point < kGridWide) {
    std::memcpy(slot.residuals, slot.from, (run.points - point) * sizeof(T));
    slot.from = reinterpret_cast<const std::uint8_t*>(slot.residuals);
    slot.to = reinterpret_cast<std::uint8_t*>(slot.words);
  }
  if (slot.block == 0) {
    open_line<Kind>(slot.job);
    slot.left = kind.left_of(grid_get<Kind>(slot.job.own, -1));
    slot.two_left = kind.left_of(grid_get<Kind>(slot.job.own, -2));
  }
  const GridRow& row = run.rows[slot.job.choices[slot.block]];
  const std::uint8_t* joined = Kind::kJoins ? slot.from : nullptr;
  grid_sums(kind, run.pairs, slot.job, row, 1, static_cast<std::ptrdiff_t>(point), joined, slot.sums);
  slot.left_factor = row.c[0];
  slot.two_left_factor = row.c[1];
  slot.at = reinterpret_cast<typename Kind::Num*>(slot.job.own) + point;
}

/// The words of the first kCount slots, one of each in turn.
template <std::size_t kCount, class Kind>
HWY_NOINLINE void restore_blocks(const Kind& kind, GridSlot<Kind>* HWY_RESTRICT slots) {
  using T = typename Kind::Word;
  typename Kind::Left left[kCount], two_left[kCount];
  typename Kind::Num* HWY_RESTRICT at[kCount];
  std::uint8_t* HWY_RESTRICT to[kCount];
  std::int16_t c[kCount][2];
  for (std::size_t s = 0; s < kCount; ++s) {
    at[s] = slots[s].at;
    to[s] = slots[s].to;
    left[s] = slots[s].left;
    two_left[s] = slots[s].two_left;
    c[s][0] = slots[s].left_factor;
    c[s][1] = slots[s].two_left_factor;
  }
  for (std::size_t i = 0; i < kGridWide; ++i) {
    for (std::size_t s = 0; s < kCount; ++s) {
      const auto sum = slots[s].sums[i] + kind.product(c[s][1], two_left[s]) + kind.product(c[s][0], left[s]);
      T x = kind.guess(sum);
      if constexpr (!Kind::kJoins) x = kind.masked(static_cast<T>(x + get<T>(slots[s].from, i)));
      two_left[s] = left[s];
      left[s] = kind.left(x);
      at[s][i] = kind.number_of(left[s]);
      put<T>(to[s], i, x);
    }
  }
  for (std::size_t s = 0; s < kCount; ++s) {
    slots[s].left = left[s];
    slots[s].two_left = two_left[s];
  }
}

#if !TDZ_KERNELS_PLAIN

/// In each block: lane x of vector y becomes lane y of vector x.
HWY_INLINE void transpose_blocks(hn::Vec<U32>* v) {
  const auto low_01 = hn::InterleaveLower(U32(), v[0], v[1]),
             high_01 = hn::InterleaveUpper(U32(), v[0], v[1]);
  const auto low_23 = hn::InterleaveLower(U32(), v[2], v[3]),
             high_23 = hn::InterleaveUpper(U32(), v[2], v[3]);
  const auto of_64 = [](auto x) HWY_ATTR { return hn::BitCast(U64(), x); };
  const auto of_32 = [](auto x) HWY_ATTR { return hn::BitCast(U32(), x); };
  v[0] = of_32(hn::InterleaveLower(U64(), of_64(low_01), of_64(low_23)));
  v[1] = of_32(hn::InterleaveUpper(U64(), of_64(low_01), of_64(low_23)));
  v[2] = of_32(hn::InterleaveLower(U64(), of_64(high_01), of_64(high_23)));
  v[3] = of_32(hn::InterleaveUpper(U64(), of_64(high_01), of_64(high_23)));
}

/// The number that a sum stands for, in the high half.
template <class Kind>
HWY_INLINE hn::Vec<U32> high_number(hn::Vec<U32> sum) {
  const auto high = hn::Set(U32(), 0xFFFF0000u);
  if constexpr (sizeof(typename Kind::Word) == 2) {
    const auto number = hn::And(hn::ShiftLeft<16 - kGridShift>(sum), high);
    return Kind::kFlip ? hn::Xor(number, hn::Set(U32(), 0x80000000u)) : number;
  } else if constexpr (Kind::kSigned) {
    const auto top = hn::BitCast(I32(), hn::ShiftLeft<24 - kGridShift>(sum));
    return hn::And(hn::BitCast(U32(), hn::ShiftRight<8>(top)), high);
  } else {
    return hn::And(hn::ShiftLeft<16 - kGridShift>(sum), hn::Set(U32(), 0x00FF0000u));
  }
}

/// Numbers 0 to 7 and 8 to 15 of a slot, and of the slot four after it where vectors have two blocks.
template <class Kind>
HWY_INLINE void store_slots(hn::Vec<U32> first, hn::Vec<U32> last, GridSlot<Kind>* slot) {
  using T = typename Kind::Word;
  constexpr std::size_t kOther = kVector > kBlock ? 4 : 0;
  const auto store = [&](Vector v, auto* lower, auto* upper) HWY_ATTR {
    store_lower_block(v, reinterpret_cast<std::uint8_t*>(lower));
    store_upper_block(v, reinterpret_cast<std::uint8_t*>(upper));
  };
  const auto a = hn::BitCast(Bytes(), first), b = hn::BitCast(Bytes(), last);
  store(a, slot[0].at, slot[kOther].at);
  store(b, slot[0].at + 8, slot[kOther].at + 8);
  if constexpr (sizeof(T) == 1) {
    alignas(16) constexpr std::uint8_t kEven[16] = {0,    2,    4,    6,    8,    10,   12,   14,
                                                    0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80};
    alignas(16) constexpr std::uint8_t kEvenAfter[16] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
                                                         0,    2,    4,    6,    8,    10,   12,   14};
    store(hn::Or(hn::TableLookupBytesOr0(a, hn::LoadDup128(Bytes(), kEven)),
                 hn::TableLookupBytesOr0(b, hn::LoadDup128(Bytes(), kEvenAfter))),
          slot[0].to, slot[kOther].to);
  } else {
    const auto flip = hn::BitCast(Bytes(), hn::Set(U32(), Kind::kFlip ? 0x80008000u : 0u));
    store(hn::Xor(a, flip), slot[0].to, slot[kOther].to);
    store(hn::Xor(b, flip), slot[0].to + kBlock, slot[kOther].to + kBlock);
  }
}

/// The same for short numbers and a vector of slots: a lane holds the last two numbers of its slot.
template <class Kind>
HWY_NOINLINE void restore_vectors(GridSlot<Kind>* HWY_RESTRICT slots) {
  constexpr std::size_t kSlots = kGridSlots<Kind>, kLanes = kVector / 4,
                        kApartSlots = 4 * sizeof(GridSlot<Kind>);
  HWY_ALIGN std::int16_t pairs[2 * kSlots], factors[2 * kSlots];
  for (std::size_t s = 0; s < kSlots; ++s) {
    pairs[2 * s] = slots[s].two_left;
    pairs[2 * s + 1] = slots[s].left;
    factors[2 * s] = slots[s].two_left_factor;
    factors[2 * s + 1] = slots[s].left_factor;
  }
  for (std::size_t first = 0; first < kSlots; first += kLanes) {
    const auto factor = hn::BitCast(I32(), hn::Load(I16(), factors + 2 * first));
    auto pair = hn::BitCast(U32(), hn::Load(I16(), pairs + 2 * first));
    hn::Vec<U32> restored[2][4];
    for (std::size_t i = 0; i < kGridWide; i += 4) {
      hn::Vec<U32> sums[4];
      for (std::size_t s = 0; s < 4; ++s)
        sums[s] = hn::BitCast(
            U32(),
            load_blocks(reinterpret_cast<const std::uint8_t*>(slots[first + s].sums + i), kApartSlots));
      transpose_blocks(sums);
      for (std::size_t k = 0; k < 4; ++k) {
        const auto left = hn::BitCast(U32(), pair_products(hn::BitCast(I32(), pair), factor));
        pair = hn::Or(hn::ShiftRight<16>(pair), high_number<Kind>(hn::Add(sums[k], left)));
        if (k % 2 == 1) restored[i / 8][(i % 8 + k) / 2] = pair;
      }
    }
    hn::Store(hn::BitCast(I16(), pair), I16(), pairs + 2 * first);
    transpose_blocks(restored[0]);
    transpose_blocks(restored[1]);
    for (std::size_t s = 0; s < 4; ++s) store_slots(restored[0][s], restored[1][s], slots + first + s);
  }
  for (std::size_t s = 0; s < kSlots; ++s) {
    slots[s].two_left = pairs[2 * s];
    slots[s].left = pairs[2 * s + 1];
  }
}

#endif

template <class Kind>
HWY_INLINE void restore_slots(const Kind& kind, std::size_t used, GridSlot<Kind>* slots) {
  if (used == 1) return restore_blocks<1>(kind, slots);
  if (used == 2) return restore_blocks<2>(kind, slots);
#if !TDZ_KERNELS_PLAIN
  if constexpr (sizeof(typename Kind::Num) == 2) return restore_vectors(slots);
#endif
  restore_blocks<4>(kind, slots);
}

template <class Kind>
HWY_INLINE void end_block(const GridRun& run, GridSlot<Kind>& slot) {
  using T = typename Kind::Word;
  const std::size_t point = slot.block * kGridWide;
  if (slot.block == 0) close_begin<Kind>(slot.job);
  if (run.points - point > kGridWide) return;
  if (run.points - point < kGridWide)
    std::memcpy(slot.job.to + point * sizeof(T), slot.words, (run.points - point) * sizeof(T));
  close_end<Kind>(slot.job, run);
}

/// Lines side by side as far as a line is long enough that the first of them ends before its successor needs
/// the last one.
template <class Kind>
constexpr std::size_t slots_for(std::size_t columns) {
  if (columns >= kGridLag * kGridSlots<Kind>) return kGridSlots<Kind>;
  const std::size_t most = columns / kGridLag;
  return kGridSlots<Kind> == 4 && most == 3 ? 2 : HWY_MAX(most, std::size_t{1});
}

template <class Kind>
HWY_NOINLINE void add_lines(const GridRun& run, const Kind& kind) {
  const std::size_t firsts = HWY_MIN(run.lanes, run.lines), used = slots_for<Kind>(run.columns);
  GridSlot<Kind> slots[kGridSlots<Kind>];
  for (std::size_t n = 0; n < firsts; ++n) {
    run.walk->line(n, slots[0].job);
    add_first(run, slots[0].job, kind);
  }
  std::size_t live = 0;
  for (std::size_t s = 0; s < kGridSlots<Kind>; ++s) {
    slots[s].rest();
    slots[s].number = firsts + s;
    slots[s].wait = s * kGridLag;
    slots[s].live = s < used && slots[s].number < run.lines;
    live += slots[s].live;
    if (slots[s].live) run.walk->line(slots[s].number, slots[s].job);
  }
  while (live > 0) {
    for (std::size_t s = 0; s < used; ++s)
      if (slots[s].live && slots[s].wait == 0) begin_block(run, kind, slots[s]);
    restore_slots(kind, used, slots);
    for (std::size_t s = 0; s < used; ++s) {
      GridSlot<Kind>& slot = slots[s];
      if (!slot.live) continue;
      if (slot.wait > 0) {
        --slot.wait;
        continue;
      }
      end_block(run, slot);
      if (++slot.block < run.columns) continue;
      slot.block = 0;
      slot.number += used;
      slot.live = slot.number < run.lines;
      if (slot.live)
        run.walk->line(slot.number, slot.job);
      else
        slot.rest(), --live;
    }
  }
}

// ---- What a predictor costs

/// 256 times log2 of r + 1, about. Vectors add a constant to the logarithm of each word, which changes no
/// choice.
HWY_INLINE std::uint64_t log_after(std::uint64_t r) {
  const auto unset = static_cast<unsigned>(hwy::Num0BitsAboveMS1Bit_Nonzero64(r + 1));
  return std::uint64_t{63 - unset} << 8 | ((r + 1) << unset >> 55 & 255);
}

/// The same of the magnitude of a residual that has a sign.
HWY_INLINE std::uint64_t plain_cost(std::uint64_t residual, unsigned bits) {
  const unsigned unused = 64 - bits;
  const auto r = static_cast<std::int64_t>(residual << unused) >> unused;
  return log_after(r < 0 ? 0 - static_cast<std::uint64_t>(r) : static_cast<std::uint64_t>(r));
}

template <class Kind>
HWY_INLINE void plain_costs(const GridRun& run, const Kind& kind, unsigned bits, const GridBlockJob& block,
                            std::size_t column, std::size_t rows, std::uint64_t* costs) {
  using T = typename Kind::Word;
  const std::size_t point = column * kGridWide, count = HWY_MIN(kGridWide, run.points - point);
  for (std::size_t p = 0; p < rows; ++p) {
    std::uint64_t cost = 0;
    for (std::size_t y = block.first; y < block.lines; y += block.step) {
      HWY_ALIGN typename Kind::Sum sums[kGridWide];
      plain_sums(kind, run.pairs, block.line[y], run.rows[run.which[p]], 0,
                 static_cast<std::ptrdiff_t>(point), sums);
      for (std::size_t i = 0; i < count; ++i) {
        const T x = kind.word(grid_get<Kind>(block.line[y].own, static_cast<std::ptrdiff_t>(point + i)));
        cost += plain_cost(static_cast<T>(x - kind.guess(sums[i])), bits);
      }
    }
    costs[p] = cost;
  }
}

#if TDZ_KERNELS_PLAIN

/// The same as vector_costs().
template <class Kind>
HWY_INLINE void small_costs(const GridRun& run, const Kind& kind, const GridBlockJob& block,
                            std::size_t column, std::size_t rows, std::uint64_t* costs) {
  const auto point = static_cast<std::ptrdiff_t>(column * kGridWide);
  for (std::size_t p = 0; p < rows; ++p) {
    costs[p] = 0;
    for (std::size_t y = block.first; y < block.lines; y += block.step) {
      std::uint32_t sums[kGridWide];
      plain_sums(kind, run.pairs, block.line[y], run.rows[run.which[p]], 0, point, sums);
      for (std::size_t i = 0; i < kGridWide; ++i) {
        const std::int32_t x = grid_get<Kind>(block.line[y].own, point + static_cast<std::ptrdiff_t>(i));
        const std::int32_t guess = static_cast<std::int32_t>(sums[i]) >> kGridShift;
        const std::int32_t residual = x + (Kind::kFlip ? 0x8000 : 0) - guess;
        costs[p] += log_after(static_cast<std::uint32_t>(residual < 0 ? -residual : residual));
      }
    }
  }
}

#else

/// log_after() of each word, and a constant: the exponent and the first bits of a float.
HWY_INLINE hn::Vec<I32> logs_after(hn::Vec<I32> r) {
  const auto next = hn::ConvertTo(Words<float>(), hn::Add(r, hn::Set(I32(), 1)));
  return hn::BitCast(I32(), hn::ShiftRight<15>(hn::BitCast(U32(), next)));
}

/// The sum of the costs of the residuals of a whole block. The terms are loaded once for all predictors.
template <class Kind>
HWY_INLINE void vector_costs(const GridRun& run, const GridBlockJob& block, std::size_t column,
                             std::size_t rows, std::uint64_t* costs) {
  constexpr std::size_t kMostPairs = kGridTerms / 2;
  const auto point = static_cast<std::ptrdiff_t>(column * kGridWide);
  const std::size_t pairs = run.pairs;
  hn::Vec<I32> low[kGridBlockLines * kGridParts][kMostPairs], high[kGridBlockLines * kGridParts][kMostPairs];
  hn::Vec<I32> x_low[kGridBlockLines * kGridParts], x_high[kGridBlockLines * kGridParts];
  std::size_t count = 0;
  for (std::size_t y = block.first; y < block.lines; y += block.step) {
    for (std::size_t v = 0; v < kGridParts; ++v, ++count) {
      const auto at = point + static_cast<std::ptrdiff_t>(v * kVector / 2);
      for (std::size_t p = 0; p < pairs; ++p) {
        const TermPair pair = load_pair(block.line[y], p, at);
        low[count][p] = pair.low;
        high[count][p] = pair.high;
      }
      const auto x = hn::BitCast(I16(), hn::LoadU(Bytes(), block.line[y].own + 2 * at));
      const auto none = hn::Zero(I16());
      x_low[count] = hn::ShiftRight<16>(hn::BitCast(I32(), hn::InterleaveLower(I16(), none, x)));
      x_high[count] = hn::ShiftRight<16>(hn::BitCast(I32(), hn::InterleaveUpper(I16(), none, x)));
    }
  }
  constexpr std::uint32_t kLost = Kind::kFlip ? 0x8000u : 0u;
  const auto lost = hn::BitCast(I32(), hn::Set(U32(), kLost));
  for (std::size_t r = 0; r < rows; ++r) {
    const GridRow& row = run.rows[run.which[r]];
    const auto offset = hn::BitCast(I32(), hn::Set(U32(), static_cast<std::uint32_t>(row.offset)));
    hn::Vec<I32> factor[kMostPairs];
    for (std::size_t p = 0; p < pairs; ++p) factor[p] = pair_factor(row, p);
    auto sum = hn::Zero(I32());
    for (std::size_t k = 0; k < count; ++k) {
      auto a = offset, b = offset;
      for (std::size_t p = 0; p < pairs; ++p) {
        a = hn::Add(a, pair_products(low[k][p], factor[p]));
        b = hn::Add(b, pair_products(high[k][p], factor[p]));
      }
      const auto of = [&](hn::Vec<I32> x, hn::Vec<I32> guess) HWY_ATTR {
        const auto r = hn::Abs(hn::Sub(hn::Add(x, lost), hn::ShiftRight<kGridShift>(guess)));
        return logs_after(r);
      };
      sum = hn::Add(sum, hn::Add(of(x_low[k], a), of(x_high[k], b)));
    }
    HWY_ALIGN std::uint32_t parts[kVector / 4];
    hn::StoreU(hn::BitCast(Bytes(), sum), Bytes(), reinterpret_cast<std::uint8_t*>(parts));
    std::uint64_t cost = 0;
    for (const std::uint32_t part : parts) cost += part;
    costs[r] = cost;
  }
}

#endif

#if HWY_HAVE_FLOAT64 && !TDZ_KERNELS_PLAIN

/// plain_costs() of a whole block: a residual becomes a double, whose exponent and first bits are its
/// logarithm.
HWY_INLINE void double_costs(const GridRun& run, unsigned bits, const GridBlockJob& block, std::size_t column,
                             std::size_t rows, std::uint64_t* costs) {
  const auto whole = hn::Set(F64(), kWhole);
  const auto half = hn::Set(U64(), std::uint64_t{1} << (bits - 1));
  const auto mask = hn::Set(U64(), (std::uint64_t{1} << bits) - 1);
  constexpr double kTwo52 = 4503599627370496.0;
  const auto two_52 = hn::BitCast(U64(), hn::Set(F64(), kTwo52));
  const auto zero = hn::Set(F64(), kTwo52 + static_cast<double>(std::uint64_t{1} << (bits - 1)));
  for (std::size_t p = 0; p < rows; ++p) {
    const GridRow& row = run.rows[run.which[p]];
    auto cost = hn::Zero(U64());
    for (std::size_t y = block.first; y < block.lines; y += block.step) {
      const GridLineJob& job = block.line[y];
      for (std::size_t v = 0; v < kGridDoubles; ++v) {
        const auto point = static_cast<std::ptrdiff_t>(column * kGridWide + v * kVector / 8);
        auto sum = hn::Set(F64(), kWhole + static_cast<double>(row.offset)), other = hn::Zero(F64());
        for (std::size_t j = 0; j < 2 * run.pairs; j += 2) {
          sum = hn::MulAdd(load_doubles(job.term[j], point), hn::Set(F64(), row.factor[j]), sum);
          other = hn::MulAdd(load_doubles(job.term[j + 1], point), hn::Set(F64(), row.factor[j + 1]), other);
        }
        const auto guess = hn::ShiftRight<kGridShift>(hn::BitCast(U64(), hn::Add(sum, other)));
        const auto word = hn::BitCast(U64(), hn::Add(load_doubles(job.own, point), whole));
        const auto residual = hn::And(hn::Add(hn::Sub(word, guess), half), mask);
        const auto size = hn::Abs(hn::Sub(hn::BitCast(F64(), hn::Or(residual, two_52)), zero));
        const auto next = hn::BitCast(U64(), hn::Add(size, hn::Set(F64(), 1.0)));
        cost = hn::Add(cost, hn::ShiftRight<44>(next));
      }
    }
    HWY_ALIGN std::uint64_t parts[kVector / 8];
    hn::Store(cost, U64(), parts);
    costs[p] = 0;
    for (const std::uint64_t part : parts) costs[p] += part;
  }
}

#endif

/// Whole blocks of short words by vectors. Which way it is done may not change what is chosen, so the plain
/// way takes the same measure there.
template <class Kind>
HWY_NOINLINE void costs_of(const GridRun& run, const Kind& kind, const GridBlockJob& block,
                           std::size_t column, std::size_t rows, std::uint64_t* costs) {
  if constexpr (sizeof(typename Kind::Num) == 2) {
    if ((column + 1) * kGridWide <= run.points) {
#if TDZ_KERNELS_PLAIN
      small_costs<Kind>(run, kind, block, column, rows, costs);
#else
      vector_costs<Kind>(run, block, column, rows, costs);
#endif
      return;
    }
  }
#if HWY_HAVE_FLOAT64 && !TDZ_KERNELS_PLAIN
  if constexpr (hwy::IsSame<Kind, MiddleGrid>()) {
    if ((column + 1) * kGridWide <= run.points)
      return double_costs(run, 8u * run.kind.width, block, column, rows, costs);
  }
#endif
  plain_costs(run, kind, 8u * run.kind.width, block, column, rows, costs);
}

// ---- Sums of products, for least squares

inline constexpr std::size_t kApart = 4;  ///< sums that are made apart

template <class Kind>
HWY_INLINE const std::uint8_t* factor_line(const GridFactors& factors, const GridLineJob& job,
                                           std::size_t i) {
  return i < factors.count ? job.term[factors.term[i]] : job.own;
}

template <class Kind>
HWY_INLINE void plain_squares(const GridRun& run, const Kind& kind, const GridFactors& factors,
                              const GridBlockJob& block, std::size_t column, double (*sums)[kGridFactors]) {
  const std::size_t first = column * kGridWide, count = HWY_MIN(kGridWide, run.points - first);
  for (std::size_t i = 0; i <= factors.count; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double apart[kApart] = {};
      for (std::size_t y = 0; y < block.lines; ++y) {
        const std::uint8_t *a = factor_line<Kind>(factors, block.line[y], i),
                           *b = factor_line<Kind>(factors, block.line[y], j);
        for (std::size_t k = 0; k < count; ++k) {
          const auto point = static_cast<std::ptrdiff_t>(first + k);
          apart[k % kApart] += kind.value(grid_get<Kind>(a, point)) * kind.value(grid_get<Kind>(b, point));
        }
      }
      sums[i][j] = (apart[0] + apart[1]) + (apart[2] + apart[3]);
    }
  }
}

#if HWY_HAVE_FLOAT64 && !TDZ_KERNELS_PLAIN

HWY_INLINE void double_squares(const GridFactors& factors, const GridBlockJob& block, std::size_t column,
                               double (*sums)[kGridFactors]) {
  constexpr std::size_t kParts = kApart * 8 / kVector;
  for (std::size_t i = 0; i <= factors.count; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      hn::Vec<F64> sum[kParts];
      for (auto& part : sum) part = hn::Zero(F64());
      for (std::size_t y = 0; y < block.lines; ++y) {
        const std::uint8_t *a = factor_line<MiddleGrid>(factors, block.line[y], i),
                           *b = factor_line<MiddleGrid>(factors, block.line[y], j);
        for (std::size_t k = 0; k < kGridDoubles; ++k) {
          const auto point = static_cast<std::ptrdiff_t>(column * kGridWide + k * kVector / 8);
          auto& part = sum[k % kParts];
          part = hn::Add(part, hn::Mul(load_doubles(a, point), load_doubles(b, point)));
        }
      }
      HWY_ALIGN double apart[kApart];
      for (std::size_t k = 0; k < kParts; ++k) hn::Store(sum[k], F64(), apart + k * kVector / 8);
      sums[i][j] = (apart[0] + apart[1]) + (apart[2] + apart[3]);
    }
  }
}

#endif

#if !TDZ_KERNELS_PLAIN

/// The sum of products over a whole block, or with `b` null of the numbers of `a`. All are whole numbers of
/// less than 2^40, so their order does not count. Products of bytes fit 32 bits. Two products of -2^15 are
/// 2^31: so one is taken off each pair.
template <bool kBytes>
HWY_INLINE std::int64_t small_products(const std::uint8_t* const* a, const std::uint8_t* const* b,
                                       std::size_t lines, std::ptrdiff_t point) {
  const auto one = hn::Set(I16(), 1);
  const auto low_half = hn::Set(I32(), 0xFFFF), unit = hn::Set(I32(), 1);
  auto low = hn::Zero(I32()), high = hn::Zero(I32());
  for (std::size_t y = 0; y < lines; ++y) {
    for (std::size_t v = 0; v < kGridParts; ++v) {
      const std::ptrdiff_t at = 2 * (point + static_cast<std::ptrdiff_t>(v * kVector / 2));
      const auto x = hn::BitCast(I32(), hn::LoadU(Bytes(), a[y] + at));
      const auto other =
          b == nullptr ? hn::BitCast(I32(), one) : hn::BitCast(I32(), hn::LoadU(Bytes(), b[y] + at));
      if constexpr (kBytes) {
        low = hn::Add(low, pair_products(x, other));
        continue;
      }
      const auto products = hn::Sub(pair_products(x, other), unit);
      low = hn::Add(low, hn::And(products, low_half));
      high = hn::Add(high, hn::ShiftRight<16>(products));
    }
  }
  HWY_ALIGN std::int32_t lows[kVector / 4], highs[kVector / 4];
  hn::Store(low, I32(), lows);
  hn::Store(high, I32(), highs);
  std::int64_t sum = kBytes ? 0 : static_cast<std::int64_t>(lines * kGridWide / 2);
  for (std::size_t k = 0; k < kVector / 4; ++k) sum += lows[k] + (std::int64_t{highs[k]} << 16);
  return sum;
}

template <class Kind>
HWY_INLINE void small_squares(const GridFactors& factors, const GridBlockJob& block, std::size_t column,
                              double (*sums)[kGridFactors]) {
  const auto point = static_cast<std::ptrdiff_t>(column * kGridWide);
  constexpr bool kBytes = sizeof(typename Kind::Word) == 1;
  const std::uint8_t* lines[kGridFactors][kGridBlockLines];
  std::int64_t lost[kGridFactors] = {};  // a number that lost 2^15 has it back: (a + o)(b + o)
  constexpr std::int64_t kLost = 0x8000;
  for (std::size_t i = 0; i <= factors.count; ++i) {
    for (std::size_t y = 0; y < block.lines; ++y) lines[i][y] = factor_line<Kind>(factors, block.line[y], i);
    if constexpr (Kind::kFlip)
      lost[i] = kLost * small_products<kBytes>(lines[i], nullptr, block.lines, point);
  }
  const std::int64_t all =
      Kind::kFlip ? static_cast<std::int64_t>(block.lines * kGridWide) * kLost * kLost : 0;
  for (std::size_t i = 0; i <= factors.count; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      sums[i][j] = static_cast<double>(small_products<kBytes>(lines[i], lines[j], block.lines, point) +
                                       lost[i] + lost[j] + all);
}

#endif

template <class Kind>
HWY_NOINLINE void squares_of(const GridRun& run, const Kind& kind, const GridFactors& factors,
                             const GridBlockJob& block, std::size_t column, double (*sums)[kGridFactors]) {
#if !TDZ_KERNELS_PLAIN
  if ((column + 1) * kGridWide <= run.points) {
    if constexpr (sizeof(typename Kind::Num) == 2) return small_squares<Kind>(factors, block, column, sums);
#if HWY_HAVE_FLOAT64
    if constexpr (hwy::IsSame<Kind, MiddleGrid>()) return double_squares(factors, block, column, sums);
#endif
  }
#endif
  plain_squares(run, kind, factors, block, column, sums);
}

/// Calls use(kind) for the words of a run.
template <class Use>
HWY_INLINE void with_grid_kind(const WordKind& kind, const Use& use) {
  const Number number{8u * kind.width, kind.sign == Sign::is_signed};
  if (kind.word == 1)
    return number.is_signed ? use(SmallGrid<std::uint8_t, true>(number))
                            : use(SmallGrid<std::uint8_t, false>(number));
  if (kind.word == 2)
    return number.is_signed ? use(SmallGrid<std::uint16_t, true>(number))
                            : use(SmallGrid<std::uint16_t, false>(number));
  if (kind.word == 4) return use(MiddleGrid(number));
  return use(LargeGrid<std::uint64_t>(number));
}

}  // namespace HWY_NAMESPACE
}  // namespace tdz::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
