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
template <class T, bool kSigned>
struct SmallGrid {
  using Word = T;
  using Num = std::int16_t;
  using Sum = std::uint32_t;
  static constexpr bool kJoins = true;  ///< a residual may be a part of the sum
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
  HWY_INLINE Sum product(std::int16_t c, Num x) const {
    return static_cast<Sum>(std::int32_t{c}) * static_cast<Sum>(std::int32_t{x});
  }
  HWY_INLINE T guess(Sum sum) const { return static_cast<T>(sum >> kGridShift); }
  HWY_INLINE T masked(T x) const { return x; }
};

/// Longer words, in sums of 64 bits.
template <class T>
struct LargeGrid {
  using Word = T;
  using Num = T;
  using Sum = std::uint64_t;
  static constexpr bool kJoins = false;

  explicit LargeGrid(const Number& n) : kind(n), mask(static_cast<T>(n.mask())) {}
  HWY_INLINE Num number(T word) const { return word; }
  HWY_INLINE T word(Num number) const { return number; }
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

template <class Kind>
HWY_INLINE void close_end(const GridLineJob& job, std::size_t points) {
  const auto end = static_cast<std::ptrdiff_t>(points);
  const auto last = grid_get<Kind>(job.own, end - 1);
  grid_put<Kind>(job.own, end, last);
  grid_put<Kind>(job.own, end + 1, last);
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

#if TDZ_KERNELS_PLAIN

template <class Kind>
HWY_INLINE void grid_sums(const Kind& kind, std::size_t pairs, const GridLineJob& job, const GridRow& row,
                          std::size_t first, std::ptrdiff_t point, typename Kind::Sum* sums) {
  plain_sums(kind, pairs, job, row, first, point, sums);
}

#else

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

HWY_INLINE void grid_sums_16(std::size_t pairs, const GridLineJob& job, const GridRow& row, std::size_t first,
                             std::ptrdiff_t point, std::uint32_t* sums) {
  const auto offset = hn::BitCast(I32(), hn::Set(U32(), static_cast<std::uint32_t>(row.offset)));
  hn::Vec<I32> low[kGridParts], high[kGridParts];
  for (std::size_t v = 0; v < kGridParts; ++v) low[v] = high[v] = offset;
  for (std::size_t p = first; p < pairs; ++p) {
    const auto factor = pair_factor(row, p);
    for (std::size_t v = 0; v < kGridParts; ++v) {
      const TermPair pair = load_pair(job, p, point + static_cast<std::ptrdiff_t>(v * kVector / 2));
      low[v] = hn::Add(low[v], pair_products(pair.low, factor));
      high[v] = hn::Add(high[v], pair_products(pair.high, factor));
    }
  }
  auto* to = reinterpret_cast<std::uint8_t*>(sums);
  for (std::size_t v = 0; v < kGridParts; ++v) {
    store_blocks(hn::BitCast(Bytes(), low[v]), to + v * 2 * kVector, 2 * kBlock);
    store_blocks(hn::BitCast(Bytes(), high[v]), to + v * 2 * kVector + kBlock, 2 * kBlock);
  }
}

template <class Kind>
HWY_INLINE void grid_sums(const Kind& kind, std::size_t pairs, const GridLineJob& job, const GridRow& row,
                          std::size_t first, std::ptrdiff_t point, typename Kind::Sum* sums) {
  if constexpr (sizeof(typename Kind::Num) == 2) {
    grid_sums_16(pairs, job, row, first, point, sums);
  } else {
    plain_sums(kind, pairs, job, row, first, point, sums);
  }
}

#endif

// ---- Numbers of whole lines

template <class Kind>
HWY_NOINLINE void fill_lines(const GridRun& run, const Kind& kind) {
  for (std::size_t n = 0; n < run.lines; ++n) {
    GridLineJob job;
    run.walk->line(n, job);
    for (std::size_t i = 0; i < run.points; ++i)
      grid_put<Kind>(job.own, static_cast<std::ptrdiff_t>(i),
                     kind.number(get<typename Kind::Word>(job.from, i)));
    close_begin<Kind>(job);
    close_end<Kind>(job, run.points);
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
    grid_sums(kind, run.pairs, job, run.rows[job.choices[b]], 0, static_cast<std::ptrdiff_t>(point), sums);
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
HWY_INLINE void add_first(const GridLineJob& job, const Kind& kind, std::size_t points) {
  using T = typename Kind::Word;
  T x = 0;
  for (std::size_t i = 0; i < points; ++i) {
    x = kind.masked(static_cast<T>(x + get<T>(job.from, i)));
    put<T>(job.to, i, x);
    grid_put<Kind>(job.own, static_cast<std::ptrdiff_t>(i), kind.number(x));
  }
  close_begin<Kind>(job);
  close_end<Kind>(job, points);
}

inline constexpr std::size_t kGridSlots = 4;  ///< lines side by side
inline constexpr std::size_t kGridLag = 2;    ///< blocks between a line and the next

/// A block of a line while its words are restored.
template <class Kind>
struct GridSlot {
  using T = typename Kind::Word;

  bool live = false;
  std::size_t wait = 0;    ///< blocks
  std::size_t number = 0;  ///< of the line
  std::size_t block = 0;
  GridLineJob job;
  typename Kind::Num* at = nullptr;  ///< the number of the block's first word
  std::int16_t left = 0, two_left = 0;
  HWY_ALIGN typename Kind::Sum sums[kGridWide] = {};
  T residuals[kGridWide] = {};
  typename Kind::Num nowhere[kGridWide + 2] = {};
};

/// Whole blocks are copied by a few instructions.
template <class T>
HWY_INLINE void copy_block(const void* from, void* to, std::size_t count) {
  if (HWY_LIKELY(count == kGridWide))
    std::memcpy(to, from, kGridWide * sizeof(T));
  else
    std::memcpy(to, from, count * sizeof(T));
}

template <class Kind>
HWY_INLINE void plain_join(const typename Kind::Word* residuals, typename Kind::Sum* sums) {
  for (std::size_t i = 0; i < kGridWide; ++i)
    sums[i] += static_cast<typename Kind::Sum>(little_endian(residuals[i])) << kGridShift;
}

template <class Kind>
HWY_INLINE void plain_words(const Kind& kind, const typename Kind::Num* numbers, typename Kind::Word* words) {
  for (std::size_t i = 0; i < kGridWide; ++i) words[i] = little_endian(kind.word(numbers[i]));
}

#if TDZ_KERNELS_PLAIN

template <class Kind>
HWY_INLINE void join_residuals(const typename Kind::Word* residuals, typename Kind::Sum* sums) {
  plain_join<Kind>(residuals, sums);
}

template <class Kind>
HWY_INLINE void words_of_numbers(const Kind& kind, const typename Kind::Num* numbers,
                                 typename Kind::Word* words) {
  plain_words(kind, numbers, words);
}

#else

/// Adds residuals to the sums of their words. Precondition: Kind::kJoins.
template <class Kind>
HWY_INLINE void join_residuals(const typename Kind::Word* residuals, typename Kind::Sum* sums) {
  const hn::Rebind<typename Kind::Word, U32> narrow;
  for (std::size_t i = 0; i < kGridWide; i += kVector / 4) {
    const auto residual = hn::PromoteTo(U32(), hn::LoadU(narrow, residuals + i));
    hn::StoreU(hn::Add(hn::LoadU(U32(), sums + i), hn::ShiftLeft<kGridShift>(residual)), U32(), sums + i);
  }
}

template <class Kind>
HWY_INLINE void words_of_numbers(const Kind& kind, const typename Kind::Num* numbers,
                                 typename Kind::Word* words) {
  if constexpr (sizeof(typename Kind::Word) == 1) {
    const hn::Half<Bytes> bytes;
    for (std::size_t i = 0; i < kGridWide; i += kVector / 2) {
      const auto low = hn::And(hn::LoadU(I16(), numbers + i), hn::Set(I16(), 0xFF));
      hn::StoreU(hn::DemoteTo(bytes, low), bytes, words + i);
    }
  } else {
    plain_words(kind, numbers, words);
  }
}

#endif

template <class Kind>
HWY_INLINE void begin_block(const GridRun& run, const Kind& kind, GridSlot<Kind>& slot) {
  using T = typename Kind::Word;
  const std::size_t point = slot.block * kGridWide, count = HWY_MIN(kGridWide, run.points - point);
  if (slot.block == 0) open_line<Kind>(slot.job);
  const GridRow& row = run.rows[slot.job.choices[slot.block]];
  grid_sums(kind, run.pairs, slot.job, row, 1, static_cast<std::ptrdiff_t>(point), slot.sums);
  copy_block<T>(slot.job.from + point * sizeof(T), slot.residuals, count);
  if constexpr (Kind::kJoins) join_residuals<Kind>(slot.residuals, slot.sums);
  slot.left = row.c[0];
  slot.two_left = row.c[1];
  slot.at = reinterpret_cast<typename Kind::Num*>(slot.job.own) + point;
}

/// The words of all slots, one of each in turn.
template <class Kind>
HWY_NOINLINE void restore_blocks(const Kind& kind, GridSlot<Kind>* HWY_RESTRICT slots) {
  using T = typename Kind::Word;
  using Num = typename Kind::Num;
  Num left[kGridSlots], two_left[kGridSlots];
  Num* HWY_RESTRICT at[kGridSlots];
  std::int16_t c[kGridSlots][2];
  for (std::size_t s = 0; s < kGridSlots; ++s) {
    at[s] = slots[s].at;
    left[s] = at[s][-1];
    two_left[s] = at[s][-2];
    c[s][0] = slots[s].left;
    c[s][1] = slots[s].two_left;
  }
  for (std::size_t i = 0; i < kGridWide; ++i) {
    for (std::size_t s = 0; s < kGridSlots; ++s) {
      const auto sum = slots[s].sums[i] + kind.product(c[s][1], two_left[s]) + kind.product(c[s][0], left[s]);
      T x = kind.guess(sum);
      if constexpr (!Kind::kJoins) x = kind.masked(static_cast<T>(x + little_endian(slots[s].residuals[i])));
      two_left[s] = left[s];
      left[s] = kind.number(x);
      at[s][i] = left[s];
    }
  }
}

template <class Kind>
HWY_INLINE void end_block(const GridRun& run, const Kind& kind, GridSlot<Kind>& slot) {
  using T = typename Kind::Word;
  const std::size_t point = slot.block * kGridWide, count = HWY_MIN(kGridWide, run.points - point);
  T words[kGridWide];
  words_of_numbers(kind, slot.at, words);
  copy_block<T>(words, slot.job.to + point * sizeof(T), count);
  if (slot.block == 0) close_begin<Kind>(slot.job);
  if (point + count == run.points) close_end<Kind>(slot.job, run.points);
}

/// Lines side by side as far as a line is long enough that the first of them ends before its successor needs
/// the last one.
constexpr std::size_t slots_for(std::size_t columns) {
  if (columns >= kGridLag * kGridSlots) return kGridSlots;
  return columns >= 2 * kGridLag ? 2 : 1;
}

template <class Kind>
HWY_NOINLINE void add_lines(const GridRun& run, const Kind& kind) {
  const std::size_t firsts = HWY_MIN(run.lanes, run.lines), used = slots_for(run.columns);
  GridSlot<Kind> slots[kGridSlots];
  for (std::size_t n = 0; n < firsts; ++n) {
    run.walk->line(n, slots[0].job);
    add_first(slots[0].job, kind, run.points);
  }
  std::size_t live = 0;
  for (std::size_t s = 0; s < kGridSlots; ++s) {
    slots[s].at = slots[s].nowhere + 2;
    slots[s].number = firsts + s;
    slots[s].wait = s * kGridLag;
    slots[s].live = s < used && slots[s].number < run.lines;
    live += slots[s].live;
    if (slots[s].live) run.walk->line(slots[s].number, slots[s].job);
  }
  while (live > 0) {
    for (std::size_t s = 0; s < used; ++s)
      if (slots[s].live && slots[s].wait == 0) begin_block(run, kind, slots[s]);
    restore_blocks(kind, slots);
    for (std::size_t s = 0; s < used; ++s) {
      GridSlot<Kind>& slot = slots[s];
      if (!slot.live) continue;
      if (slot.wait > 0) {
        --slot.wait;
        continue;
      }
      end_block(run, kind, slot);
      if (++slot.block < run.columns) continue;
      slot.block = 0;
      slot.number += used;
      slot.live = slot.number < run.lines;
      if (slot.live)
        run.walk->line(slot.number, slot.job);
      else
        slot.at = slot.nowhere + 2, --live;
    }
  }
}

// ---- What a predictor costs

/// 256 times log2 of r + 1, about. Vectors add 127 to the logarithm of each word, which changes no choice.
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
    for (std::size_t y = 0; y < block.lines; y += block.step) {
      HWY_ALIGN typename Kind::Sum sums[kGridWide];
      plain_sums(kind, run.pairs, block.line[y], run.rows[p], 0, static_cast<std::ptrdiff_t>(point), sums);
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
    for (std::size_t y = 0; y < block.lines; y += block.step) {
      std::uint32_t sums[kGridWide];
      plain_sums(kind, run.pairs, block.line[y], run.rows[p], 0, point, sums);
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
  for (std::size_t y = 0; y < block.lines; y += block.step) {
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
    const auto offset = hn::BitCast(I32(), hn::Set(U32(), static_cast<std::uint32_t>(run.rows[r].offset)));
    hn::Vec<I32> factor[kMostPairs];
    for (std::size_t p = 0; p < pairs; ++p) factor[p] = pair_factor(run.rows[r], p);
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
  plain_costs(run, kind, 8u * run.kind.width, block, column, rows, costs);
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
  if (kind.word == 4) return use(LargeGrid<std::uint32_t>(number));
  return use(LargeGrid<std::uint64_t>(number));
}

}  // namespace HWY_NAMESPACE
}  // namespace tdz::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
