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

#include "kernels/cpu/steps/grid_kinds-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tdz::cpu {
namespace HWY_NAMESPACE {

// ---- Numbers of whole lines

template <class Kind>
HWY_INLINE void plain_numbers(const Kind& kind, const std::uint8_t* words, std::size_t first,
                              std::size_t points, std::uint8_t* numbers) {
  for (std::size_t i = first; i < points; ++i)
    grid_put<Kind>(numbers, static_cast<std::ptrdiff_t>(i),
                   kind.number(get<typename Kind::Word>(words, i)));
}

#if HWY_HAVE_FLOAT64 && !TDZ_KERNELS_PLAIN

/// A word becomes the low bits of a double of 2^52; with a sign it is flipped first.
HWY_INLINE void double_numbers(const MiddleGrid& kind, const std::uint8_t* words, std::size_t points,
                               std::uint8_t* numbers) {
  constexpr double kTwo52 = 4503599627370496.0;
  constexpr std::size_t kLanes = kVector / 8;
  const std::uint64_t half = kind.kind.is_signed ? std::uint64_t{1} << (kind.kind.bits - 1) : 0;
  const auto mask = hn::Set(U64(), std::uint64_t{kind.mask}), flip = hn::Set(U64(), half);
  const auto two_52 = hn::BitCast(U64(), hn::Set(F64(), kTwo52));
  const auto zero = hn::Set(F64(), kTwo52 + static_cast<double>(half));
  std::size_t i = 0;
  for (; i + kLanes <= points; i += kLanes) {
    const hn::Rebind<std::uint32_t, U64> narrow;
    const hn::Repartition<std::uint8_t, decltype(narrow)> bytes;
    const auto x = hn::PromoteTo(U64(), hn::BitCast(narrow, hn::LoadU(bytes, words + 4 * i)));
    const auto low = hn::Or(hn::Xor(hn::And(x, mask), flip), two_52);
    const auto number = hn::Sub(hn::BitCast(F64(), low), zero);
    hn::StoreU(hn::BitCast(Bytes(), number), Bytes(), numbers + 8 * i);
  }
  plain_numbers(kind, words, i, points, numbers);
}

#endif

template <class Kind>
HWY_INLINE void make_numbers(const Kind& kind, const std::uint8_t* words, std::size_t points,
                             std::uint8_t* numbers) {
#if HWY_HAVE_FLOAT64 && !TDZ_KERNELS_PLAIN
  if constexpr (hwy::IsSame<Kind, MiddleGrid>()) return double_numbers(kind, words, points, numbers);
#endif
  auto* HWY_RESTRICT own = reinterpret_cast<typename Kind::Num*>(numbers);
  for (std::size_t i = 0; i < points; ++i) own[i] = kind.number(get<typename Kind::Word>(words, i));
}

template <class Kind>
HWY_NOINLINE void fill_lines(const GridRun& run, const Kind& kind) {
  for (std::size_t n = 0; n < run.lines; ++n) {
    GridLineJob job;
    run.walk->line(n, job);
    make_numbers(kind, job.from, run.points, job.own);
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

/// Of the 16 words from `point` on.
template <class Kind>
HWY_INLINE void plain_residuals(const GridRun& run, const GridLineJob& job, const Kind& kind,
                                const GridRow& row, std::size_t point, std::uint8_t* to) {
  using T = typename Kind::Word;
  HWY_ALIGN typename Kind::Sum sums[kGridWide];
  grid_sums(kind, run.pairs, job, row, 0, static_cast<std::ptrdiff_t>(point), nullptr, sums);
  for (std::size_t i = 0; i < kGridWide; ++i) {
    const T x = kind.word(grid_get<Kind>(job.own, static_cast<std::ptrdiff_t>(point + i)));
    put<T>(to, i, kind.masked(static_cast<T>(x - kind.guess(sums[i]))));
  }
}

#if !TDZ_KERNELS_PLAIN

template <class Kind>
HWY_INLINE void small_residuals(const GridRun& run, const GridLineJob& job, const GridRow& row,
                                std::size_t point, std::uint8_t* to) {
  const auto guess = [](hn::Vec<I32> sum) HWY_ATTR {
    return hn::ShiftRight<16>(hn::ShiftLeft<16 - kGridShift>(sum));
  };
  hn::Vec<I32> low[kGridParts], high[kGridParts];
  pair_sums(run.pairs, job, row, 0, point, low, high);
  for (std::size_t v = 0; v < kGridParts; ++v) {
    const std::uint8_t* own = job.own + 2 * (point + v * kVector / 2);
    const auto x = hn::BitCast(U16(), hn::LoadU(Bytes(), own));
    // In the order of load_pair(), and so in that of the words
    const auto guesses = hn::BitCast(U16(), hn::ReorderDemote2To(I16(), guess(low[v]), guess(high[v])));
    const auto residuals = hn::Sub(hn::Xor(x, hn::Set(U16(), Kind::kFlip ? 0x8000 : 0)), guesses);
    if constexpr (sizeof(typename Kind::Word) == 2) {
      hn::StoreU(hn::BitCast(Bytes(), residuals), Bytes(), to + v * kVector);
    } else {
      const hn::Half<Bytes> half;
      const auto bytes = hn::And(residuals, hn::Set(U16(), 0xFF));
      hn::StoreU(hn::DemoteTo(half, hn::BitCast(I16(), bytes)), half, to + v * kVector / 2);
    }
  }
}

#if HWY_HAVE_FLOAT64

/// The bits of the sums that count are the low half of each when it is shifted.
HWY_INLINE void double_residuals(const GridRun& run, const GridLineJob& job, const MiddleGrid& kind,
                                 const GridRow& row, std::size_t point, std::uint8_t* to) {
  const auto mask = hn::Set(U32(), kind.mask);
  const auto whole = hn::Set(F64(), kWhole);
  hn::Vec<F64> sum[kGridDoubles];
  double_sums(run.pairs, job, row, 0, point, sum);
  const auto residual = [&](std::size_t v) HWY_ATTR {
    const auto x = load_doubles(job.own, static_cast<std::ptrdiff_t>(point + v * kVector / 8));
    const auto guess = hn::ShiftRight<kGridShift>(hn::BitCast(U64(), sum[v]));
    return hn::BitCast(U32(), hn::Sub(hn::BitCast(U64(), hn::Add(x, whole)), guess));
  };
  for (std::size_t v = 0; v < kGridDoubles; v += 2) {
    const auto both = hn::And(hn::ConcatEven(U32(), residual(v + 1), residual(v)), mask);
    hn::StoreU(hn::BitCast(Bytes(), both), Bytes(), to + v * kVector / 2);
  }
}

#endif
#endif

template <class Kind>
HWY_INLINE void residuals_of(const GridRun& run, const GridLineJob& job, const Kind& kind,
                             const GridRow& row, std::size_t point, std::uint8_t* to) {
#if !TDZ_KERNELS_PLAIN
  if constexpr (sizeof(typename Kind::Num) == 2) return small_residuals<Kind>(run, job, row, point, to);
#if HWY_HAVE_FLOAT64
  if constexpr (hwy::IsSame<Kind, MiddleGrid>()) return double_residuals(run, job, kind, row, point, to);
#endif
#endif
  plain_residuals(run, job, kind, row, point, to);
}

template <class Kind>
HWY_INLINE void subtract_line(const GridRun& run, const GridLineJob& job, const Kind& kind) {
  using T = typename Kind::Word;
  open_line<Kind>(job);
  for (std::size_t b = 0; b < run.columns; ++b) {
    const std::size_t point = b * kGridWide;
    const GridRow& row = run.rows[job.choices[b]];
    std::uint8_t* to = job.to + point * sizeof(T);
    if (run.points - point >= kGridWide) {
      residuals_of(run, job, kind, row, point, to);
    } else {
      HWY_ALIGN std::uint8_t residuals[kGridWide * sizeof(T)];
      residuals_of(run, job, kind, row, point, residuals);
      std::memcpy(to, residuals, (run.points - point) * sizeof(T));
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

}  // namespace HWY_NAMESPACE
}  // namespace tdz::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
