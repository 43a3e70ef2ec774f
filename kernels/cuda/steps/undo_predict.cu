// SPDX-License-Identifier: Apache-2.0
// The step `predict` undone: one launch checks the predictors and finds the coefficients of every block, two
// make the words: one of predictors with few terms, one of all others, which needs more registers. A thread
// walks a block of 4096 words: by tiles (predict_tiles.cuh) where the rows of a tuple lie side by side.
#include "kernels/cuda/launch/launch_kernel.cuh"
#include "kernels/cuda/steps/chunk_words.cuh"
#include "kernels/cuda/steps/predict_tiles.cuh"
#include "kernels/cuda/steps/prediction.hpp"
#include "kernels/cuda/steps/undo_steps.hpp"

namespace tdz::cuda {
namespace {

constexpr unsigned kCheckThreads = 256;
constexpr unsigned kWalkThreads = 64;  ///< few, so that a small batch reaches all multiprocessors
constexpr std::uint32_t kAhead = 8;    ///< words that are read at once

std::uint32_t most_blocks(std::uint32_t words, std::uint32_t tuple) {
  return words / kPredictRows + tuple;  // each lane has at most one block that is not full
}

/// The sum over the threads before this one, and over all; `parts` is shared.
__device__ std::uint32_t sum_before(std::uint32_t value, std::uint32_t (&parts)[kCheckThreads / 32],
                                    std::uint32_t& all) {
  const std::uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  std::uint32_t inclusive = value;
  for (unsigned by = 1; by < 32; by *= 2) {
    const std::uint32_t left = __shfl_up_sync(0xFFFFFFFF, inclusive, by);
    if (lane >= by) inclusive += left;
  }
  if (lane == 31) parts[warp] = inclusive;
  __syncthreads();  // publishes the sums of the warps
  std::uint32_t before = inclusive - value;
  all = 0;
  for (std::uint32_t w = 0; w < kCheckThreads / 32; ++w) {
    if (w < warp) before += parts[w];
    all += parts[w];
  }
  __syncthreads();  // frees parts
  return before;
}

/// A thread block takes a chunk. The entry of block b in its places becomes the index of that block's first
/// coefficient.
__global__ void __launch_bounds__(kCheckThreads)
    place_coefficients(PredictBatch batch, std::uint32_t* places, std::uint32_t stride) {
  __shared__ std::uint32_t parts[kCheckThreads / 32];
  const StepChunk chunk = batch.steps.chunks[blockIdx.x];
  std::uint32_t& status = batch.steps.status[chunk.status_index];
  if (__syncthreads_or(status != 0)) return;
  const auto refuse = [&](StepStatus why) { status = static_cast<std::uint32_t>(why); };
  if (chunk.words > batch.steps.most_words) return refuse(StepStatus::too_long);
  const DeviceBytes side = batch.sides[blockIdx.x];
  const std::uint32_t blocks = PredictBlocks{{chunk.words, batch.tuple}}.count();
  if (side.bytes < kPredictorHead * blocks) return refuse(StepStatus::side_length);
  std::uint32_t* const at = places + std::uint64_t{blockIdx.x} * stride;
  std::uint32_t sum = 0;
  bool good = true;
  for (std::uint32_t first = 0; first < blocks; first += kCheckThreads) {
    const std::uint32_t b = first + threadIdx.x;
    const Byte* head = bytes_at(side) + kPredictorHead * b;
    const std::uint32_t order = b < blocks ? head[0] : 0, shift = b < blocks ? head[1] : 0;
    good = good && order <= kMostCoefficients && shift <= kLargestShift;
    std::uint32_t all = 0;
    const std::uint32_t before = sum_before(order, parts, all);
    if (b < blocks) at[b] = sum + before;
    sum += all;
  }
  if (!__syncthreads_and(good)) return refuse(StepStatus::side_value);
  if (side.bytes != kPredictorHead * blocks + 2 * sum) refuse(StepStatus::side_length);
}

/// Where a block's words lie.
struct BlockPlace {
  std::uint32_t lane, row, rows;
};

template <unsigned Width>
struct BlockWords {
  const ChunkWords<Width>& words;
  std::uint32_t tuple;
  BlockPlace place;

  __device__ std::uint32_t index(std::uint32_t i) const { return (place.row + i) * tuple + place.lane; }

  __device__ void load(std::uint32_t first, std::uint64_t (&word)[kAhead]) const {
    if (tuple == 1) return each_quad(first, word, [&](std::uint32_t i, auto& w) { words.load_quad(i, w); });
#pragma unroll
    for (std::uint32_t v = 0; v < kAhead; ++v) {
      word[v] = first + v < place.rows ? words.in.load(index(first + v)) : 0;
    }
  }
  __device__ void store(std::uint32_t first, std::uint64_t (&word)[kAhead]) const {
    if (tuple == 1) return each_quad(first, word, [&](std::uint32_t i, auto& w) { words.store_quad(i, w); });
#pragma unroll
    for (std::uint32_t v = 0; v < kAhead; ++v) {
      if (first + v < place.rows) words.out.store(index(first + v), word[v]);
    }
  }

 private:
  template <class Move>
  __device__ void each_quad(std::uint32_t first, std::uint64_t (&word)[kAhead], const Move& move) const {
#pragma unroll
    for (std::uint32_t q = 0; q < kAhead; q += 4) {
      std::uint64_t part[4] = {word[q], word[q + 1], word[q + 2], word[q + 3]};
      move(place.row + first + q, part);
#pragma unroll
      for (std::uint32_t j = 0; j < 4; ++j) word[q + j] = part[j];
    }
  }
};

template <unsigned Width, unsigned Terms>
__device__ void walk_block(const BlockWords<Width>& words, BlockWalk<Width, Terms> walk) {
  std::uint64_t next[kAhead];
  words.load(0, next);
  for (std::uint32_t first = 0; first < words.place.rows; first += kAhead) {
    std::uint64_t word[kAhead];
#pragma unroll
    for (std::uint32_t v = 0; v < kAhead; ++v) word[v] = next[v];
    words.load(first + kAhead, next);
#pragma unroll
    for (std::uint32_t v = 0; v < kAhead; ++v) word[v] = walk.step(first + v, word[v]);
    words.store(first, word);
  }
}

/// Strips of the longest chunk.
TDZ_HOST_DEVICE constexpr std::uint32_t most_strips(std::uint32_t words, std::uint32_t tuple) {
  return (words + tuple * kPredictRows - 1) / (tuple * kPredictRows);
}
/// Threads of a warp that have work. A strip of more than 32 lanes reaches over several warps.
TDZ_HOST_DEVICE constexpr std::uint32_t busy_threads(std::uint32_t tuple) {
  return tuple > 32 ? 32 : 32 / tuple * tuple;
}

/// What a thread walks.
struct WalkUnit {
  StepChunk chunk;
  BlockPlace place{0, 0, 0};         ///< no rows: nothing
  std::uint32_t words_of_strip = 0;  ///< of all lanes
  BlockPredictor predictor;

  __device__ WalkUnit(const PredictBatch& batch, const std::uint32_t* places, std::uint32_t stride) {
    const std::uint32_t busy = busy_threads(batch.tuple);
    const std::uint64_t warp = std::uint64_t{blockIdx.x} * (kWalkThreads / 32) + threadIdx.x / 32;
    if (threadIdx.x % 32 >= busy) return;
    const std::uint64_t unit = warp * busy + threadIdx.x % 32, number = unit / batch.tuple;
    const std::uint32_t lane = static_cast<std::uint32_t>(unit % batch.tuple);
    const std::uint32_t strips = most_strips(batch.steps.most_words, batch.tuple);
    if (number >= std::uint64_t{batch.steps.count} * strips) return;
    const auto entry = static_cast<std::uint32_t>(number / strips);
    const std::uint32_t strip = static_cast<std::uint32_t>(number % strips), row = strip * kPredictRows;
    chunk = batch.steps.chunks[entry];
    if (batch.steps.status[chunk.status_index] != 0) return;
    const PredictBlocks blocks{{chunk.words, batch.tuple}};
    const std::uint32_t length = blocks.shape.length(lane);
    if (row >= length) return;
    const std::uint32_t block = blocks.before(lane) + strip, left = length - row;
    place = {lane, row, left < kPredictRows ? left : kPredictRows};
    const std::uint32_t words = chunk.words - row * batch.tuple, most = kPredictRows * batch.tuple;
    words_of_strip = words < most ? words : most;
    const Byte* head = bytes_at(batch.sides[entry]) + kPredictorHead * block;
    const Byte* side = bytes_at(batch.sides[entry]) + kPredictorHead * blocks.count() +
                       2 * places[std::uint64_t{entry} * stride + block];
    predictor = {head[0], head[1], side};
  }
};

/// Whether tiles take these words.
template <unsigned Width>
__device__ bool is_of_tiles(const ChunkWords<Width>& words, std::uint32_t tuple) {
  const auto places =
      reinterpret_cast<std::uintptr_t>(words.in.at) | reinterpret_cast<std::uintptr_t>(words.out.at);
  return tuple <= 32 && words.in.rows.dense() && words.out.rows.dense() && places % 16 == 0;
}

/// How many thread blocks a multiprocessor has to hold. Of few terms: 1 GiB has 131072 / width warps, which
/// are 31, 21, 16 .. for each of 132 multiprocessors, so none waits until others end. Of bytes, twice as many
/// would have too few registers.
template <unsigned Width, TermCount Which>
inline constexpr unsigned kResidentBlocks = Which == TermCount::many ? (Width > 4 ? 4 : 6)
                                            : Width == 1             ? 16
                                                                     : (32 + Width - 1) / Width;

/// The warps, or single threads, whose predictors are of this kind.
template <unsigned Width, TermCount Which>
__global__ void __launch_bounds__(kWalkThreads, kResidentBlocks<Width, Which>)
    undo_predict(PredictBatch batch, const std::uint32_t* places, std::uint32_t stride) {
  __shared__ PredictTiles<Width> tiles[kWalkThreads / 32];
  const WalkUnit unit(batch, places, stride);
  const ChunkWords<Width> words(batch.steps, unit.chunk);
  const BlockPredictor& own = unit.predictor;
  if (__all_sync(0xFFFFFFFF, unit.place.rows == 0 || is_of_tiles(words, batch.tuple))) {
    const std::uint64_t begin = std::uint64_t{unit.place.row} * batch.tuple * Width;
    const PredictPlace place{words.in.at + begin, words.out.at + begin, unit.words_of_strip * Width};
    return walk_by_tiles<Width, Which>(tiles[threadIdx.x / 32], {batch.tuple}, place, own, batch.sign);
  }
  if (unit.place.rows == 0) return;
  const BlockWords<Width> block{words, batch.tuple, unit.place};
  if ((own.order <= kFewTerms) != (Which == TermCount::few)) return;
  constexpr unsigned kTerms = Which == TermCount::few ? kFewTerms : kMostCoefficients;
  walk_block(block, BlockWalk<Width, kTerms>(own.order, own.shift, batch.sign, own.side));
}

}  // namespace

std::size_t undo_predict_scratch_bytes(std::uint32_t chunks, std::uint32_t most_words, std::uint32_t tuple) {
  return std::size_t{chunks} * most_blocks(most_words, tuple) * sizeof(std::uint32_t);
}

cudaError_t launch_undo_predict(const PredictBatch& batch, void* scratch, cudaStream_t stream) {
  if (batch.steps.count == 0) return cudaSuccess;
  if (batch.tuple == 0 || batch.tuple > 256) return cudaErrorInvalidValue;
  const std::uint32_t stride = most_blocks(batch.steps.most_words, batch.tuple);
  const std::uint32_t strips = most_strips(batch.steps.most_words, batch.tuple);
  const std::uint64_t units = std::uint64_t{batch.steps.count} * strips * batch.tuple;
  const std::uint32_t busy = kWalkThreads / 32 * busy_threads(batch.tuple);
  const std::uint64_t blocks = (units + busy - 1) / busy;
  if (!is_launchable(batch.steps, stride) || blocks > 0x7FFFFFFF) return cudaErrorInvalidValue;
  auto* places = static_cast<std::uint32_t*>(scratch);
  const cudaError_t placed = launch_kernel(place_coefficients, dim3(batch.steps.count), kCheckThreads, 0,
                                           stream, batch, places, stride);
  if (placed != cudaSuccess) return placed;
  if (blocks == 0) return cudaSuccess;
  return with_width(batch.steps.width, [&]<unsigned Width>() {
    const dim3 grid(static_cast<unsigned>(blocks));
    const cudaError_t few = launch_kernel(undo_predict<Width, TermCount::few>, grid, kWalkThreads, 0, stream,
                                          batch, places, stride);
    if (few != cudaSuccess) return few;
    return launch_kernel(undo_predict<Width, TermCount::many>, grid, kWalkThreads, 0, stream, batch, places,
                         stride);
  });
}

}  // namespace tdz::cuda
