// SPDX-License-Identifier: Apache-2.0
// Bit streams of a warp, read from their ends to their begins. Every thread has two streams: codes and raw
// bits. The next lines of 64 bytes of each lie in a ring in shared memory; two more words lie in registers.
// The warp fetches lines for its threads: four threads copy the 64 bytes of a line, so that no part of a
// sector is read in vain.
//
// A stream is read in batches. Behind each batch it asks for a line if its ring has room: when the thread has
// entered a new line. The line arrives before `ahead` more batches are read: see batch_words().
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace tdz::cuda {

inline constexpr unsigned kWarpThreads = 32;  ///< threads of a warp
inline constexpr unsigned kLine = 64;
/// The ring of a stream has 2 or 4 lines. Bytes of one ring for each thread:
template <unsigned kRingLines>
inline constexpr unsigned kRingBytes = kWarpThreads* kRingLines* kLine;
inline constexpr unsigned kMostRing = 4 * kLine;

/// Words of 4 bytes that a thread may take in a batch. It asks for one line behind a batch, so a
/// batch enters one line at most. And words must suffice until the line arrives: when it is asked for, the
/// thread has taken all but one word of a batch from the line that it entered.
constexpr unsigned batch_words(unsigned ring_lines, unsigned ahead) {
  const unsigned most = ((ring_lines - 1) * (kLine / 4) + 1) / (ahead + 1);
  return most < kLine / 4 ? most : kLine / 4;
}

extern __shared__ __align__(256) unsigned char frames_shared[];

/// As instructions name it; a multiple of 256 where `at` is one.
__device__ inline std::uint32_t shared_address(std::uint32_t at) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(frames_shared + at));
}

/// 16 bytes to an address of shared memory. The L2 cache reads 128 bytes: the next line of a stream is mostly
/// among them. Others of the warp may read them after wait_for_fetches() and __syncwarp().
__device__ inline void fetch_granule(std::uint32_t shared, const std::uint8_t* global) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(shared), "l"(global) : "memory");
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
template <unsigned kRingLines>
struct BitSource {
  static constexpr unsigned kRing = kRingLines * kLine;

  std::uint32_t high = 0, low = 0;  ///< the word that is read, and the one before it in memory
  std::uint32_t position = 0;       ///< in its lowest 5 bits: bits of `high` that were taken
  std::uint32_t next = 0;           ///< low bits of the address of the next word to load
  std::uint32_t third = 0;          ///< the same of the third word; the first two are there from the begin
  std::uint32_t ring = 0;           ///< where the ring begins, with the bits that spread the banks
  std::uint32_t lines = 0;          ///< that were not asked for
  std::uint32_t asked = 1;          ///< low bits of the address of the last one that was; 1: no more follow
  std::uint64_t line = 0;           ///< address of the next one to ask for

  /// The stream of these bytes, at least one. `rings`: where the rings of all threads begin.
  __device__ void open(const std::uint8_t* bytes, std::uint32_t count, std::uint32_t rings, unsigned thread) {
    const auto begin = reinterpret_cast<std::uint64_t>(bytes);
    const std::uint64_t last = begin + count - 1;
    ring = (shared_address(rings) + thread * kRing) ^ ((thread & 7) << 4);
    next = static_cast<std::uint32_t>(last) & ~3u;
    position = (3 - (static_cast<std::uint32_t>(last) & 3)) * 8;
    line = last & ~std::uint64_t{kLine - 1};
    lines = static_cast<std::uint32_t>((line - (begin & ~std::uint64_t{kLine - 1})) / kLine) + 1;
  }

  /// Whether the ring has room for a line, and more lines follow.
  __device__ __forceinline__ bool wants() const {
    if constexpr (kRingLines == 2) return (next & ~(kLine - 1)) == asked;
    return lines != 0 && (next & ~(kLine - 1)) - asked < kRing - kLine;
  }
  /// Where the line to ask for goes.
  __device__ __forceinline__ std::uint32_t room() const {
    return ring ^ (static_cast<std::uint32_t>(line) & (kRing - kLine));
  }
  __device__ __forceinline__ void ask() {
    --lines;
    asked = kRingLines == 2 && lines == 0 ? 1 : static_cast<std::uint32_t>(line);
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
  static constexpr unsigned kBytes = 2 * kWarpThreads * kEntry;

  __device__ FetchList(std::uint32_t list, unsigned thread) : list_(list), thread_(thread) {}

  /// Asks for a line of each stream that wants one. All threads of the warp call.
  template <unsigned kCodes, unsigned kRaw>
  __device__ __forceinline__ void fetch(BitSource<kCodes>& codes, BitSource<kRaw>& raw) const {
    fetch(codes, codes.wants(), raw, raw.wants());
  }
  /// As many lines as rings have.
  template <unsigned kCodes, unsigned kRaw>
  __device__ __forceinline__ void fetch_first(BitSource<kCodes>& codes, BitSource<kRaw>& raw) const {
#pragma unroll 1
    for (unsigned i = 0; i < kRaw; ++i) {
      fetch(codes, i < kCodes && codes.lines != 0, raw, raw.lines != 0);
      __syncwarp();  // the list is free
    }
  }

 private:
  template <unsigned kCodes, unsigned kRaw>
  __device__ __forceinline__ void fetch(BitSource<kCodes>& codes, bool wants_codes, BitSource<kRaw>& raw,
                                        bool wants_raw) const {
    const unsigned by_codes = __ballot_sync(~0u, wants_codes), by_raw = __ballot_sync(~0u, wants_raw);
    if ((by_codes | by_raw) != 0) {
      const unsigned before = (1u << thread_) - 1, count = __popc(by_codes);
      if (wants_codes) put(__popc(by_codes & before), codes);
      if (wants_raw) put(count + __popc(by_raw & before), raw);
      __syncwarp();
      copy(count + __popc(by_raw));
    }
    end_fetches();
  }

  template <unsigned kRingLines>
  __device__ __forceinline__ void put(unsigned entry, BitSource<kRingLines>& stream) const {
    *reinterpret_cast<uint4*>(frames_shared + list_ + entry * kEntry) =
        make_uint4(static_cast<std::uint32_t>(stream.line), static_cast<std::uint32_t>(stream.line >> 32),
                   stream.room(), 0);
    stream.ask();
  }

  /// Four threads copy a line.
  __device__ __forceinline__ void copy(unsigned count) const {
    const unsigned granule = thread_ % 4 * 16;
#pragma unroll 1
    for (unsigned i = thread_ / 4; i < count; i += kWarpThreads / 4) {
      const uint4 entry = *reinterpret_cast<const uint4*>(frames_shared + list_ + i * kEntry);
      const std::uint64_t from = (std::uint64_t{entry.y} << 32 | entry.x) + granule;
      fetch_granule(entry.z ^ granule, reinterpret_cast<const std::uint8_t*>(from));
    }
  }

  std::uint32_t list_;
  unsigned thread_;
};

}  // namespace tdz::cuda
