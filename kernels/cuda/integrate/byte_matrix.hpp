// SPDX-License-Identifier: Apache-2.0
// Bytes of narrow tuples, integrated by matrix products. For host and device.
//
// The usual tile code is limited by its accesses and additions, byte by byte. But integrating is a recurrence
// with constant coefficients: the next 16 bytes are a constant matrix times their residuals, plus constant
// matrices times the last order * tuple <= 64 bytes before them. Products mod 2^32 keep what mod 2^8 needs.
// So a tensor core computes this exactly, from words in the order of memory.
//
// A warp takes 16 consecutive segments; each is a row of the product. Pass one starts from a zero past, and
// the last bytes of its result are the segment's summary. Pass two starts from the past that the carry stands
// for.
#pragma once

#include <cstdint>

#include "kernels/cuda/tile/tile_plan.hpp"
#include "kernels/cuda/tile/tile_scan.hpp"
#include "kernels/cuda/tile/tile_views.hpp"

namespace tdz::cuda {

/// A slice is 16 bytes of a segment. One step integrates it.
inline constexpr unsigned kSliceBytes = 16;
inline constexpr unsigned kPastSlices = kPastBytes / kSliceBytes, kColumnGroups = 2;

/// How many of the slices before it a slice depends on. 3 counts as 4: so there is less code to compile.
TDZ_HOST_DEVICE constexpr unsigned past_slices(std::uint32_t order, std::uint32_t tuple) {
  const std::uint32_t bytes = order * tuple;
  return bytes <= kSliceBytes ? 1 : bytes <= 2 * kSliceBytes ? 2 : kPastSlices;
}

constexpr std::uint32_t binomial(std::uint32_t n, std::uint32_t k) {
  std::uint64_t result = 1;
  for (std::uint32_t i = 1; i <= k; ++i) result = result * (n + 1 - i) / i;
  return static_cast<std::uint32_t>(result);
}

/// The weights of a byte that lies `row` rows after the start of its slice: of the residual `row` rows before
/// it, and of the i-th last byte of its lane before the slice. This extrapolates a polynomial of degree Order
/// - 1.
template <unsigned Order>
struct SliceWeights {
  static constexpr unsigned kRows = kSliceBytes / 2;  // of the narrowest tuple
  std::uint8_t residual[kRows] = {};
  std::uint8_t past[kRows][Order] = {};
};
template <unsigned Order>
constexpr SliceWeights<Order> make_slice_weights() {
  SliceWeights<Order> weights;
  for (std::uint32_t row = 0; row < weights.kRows; ++row) {
    weights.residual[row] = static_cast<std::uint8_t>(binomial(row + Order - 1, Order - 1));
    for (std::uint32_t i = 1; i <= Order; ++i) {
      const std::uint32_t size = binomial(row + i - 1, i - 1) * binomial(row + Order, Order - i);
      weights.past[row][i - 1] = static_cast<std::uint8_t>(i % 2 != 0 ? size : 0 - size);
    }
  }
  return weights;
}

/// The weight of byte `from`, in the slice `before` slices before a slice, for that slice's byte `to`. Byte
/// `from` is a residual if it lies in the same slice, else a value.
template <unsigned Order>
TDZ_HOST_DEVICE constexpr std::uint32_t matrix_weight(const SliceWeights<Order>& weights, std::uint32_t tuple,
                                                      unsigned before, std::uint32_t from, std::uint32_t to) {
  const std::uint32_t distance = before * kSliceBytes + to - from;
  if ((before == 0 && from > to) || distance % tuple != 0) return 0;
  if (before == 0) return weights.residual[distance / tuple];
  const std::uint32_t i = distance / tuple - to / tuple;
  return i <= Order ? weights.past[to / tuple][i - 1] : 0;
}

/// A thread's share of 16 rows of the constant operand (PTX ISA, mma.m16n8k16, "B"; m16n8k32 takes two), for
/// group `group` of eight columns. The order of the columns makes the results of two groups four neighbouring
/// bytes, at the places of the operand's four bytes.
template <unsigned Order>
TDZ_HOST_DEVICE constexpr std::uint32_t weight_word(const SliceWeights<Order>& weights, std::uint32_t tuple,
                                                    unsigned before, unsigned group, unsigned thread) {
  const unsigned column = thread / 4, to = 4 * (column / 2) + 2 * group + column % 2;
  std::uint32_t word = 0;
  for (unsigned b = 0; b < 4; ++b)
    word |= matrix_weight(weights, tuple, before, thread % 4 * 4 + b, to) << (8 * b);
  return word;
}

/// A thread's share of one slice of 16 segments (PTX ISA, mma.m16n8k16, "A"): bytes 4 * (thread % 4) .. + 3
/// of segments thread / 4 and thread / 4 + 8.
struct Fragment {
  std::uint32_t word[2] = {};
};

/// The sums of a step's products, two groups of columns, as operands of the next steps.
TDZ_HOST_DEVICE constexpr Fragment packed(const std::int32_t (&sum)[kColumnGroups][4]) {
  Fragment bytes;
  for (unsigned w = 0; w < 2; ++w) {
    const std::uint32_t low = pick_bytes(static_cast<std::uint32_t>(sum[0][2 * w]),
                                         static_cast<std::uint32_t>(sum[0][2 * w + 1]), 0x0040);
    const std::uint32_t high = pick_bytes(static_cast<std::uint32_t>(sum[1][2 * w]),
                                          static_cast<std::uint32_t>(sum[1][2 * w + 1]), 0x0040);
    bytes.word[w] = pick_bytes(low, high, 0x5410);
  }
  return bytes;
}

/// Weights of the moves of one tile, mod 2^8; see MoveTable. The weights of a segment fill two words, so that
/// a thread can keep its own. Entry segments() of a tile's shape is for the first segment of the next tile.
template <unsigned Order>
struct ByteWeights {
  std::uint32_t word[2] = {};

  TDZ_HOST_DEVICE constexpr std::uint32_t operator[](unsigned k) const {
    return word[k / 4] >> (8 * (k % 4)) & 0xFF;
  }
};
template <unsigned Order>
TDZ_HOST_DEVICE constexpr Polynomial<std::uint32_t, Order> moved(
    const Polynomial<std::uint32_t, Order>& carry, const ByteWeights<Order>& weights) {
  Polynomial<std::uint32_t, Order> result;
  for (unsigned j = 0; j < Order; ++j) {
    const std::uint32_t weight = weights[j];
    for (unsigned k = j; k < Order; ++k) result.term[k] += weight * carry.term[k - j];
  }
  return result;
}
template <unsigned Order>
struct ByteMoves {
  static constexpr unsigned kSegments = kMaxWarps * kWarpSegments + 1;
  ByteWeights<Order> back[kSegments] = {}, forward[kSegments] = {};
};
template <unsigned Order>
constexpr ByteMoves<Order> make_byte_moves(std::uint32_t rows) {
  using Weights = Polynomial<std::uint8_t, Order>;
  ByteMoves<Order> table;
  const Weights back_step = retreat_weights<std::uint8_t, Order>(rows);
  const Weights forward_step = advance_weights<std::uint8_t, Order>(rows);
  Weights back = back_step, forward;
  forward.term[0] = 1;
  for (unsigned segment = 0; segment < table.kSegments; ++segment) {
    for (unsigned k = 0; k < Order; ++k) {
      table.back[segment].word[k / 4] |= std::uint32_t{back.term[k]} << (8 * (k % 4));
      table.forward[segment].word[k / 4] |= std::uint32_t{forward.term[k]} << (8 * (k % 4));
    }
    back = multiply(back, back_step);
    forward = multiply(forward, forward_step);
  }
  return table;
}

/// Between the passes, a lane's state lies in the 64 bytes of its segment's past, at the lane's own places:
/// the newest at `last`, the others `tuple` bytes apart before it. The state is bytes of the past, or sums
/// that are not yet moved.
struct LanePast {
  std::uint8_t* last;
  std::uint32_t tuple;

  TDZ_HOST_DEVICE LanePast(std::uint8_t* segment, std::uint32_t of, std::uint32_t lane)
      : last(segment + kPastBytes - of + lane), tuple(of) {}
  TDZ_HOST_DEVICE std::uint8_t& at(unsigned k) const { return *(last - k * tuple); }

  /// The carry after bytes that start from zero: c_q is the last byte, c_(q-1) its first difference, ...
  template <unsigned Order>
  TDZ_HOST_DEVICE Polynomial<std::uint32_t, Order> carry_of_bytes() const {
    Polynomial<std::uint32_t, Order> history, carry;
    for (unsigned k = Order; k-- > 0;) difference_step(history, std::uint32_t{at(k)});
    for (unsigned k = 0; k < Order; ++k) carry.term[k] = history.term[Order - 1 - k];
    return carry;
  }
  /// The bytes that lead to the carry without any input: a step back multiplies the carry by 1 - x.
  template <unsigned Order>
  TDZ_HOST_DEVICE void put_bytes_of(Polynomial<std::uint32_t, Order> carry) const {
    for (unsigned k = 0; k < Order; ++k) {
      at(k) = static_cast<std::uint8_t>(carry.term[Order - 1]);
      for (unsigned j = Order - 1; j > k; --j) carry.term[j] -= carry.term[j - 1];
    }
  }
  template <unsigned Order>
  TDZ_HOST_DEVICE Polynomial<std::uint32_t, Order> sums() const {
    Polynomial<std::uint32_t, Order> sums;
    for (unsigned k = 0; k < Order; ++k) sums.term[k] = at(k);
    return sums;
  }
  template <unsigned Order>
  TDZ_HOST_DEVICE void put_sums(const Polynomial<std::uint32_t, Order>& sums) const {
    for (unsigned k = 0; k < Order; ++k) at(k) = static_cast<std::uint8_t>(sums.term[k]);
  }
};

}  // namespace tdz::cuda
