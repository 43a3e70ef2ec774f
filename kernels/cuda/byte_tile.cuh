// SPDX-License-Identifier: Apache-2.0
// The phases of integrating a tile of bytes by matrix products (byte_matrix.hpp says how). The same face as
// TileIntegrator; what a thread keeps of a tile lies in shared memory, in the past of its warp's segments.
#pragma once

#include "kernels/cuda/byte_matrix.hpp"
#include "kernels/cuda/tile_block.cuh"

namespace tdz::cuda {

template <unsigned Order>
__device__ constexpr BlockWeights<Order> kBlockWeights = make_block_weights<Order>();
template <unsigned Order, unsigned Rows>
__device__ constexpr ByteMoves<Order> kByteMoves = make_byte_moves<Order>(Rows);

template <unsigned Order>
__device__ const ByteMoves<Order>& byte_moves(std::uint32_t tuple) {
  if (tuple == 2) return kByteMoves<Order, matrix_rows(2)>;
  if (tuple == 3) return kByteMoves<Order, matrix_rows(3)>;
  if (tuple == 4) return kByteMoves<Order, matrix_rows(4)>;
  if (tuple == 6) return kByteMoves<Order, matrix_rows(6)>;
  if (tuple == 8) return kByteMoves<Order, matrix_rows(8)>;
  static_assert(matrix_rows(5) == matrix_rows(7));
  return kByteMoves<Order, matrix_rows(5)>;
}

/// sum += left times right: 16 x 32 bytes of segments, 32 x 8 constant ones.
__device__ inline void add_product(std::int32_t (&sum)[4], const Fragment& left, const uint2& right) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3])
      : "r"(left.word[0]), "r"(left.word[1]), "r"(left.word[2]), "r"(left.word[3]), "r"(right.x),
        "r"(right.y));
#else
  const auto add_quarter = [](std::int32_t& a, std::int32_t& b, std::uint32_t l, std::uint32_t r) {
    asm("mma.sync.aligned.m8n8k16.row.col.s32.u8.u8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+r"(a), "+r"(b)
        : "r"(l), "r"(r));
  };
  add_quarter(sum[0], sum[1], left.word[0], right.x);
  add_quarter(sum[0], sum[1], left.word[2], right.y);
  add_quarter(sum[2], sum[3], left.word[1], right.x);
  add_quarter(sum[2], sum[3], left.word[3], right.y);
#endif
}

template <unsigned Order, unsigned Totals>
class ByteTiles : public TileBlock<std::uint8_t, Order, Totals> {
  using Base = TileBlock<std::uint8_t, Order, Totals>;
  using Base::loader_, Base::plan_, Base::tile, Base::total, Base::total_before;

 public:
  using typename Base::Carry, typename Base::Total;
  struct Held {};

  /// All threads of the block; they must meet at a barrier before the first scan.
  __device__ ByteTiles(const TilePlan& plan, std::byte* shared)
      : Base(plan, shared),
        operands_(reinterpret_cast<uint2*>(shared + plan.matrix_at())),
        pasts_(reinterpret_cast<std::uint8_t*>(shared + plan.pasts_at())),
        befores_(reinterpret_cast<std::uint8_t*>(shared + plan.befores_at())),
        moves_(byte_moves<Order>(plan.shape.tuple)) {
    for (unsigned i = threadIdx.x; i < kOperands * kColumnGroups * kWarp; i += blockDim.x) {
      const auto operand = static_cast<Operand>(i / kWarp / kColumnGroups);
      const unsigned group = i / kWarp % kColumnGroups;
      operands_[i] = {constant_word(operand, group, 0, i % kWarp),
                      constant_word(operand, group, 1, i % kWarp)};
    }
  }

  __device__ void finish_load(unsigned turn, const OpenChunk&, std::uint64_t) const { loader_.wait(turn); }

  /// Leaves in each segment's past what lies before it in its warp, placed at the tile's first row.
  __device__ Held scan(unsigned turn, const OpenChunk&, std::uint64_t) const {
    if (far()) {
      put_past(turn, sweep<true, false>(turn, {}));
    } else {
      put_past(turn, sweep<false, false>(turn, {}));
    }
    __syncwarp();  // publishes the pasts
    const unsigned segment = first_segment() + lane() % kWarpSegments;
    for (unsigned l = lane() / kWarpSegments; l < rounded_tuple(); l += 2) sum_lane(turn, segment, l);
    return {};
  }

  template <class Entering, class Leaving>
  __device__ void write_values(unsigned turn, Held, const Entering& entering, const Leaving& leaving) const {
    put_befores(turn, entering);
    __syncwarp();  // publishes the sums before this warp
    const unsigned segment = first_segment() + lane() % kWarpSegments;
    for (unsigned l = lane() / kWarpSegments; l < plan_.shape.tuple; l += 2)
      start_lane(turn, segment, l, leaving);
    __syncwarp();  // publishes the pasts
    if (far()) {
      sweep<true, true>(turn, get_past(turn));
    } else {
      sweep<false, true>(turn, get_past(turn));
    }
    publish_to_copies();
  }

 private:
  static constexpr unsigned kOperands = 3;
  /// The bytes before the next block, as operands.
  struct Past {
    Fragment near, far;
  };
  struct Constants {
    uint2 residual[kColumnGroups], near[kColumnGroups], far[kColumnGroups];
  };

  __device__ static unsigned lane() { return threadIdx.x % kWarp; }
  __device__ static unsigned warp() { return threadIdx.x / kWarp; }
  __device__ static unsigned first_segment() { return warp() * kWarpSegments; }
  __device__ unsigned rounded_tuple() const { return (plan_.shape.tuple + 1) & ~1u; }
  /// Whether values depend on more than the last 32 bytes.
  __device__ bool far() const { return Order * plan_.shape.tuple > kBlockBytes; }
  __device__ unsigned segment_bytes() const { return plan_.shape.rows * plan_.shape.tuple; }
  __device__ std::uint8_t* past(unsigned turn, unsigned segment) const {
    return pasts_ + (plan_.chain ? turn % 2 * plan_.pasts_bytes() : 0) + segment * kPastStride;
  }
  __device__ std::uint32_t constant_word(Operand operand, unsigned group, unsigned half,
                                         unsigned thread) const {
    return weight_word(kBlockWeights<Order>, operand, plan_.shape.tuple, group, half, thread);
  }
  template <bool Far>
  __device__ Constants constants() const {
    Constants all;
    for (unsigned g = 0; g < kColumnGroups; ++g) {
      all.residual[g] = operands_[g * kWarp + lane()];
      all.near[g] = operands_[(kColumnGroups + g) * kWarp + lane()];
      if (Far) all.far[g] = operands_[(2 * kColumnGroups + g) * kWarp + lane()];
    }
    return all;
  }

  /// Integrates the warp's segments block by block, from their pasts; returns their last bytes.
  template <bool Far, bool Write>
  __device__ Past sweep(unsigned turn, Past past) const {
    const Constants constant = constants<Far>();
    const unsigned bytes = segment_bytes(), apart = kWarpSegments / 2 * bytes / sizeof(uint2);
    auto* at = reinterpret_cast<uint2*>(tile(turn) + (first_segment() + lane() / 4) * bytes) + lane() % 4;
    const auto* end = at + bytes / sizeof(uint2);
    Fragment residual = read(at, apart);
#pragma unroll 3
    while (at != end) {
      uint2* const next = at + kBlockBytes / sizeof(uint2);
      const Fragment after = next != end ? read(next, apart) : Fragment{};
      const Fragment values = integrate<Far>(constant, residual, past);
      if (Write) {
        at[0] = {values.word[0], values.word[2]};
        at[apart] = {values.word[1], values.word[3]};
      }
      past = {values, past.near};
      residual = after;
      at = next;
    }
    return past;
  }
  __device__ static Fragment read(const uint2* at, unsigned apart) {
    const uint2 low = at[0], high = at[apart];
    return {{low.x, high.x, low.y, high.y}};
  }
  template <bool Far>
  __device__ static Fragment integrate(const Constants& constant, const Fragment& residual,
                                       const Past& past) {
    std::int32_t sum[kColumnGroups][4] = {};
    for (unsigned g = 0; g < kColumnGroups; ++g) add_product(sum[g], residual, constant.residual[g]);
    for (unsigned g = 0; Far && g < kColumnGroups; ++g) add_product(sum[g], past.far, constant.far[g]);
    for (unsigned g = 0; g < kColumnGroups; ++g) add_product(sum[g], past.near, constant.near[g]);
    return packed(sum);
  }

  /// Where this thread's share of a past lies: its near bytes, of segments 8 apart.
  __device__ uint2* share(unsigned turn, unsigned above) const {
    std::uint8_t* near = past(turn, first_segment() + lane() / 4 + above) + kPastBytes - kBlockBytes;
    return reinterpret_cast<uint2*>(near) + lane() % 4;
  }
  __device__ void put_past(unsigned turn, const Past& past) const {
    for (unsigned i = 0; i < 2; ++i) {
      uint2* near = share(turn, i * kWarpSegments / 2);
      near[0] = {past.near.word[i], past.near.word[i + 2]};
      if (far()) near[-4] = {past.far.word[i], past.far.word[i + 2]};
    }
  }
  __device__ Past get_past(unsigned turn) const {
    Past past;
    for (unsigned i = 0; i < 2; ++i) {
      const uint2* near = share(turn, i * kWarpSegments / 2);
      past.near.word[i] = near[0].x;
      past.near.word[i + 2] = near[0].y;
      if (!far()) continue;
      past.far.word[i] = near[-4].x;
      past.far.word[i + 2] = near[-4].y;
    }
    return past;
  }

  /// One lane of the warp's segments, a thread each. Whole warps call, also for a lane that there is not.
  __device__ void sum_lane(unsigned turn, unsigned segment, unsigned l) const {
    const bool exists = l < plan_.shape.tuple;
    const LanePast own(past(turn, segment), plan_.shape.tuple, exists ? l : 0);
    Carry placed;
    if (exists) placed = moved(own.template carry_of_bytes<Order>(), moves_.back, segment);
    Carry upto = placed;
    for (unsigned distance = 1; distance < kWarpSegments; distance *= 2) {
      for (unsigned k = 0; k < Order; ++k) {
        const Total other = __shfl_up_sync(~0u, upto.term[k], distance, kWarpSegments);
        upto.term[k] += lane() % kWarpSegments >= distance ? other : 0;
      }
    }
    if (!exists) return;
    for (unsigned k = 0; k < Order; ++k) {
      if (lane() % kWarpSegments == kWarpSegments - 1) total(turn, k, warp(), l) = upto.term[k];
      upto.term[k] -= placed.term[k];
    }
    own.put_sums(upto);
  }

  /// Everything of the chunk before this warp.
  template <class Entering>
  __device__ void put_befores(unsigned turn, const Entering& entering) const {
    const unsigned tuple = plan_.shape.tuple;
    for (unsigned i = lane(); i < Order * tuple; i += kWarp) {
      const unsigned k = i / tuple, l = i % tuple;
      befores_[warp() * kPastBytes + i] =
          static_cast<std::uint8_t>(total_before(turn, k, warp(), l) + entering(k, l));
    }
  }
  /// From the sums before a segment to the past that they stand for.
  template <class Leaving>
  __device__ void start_lane(unsigned turn, unsigned segment, unsigned l, const Leaving& leaving) const {
    const LanePast own(past(turn, segment), plan_.shape.tuple, l);
    Carry sum = own.template sums<Order>(), upto;
    for (unsigned k = 0; k < Order; ++k) {
      const Total before = befores_[warp() * kPastBytes + k * plan_.shape.tuple + l];
      sum.term[k] += before;
      upto.term[k] = before + total(turn, k, warp(), l);
    }
    const unsigned segments = plan_.shape.segments();
    if (segment == segments - 1) leaving(l, moved(upto, moves_.forward, segments));
    own.put_bytes_of(moved(sum, moves_.forward, segment));
  }

  uint2* operands_;
  std::uint8_t* pasts_;
  std::uint8_t* befores_;
  const ByteMoves<Order>& moves_;
};

}  // namespace tdz::cuda
