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

#include "kernels/cpu/steps/grid/grid_chains-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tdz::cpu {
namespace HWY_NAMESPACE {

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
