// SPDX-License-Identifier: Apache-2.0
// Undoes the difference of a wide tuple without runs, such as that of the rows of an image, and adds the
// sources of lanes before. A thread walks down a column: one word wide, or as many words as 4 bytes have. It
// reads some rows before it writes the first of them. The threads of a warp have neighbouring columns.
#pragma once

#include "kernels/cuda/steps/lane_rule.hpp"
#include "kernels/cuda/steps/word_access.hpp"

namespace tdz::cuda {

inline constexpr unsigned kRowThreads = 128;
inline constexpr unsigned kRowBlocks = 9;  ///< of a multiprocessor: what 56 registers allow

/// Columns of a thread where rows are whole registers of 4 bytes.
template <unsigned Width>
inline constexpr std::uint32_t kRowColumns = Width < 4 && kIsMachineWord<Width> ? 4 / Width : 1;

/// Thread blocks for each chunk.
constexpr std::uint32_t row_blocks(std::uint32_t most_words, std::uint32_t tuple, std::uint32_t columns) {
  const std::uint32_t all = tuple < most_words ? tuple : most_words;
  return (all + columns * kRowThreads - 1) / (columns * kRowThreads);
}

/// The words of a chunk, one by one.
template <unsigned Width>
struct RowWords {
  const Byte* in;
  Byte* out;
  Rows in_rows, out_rows;
  bool in_aligned, out_aligned;
  std::uint32_t count;

  __device__ RowWords(const StepBatch& batch, const StepChunk& chunk)
      : in(reinterpret_cast<const Byte*>(chunk.in)),
        out(reinterpret_cast<Byte*>(chunk.out)),
        in_rows(batch.in, Width),
        out_rows(batch.out, Width),
        in_aligned(in_rows.keeps_alignment() && reinterpret_cast<std::uintptr_t>(in) % Width == 0),
        out_aligned(out_rows.keeps_alignment() && reinterpret_cast<std::uintptr_t>(out) % Width == 0),
        count(chunk.words) {}

  __device__ std::uint64_t load(std::uint32_t i) const {
    return read_word<Width>(in + in_rows.place(i), in_aligned);
  }
  __device__ void store(std::uint32_t i, std::uint64_t word) const {
    write_word<Width>(out + out_rows.place(i), word, out_aligned);
  }
};

/// One column of words.
template <unsigned Width, unsigned Order>
__device__ void walk_column(const RowsBatch& batch, const RowWords<Width>& words, std::uint32_t column) {
  constexpr std::uint32_t kAhead = 8;
  const std::uint32_t lane = column % batch.sources.lanes, first = column - lane, tuple = batch.tuple;
  const unsigned added = batch.sources.added[lane];
  std::uint64_t sum[Order + 1] = {};
  for (std::uint32_t i = column; i < words.count; i += kAhead * tuple) {
    std::uint64_t word[kAhead];
#pragma unroll
    for (std::uint32_t r = 0; r < kAhead; ++r) {
      const std::uint32_t at = i + r * tuple;
      word[r] = at < words.count ? words.load(at) : 0;
    }
    for (std::uint32_t other = 0; added >> other != 0; ++other) {
      if ((added >> other & 1) == 0) continue;
#pragma unroll
      for (std::uint32_t r = 0; r < kAhead; ++r) {
        const std::uint32_t at = i - column + first + other + r * tuple;
        if (at < words.count) word[r] += words.load(at);
      }
    }
#pragma unroll
    for (std::uint32_t r = 0; r < kAhead; ++r) {
      if constexpr (Order > 0) word[r] = sum[0] += word[r];
      if constexpr (Order > 1) word[r] = sum[1] += word[r];
      if (i + r * tuple < words.count) words.store(i + r * tuple, word[r]);
    }
  }
}

/// Words of 1 or 2 bytes that share a register.
template <unsigned Width>
struct SharedWords {
  static constexpr unsigned kBits = 8 * Width;
  static constexpr std::uint32_t kHigh = Width == 1 ? 0x80808080u : 0x80008000u;

  /// Without carries from word to word.
  __device__ static std::uint32_t sum(std::uint32_t a, std::uint32_t b) {
    return ((a & ~kHigh) + (b & ~kHigh)) ^ ((a ^ b) & kHigh);
  }
};

/// The sources of the words of a register lie in it and in the registers beside it, up to kReach words away.
template <unsigned Width>
class SharedSources {
 public:
  static constexpr int kReach = Width == 1 ? 3 : 2;

  __device__ SharedSources(const LaneSources& sources, std::uint32_t column) {
    for (unsigned w = 0; w < 4 / Width; ++w) {
      const std::uint32_t lane = (column + w) % sources.lanes;
      const std::uint32_t word = (Width == 1 ? 0xFFu : 0xFFFFu) << (8 * Width * w);
#pragma unroll
      for (int by = -kReach; by <= kReach; ++by) {
        const int other = static_cast<int>(lane) + by;
        const bool is_there = other >= 0 && other < static_cast<int>(sources.lanes);
        if (by != 0 && is_there && sources.adds(lane, static_cast<std::uint32_t>(other)))
          mask_[by + kReach] |= word;
      }
    }
  }

  __device__ std::uint32_t added(std::uint32_t before, std::uint32_t own, std::uint32_t behind) const {
    std::uint32_t sum = own;
#pragma unroll
    for (int by = 1; by <= kReach; ++by) {
      const unsigned bits = 8 * Width * static_cast<unsigned>(by);
      const std::uint32_t upper = bits == 32 ? behind : __funnelshift_r(own, behind, bits);
      const std::uint32_t lower = bits == 32 ? before : __funnelshift_l(before, own, bits);
      sum = SharedWords<Width>::sum(sum, upper & mask_[kReach + by]);
      sum = SharedWords<Width>::sum(sum, lower & mask_[kReach - by]);
    }
    return sum;
  }

 private:
  std::uint32_t mask_[std::size_t{2 * kReach + 1}] = {};
};

/// Four bytes of a chunk, of which those behind its end are zero.
struct ChunkBytes {
  const Byte* in;
  Byte* out;
  std::uint32_t count;

  __device__ std::uint32_t load(std::uint32_t at) const {
    if (at < count && count - at >= 4) return *reinterpret_cast<const std::uint32_t*>(in + at);
    std::uint32_t word = 0;
    for (std::uint32_t b = 0; at + b < count; ++b) word |= std::uint32_t{in[at + b]} << (8 * b);
    return word;
  }
  __device__ void store(std::uint32_t at, std::uint32_t word) const {
    if (at < count && count - at >= 4) {
      *reinterpret_cast<std::uint32_t*>(out + at) = word;
      return;
    }
    for (std::uint32_t b = 0; at + b < count; ++b) out[at + b] = static_cast<Byte>(word >> (8 * b));
  }
};

/// The words of four bytes; `column` is the first one. Rows and addresses are multiples of 4 bytes.
template <unsigned Width, unsigned Order, bool HasSources>
__device__ void walk_shared(const RowsBatch& batch, const ChunkBytes& bytes, std::uint32_t column) {
  constexpr std::uint32_t kAhead = HasSources ? 4 : 8;  // three reads a row, or one
  using Words = SharedWords<Width>;
  const SharedSources<Width> sources(batch.sources, column);
  const std::uint32_t row = batch.tuple * Width;
  std::uint32_t sum[Order + 1] = {};
  for (std::uint32_t at = column * Width; at < bytes.count; at += kAhead * row) {
    std::uint32_t word[kAhead], before[kAhead], behind[kAhead];
#pragma unroll
    for (std::uint32_t r = 0; r < kAhead; ++r) {
      const std::uint32_t place = at + r * row;
      word[r] = bytes.load(place);
      if constexpr (HasSources) {
        before[r] = place < 4 ? 0 : bytes.load(place - 4);
        behind[r] = bytes.load(place + 4);
      }
    }
#pragma unroll
    for (std::uint32_t r = 0; r < kAhead; ++r) {
      if constexpr (HasSources) word[r] = sources.added(before[r], word[r], behind[r]);
      if constexpr (Order > 0) word[r] = sum[0] = Words::sum(sum[0], word[r]);
      if constexpr (Order > 1) word[r] = sum[1] = Words::sum(sum[1], word[r]);
      bytes.store(at + r * row, word[r]);
    }
  }
}

/// How many columns a thread walks: those of a register where rows are whole registers and long, otherwise
/// one. Then neighbouring threads have neighbouring words, and there are more threads.
template <unsigned Width>
std::uint32_t columns_of_thread(const RowsBatch& batch) {
  const bool reached = batch.sources.lanes <= 1u + SharedSources<Width>::kReach;
  const bool whole = std::uint64_t{batch.tuple} * Width % 4 == 0 && batch.tuple >= kRowColumns<Width> * 32;
  const bool dense = Rows(batch.steps.in, Width).dense() && Rows(batch.steps.out, Width).dense();
  return reached && whole && dense ? kRowColumns<Width> : 1;
}

/// `blocks` thread blocks take a chunk; `columns`: of a thread.
template <unsigned Width, unsigned Order>
__global__ void __launch_bounds__(kRowThreads, kRowBlocks)
    undo_rows(RowsBatch batch, std::uint32_t blocks, std::uint32_t columns) {
  const StepChunk chunk = batch.steps.chunks[blockIdx.x / blocks];
  std::uint32_t& status = batch.steps.status[chunk.status_index];
  if (status != 0) return;
  if (chunk.words > batch.steps.most_words) {
    status = static_cast<std::uint32_t>(StepStatus::too_long);
    return;
  }
  const std::uint32_t column = columns * (blockIdx.x % blocks * kRowThreads + threadIdx.x);
  const RowWords<Width> words(batch.steps, chunk);
  constexpr bool kShares = kRowColumns<Width> != 1;
  if constexpr (kShares) {
    const auto places =
        reinterpret_cast<std::uintptr_t>(words.in) | reinterpret_cast<std::uintptr_t>(words.out);
    if (columns > 1 && places % 4 == 0) {
      if (column >= batch.tuple) return;
      const ChunkBytes bytes{words.in, words.out, words.count * Width};
      if (batch.sources.lanes > 1) return walk_shared<Width, Order, true>(batch, bytes, column);
      return walk_shared<Width, Order, false>(batch, bytes, column);
    }
  }
  for (std::uint32_t c = column; c < column + columns && c < batch.tuple; ++c)
    walk_column<Width, Order>(batch, words, c);
}

}  // namespace tdz::cuda
