// SPDX-License-Identifier: Apache-2.0
// The words of a chunk as a thread reads and writes them: four side by side where memory allows it, or one
// by one. And what the launches of the steps share.
#pragma once

#include <cuda_runtime.h>

#include "kernels/cuda/steps/word_access.hpp"

namespace tdz::cuda {

/// Whether a grid holds so many thread blocks for each chunk.
inline bool is_launchable(const StepBatch& batch, std::uint32_t blocks_per_chunk) {
  return batch.width >= 1 && batch.width <= 8 && batch.most_words <= kMostStepWords &&
         batch.in.words <= 0xFFFF && batch.out.words <= 0xFFFF &&
         batch.count <= 0x7FFFFFFFu / blocks_per_chunk;
}

/// Turns the run-time width into a constant: calls use.template operator()<Width>().
template <unsigned Width = 1, class Use>
cudaError_t with_width(unsigned width, const Use& use) {
  if constexpr (Width > 8) {
    return cudaErrorInvalidValue;
  } else {
    if (width == Width) return use.template operator()<Width>();
    return with_width<Width + 1>(width, use);
  }
}

/// Four words in one access.
template <unsigned Width>
struct Quad {
  using type = uint4;
};
template <>
struct Quad<1> {
  using type = unsigned;
};
template <>
struct Quad<2> {
  using type = uint2;
};

/// One side of a chunk's words.
template <unsigned Width>
struct SideWords {
  Byte* at;
  Rows rows;
  bool aligned;  ///< each word
  bool quads;    ///< each four words are aligned to their access

  __device__ SideWords(const std::byte* begin, const RowShape& shape)
      : at(const_cast<Byte*>(reinterpret_cast<const Byte*>(begin))), rows(shape, Width) {
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    constexpr unsigned access = 4 * Width < 16 ? 4 * Width : 16;
    aligned = rows.keeps_alignment() && address % Width == 0;
    quads = kIsMachineWord<Width> && rows.dense() && address % access == 0;
  }

  __device__ std::uint64_t load(std::uint32_t i) const {
    return read_word<Width>(at + rows.place(i), aligned);
  }
  __device__ void store(std::uint32_t i, std::uint64_t word) const {
    write_word<Width>(at + rows.place(i), word, aligned);
  }
};

template <unsigned Width>
struct ChunkWords {
  SideWords<Width> in, out;
  std::uint32_t count;

  __device__ ChunkWords(const StepBatch& batch, const StepChunk& chunk)
      : in(chunk.in, batch.in), out(chunk.out, batch.out), count(chunk.words) {}

  /// Words [i, i + 4) as far as there are any. `i` is a multiple of 4.
  __device__ void load_quad(std::uint32_t i, std::uint64_t (&word)[4]) const {
    if constexpr (kIsMachineWord<Width>) {
      if (in.quads && i + 4 <= count) return load_whole(i, word);
    }
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) word[j] = i + j < count ? in.load(i + j) : 0;
  }

  __device__ void store_quad(std::uint32_t i, const std::uint64_t (&word)[4]) const {
    if constexpr (kIsMachineWord<Width>) {
      if (out.quads && i + 4 <= count) return store_whole(i, word);
    }
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) {
      if (i + j < count) out.store(i + j, word[j]);
    }
  }

 private:
  using Word = typename MachineWord<Width>::type;
  using Access = typename Quad<Width>::type;
  static constexpr unsigned kAccesses = 4 * Width / sizeof(Access);
  union Whole {
    Access access[kAccesses == 0 ? 1 : kAccesses];
    Word word[4];
  };

  __device__ void load_whole(std::uint32_t i, std::uint64_t (&word)[4]) const {
    Whole whole;
    const auto* from = reinterpret_cast<const Access*>(in.at + std::uint64_t{i} * Width);
#pragma unroll
    for (unsigned a = 0; a < kAccesses; ++a) whole.access[a] = from[a];
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) word[j] = whole.word[j];
  }
  __device__ void store_whole(std::uint32_t i, const std::uint64_t (&word)[4]) const {
    Whole whole;
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) whole.word[j] = static_cast<Word>(word[j]);
    auto* to = reinterpret_cast<Access*>(out.at + std::uint64_t{i} * Width);
#pragma unroll
    for (unsigned a = 0; a < kAccesses; ++a) to[a] = whole.access[a];
  }
};

}  // namespace tdz::cuda
