// SPDX-License-Identifier: Apache-2.0
// Linear prediction undone in one block, word by word. For host and device.
#pragma once

#include <cstdint>
#include <type_traits>

#include "formats/plan/plan.hpp"
#include "kernels/cuda/steps/lane_rule.hpp"
#include "kernels/cuda/steps/word_access.hpp"

namespace tdz::cuda {

inline constexpr std::uint32_t kPredictRows = kPredictBlock;  ///< in 32 bits, as a device counts
inline constexpr std::uint32_t kPredictorHead = 2;            ///< bytes: order and shift

/// Blocks of a tuple's lanes, lane by lane.
struct PredictBlocks {
  LaneShape shape;

  TDZ_HOST_DEVICE constexpr std::uint32_t before(std::uint32_t lane) const {
    const std::uint32_t longer = shape.words % shape.tuple, rows = shape.words / shape.tuple;
    const std::uint32_t above = lane < longer ? lane : longer;
    return above * blocks(rows + 1) + (lane - above) * blocks(rows);
  }
  TDZ_HOST_DEVICE constexpr std::uint32_t count() const { return before(shape.tuple); }

 private:
  TDZ_HOST_DEVICE static constexpr std::uint32_t blocks(std::uint32_t words) {
    return (words + kPredictRows - 1) / kPredictRows;
  }
};

/// Numbers of up to 32 bits take one multiplication a term. The sum is needed mod 2^(8 width + shift), and
/// shifts are at most 15: for words of 16 bits that fits 32 bits. Words are needed mod 2^(8 width).
template <unsigned Width>
struct TermTypes {
  using Number = std::int32_t;
  using Sum = std::uint64_t;
  using Word = std::uint32_t;
};
template <>
struct TermTypes<1> {
  using Number = std::int32_t;
  using Sum = std::uint32_t;
  using Word = std::uint32_t;
};
template <>
struct TermTypes<2> : TermTypes<1> {};
template <unsigned Width>
requires(Width > 4) struct TermTypes<Width> {
  using Number = std::int64_t;
  using Sum = std::uint64_t;
  using Word = std::uint64_t;
};

/// A block's predictor with the numbers that it looks at: `Terms` of them, the newest first. Coefficients
/// behind the last one are zero.
///
/// An unsigned number x of 32 bits is y + 2^31 with a signed y: so y takes its place, and the sum of all
/// coefficients times 2^31 is added once.
template <unsigned Width, unsigned Terms>
class BlockWalk {
 public:
  /// `side`: coefficients, two bytes each, at any address.
  TDZ_HOST_DEVICE BlockWalk(unsigned order, unsigned shift, Sign sign, const Byte* side)
      : order_(order), shift_(shift), is_signed_(sign == Sign::is_signed) {
    for (unsigned j = 0; j < Terms; ++j) {
      coefficient_[j] = 0;
      past_[j] = 0;
      if (j < order) coefficient_[j] = static_cast<std::int16_t>(side[2 * j] | side[2 * j + 1] << 8);
      if (kMoves && !is_signed_) moved_ += static_cast<Sum>(coefficient_[j]) << 31;
    }
  }

  /// Word `i` of the block from its residual. Bits above its width mean nothing.
  TDZ_HOST_DEVICE std::uint64_t step(std::uint32_t i, std::uint64_t residual) {
    Word predicted = 0;
    if (i != 0 && order_ != 0) predicted = i < order_ ? last_ : prediction();
    return take(static_cast<Word>(residual) + predicted);
  }

  /// The same for a word that has at least `Terms` before it: without a question. Coefficients behind the
  /// order are zero, and of order 0 all are.
  TDZ_HOST_DEVICE std::uint64_t step_behind(std::uint64_t residual) {
    return take(static_cast<Word>(residual) + prediction());
  }

 private:
  using Number = typename TermTypes<Width>::Number;
  using Sum = typename TermTypes<Width>::Sum;
  using Word = typename TermTypes<Width>::Word;
  using SignedSum = std::make_signed_t<Sum>;
  static constexpr bool kMoves = Width == 4;

  TDZ_HOST_DEVICE Word take(Word word) {
    last_ = word;
    for (unsigned j = Terms; j-- > 1;) past_[j] = past_[j - 1];
    past_[0] = number(last_);
    return last_;
  }

  TDZ_HOST_DEVICE Number number(Word word) const {
    constexpr unsigned unused = 8 * (sizeof(Word) - Width);
    if (is_signed_) return static_cast<Number>(word << unused) >> unused;
    if (kMoves) return static_cast<Number>(word ^ 0x80000000u);
    return static_cast<Number>(word << unused >> unused);
  }

  TDZ_HOST_DEVICE Word prediction() const {
    // Two sums, so that a word waits for fewer products; and the newest comes last.
    Sum sum = moved_, other = 0;
    for (unsigned j = Terms; j-- > 1;) add_product(j % 2 == 0 ? sum : other, coefficient_[j], past_[j]);
    sum += other;
    add_product(sum, coefficient_[0], past_[0]);
    return shifted(sum);
  }

  TDZ_HOST_DEVICE Word shifted(Sum sum) const {
#if defined(__CUDA_ARCH__)
    if constexpr (sizeof(Sum) > sizeof(Word))
      return __funnelshift_r(static_cast<Word>(sum), static_cast<Word>(sum >> 32), shift_);
#endif
    return static_cast<Word>(static_cast<SignedSum>(sum) >> shift_);
  }

  /// mod 2^32 or 2^64.
  TDZ_HOST_DEVICE static void add_product(Sum& sum, std::int32_t coefficient, Number number) {
    if constexpr (sizeof(Sum) == 4) {
      sum += static_cast<Sum>(coefficient) * static_cast<Sum>(number);
    } else if constexpr (sizeof(Number) == 4) {
#if defined(__CUDA_ARCH__)
      // The compiler makes three multiplications of it: it loses sight of the sign.
      asm("mad.wide.s32 %0, %1, %2, %0;" : "+l"(sum) : "r"(coefficient), "r"(number));
#else
      sum += static_cast<Sum>(std::int64_t{coefficient} * number);
#endif
    } else {
      sum += static_cast<Sum>(std::int64_t{coefficient}) * static_cast<Sum>(number);
    }
  }

  unsigned order_, shift_;
  bool is_signed_;
  Sum moved_ = 0;
  Word last_ = 0;
  std::int32_t coefficient_[Terms];
  Number past_[Terms];
};

}  // namespace tdz::cuda
