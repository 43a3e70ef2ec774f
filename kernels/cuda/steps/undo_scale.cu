// SPDX-License-Identifier: Apache-2.0
// The step `scale` undone: one launch counts the holes of every tile, one makes the words. A thread block
// takes a tile of 4096 words.
#include "kernels/cuda/frames/warp_team.cuh"
#include "kernels/cuda/launch/launch_kernel.cuh"
#include "kernels/cuda/steps/chunk_words.cuh"
#include "kernels/cuda/steps/scale_word.hpp"
#include "kernels/cuda/steps/undo_steps.hpp"

namespace tdz::cuda {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kQuads = kScaleTile / 4 / kThreads;  ///< of four words, for each thread
constexpr unsigned kResident = 4;                       ///< thread blocks of a multiprocessor
constexpr unsigned kPairBytes = 16;

static_assert(kTileBits <= kThreads && kTileBits % 32 == 0);

/// Where a thread block works.
struct TilePlace {
  std::uint32_t entry, tile;

  __device__ TilePlace(std::uint32_t index, std::uint32_t tiles)
      : entry(index / tiles), tile(index % tiles) {}
};

__device__ bool has_bitmap(const ScaleSubstreams& side, std::uint32_t words) {
  return side.bitmap.bytes != 0 && side.bitmap.bytes == (words + 7) / 8;
}

/// A warp counts the holes of a tile.
__global__ void __launch_bounds__(kThreads)
    count_holes(ScaleBatch batch, std::uint32_t* counts, std::uint32_t tiles) {
  const std::uint32_t index = blockIdx.x * (kThreads / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (index >= batch.steps.count * tiles) return;
  const TilePlace place(index, tiles);
  const StepChunk chunk = batch.steps.chunks[place.entry];
  const ScaleSubstreams side = batch.sides[place.entry];
  std::uint32_t sum = 0;
  if (has_bitmap(side, chunk.words)) {
    for (std::uint32_t g = lane; g < kTileBits; g += 32) {
      sum += uniform::ones_of(
          bitmap_group(bytes_at(side.bitmap), side.bitmap.bytes, place.tile * kTileBits + g));
    }
  }
  sum = WarpTeam::sum(sum);
  if (lane == 0) counts[index] = sum;
}

/// The sum over all threads of the block; `parts` is shared.
__device__ std::uint32_t block_sum(std::uint32_t value, std::uint32_t (&parts)[kThreads / 32]) {
  value = WarpTeam::sum(value);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  __syncthreads();  // publishes the sums of the warps
  std::uint32_t sum = 0;
  for (const std::uint32_t part : parts) sum += part;
  __syncthreads();  // frees parts
  return sum;
}

/// What a thread block knows of its chunk, in shared memory.
struct ScaleTile {
  ScaleFactor factor[kMaxScalePairs];
  HoleGroup holes[kTileBits];
  std::uint32_t parts[kThreads / 32];
};

/// Reads the pairs. False for all threads: the side data are corrupt.
__device__ bool read_factors(ScaleTile& shared, const ScaleSubstreams& side, std::uint32_t pairs) {
  bool good = true;
  if (threadIdx.x < pairs) {
    const Byte* at = bytes_at(side.pairs) + kPairBytes * threadIdx.x;
    const double num = double_of(read_bytes<8>(at)), den = double_of(read_bytes<8>(at + 8));
    good = is_scale_number(num) && is_scale_number(den);
    shared.factor[threadIdx.x] = ScaleFactor::of(num, den);
  }
  return __syncthreads_and(good);  // publishes the factors
}

__device__ bool lengths_fit(const ScaleSubstreams& side, std::uint32_t words, const SelectorMap& selectors) {
  const std::uint32_t pairs = side.pairs.bytes / kPairBytes;
  return side.pairs.bytes % kPairBytes == 0 && pairs <= kMaxScalePairs &&
         side.selectors.bytes == (pairs > 1 ? selectors.count() : 0) &&
         (side.bitmap.bytes == 0 ? side.hole_words.bytes == 0 : has_bitmap(side, words));
}

/// The holes of a tile; `counts` are those of the chunk's tiles. Returns how many there are up to its end.
__device__ std::uint32_t read_holes(ScaleTile& shared, const ScaleSubstreams& side, std::uint32_t tile,
                                    const std::uint32_t* counts) {
  std::uint32_t sum = 0;
  for (std::uint32_t t = threadIdx.x; t < tile; t += kThreads) sum += counts[t];
  const std::uint32_t before = block_sum(sum, shared.parts);
  const std::uint32_t g = threadIdx.x, lane = g % 32;
  const std::uint32_t bits =
      g < kTileBits ? bitmap_group(bytes_at(side.bitmap), side.bitmap.bytes, tile * kTileBits + g) : 0;
  const std::uint32_t inclusive = inclusive_sum(uniform::ones_of(bits));
  if (lane == 31) shared.parts[g / 32] = inclusive;
  __syncthreads();  // publishes the sums of the warps
  std::uint32_t rank = before + inclusive - uniform::ones_of(bits), end = before;
  for (std::uint32_t w = 0; w < kThreads / 32; ++w) {
    if (w < g / 32) rank += shared.parts[w];
    end += shared.parts[w];
  }
  if (g < kTileBits) shared.holes[g] = {bits, rank};
  __syncthreads();  // publishes the holes
  return end;
}

/// What only the last tile of a chunk knows: padding, and the number of hole words.
__device__ bool ends_well(const ScaleSubstreams& side, std::uint32_t words, unsigned width,
                          std::uint32_t holes) {
  const std::uint32_t used = words % 8;
  const Byte last = bytes_at(side.bitmap)[side.bitmap.bytes - 1];
  const bool one_for_all = side.hole_words.bytes == width;
  return (used == 0 || last >> used == 0) &&
         (one_for_all || side.hole_words.bytes == std::uint64_t{holes} * width);
}

/// Makes words of a tile. All that a thread needs of its chunk.
template <unsigned Width, ScaleKind Kind>
struct TileWork {
  const ScaleTile& shared;
  const ScaleSubstreams& side;
  std::uint32_t pairs;
  bool has_holes;
  SelectorMap selectors;
  ScaleFactor only;          ///< if there is one pair
  std::uint64_t common = 0;  ///< if one word fills all holes

  __device__ TileWork(const ScaleTile& tile, const ScaleSubstreams& streams, const SelectorMap& map)
      : shared(tile),
        side(streams),
        pairs(streams.pairs.bytes / kPairBytes),
        has_holes(streams.bitmap.bytes != 0),
        selectors(map),
        only(pairs == 1 ? tile.factor[0] : ScaleFactor{1, 1, 1}) {
    if (fills()) common = read_bytes<Width>(bytes_at(side.hole_words));
  }

  __device__ bool fills() const { return has_holes && side.hole_words.bytes == Width; }

  /// Words [i, i + 4) of the chunk as far as there are any; false: one is corrupt. `i` is a multiple of 4.
  __device__ bool undo(std::uint32_t i, std::uint32_t count, std::uint64_t (&word)[4]) const {
    HoleGroup group{0, 0};
    if (has_holes) group = shared.holes[i % kScaleTile / 32];
    const bool whole = i + 4 <= count && (group.bits >> i % 32 & 15) == 0;
    if (whole && pairs == 1) return undo_with(only, word);
    if (whole && pairs > 1 && selectors.is_single()) return undo_group(i, word);
    bool good = true;
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) {
      if (i + j < count) good = undo_word(group, i + j, word[j]) && good;
    }
    return good;
  }

 private:
  __device__ static bool undo_with(const ScaleFactor& factor, std::uint64_t (&word)[4]) {
    bool good = true;
#pragma unroll
    for (std::uint64_t& w : word) good = undo_scale_word<Width, Kind>(factor, w) && good;
    return good;
  }

  /// Four words of one lane share their selector.
  __device__ bool undo_group(std::uint32_t i, std::uint64_t (&word)[4]) const {
    const unsigned selector = bytes_at(side.selectors)[selectors.place(i)];
    return selector < pairs && undo_with(shared.factor[selector], word);
  }

  __device__ bool undo_word(const HoleGroup& group, std::uint32_t i, std::uint64_t& word) const {
    if (group.is_hole(i)) return put_hole(group.rank(i), word);
    if (pairs == 0) return true;
    if (pairs == 1) return undo_scale_word<Width, Kind>(only, word);
    const unsigned selector = bytes_at(side.selectors)[selectors.place(i)];
    return selector < pairs && undo_scale_word<Width, Kind>(shared.factor[selector], word);
  }

  __device__ bool put_hole(std::uint32_t rank, std::uint64_t& word) const {
    word = common;
    if (fills()) return true;
    if (std::uint64_t{rank} * Width + Width > side.hole_words.bytes) return false;
    word = read_bytes<Width>(bytes_at(side.hole_words) + std::uint64_t{rank} * Width);
    return true;
  }
};

/// The words of a tile that a thread has. They are read before anything else is known of the chunk.
template <unsigned Width>
struct TileWords {
  ChunkWords<Width> words;
  std::uint32_t first;
  std::uint64_t word[kQuads][4];

  __device__ TileWords(const StepBatch& batch, const StepChunk& chunk, std::uint32_t tile)
      : words(batch, chunk), first(tile * kScaleTile + 4 * threadIdx.x) {
#pragma unroll
    for (unsigned k = 0; k < kQuads; ++k) words.load_quad(at(k), word[k]);
  }

  __device__ std::uint32_t at(unsigned k) const {
    return first + 4 * k * kThreads;
  }

  template <class Work>
  __device__ bool undo(const Work& work) {
    bool good = true;
#pragma unroll
    for (unsigned k = 0; k < kQuads; ++k) {
      good = work.undo(at(k), words.count, word[k]) && good;
      words.store_quad(at(k), word[k]);
    }
    return good;
  }
};

template <unsigned Width, ScaleKind Kind>
__global__ void __launch_bounds__(kThreads, kResident)
    undo_scale(ScaleBatch batch, const std::uint32_t* counts, std::uint32_t tiles) {
  __shared__ ScaleTile shared;
  const TilePlace place(blockIdx.x, tiles);
  const StepChunk chunk = batch.steps.chunks[place.entry];
  const std::uint32_t own_tiles = scale_tiles(chunk.words);
  if (place.tile >= own_tiles) return;
  TileWords<Width> words(batch.steps, chunk, place.tile);
  const ScaleSubstreams side = batch.sides[place.entry];
  std::uint32_t& status = batch.steps.status[chunk.status_index];
  if (__syncthreads_or(status != 0)) return;  // others may set it while this block begins
  const auto refuse = [&](StepStatus why) { status = static_cast<std::uint32_t>(why); };
  if (chunk.words > batch.steps.most_words) return refuse(StepStatus::too_long);
  const SelectorMap selectors(chunk.words, batch.shape.tuple);
  if (!lengths_fit(side, chunk.words, selectors)) return refuse(StepStatus::side_length);
  if (!read_factors(shared, side, side.pairs.bytes / kPairBytes)) return refuse(StepStatus::side_value);
  if (side.bitmap.bytes != 0) {
    if (counts == nullptr) return refuse(StepStatus::side_length);
    const std::uint32_t holes =
        read_holes(shared, side, place.tile, counts + std::uint64_t{place.entry} * tiles);
    const bool is_last = place.tile + 1 == own_tiles;
    if (is_last && !ends_well(side, chunk.words, Width, holes)) return refuse(StepStatus::side_length);
  }
  if (!words.undo(TileWork<Width, Kind>(shared, side, selectors))) refuse(StepStatus::number);
}

template <unsigned Width>
cudaError_t launch_width(const ScaleBatch& batch, const std::uint32_t* counts, std::uint32_t tiles,
                         cudaStream_t stream) {
  const dim3 grid(batch.steps.count * tiles);
  if (batch.shape.kind == ScaleKind::integer) {
    return launch_kernel(undo_scale<Width, ScaleKind::integer>, grid, kThreads, 0, stream, batch, counts,
                         tiles);
  }
  if constexpr (Width == 4 || Width == 8) {
    return launch_kernel(undo_scale<Width, ScaleKind::real>, grid, kThreads, 0, stream, batch, counts, tiles);
  } else {
    return cudaErrorInvalidValue;
  }
}

}  // namespace

std::size_t undo_scale_scratch_bytes(std::uint32_t chunks, std::uint32_t most_words, bool holes) {
  return holes ? std::size_t{chunks} * scale_tiles(most_words) * sizeof(std::uint32_t) : 0;
}

cudaError_t launch_undo_scale(const ScaleBatch& batch, bool holes, void* scratch, cudaStream_t stream) {
  if (batch.steps.count == 0) return cudaSuccess;
  const std::uint32_t tiles = scale_tiles(batch.steps.most_words);
  if (!is_launchable(batch.steps, tiles) || batch.shape.tuple == 0 || batch.shape.tuple > kMaxScaleTuple) {
    return cudaErrorInvalidValue;
  }
  auto* counts = holes ? static_cast<std::uint32_t*>(scratch) : nullptr;
  if (holes) {
    const std::uint32_t blocks = (batch.steps.count * tiles + kThreads / 32 - 1) / (kThreads / 32);
    const cudaError_t counted =
        launch_kernel(count_holes, dim3(blocks), kThreads, 0, stream, batch, counts, tiles);
    if (counted != cudaSuccess) return counted;
  }
  return with_width(batch.steps.width,
                    [&]<unsigned Width>() { return launch_width<Width>(batch, counts, tiles, stream); });
}

}  // namespace tdz::cuda
