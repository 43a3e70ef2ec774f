// SPDX-License-Identifier: Apache-2.0
// Bit streams of a warp, read from their ends to their begins. Every thread has two streams: codes and raw
// bits. The next 64 to 128 bytes of each lie in a ring of two lines in shared memory; two more words lie in
// registers. The warp fetches lines for its threads: four threads copy the 64 bytes of a line, so that no
// part of a sector is read in vain.
//
// A stream is read in batches of at most 8 words of 4 bytes. A line that is asked for behind a batch arrives
// before the next but one: when a thread enters a line, at most 7 words of it are gone in that batch, so 9
// are left for the next one.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace tdz::cuda {

inline constexpr unsigned kLanes = 32;  ///< threads of a warp
inline constexpr unsigned kLine = 64;
inline constexpr unsigned kRing = 2 * kLine;
inline constexpr unsigned kRings = kLanes * kRing;  ///< bytes of one ring for each thread
inline constexpr unsigned kBatchWords = 8;          ///< of 4 bytes that a thread may take between two fetches

extern __shared__ __align__(128) unsigned char frames_shared[];

/// As instructions name it; a multiple of 128 where `at` is one.
__device__ inline std::uint32_t shared_address(std::uint32_t at) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(frames_shared + at));
}

/// 16 bytes to an address of shared memory. Others of the warp may read them after wait_for_fetches() and
/// __syncwarp().
__device__ inline void fetch_granule(std::uint32_t shared, const std::uint8_t* global) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared), "l"(global) : "memory");
#else
  const uint4 bytes = *reinterpret_cast<const uint4*>(global);
  asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(shared), "r"(bytes.x), "r"(bytes.y),
               "r"(bytes.z), "r"(bytes.w)
               : "memory");
#endif
}
/// Ends a group of fetches.
__device__ inline void end_fetches() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
/// Waits until no more than `Most` groups of this thread are under way.
template <unsigned Most>
__device__ inline void wait_for_fetches() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(Most) : "memory");
#endif
}

/// One stream of one thread. Words are those of memory, at addresses that are multiples of 4.
struct BitSource {
  std::uint32_t high = 0, low = 0;  ///< the word that is read, and the one before it in memory
  std::uint32_t position = 0;       ///< in its lowest 5 bits: bits of `high` that were taken
  std::uint32_t next = 0;           ///< low bits of the address of the next word to load
  std::uint32_t third = 0;          ///< the same of the third word; the first two are there from the begin
  std::uint32_t ring = 0;           ///< where the ring begins, with the bits that spread the banks
  std::uint32_t lines = 0;          ///< that were not asked for
  std::uint32_t asked = 1;          ///< low bits of the address of the last one that was; 1: no more follow
  std::uint64_t line = 0;           ///< address of the next one to ask for

  /// The stream of these bytes, at least one. `rings`: where the rings of all threads begin.
  __device__ void open(const std::uint8_t* bytes, std::uint32_t count, std::uint32_t rings, unsigned lane) {
    const auto begin = reinterpret_cast<std::uint64_t>(bytes);
    const std::uint64_t last = begin + count - 1;
    ring = (shared_address(rings) + lane * kRing) ^ ((lane & 7) << 4);
    next = static_cast<std::uint32_t>(last) & ~3u;
    position = (3 - (static_cast<std::uint32_t>(last) & 3)) * 8;
    line = last & ~std::uint64_t{kLine - 1};
    lines = static_cast<std::uint32_t>((line - (begin & ~std::uint64_t{kLine - 1})) / kLine) + 1;
  }

  /// Whether the next word lies in the last line that was asked for, and more lines follow.
  __device__ __forceinline__ bool wants() const { return (next & ~(kLine - 1)) == asked; }
  __device__ __forceinline__ void ask() {
    asked = --lines == 0 ? 1 : static_cast<std::uint32_t>(line);
    line -= kLine;
  }

  /// Once the first line has arrived.
  __device__ __forceinline__ void start() {
    next_word_if(1);
    next_word_if(1);
    third = next;
  }
  /// The next 32 bits, the first one on top.
  __device__ __forceinline__ std::uint32_t peek() const { return __funnelshift_l(low, high, position); }
  /// At most 32 bits. They stand in the lowest 6 bits of a number, and anything stands above them.
  __device__ __forceinline__ void skip(std::uint32_t bits) {
    const std::uint32_t after = position + bits;
    next_word_if((after ^ position) & 32);
    position = after;
  }
  /// Bits taken, counted from the top of the first word.
  __device__ std::uint32_t taken() const { return (third - next) * 8 + position % 32; }

 private:
  /// In predicated instructions: a branch would cost more, and a load into `low` itself saves a move.
  __device__ __forceinline__ void next_word_if(std::uint32_t is) {
    const std::uint32_t at = (next & (kRing - 4)) ^ ring;
    asm volatile(
        "{\n .reg .pred is;\n"
        " setp.ne.u32 is, %4, 0;\n"
        "@is mov.u32 %0, %1;\n"
        "@is ld.shared.u32 %1, [%3];\n"
        "@is sub.u32 %2, %2, 4;\n}"
        : "+r"(high), "+r"(low), "+r"(next)
        : "r"(at), "r"(is));
  }
};

/// The list of lines that a warp fetches now, in shared memory: the address of each, and where it goes.
class FetchList {
 public:
  static constexpr unsigned kEntry = 16;
  static constexpr unsigned kBytes = 2 * kLanes * kEntry;

  __device__ FetchList(std::uint32_t list, unsigned lane) : list_(list), lane_(lane) {}

  /// Asks for a line of each stream that wants one. All threads of the warp call.
  __device__ __forceinline__ void fetch(BitSource& codes, BitSource& raw) const {
    fetch(codes, codes.wants(), raw, raw.wants());
  }
  /// The first two lines.
  __device__ __forceinline__ void fetch_first(BitSource& codes, BitSource& raw) const {
#pragma unroll 1
    for (int i = 0; i < 2; ++i) {
      fetch(codes, codes.lines != 0, raw, raw.lines != 0);
      __syncwarp();  // the list is free
    }
  }

 private:
  __device__ __forceinline__ void fetch(BitSource& codes, bool wants_codes, BitSource& raw,
                                        bool wants_raw) const {
    const unsigned by_codes = __ballot_sync(~0u, wants_codes), by_raw = __ballot_sync(~0u, wants_raw);
    if ((by_codes | by_raw) != 0) {
      const unsigned before = (1u << lane_) - 1, count = __popc(by_codes);
      if (wants_codes) put(__popc(by_codes & before), codes);
      if (wants_raw) put(count + __popc(by_raw & before), raw);
      __syncwarp();
      copy(count + __popc(by_raw));
    }
    end_fetches();
  }

  __device__ __forceinline__ void put(unsigned entry, BitSource& stream) const {
    const auto low = static_cast<std::uint32_t>(stream.line);
    *reinterpret_cast<uint4*>(frames_shared + list_ + entry * kEntry) =
        make_uint4(low, static_cast<std::uint32_t>(stream.line >> 32), stream.ring ^ (low & kLine), 0);
    stream.ask();
  }

  /// Four threads copy a line.
  __device__ __forceinline__ void copy(unsigned count) const {
    const unsigned granule = lane_ % 4 * 16;
#pragma unroll 1
    for (unsigned i = lane_ / 4; i < count; i += kLanes / 4) {
      const uint4 entry = *reinterpret_cast<const uint4*>(frames_shared + list_ + i * kEntry);
      const std::uint64_t from = (std::uint64_t{entry.y} << 32 | entry.x) + granule;
      fetch_granule(entry.z ^ granule, reinterpret_cast<const std::uint8_t*>(from));
    }
  }

  std::uint32_t list_;
  unsigned lane_;
};

}  // namespace tdz::cuda
