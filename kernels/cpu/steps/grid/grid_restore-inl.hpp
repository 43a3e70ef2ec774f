// SPDX-License-Identifier: Apache-2.0
// Residuals in a grid to words.
//
// A word waits for the one to its left. So many lines run side by side, a block of each in a step. A line is
// two blocks after those that it sees: then all that a block sees is there, two points to its right too.
//
// The lines are in two groups. While the words of one wait for one another, the processor makes the sums of
// the other.
#if defined(TDZ_KERNELS_CPU_STEPS_GRID_RESTORE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TDZ_KERNELS_CPU_STEPS_GRID_RESTORE_INL_HPP
#undef TDZ_KERNELS_CPU_STEPS_GRID_RESTORE_INL_HPP
#else
#define TDZ_KERNELS_CPU_STEPS_GRID_RESTORE_INL_HPP
#endif

#include "kernels/cpu/steps/grid/grid_kinds-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tdz::cpu {
namespace HWY_NAMESPACE {

// ---- A block of each of several lines at a time, a word of each line in a vector. What stands on other
// lines is a sum of vectors along the line.

/// A block of each of kSlots lines.
template <class Kind, std::size_t kSlots>
struct GridBlocks {
  HWY_ALIGN typename Kind::Sum sum[kSlots][kGridWide] = {};  ///< without what is to the left
  std::uint8_t* numbers[kSlots];                             ///< of the words that come out
  std::uint8_t* words[kSlots];
  const std::uint8_t* residuals[kSlots];
};

/// Word by word.
template <class Kind>
class PlainChain {
 public:
  static constexpr std::size_t kSlots = 4;
  using Blocks = GridBlocks<Kind, kSlots>;

  PlainChain(const GridRun&, const Kind& kind) : kind_(kind) {}

  HWY_INLINE void open(std::size_t s, typename Kind::Num first) {
    left_[s] = two_left_[s] = kind_.left_of(first);
  }
  template <std::size_t kPairs>
  HWY_INLINE void begin(std::size_t s, const GridLineJob& job, const GridRow& row, std::size_t point,
                        Blocks& blocks) {
    c_[s][0] = row.c[0];
    c_[s][1] = row.c[1];
    plain_sums(kind_, kPairs, job, row, 1, static_cast<std::ptrdiff_t>(point), blocks.sum[s]);
  }
  HWY_NOINLINE void restore(Blocks& blocks) {
    using T = typename Kind::Word;
    for (std::size_t i = 0; i < kGridWide; ++i) {
      for (std::size_t s = 0; s < kSlots; ++s) {
        const auto sum =
            blocks.sum[s][i] + kind_.product(c_[s][1], two_left_[s]) + kind_.product(c_[s][0], left_[s]);
        const T x = kind_.masked(static_cast<T>(kind_.guess(sum) + get<T>(blocks.residuals[s], i)));
        two_left_[s] = left_[s];
        left_[s] = kind_.left(x);
        grid_put<Kind>(blocks.numbers[s], static_cast<std::ptrdiff_t>(i), kind_.number_of(left_[s]));
        put<T>(blocks.words[s], i, x);
      }
    }
  }

 private:
  Kind kind_;
  typename Kind::Left left_[kSlots] = {}, two_left_[kSlots] = {};
  std::int16_t c_[kSlots][2] = {};
};

#if !TDZ_KERNELS_PLAIN

/// Words of 1 and 2 bytes: a lane of 32 bits holds the last two numbers of a line.
template <class Kind>
class SmallChain {
 public:
  static constexpr std::size_t kSlots = kVector / 4;
  using Blocks = GridBlocks<Kind, kSlots>;
  using T = typename Kind::Word;

  SmallChain(const GridRun&, const Kind&) {}

  HWY_INLINE void open(std::size_t s, std::int16_t first) { left_[2 * s] = left_[2 * s + 1] = first; }

  /// A residual counts as a part of the sum.
  template <std::size_t kPairs>
  HWY_INLINE void begin(std::size_t s, const GridLineJob& job, const GridRow& row, std::size_t point,
                        Blocks& blocks) {
    factor_[2 * s] = row.c[1];
    factor_[2 * s + 1] = row.c[0];
    hn::Vec<I32> low[kGridParts], high[kGridParts];
    pair_sums<1, kPairs>(job, row, point, low, high);
    for (std::size_t v = 0; v < kGridParts; ++v) {
      const auto r = load_residuals<T>(blocks.residuals[s], v * kVector / 2), none = hn::Zero(U16());
      const auto joined = [](auto both) HWY_ATTR {
        return hn::BitCast(I32(), hn::ShiftRight<16 - kGridShift>(hn::BitCast(U32(), both)));
      };
      low[v] = hn::Add(low[v], joined(hn::InterleaveLower(U16(), none, r)));
      high[v] = hn::Add(high[v], joined(hn::InterleaveUpper(U16(), none, r)));
      hn::Store(hn::BitCast(U32(), low[v]), U32(), blocks.sum[s] + v * kVector / 2);
      hn::Store(hn::BitCast(U32(), high[v]), U32(), blocks.sum[s] + v * kVector / 2 + kVector / 4);
    }
  }

  HWY_NOINLINE void restore(Blocks& blocks) {
    const auto factor = hn::BitCast(I32(), hn::Load(I16(), factor_));
    auto pair = hn::BitCast(U32(), hn::Load(I16(), left_));
    hn::Vec<U32> restored[2][4];
    for (std::size_t quad = 0; quad < 4; ++quad) {
      hn::Vec<U32> sums[4];
      for (std::size_t s = 0; s < 4; ++s) sums[s] = load_quad(blocks, s, quad);
      transpose_blocks(sums);
      for (std::size_t k = 0; k < 4; ++k) {
        const auto sum = add_pair_products(hn::BitCast(I32(), sums[k]), hn::BitCast(I32(), pair), factor);
        pair = hn::Or(hn::ShiftRight<16>(pair), high_number(hn::BitCast(U32(), sum)));
        if (k % 2 == 1) restored[quad / 2][(quad % 2 * 4 + k) / 2] = pair;
      }
    }
    hn::Store(hn::BitCast(I16(), pair), I16(), left_);
    transpose_blocks(restored[0]);
    transpose_blocks(restored[1]);
    for (std::size_t s = 0; s < 4; ++s) store_slots(restored[0][s], restored[1][s], s, blocks);
  }

 private:
  static constexpr bool kLong = kVector > kBlock;

  /// Four words of a slot in the order that begin() left them in, and of the slot four after it.
  HWY_INLINE static hn::Vec<U32> load_quad(const Blocks& blocks, std::size_t s, std::size_t quad) {
    const std::size_t at = kLong ? quad % 2 * 8 + quad / 2 * 4 : quad * 4;
    const auto* from = reinterpret_cast<const std::uint8_t*>(blocks.sum[s] + at);
    return hn::BitCast(U32(), load_blocks(from, 4 * sizeof blocks.sum[s]));
  }

  /// The number that a sum stands for, in the high half.
  HWY_INLINE static hn::Vec<U32> high_number(hn::Vec<U32> sum) {
    const auto high = hn::Set(U32(), 0xFFFF0000u);
    if constexpr (sizeof(T) == 2) {
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
  HWY_INLINE static void store_slots(hn::Vec<U32> first, hn::Vec<U32> last, std::size_t slot,
                                     Blocks& blocks) {
    constexpr std::size_t kOther = kLong ? 4 : 0;
    const auto store = [&](Vector v, std::uint8_t* lower, std::uint8_t* upper) HWY_ATTR {
      store_lower_block(v, lower);
      store_upper_block(v, upper);
    };
    std::uint8_t *numbers = blocks.numbers[slot], *others = blocks.numbers[slot + kOther];
    std::uint8_t *words = blocks.words[slot], *other_words = blocks.words[slot + kOther];
    const auto a = hn::BitCast(Bytes(), first), b = hn::BitCast(Bytes(), last);
    store(a, numbers, others);
    store(b, numbers + kBlock, others + kBlock);
    if constexpr (sizeof(T) == 1) {
      store(even_bytes(a, b), words, other_words);
    } else {
      const auto flip = hn::BitCast(Bytes(), hn::Set(U32(), Kind::kFlip ? 0x80008000u : 0u));
      store(hn::Xor(a, flip), words, other_words);
      store(hn::Xor(b, flip), words + kBlock, other_words + kBlock);
    }
  }
  /// In each 16 bytes the even ones of `a`, then of `b`.
  HWY_INLINE static Vector even_bytes(Vector a, Vector b) {
    alignas(16) constexpr std::uint8_t kEven[16] = {0,    2,    4,    6,    8,    10,   12,   14,
                                                    0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80};
    alignas(16) constexpr std::uint8_t kEvenAfter[16] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
                                                         0,    2,    4,    6,    8,    10,   12,   14};
    return hn::Or(hn::TableLookupBytesOr0(a, hn::LoadDup128(Bytes(), kEven)),
                  hn::TableLookupBytesOr0(b, hn::LoadDup128(Bytes(), kEvenAfter)));
  }

  HWY_ALIGN std::int16_t left_[2 * kSlots] = {};  ///< two left, left
  HWY_ALIGN std::int16_t factor_[2 * kSlots] = {};
};

#endif

#if HWY_HAVE_FLOAT64 && !TDZ_KERNELS_PLAIN

/// Words of 3 and 4 bytes: a lane of 64 bits holds a number of 32 bits with a sign. Unsigned words of 4 bytes
/// lose 2^31 for that.
class DoubleChain {
 public:
  static constexpr std::size_t kSlots = kVector / 8;
  using Blocks = GridBlocks<MiddleGrid, kSlots>;

  DoubleChain(const GridRun&, const MiddleGrid& kind) : kind_(kind) {
    if (kind.kind.bits == 32 && !kind.kind.is_signed) lost_ = std::int64_t{1} << 31;
  }

  HWY_INLINE void open(std::size_t s, double first) {
    left_[s] = two_left_[s] = static_cast<std::int64_t>(first) - lost_;
  }

  /// A residual counts as a part of the sum.
  template <std::size_t kPairs>
  HWY_INLINE void begin(std::size_t s, const GridLineJob& job, const GridRow& row, std::size_t point,
                        Blocks& blocks) {
    factor_[s] = row.c[0];
    two_left_factor_[s] = row.c[1];
    const std::int64_t lost = (factor_[s] + two_left_factor_[s] - (1 << kGridShift)) * lost_;
    hn::Vec<F64> sum[kGridDoubles];
    double_sums<1, kPairs>(job, row, static_cast<double>(lost), point, sum);
    for (std::size_t v = 0; v < kGridDoubles; ++v) {
      const hn::Rebind<std::uint32_t, U64> narrow;
      const hn::Repartition<std::uint8_t, decltype(narrow)> bytes;
      const auto residuals = hn::BitCast(narrow, hn::LoadU(bytes, blocks.residuals[s] + v * kVector / 2));
      const auto joined = hn::ShiftLeft<kGridShift>(hn::PromoteTo(U64(), residuals));
      hn::Store(hn::Add(hn::BitCast(U64(), sum[v]), joined), U64(), blocks.sum[s] + v * kSlots);
    }
  }

  HWY_NOINLINE void restore(Blocks& blocks) {
    if (kind_.kind.bits == 32)
      restore_with(blocks, [](hn::Vec<U64> x) HWY_ATTR { return x; });
    else if (kind_.kind.is_signed)
      restore_with(blocks, [](hn::Vec<U64> x) HWY_ATTR {
        return hn::BitCast(U64(), hn::ShiftRight<8>(hn::ShiftLeft<8>(hn::BitCast(I32(), x))));
      });
    else
      restore_with(blocks, [](hn::Vec<U64> x) HWY_ATTR { return hn::And(x, hn::Set(U64(), 0xFFFFFF)); });
  }

 private:
  HWY_INLINE static hn::Vec<U64> product(hn::Vec<U64> x, hn::Vec<I32> factor) {
    return hn::BitCast(U64(), hn::MulEven(hn::BitCast(I32(), x), factor));
  }

  /// `number` makes of the low half of a shifted sum a number. High halves do not count.
  template <class Number>
  HWY_INLINE void restore_with(Blocks& blocks, const Number& number) {
    const auto load = [](const std::int64_t* numbers)
                          HWY_ATTR { return hn::BitCast(U64(), hn::Load(Words<std::int64_t>(), numbers)); };
    const auto factor = hn::BitCast(I32(), load(factor_));
    const auto two_left_factor = hn::BitCast(I32(), load(two_left_factor_));
    auto left = load(left_), two_left = load(two_left_);
    const auto next = [&](hn::Vec<U64> sum) HWY_ATTR {
      const auto other = hn::Add(sum, product(two_left, two_left_factor));
      two_left = left;
      left = number(hn::ShiftRight<kGridShift>(hn::Add(other, product(left, factor))));
    };
    hn::Vec<U64> pairs[kGridWide / 2];  // of words of a line
    for (std::size_t i = 0; i < kGridWide; i += 2) {
      const auto a = load_pair_of(blocks, 0, i), b = load_pair_of(blocks, 1, i);
      next(hn::InterleaveLower(U64(), a, b));
      next(hn::InterleaveUpper(U64(), a, b));
      const auto high = hn::BitCast(U32(), hn::ShiftLeft<32>(left));
      pairs[i / 2] = hn::BitCast(U64(), hn::OddEven(high, hn::BitCast(U32(), two_left)));
    }
    hn::Store(hn::BitCast(Words<std::int64_t>(), left), Words<std::int64_t>(), left_);
    hn::Store(hn::BitCast(Words<std::int64_t>(), two_left), Words<std::int64_t>(), two_left_);
    for (std::size_t i = 0; i < kGridWide / 2; i += 2) {
      store_quad(hn::InterleaveLower(U64(), pairs[i], pairs[i + 1]), 0, 2 * i, blocks);
      store_quad(hn::InterleaveUpper(U64(), pairs[i], pairs[i + 1]), 1, 2 * i, blocks);
    }
  }

  /// The sums of two words of a slot, and of the slot two after it where vectors have two blocks.
  HWY_INLINE static hn::Vec<U64> load_pair_of(const Blocks& blocks, std::size_t s, std::size_t i) {
    const auto* from = reinterpret_cast<const std::uint8_t*>(blocks.sum[s] + i);
    return hn::BitCast(U64(), load_blocks(from, 2 * sizeof blocks.sum[s]));
  }

  /// The same for four words that come out.
  HWY_INLINE void store_quad(hn::Vec<U64> quad, std::size_t s, std::size_t i, Blocks& blocks) const {
    constexpr std::size_t kOther = kVector > kBlock ? 2 : 0;
    const auto numbers = hn::BitCast(I32(), quad);
    const auto flip = hn::Set(U32(), static_cast<std::uint32_t>(lost_));
    const auto words = hn::And(hn::Xor(hn::BitCast(U32(), quad), flip), hn::Set(U32(), kind_.mask));
    store_lower_block(hn::BitCast(Bytes(), words), blocks.words[s] + 4 * i);
    store_upper_block(hn::BitCast(Bytes(), words), blocks.words[s + kOther] + 4 * i);
    const hn::Half<I32> half;
    const auto store = [&](hn::Vec<hn::Half<I32>> of, std::uint8_t* to) HWY_ATTR {
      const auto x = hn::Add(hn::PromoteTo(F64(), of), hn::Set(F64(), static_cast<double>(lost_)));
      hn::StoreU(hn::BitCast(Bytes(), x), Bytes(), to);
    };
    std::uint8_t* const first = blocks.numbers[s] + 8 * i;
    store(hn::LowerHalf(half, numbers), first);
    store(hn::UpperHalf(half, numbers), kOther == 0 ? first + kBlock : blocks.numbers[s + kOther] + 8 * i);
  }

  MiddleGrid kind_;
  std::int64_t lost_ = 0;
  HWY_ALIGN std::int64_t left_[kSlots] = {}, two_left_[kSlots] = {};
  HWY_ALIGN std::int64_t factor_[kSlots] = {}, two_left_factor_[kSlots] = {};
};

#endif

template <class Kind>
struct ChainOf {
  using Type = PlainChain<Kind>;
};
#if !TDZ_KERNELS_PLAIN
template <class T, bool kSigned>
struct ChainOf<SmallGrid<T, kSigned>> {
  using Type = SmallChain<SmallGrid<T, kSigned>>;
};
#if HWY_HAVE_FLOAT64
template <>
struct ChainOf<MiddleGrid> {
  using Type = DoubleChain;
};
#endif
#endif

// ---- Lines

inline constexpr std::size_t kGridLag = 2;  ///< blocks between a line and one that it sees

/// Which lines a group restores, one after the other. Each sees only lines before it, and lines of the other
/// group.
struct GridLines {
  enum class Of : std::uint8_t { all, a_lane, other_slices };

  Of of = Of::all;
  std::size_t part = 0;  ///< the lane, or 1 for the slices that have an odd number

  /// After the last one, run.lines or more. The first lines of the lanes are not among them.
  HWY_INLINE std::size_t line(const GridRun& run, std::size_t k) const {
    if (of == Of::all) return run.lanes + k;
    if (of == Of::a_lane) return (1 + k) * run.lanes + part;
    const std::size_t each = run.height * run.lanes, place = k + (part == 0 ? run.lanes : 0);
    return (place / each * 2 + part) * each + place % each;
  }
};

/// How a group takes its lines: slot s begins after `wait` and some steps with line first + s of `lines`, and
/// then takes every so many.
struct GridShare {
  GridLines lines;
  std::size_t first = 0, every = 1, wait = 0;
  std::size_t slots = 0;
};

/// Lines side by side, whose words are restored together.
template <class Kind, std::size_t kPairs>
class GridGroup {
 public:
  using T = typename Kind::Word;
  using Chain = typename ChainOf<Kind>::Type;
  static constexpr std::size_t kSlots = Chain::kSlots;

  HWY_NOINLINE GridGroup(const GridRun& run, const Kind& kind, const GridShare& share)
      : run_(run), chain_(run, kind), share_(share) {
    for (std::size_t s = 0; s < kSlots; ++s) rest(s);
    for (std::size_t s = 0; s < share.slots; ++s) {
      slot_[s].wait = share.wait + s * kGridLag;
      slot_[s].next = share.first + s;
      lines_ += take_line(slot_[s]);
    }
  }

  bool has_lines() const { return lines_ > 0; }

  /// A block of each line.
  HWY_NOINLINE void restore() {
    for (std::size_t s = 0; s < share_.slots; ++s)
      if (slot_[s].wait == 0) begin_block(s);
    chain_.restore(blocks_);
    for (std::size_t s = 0; s < share_.slots; ++s) {
      if (slot_[s].wait == 0)
        end_block(s);
      else
        --slot_[s].wait;
    }
  }

 private:
  static constexpr std::size_t kForever = ~std::size_t{0};

  struct Slot {
    std::size_t wait = 0;  ///< steps
    std::size_t block = 0;
    std::size_t next = 0;  ///< line of the share
    GridLineJob job;
    T residuals[kGridWide] = {}, words[kGridWide] = {};  ///< of a block that has fewer
  };

  /// False, and the slot waits for ever, if there is none.
  HWY_NOINLINE bool take_line(Slot& slot) {
    const std::size_t line = share_.lines.line(run_, slot.next);
    if (line >= run_.lines) {
      slot.wait = kForever;
      return false;
    }
    run_.walk->line(line, slot.job);
    slot.next += share_.every;
    slot.block = 0;
    return true;
  }

  /// What comes out of a slot that waits goes nowhere.
  HWY_INLINE void rest(std::size_t s) {
    blocks_.numbers[s] = nowhere_;
    blocks_.words[s] = nowhere_;
    blocks_.residuals[s] = nowhere_;
  }

  HWY_INLINE void begin_block(std::size_t s) {
    Slot& slot = slot_[s];
    const std::size_t point = slot.block * kGridWide;
    blocks_.numbers[s] = slot.job.own + point * sizeof(typename Kind::Num);
    blocks_.residuals[s] = slot.job.from + point * sizeof(T);
    blocks_.words[s] = slot.job.to + point * sizeof(T);
    if (run_.points - point < kGridWide) {
      std::memcpy(slot.residuals, blocks_.residuals[s], (run_.points - point) * sizeof(T));
      blocks_.residuals[s] = reinterpret_cast<const std::uint8_t*>(slot.residuals);
      blocks_.words[s] = reinterpret_cast<std::uint8_t*>(slot.words);
    }
    if (slot.block == 0) {
      open_line<Kind>(slot.job);
      chain_.open(s, grid_get<Kind>(slot.job.own, -1));
    }
    const GridRow& row = run_.rows[slot.job.choices[slot.block]];
    chain_.template begin<kPairs>(s, slot.job, row, point, blocks_);
  }

  HWY_INLINE void end_block(std::size_t s) {
    Slot& slot = slot_[s];
    const std::size_t point = slot.block * kGridWide;
    if (slot.block == 0) close_begin<Kind>(slot.job);
    if (++slot.block < run_.columns) return;
    if (run_.points - point < kGridWide)
      std::memcpy(slot.job.to + point * sizeof(T), slot.words, (run_.points - point) * sizeof(T));
    close_end<Kind>(slot.job, run_);
    if (take_line(slot)) return;
    rest(s);
    --lines_;
  }

  const GridRun& run_;
  Chain chain_;
  GridShare share_;
  std::size_t lines_ = 0;
  GridBlocks<Kind, kSlots> blocks_;
  Slot slot_[kSlots];
  HWY_ALIGN std::uint8_t nowhere_[kGridWide * sizeof(std::uint64_t)] = {};
};

/// Shares the lines between two groups of at most kSlots lines. Of short lines few run side by side: a slot's
/// next line begins when its line ends. Then each group has lines of its own, if it may.
template <std::size_t kSlots>
HWY_INLINE void share_lines(const GridRun& run, GridShare* share) {
  const std::size_t most = HWY_MAX(run.columns / kGridLag, std::size_t{1});  // lines side by side
  const std::size_t slots = HWY_MIN(most, kSlots);
  // Two lanes: line k of lane 1 sees lane 0 up to its line k. Slices: line k of the second group sees the
  // first one up to line k too, because the first one leaves out the first lines of all; and line k of the
  // first group sees the second one up to line k - (height - 2) * lanes. Slots take lines in turn, so it is
  // long done if that is four rounds before.
  const bool by_slice =
      run.height < run.lines / run.lanes && run.height * run.lanes >= 2 * run.lanes + 4 * slots;
  if (most < 2 * kSlots && (run.lanes == 2 || by_slice)) {
    const auto of = run.lanes == 2 ? GridLines::Of::a_lane : GridLines::Of::other_slices;
    for (std::size_t g = 0; g < 2; ++g) share[g] = {{of, g}, 0, slots, g * kGridLag, slots};
    return;
  }
  const std::size_t all = HWY_MIN(most, 2 * kSlots), half = all > kSlots ? all / 2 : all;
  share[0] = {{}, 0, all, 0, half};
  share[1] = {{}, half, all, half * kGridLag, all - half};
}

/// Above the first line of a lane stands nothing: its residuals are differences.
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

template <class Kind, std::size_t kPairs>
HWY_NOINLINE void add_other_lines(const GridRun& run, const Kind& kind) {
  using Group = GridGroup<Kind, kPairs>;
  GridShare share[2];
  share_lines<Group::kSlots>(run, share);
  Group first(run, kind, share[0]), second(run, kind, share[1]);
  while (first.has_lines() || second.has_lines()) {
    if (first.has_lines()) first.restore();
    if (second.has_lines()) second.restore();
  }
}

template <class Kind>
HWY_NOINLINE void add_lines(const GridRun& run, const Kind& kind) {
  for (std::size_t n = 0; n < HWY_MIN(run.lanes, run.lines); ++n) {
    GridLineJob job;
    run.walk->line(n, job);
    add_first(run, job, kind);
  }
  with_pairs<Kind>(run.pairs,
                   [&](auto pairs) HWY_ATTR { add_other_lines<Kind, decltype(pairs)::kValue>(run, kind); });
}

}  // namespace HWY_NAMESPACE
}  // namespace tdz::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
