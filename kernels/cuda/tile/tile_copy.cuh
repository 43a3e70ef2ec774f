// SPDX-License-Identifier: Apache-2.0
// Copies of tiles between device memory and shared memory: bulk copies from compute capability 9.0 on (PTX
// ISA, "cp.async.bulk"), 16-byte cp.async on 8.x, plain loads and stores before.
#pragma once

#include <cuda_runtime.h>

#include "kernels/cuda/tile/async_copy.cuh"
#include "kernels/cuda/tile/tile_plan.hpp"

namespace tdz::cuda {

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define TDZ_BULK_COPY 1
#else
#define TDZ_BULK_COPY 0
#endif

__device__ inline std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

#if TDZ_BULK_COPY
/// A barrier in shared memory. Its phase completes when all arrivals and all expected bytes have come.
__device__ inline void arrival_init(std::uint64_t* arrival, unsigned arrivals) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(arrival)), "r"(arrivals) : "memory");
}
__device__ inline void arrive_with(std::uint64_t* arrival, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_address(arrival)), "r"(bytes)
               : "memory");
}
__device__ inline void arrive(std::uint64_t* arrival) {
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(shared_address(arrival)) : "memory");
}
/// Ends: its bytes are under way, or its arrivals come from warps that wait only for earlier iterations.
__device__ inline void arrival_wait(std::uint64_t* arrival, unsigned parity) {
  asm volatile(
      "{\n .reg .pred done;\n"
      "again: mbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n"
      "@!done bra again;\n}" ::"r"(shared_address(arrival)),
      "r"(parity)
      : "memory");
}
__device__ inline void bulk_load(void* shared, const std::byte* global, unsigned bytes,
                                 std::uint64_t* arrival) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
          shared_address(shared)),
      "l"(global), "r"(bytes), "r"(shared_address(arrival))
      : "memory");
}
__device__ inline void bulk_store(std::byte* global, const void* shared, unsigned bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(global),
               "r"(shared_address(shared)), "r"(bytes)
               : "memory");
}
#endif

/// A barrier of the compute warps, which are the block's first `threads` threads.
__device__ inline void sync_compute_warps(unsigned threads) {
  asm volatile("barrier.sync 1, %0;" ::"r"(threads) : "memory");
}

/// Makes this thread's writes to shared memory visible to bulk copies that start after the next barrier.
__device__ inline void publish_to_copies() {
#if TDZ_BULK_COPY
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
}

/// A tile's pieces on one side of a kernel: as it reads them, or as it writes them.
struct TilePieces {
  PieceMap map;
  std::uint64_t bytes = 0;  ///< of the chunk, its trailing part of a word included
  std::uint32_t count = 0, stride = 0, tile_rows = 0;
  std::uint32_t threads = 0;  ///< that copy them
  std::uint32_t thread = 0;   ///< this one among them
};

__device__ inline void copy_bytes(std::byte* to, const std::byte* from, std::uint64_t bytes) {
  for (std::uint64_t i = 0; i < bytes; ++i) to[i] = from[i];
}

#if TDZ_BULK_COPY
/// This thread's share of a tile's pieces, among the threads of one warp; returns the bytes that will arrive.
__device__ inline unsigned load_share(const TilePieces& pieces, const std::byte* in, std::uint64_t row,
                                      std::byte* stage, std::uint64_t* arrival) {
  unsigned expected = 0;
  for (unsigned p = pieces.thread; p < pieces.count; p += kWarp) {
    const Piece piece = pieces.map.piece(p, row, pieces.tile_rows);
    const Granules whole = granules_around(piece, pieces.bytes);
    std::byte* to = stage + p * pieces.stride;
    if (whole.bytes != 0) bulk_load(to, in + whole.begin, whole.bytes, arrival);
    std::byte* tail = to + (whole.tail - (piece.begin & ~std::uint64_t{kGranule - 1}));
    copy_bytes(tail, in + whole.tail, piece.begin + piece.bytes - whole.tail);
    expected += whole.bytes;
  }
  return expected;
}
#else
/// This warp's share of a tile's pieces. All warps share a single piece.
__device__ inline void load_pieces(const TilePieces& pieces, const std::byte* in, std::uint64_t row,
                                   std::byte* stage) {
  const unsigned warps = pieces.threads / kWarp, warp = pieces.thread / kWarp,
                 in_warp = pieces.thread % kWarp;
  const bool single = pieces.count == 1;
  const unsigned first = single ? pieces.thread : in_warp, step = single ? pieces.threads : kWarp;
  for (unsigned p = single ? 0 : warp; p < pieces.count; p += single ? 1 : warps) {
    const Piece piece = pieces.map.piece(p, row, pieces.tile_rows);
    const Granules whole = granules_around(piece, pieces.bytes);
    std::byte* to = stage + p * pieces.stride;
    for (unsigned g = first * kGranule; g < whole.bytes; g += step * kGranule) {
      start_copy<kGranule>(to + g, in + whole.begin + g);
    }
    const std::uint64_t tail = whole.tail + first, end = piece.begin + piece.bytes;
    if (tail < end) to[tail - (piece.begin & ~std::uint64_t{kGranule - 1})] = in[tail];
  }
}
#endif

#if TDZ_BULK_COPY
/// A tile is stored in so many parts: a part's room can take the next tile's part before the whole tile has
/// left.
inline constexpr unsigned kParts = 4;
__device__ constexpr unsigned part_bytes(unsigned tile_bytes) {
  return (tile_bytes / kParts + kGranule - 1) / kGranule * kGranule;
}
/// Waits until the first `part + 1` of the last kParts groups of this thread have left shared memory. Groups
/// end in order. If an iteration had no tile to store, the last groups are those of an earlier tile: then it
/// waits longer than needed, never too short.
__device__ inline void wait_for_part(unsigned part) {
  static_assert(kParts == 4);
  if (part == 0) asm volatile("cp.async.bulk.wait_group.read 3;" ::: "memory");
  if (part == 1) asm volatile("cp.async.bulk.wait_group.read 2;" ::: "memory");
  if (part == 2) asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
  if (part == 3) asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}
#endif

/// The ring of stages. `iteration` counts the tiles of this block; it decides the stage and the phase.
class TileLoader {
 public:
  __device__ TileLoader(std::byte* shared, const TilePlan& plan)
      : arrivals_(reinterpret_cast<std::uint64_t*>(shared)),
        stages_(shared + plan.stages_at()),
        stage_bytes_(plan.stage_bytes),
        count_(plan.stages),
        ahead_(plan.ahead()),
        compute_threads_(plan.shape.threads()) {
#if TDZ_BULK_COPY
    if (threadIdx.x == 0) {
      for (unsigned s = 0; s < count_; ++s) arrival_init(arrivals_ + s, kWarp);
      asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();  // publishes the arrival barriers
#endif
  }

  __device__ std::byte* stage(unsigned iteration) const {
    return stages_ + (iteration % count_) * stage_bytes_;
  }

  /// Starts the copy of the tile at `row`. All threads call; the stage must be free.
  __device__ void start(unsigned iteration, const TilePieces& pieces, const std::byte* in,
                        std::uint64_t row) const {
#if TDZ_BULK_COPY
    if (pieces.thread >= kWarp) return;
    std::uint64_t* arrival = arrivals_ + iteration % count_;
    arrive_with(arrival, load_share(pieces, in, row, stage(iteration), arrival));
#else
    load_pieces(pieces, in, row, stage(iteration));
#endif
  }

  /// For an iteration without a tile: keeps the phases in step. The threads that copy tiles call.
  __device__ void skip(unsigned iteration, unsigned thread) const {
#if TDZ_BULK_COPY
    if (thread < kWarp) arrive_with(arrivals_ + iteration % count_, 0);
#endif
  }

#if TDZ_BULK_COPY
  /// Starts the copy of a tile of one piece into the stage that store_in_parts() is emptying: part by part,
  /// each as soon as its room is free. One warp calls.
  __device__ void start_behind(unsigned iteration, const TilePieces& pieces, const std::byte* in,
                               std::uint64_t row) const {
    std::uint64_t* arrival = arrivals_ + iteration % count_;
    const Piece piece = pieces.map.piece(0, row, pieces.tile_rows);
    const Granules whole = granules_around(piece, pieces.bytes);
    if (pieces.thread == 0) {
      const unsigned length = part_bytes(pieces.stride);
#pragma unroll
      for (unsigned part = 0; part < kParts; ++part) {
        wait_for_part(part);
        const unsigned from = smaller(part * length, whole.bytes), to = smaller(from + length, whole.bytes);
        if (from < to) bulk_load(stage(iteration) + from, in + whole.begin + from, to - from, arrival);
      }
      copy_bytes(stage(iteration) + (whole.tail - whole.begin), in + whole.tail,
                 piece.begin + piece.bytes - whole.tail);
    }
    arrive_with(arrival, pieces.thread == 0 ? whole.bytes : 0);
  }
#endif

  /// Ends what start() began, or an iteration without a tile: before 9.0, wait() counts iterations by groups.
  __device__ void close() const {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800 && !TDZ_BULK_COPY
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
  }

  /// Waits for a tile's load; then all calling threads may read its stage.
  __device__ void wait(unsigned iteration) const {
#if TDZ_BULK_COPY
    arrival_wait(arrivals_ + iteration % count_, iteration / count_ % 2);
#else
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    if (ahead_ == 1) {
      asm volatile("cp.async.wait_group 0;" ::: "memory");
    } else {
      asm volatile("cp.async.wait_group 1;" ::: "memory");
    }
#endif
    sync_compute_warps(compute_threads_);  // publishes the tile
#endif
  }

 private:
  std::uint64_t* arrivals_;
  std::byte* stages_;
  std::uint32_t stage_bytes_, count_, ahead_, compute_threads_;
};

/// Waits until all stores that this thread started have left shared memory. Only one warp starts stores; a
/// barrier must tell the other warps.
__device__ inline void wait_for_stores() {
#if TDZ_BULK_COPY
  asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
#endif
}
/// Waits until all of them are complete: shared memory must not end before them.
__device__ inline void finish_stores() {
#if TDZ_BULK_COPY
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
#endif
}

/// Stores tiles in device memory.
struct TileStorer {
  /// All threads call, after a barrier.
  __device__ static void start(const std::byte* from, const TilePieces& pieces, std::byte* out,
                               std::uint64_t row) {
    const unsigned warps = pieces.threads / kWarp, warp = pieces.thread / kWarp,
                   in_warp = pieces.thread % kWarp;
#if TDZ_BULK_COPY
    if (warp == 0) {
      for (unsigned p = in_warp; p < pieces.count; p += kWarp) {
        const Piece piece = pieces.map.piece(p, row, pieces.tile_rows);
        const Granules whole = granules_within(piece);
        if (whole.bytes != 0)
          bulk_store(out + whole.begin, place_of(from, pieces, p, piece, whole.begin), whole.bytes);
      }
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    }
#endif
    const bool single = pieces.count == 1;
    for (unsigned p = single ? 0 : warp; p < pieces.count; p += single ? 1 : warps) {
      const Piece piece = pieces.map.piece(p, row, pieces.tile_rows);
      store_rest(piece, place_of(from, pieces, p, piece, piece.begin), out + piece.begin,
                 single ? pieces.thread : in_warp, single ? pieces.threads : kWarp);
    }
  }

#if TDZ_BULK_COPY
  /// Starts the store of a tile of one piece, in parts that wait_for_part() can tell apart. One warp calls.
  __device__ static void store_in_parts(const std::byte* from, const TilePieces& pieces, std::byte* out,
                                        std::uint64_t row) {
    const Piece piece = pieces.map.piece(0, row, pieces.tile_rows);
    const Granules whole = granules_within(piece);
    if (pieces.thread == 0) {
      const unsigned length = part_bytes(pieces.stride);
      for (unsigned part = 0; part < kParts; ++part) {
        const unsigned begin = smaller(part * length, whole.bytes),
                       end = smaller(begin + length, whole.bytes);
        if (begin < end) bulk_store(out + whole.begin + begin, from + begin, end - begin);
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
      }
    }
    store_rest(piece, from, out + piece.begin, pieces.thread, kWarp);
    __syncwarp();  // frees the last bytes
  }
#endif

 private:
  /// Where byte `at` of the chunk lies in the buffer. It belongs to piece `p`.
  __device__ static const std::byte* place_of(const std::byte* from, const TilePieces& pieces, unsigned p,
                                              const Piece& piece, std::uint64_t at) {
    return from + p * pieces.stride + piece.begin % kGranule + (at - piece.begin);
  }

  /// Stores what bulk copies cannot: the ends that fill no granule. Before 9.0 it stores everything.
  __device__ static void store_rest(const Piece& piece, const std::byte* from, std::byte* to, unsigned first,
                                    unsigned step) {
    const Granules whole = granules_within(piece);
    const std::uint64_t head = whole.begin - piece.begin, tail = whole.tail - piece.begin;
#if !TDZ_BULK_COPY
    for (unsigned g = first * kGranule; g < whole.bytes; g += step * kGranule) {
      *reinterpret_cast<uint4*>(to + head + g) = *reinterpret_cast<const uint4*>(from + head + g);
    }
#endif
    for (std::uint64_t i = first; i < head; i += step) to[i] = from[i];
    for (std::uint64_t i = tail + first; i < piece.bytes; i += step) to[i] = from[i];
  }
};

}  // namespace tdz::cuda
