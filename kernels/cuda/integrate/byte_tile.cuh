// SPDX-License-Identifier: Apache-2.0
// The phases of integrating a tile of bytes by matrix products (byte_matrix.hpp says how). The same interface
// as TileIntegrator. From the scan to the store, a tile's sums lie in shared memory, in the pasts of the
// segments.
#pragma once

#include "kernels/cuda/integrate/byte_matrix.hpp"
#include "kernels/cuda/tile/tile_block.cuh"

namespace tdz::cuda {

template <unsigned Order>
__device__ constexpr SliceWeights<Order> kSliceWeights = make_slice_weights<Order>();
template <unsigned Order, unsigned Rows>
__device__ constexpr ByteMoves<Order> kByteMoves = make_byte_moves<Order>(Rows);

/// Precondition: a tuple of 2 to kMatrixTuple.
template <unsigned Order>
__device__ const ByteMoves<Order>& byte_moves(std::uint32_t tuple) {
  if (tuple == 2) return kByteMoves<Order, matrix_rows(2)>;
  if (tuple == 3) return kByteMoves<Order, matrix_rows(3)>;
  if (tuple == 4) return kByteMoves<Order, matrix_rows(4)>;
  if (tuple == 5) return kByteMoves<Order, matrix_rows(5)>;
  if (tuple == 6) return kByteMoves<Order, matrix_rows(6)>;
  if (tuple == 7) return kByteMoves<Order, matrix_rows(7)>;
  return kByteMoves<Order, matrix_rows(8)>;
}

/// sum += left * right: 16 bytes of each of 16 segments, times 16 x 8 constants.
__device__ inline void add_product(std::int32_t (&sum)[4], const Fragment& left, std::uint32_t right) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k16.row.col.s32.u8.u8.s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
      : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3])
      : "r"(left.word[0]), "r"(left.word[1]), "r"(right));
#else
  for (unsigned w = 0; w < 2; ++w) {
    asm("mma.sync.aligned.m8n8k16.row.col.s32.u8.u8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+r"(sum[2 * w]), "+r"(sum[2 * w + 1])
        : "r"(left.word[w]), "r"(right));
  }
#endif
}
/// Two such products at once.
__device__ inline void add_products(std::int32_t (&sum)[4], const Fragment& left, std::uint32_t right,
                                    const Fragment& left_too, std::uint32_t right_too) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3])
      : "r"(left.word[0]), "r"(left.word[1]), "r"(left_too.word[0]), "r"(left_too.word[1]), "r"(right),
        "r"(right_too));
#else
  add_product(sum, left, right);
  add_product(sum, left_too, right_too);
#endif
}

template <unsigned Order, unsigned Totals>
class ByteTiles : public TileBlock<std::uint8_t, Order, Totals> {
  using Base = TileBlock<std::uint8_t, Order, Totals>;
  using Base::loader_, Base::plan_, Base::tile, Base::total, Base::total_before;

 public:
  using typename Base::Carry, typename Base::Total;
  struct Held {};

  /// All threads of the block call. A barrier must follow before the first scan: it publishes the operands.
  __device__ ByteTiles(const TilePlan& plan, std::byte* shared)
      : Base(plan, shared),
        operands_(reinterpret_cast<std::uint32_t*>(shared + plan.matrix_at())),
        pasts_(reinterpret_cast<std::uint8_t*>(shared + plan.pasts_at())),
        befores_(reinterpret_cast<std::uint8_t*>(shared + plan.befores_at())) {
    for (unsigned i = threadIdx.x; i < kOperandBytes / 4; i += blockDim.x) {
      const unsigned before = i / kWarp / kColumnGroups, group = i / kWarp % kColumnGroups;
      operands_[i] = weight_word(kSliceWeights<Order>, plan.shape.tuple, before, group, i % kWarp);
    }
    if (threadIdx.x >= plan.shape.threads()) return;
    const ByteMoves<Order>& moves = byte_moves<Order>(plan.shape.tuple);
    back_ = moves.back[segment()];
    forward_ = moves.forward[segment()];
    to_next_tile_ = moves.forward[plan.shape.segments()];
  }

  __device__ void finish_load(unsigned iteration, const OpenChunk&, std::uint64_t) const {
    loader_.wait(iteration);
  }

  /// Scan. Leaves in each segment's past the sum of all segments before it in its warp, placed at the tile's
  /// first row; leaves the warps' totals in shared memory.
  __device__ Held scan(unsigned iteration, const OpenChunk&, std::uint64_t) const {
    with_past_slices([&]<unsigned Slices>() { put_past(iteration, sweep<Slices, false>(iteration, {})); });
    __syncwarp();  // publishes the pasts
    const unsigned rounded = (plan_.shape.tuple + 1) & ~1u;
    for (unsigned lane = thread() / kWarpSegments; lane < rounded; lane += 2) sum_lane(iteration, lane);
    return {};
  }

  /// Store. Call it after the barrier that publishes the totals.
  template <class Entering, class Leaving>
  __device__ void write_values(unsigned iteration, Held, const Entering& entering,
                               const Leaving& leaving) const {
    put_befores(iteration, entering);
    __syncwarp();  // publishes the sums before this warp
    for (unsigned lane = thread() / kWarpSegments; lane < plan_.shape.tuple; lane += 2)
      start_lane(iteration, lane, leaving);
    __syncwarp();  // publishes the pasts
    with_past_slices([&]<unsigned Slices>() { sweep<Slices, true>(iteration, get_past<Slices>(iteration)); });
    publish_to_copies();
  }

 private:
  /// The slices before the next slice, the nearest first.
  template <unsigned Slices>
  struct Past {
    Fragment slice[Slices];
  };
  template <unsigned Slices>
  struct Constants {
    std::uint32_t residual[kColumnGroups], past[Slices][kColumnGroups];
  };

  /// Run-time order * tuple to a compile-time number of slices: calls use.template operator()<Slices>().
  /// Orders 1 and 2 leave out the numbers that they never need, and gain 1 to 3 % (H200). From order 3 on all
  /// numbers stay, because order 4 in tuples of 8 loses 5 % without them.
  template <class Use>
  __device__ void with_past_slices(const Use& use) const {
    const unsigned slices = past_slices(Order, plan_.shape.tuple);
    constexpr unsigned kMost = Order <= 2 ? past_slices(Order, kMatrixTuple) : kPastSlices;
    if (slices == 1) use.template operator()<1>();
    if constexpr (kMost >= 2) {
      if (slices == 2) use.template operator()<2>();
    }
    if constexpr (kMost == kPastSlices) {
      if (slices == kPastSlices) use.template operator()<kPastSlices>();
    }
  }

  __device__ static unsigned thread() { return threadIdx.x % kWarp; }  ///< of the warp
  __device__ static unsigned warp() { return threadIdx.x / kWarp; }
  __device__ static unsigned first_segment() { return warp() * kWarpSegments; }
  /// This thread's segment, where each thread takes one lane of one segment.
  __device__ static unsigned segment() { return first_segment() + thread() % kWarpSegments; }
  __device__ unsigned segment_bytes() const { return plan_.shape.rows * plan_.shape.tuple; }
  __device__ std::uint8_t* past(unsigned iteration, unsigned segment) const {
    return pasts_ + (plan_.by_look_back ? iteration % 2 * plan_.pasts_bytes() : 0) + segment * kPastStride;
  }
  template <unsigned Slices>
  __device__ Constants<Slices> constants() const {
    Constants<Slices> all;
    for (unsigned g = 0; g < kColumnGroups; ++g) {
      all.residual[g] = operands_[g * kWarp + thread()];
      for (unsigned b = 0; b < Slices; ++b)
        all.past[b][g] = operands_[((b + 1) * kColumnGroups + g) * kWarp + thread()];
    }
    return all;
  }

  /// Integrates the warp's segments slice by slice, starting from their pasts; returns their last bytes.
  template <unsigned Slices, bool Write>
  __device__ Past<Slices> sweep(unsigned iteration, Past<Slices> past) const {
    const Constants<Slices> constant = constants<Slices>();
    const unsigned bytes = segment_bytes(), slices = bytes / kSliceBytes;
    const unsigned apart = kWarpSegments / 2 * bytes / 4, step = kSliceBytes / 4;
    auto* at = reinterpret_cast<std::uint32_t*>(tile(iteration) + (first_segment() + thread() / 4) * bytes) +
               thread() % 4;
    Fragment residual{{at[0], at[apart]}};
#pragma unroll 5
    for (unsigned slice = 0; slice < slices; ++slice, at += step) {
      const std::uint32_t* next = at + (slice + 1 < slices ? step : 0);  // loaded before it is needed
      const Fragment after{{next[0], next[apart]}};
      const Fragment values = integrate(constant, residual, past);
      if (Write) {
        at[0] = values.word[0];
        at[apart] = values.word[1];
      }
      for (unsigned b = Slices - 1; b > 0; --b) past.slice[b] = past.slice[b - 1];
      past.slice[0] = values;
      residual = after;
    }
    return past;
  }
  /// The product with the nearest slice comes last, because only it waits for the step before.
  template <unsigned Slices>
  __device__ static Fragment integrate(const Constants<Slices>& constant, const Fragment& residual,
                                       const Past<Slices>& past) {
    std::int32_t sum[kColumnGroups][4] = {};
    for (unsigned g = 0; g < kColumnGroups; ++g) {
      if constexpr (Slices == 1) {
        add_products(sum[g], residual, constant.residual[g], past.slice[0], constant.past[0][g]);
      } else {
        add_products(sum[g], residual, constant.residual[g], past.slice[1], constant.past[1][g]);
        if constexpr (Slices == 4)
          add_products(sum[g], past.slice[2], constant.past[2][g], past.slice[3], constant.past[3][g]);
      }
    }
    for (unsigned g = 0; Slices > 1 && g < kColumnGroups; ++g)
      add_product(sum[g], past.slice[0], constant.past[0][g]);
    return packed(sum);
  }

  /// This thread's share of the slice that lies `before` slices before the next one. `second` chooses the
  /// second of its two segments, 8 segments further on.
  __device__ std::uint32_t* share(unsigned iteration, unsigned before, unsigned second) const {
    std::uint8_t* own = past(iteration, first_segment() + thread() / 4 + second * kWarpSegments / 2);
    return reinterpret_cast<std::uint32_t*>(own + kPastBytes - before * kSliceBytes) + thread() % 4;
  }
  template <unsigned Slices>
  __device__ void put_past(unsigned iteration, const Past<Slices>& past) const {
    for (unsigned b = 0; b < Slices; ++b) {
      for (unsigned i = 0; i < 2; ++i) *share(iteration, b + 1, i) = past.slice[b].word[i];
    }
  }
  template <unsigned Slices>
  __device__ Past<Slices> get_past(unsigned iteration) const {
    Past<Slices> past;
    for (unsigned b = 0; b < Slices; ++b) {
      for (unsigned i = 0; i < 2; ++i) past.slice[b].word[i] = *share(iteration, b + 1, i);
    }
    return past;
  }

  /// One lane of the warp's segments, a thread for each segment. Whole warps call, also for a lane that does
  /// not exist.
  __device__ void sum_lane(unsigned iteration, unsigned lane) const {
    const bool exists = lane < plan_.shape.tuple;
    const LanePast own(past(iteration, segment()), plan_.shape.tuple, exists ? lane : 0);
    Carry placed;
    if (exists) placed = moved(own.template carry_of_bytes<Order>(), back_);
    Carry upto = placed;
    for (unsigned distance = 1; distance < kWarpSegments; distance *= 2) {
      for (unsigned k = 0; k < Order; ++k) {
        const Total other = __shfl_up_sync(~0u, upto.term[k], distance, kWarpSegments);
        upto.term[k] += thread() % kWarpSegments >= distance ? other : 0;
      }
    }
    if (!exists) return;
    for (unsigned k = 0; k < Order; ++k) {
      if (thread() % kWarpSegments == kWarpSegments - 1) total(iteration, k, warp(), lane) = upto.term[k];
      upto.term[k] -= placed.term[k];
    }
    own.put_sums(upto);
  }

  /// The sums of everything in the chunk before this warp.
  template <class Entering>
  __device__ void put_befores(unsigned iteration, const Entering& entering) const {
    const unsigned tuple = plan_.shape.tuple;
    for (unsigned i = thread(); i < Order * tuple; i += kWarp) {
      const unsigned k = i / tuple, lane = i % tuple;
      befores_[warp() * kPastBytes + i] =
          static_cast<std::uint8_t>(total_before(iteration, k, warp(), lane) + entering(k, lane));
    }
  }
  /// Turns the sums before a segment into the past that they stand for.
  template <class Leaving>
  __device__ void start_lane(unsigned iteration, unsigned lane, const Leaving& leaving) const {
    const LanePast own(past(iteration, segment()), plan_.shape.tuple, lane);
    Carry sum = own.template sums<Order>(), upto;
    for (unsigned k = 0; k < Order; ++k) {
      const Total before = befores_[warp() * kPastBytes + k * plan_.shape.tuple + lane];
      sum.term[k] += before;
      upto.term[k] = before + total(iteration, k, warp(), lane);
    }
    if (segment() == plan_.shape.segments() - 1) leaving(lane, moved(upto, to_next_tile_));
    own.put_bytes_of(moved(sum, forward_));
  }

  std::uint32_t* operands_;
  std::uint8_t* pasts_;
  std::uint8_t* befores_;
  ByteWeights<Order> back_, forward_, to_next_tile_;
};

}  // namespace tdz::cuda
