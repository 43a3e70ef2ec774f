// SPDX-License-Identifier: Apache-2.0
// The arithmetic of a tile, for host and device: summaries, placed summaries, start states.
//
// A segment's summary is its carry from a zero start. Moving a carry by m lane steps multiplies it by (1 -
// x)^-m, and m may be negative: (1 - x)^m is a polynomial with integer coefficients. So every summary is
// first moved back to the tile's first row ("placed"). Placed summaries simply add, in any order; so do the
// totals of warps and the carry that enters the tile. The sum of everything before a segment, moved forward
// to it, is its start state. So a scan over segments is a scan of q independent sums, with two polynomial
// products for each thread, for any number of rows.
#pragma once

#include <cstdint>

#include "kernels/cuda/tile/tile_shape.hpp"

namespace tdz::cuda {

/// The inverse of advance_weights: (1 - x)^m mod x^q.
template <class Word, unsigned Order>
TDZ_HOST_DEVICE constexpr Polynomial<Word, Order> retreat_weights(std::uint64_t m) {
  Polynomial<Word, Order> result, power;
  result.term[0] = 1;
  power.term[0] = 1;
  if constexpr (Order > 1) power.term[1] = static_cast<Word>(-1);
  for (; m != 0; m >>= 1) {
    if (m & 1) result = multiply(result, power);
    power = multiply(power, power);
  }
  return result;
}

/// Weights of the moves of one tile. It is a table, because computing binomials would dominate the loop. Each
/// term has its own array, so that a warp reads neighbouring words.
template <class Sum, unsigned Order, unsigned Rows>
struct MoveTable {
  static constexpr unsigned kSegments = kMaxStrands * kWarp;
  Sum back[Order][kSegments] = {};     ///< from the end of a segment to the tile's first row
  Sum forward[Order][kSegments] = {};  ///< from the tile's first row to the start of a segment
};

template <class Sum, unsigned Order, unsigned Rows>
constexpr MoveTable<Sum, Order, Rows> make_move_table() {
  MoveTable<Sum, Order, Rows> table;
  const auto back_step = retreat_weights<Sum, Order>(Rows);
  const auto forward_step = advance_weights<Sum, Order>(Rows);
  Polynomial<Sum, Order> back = back_step, forward;
  forward.term[0] = 1;
  for (unsigned segment = 0; segment < table.kSegments; ++segment) {
    for (unsigned k = 0; k < Order; ++k) {
      table.back[k][segment] = back.term[k];
      table.forward[k][segment] = forward.term[k];
    }
    back = multiply(back, back_step);
    forward = multiply(forward, forward_step);
  }
  return table;
}

/// Carry times the weights of one segment, read from a column of the table.
template <class Sum, class Weight, unsigned Order, unsigned Segments>
TDZ_HOST_DEVICE constexpr Polynomial<Sum, Order> moved(const Polynomial<Sum, Order>& carry,
                                                       const Weight (&weights)[Order][Segments],
                                                       unsigned segment) {
  if constexpr (Order == 1) return carry;  // (1 - x)^m mod x is 1
  Polynomial<Sum, Order> result;
  for (unsigned j = 0; j < Order; ++j) {
    const Sum weight = weights[j][segment];
    for (unsigned k = j; k < Order; ++k) result.term[k] += weight * carry.term[k - j];
  }
  return result;
}

/// A source reads residuals, kPack rows at a time; a sink writes values row by row or in the same packs. This
/// sink writes nothing: it serves a pass that only reads.
struct Nowhere {
  static constexpr unsigned kPack = 1;
  template <class Pack>
  TDZ_HOST_DEVICE void write(std::uint32_t, const Pack&) const {}
};

/// Writes a source's pack in the smaller packs of the sink. A source's last pack may reach beyond the
/// segment.
template <unsigned Rows, class Sink, class Sum, unsigned Pack>
TDZ_HOST_DEVICE void put(const Sink& sink, std::uint32_t row, const Sum (&word)[Pack]) {
  static_assert(Pack % Sink::kPack == 0 && Rows % Sink::kPack == 0);
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
  for (unsigned i = 0; i < Pack; i += Sink::kPack) {
    if (row + i >= Rows) return;
    Sum part[Sink::kPack];
    for (unsigned j = 0; j < Sink::kPack; ++j) part[j] = word[i + j];
    sink.write(row + i, part);
  }
}

/// Pass one: the carry of a segment from a zero start. The residuals themselves go to `sink`, with their
/// layout undone.
template <class Sum, unsigned Order, unsigned Rows, class Source, class Sink>
TDZ_HOST_DEVICE Polynomial<Sum, Order> summarise(const Source& source, const Sink& sink) {
  Polynomial<Sum, Order> carry;
#ifdef __CUDA_ARCH__
#pragma unroll Source::kUnroll
#endif
  for (unsigned row = 0; row < Rows; row += Source::kPack) {
    Sum residual[Source::kPack];
    source.read(row, residual);
    for (unsigned i = 0; i < Source::kPack && row + i < Rows; ++i) integrate_step(carry, residual[i]);
    put<Rows>(sink, row, residual);
  }
  return carry;
}

/// The values of `Rows` rows from `row` on, in place of their residuals.
template <class Sum, unsigned Order, unsigned Rows, class View>
TDZ_HOST_DEVICE void integrate_rows(const View& segment, std::uint32_t row, Polynomial<Sum, Order>& carry) {
  constexpr unsigned kPacks = (Rows + View::kPack - 1) / View::kPack;
  Sum word[kPacks][View::kPack];
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
  for (unsigned i = 0; i < kPacks; ++i) segment.read(row + i * View::kPack, word[i]);
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
  for (unsigned i = 0; i < kPacks; ++i) {
    for (Sum& each : word[i]) each = integrate_step(carry, each);
    segment.write(row + i * View::kPack, word[i]);
  }
}

/// Pass two: the values of a segment in place of its residuals, from its start state; leaves the carry at its
/// end.
template <class Sum, unsigned Order, unsigned Rows, class View>
TDZ_HOST_DEVICE void integrate_segment(const View& segment, Polynomial<Sum, Order>& carry) {
  // A batch is read before any of it is written. Otherwise loads would wait for the stores before them,
  // because the compiler cannot know that they do not overlap.
  constexpr unsigned kBatch = sizeof(Sum) == 8 ? 4 : 8, kRest = Rows % kBatch;
#ifdef __CUDA_ARCH__
#pragma unroll View::kUnroll* View::kPack / kBatch
#endif
  for (unsigned row = 0; row < Rows - kRest; row += kBatch) {
    integrate_rows<Sum, Order, kBatch>(segment, row, carry);
  }
  if constexpr (kRest != 0) integrate_rows<Sum, Order, kRest>(segment, Rows - kRest, carry);
}

/// The state before a segment whose previous `Order` rows are at hand: differences of order k need k values.
/// Precondition: `Order` rows precede the view's first one.
template <class Sum, unsigned Order, class View>
TDZ_HOST_DEVICE Polynomial<Sum, Order> history_before(const View& before) {
  Polynomial<Sum, Order> history;
  for (unsigned row = 0; row < Order; ++row) {
    Sum word[1];
    before.read(row, word);
    difference_step(history, word[0]);
  }
  return history;
}

/// Takes `Count` rows from a source to a sink, each through `step`. All are read before any is written, for
/// the same reason as above.
template <class Sum, unsigned Count, class Source, class Sink, class Step>
TDZ_HOST_DEVICE void sweep_rows(const Source& source, const Sink& sink, std::uint32_t row, const Step& step) {
  static_assert(Count % Sink::kPack == 0);
  constexpr unsigned kPacks = (Count + Source::kPack - 1) / Source::kPack;
  Sum word[kPacks][Source::kPack];
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
  for (unsigned i = 0; i < kPacks; ++i) source.read(row + i * Source::kPack, word[i]);
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
  for (unsigned i = 0; i < Count; i += Sink::kPack) {
    Sum out[Sink::kPack];
    for (unsigned j = 0; j < Sink::kPack; ++j)
      out[j] = step(word[(i + j) / Source::kPack][(i + j) % Source::kPack]);
    sink.write(row + i, out);
  }
}
template <class Sum, unsigned Rows, class Source, class Sink, class Step>
TDZ_HOST_DEVICE void sweep(const Source& source, const Sink& sink, const Step& step) {
  constexpr unsigned kBatch = sizeof(Sum) == 8 ? 4 : 8, kRest = Rows % kBatch;
  [[maybe_unused]] constexpr unsigned kAtOnce = Source::kUnroll * Source::kPack / kBatch;
#ifdef __CUDA_ARCH__
#pragma unroll(kAtOnce > 1 ? kAtOnce : 1)
#endif
  for (unsigned row = 0; row < Rows - kRest; row += kBatch) {
    sweep_rows<Sum, kBatch>(source, sink, row, step);
  }
  if constexpr (kRest != 0) sweep_rows<Sum, kRest>(source, sink, Rows - kRest, step);
}

/// Pass two from a source that lies elsewhere.
template <class Sum, unsigned Order, unsigned Rows, class Source, class Sink>
TDZ_HOST_DEVICE void integrate_from(const Source& source, const Sink& sink, Polynomial<Sum, Order>& carry) {
  sweep<Sum, Rows>(source, sink, [&](Sum residual) { return integrate_step(carry, residual); });
}

/// The inverse of integrate_segment: values to residuals; leaves the history at the segment's end. The sink
/// may lie where the source does, row on row.
template <class Sum, unsigned Order, unsigned Rows, class Source, class Sink>
TDZ_HOST_DEVICE void difference_segment(const Source& source, const Sink& sink,
                                        Polynomial<Sum, Order>& history) {
  sweep<Sum, Rows>(source, sink, [&](Sum value) { return difference_step(history, value); });
}

}  // namespace tdz::cuda
