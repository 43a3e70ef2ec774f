// SPDX-License-Identifier: Apache-2.0
// The inverse of integrate_stream.cuh: a block walks a chunk and turns values into residuals. It passes a
// history of every lane from tile to tile. A history can be read from the values; it does not depend on all
// tiles before. So several blocks may share a chunk: each walks a span of its tiles.
#pragma once

#include "kernels/cuda/launch/launch.hpp"
#include "kernels/cuda/launch/launch_kernel.cuh"
#include "kernels/cuda/tile/open_chunk.cuh"
#include "kernels/cuda/tile/tile_copy.cuh"
#include "kernels/cuda/tile/tile_scan.hpp"
#include "kernels/cuda/tile/tile_views.hpp"

namespace tdz::cuda {

/// The phases of differencing a tile, the inverse of integrate_tile.cuh: load / history / sweep / store.
template <class Word, unsigned Order, unsigned Rows, TileKind Kind = TileKind::any>
class TileDifferencer {
 public:
  using Total = Sum<Word>;
  using History = Polynomial<Total, Order>;
  static_assert(Rows >= Order, "a segment must hold the history of the next one");

  __device__ TileDifferencer(const TilePlan& plan, std::byte* shared)
      : plan_(plan),
        assigned_(assignment(plan.shape, threadIdx.x)),
        loader_(shared, plan),
        buffers_(shared + plan.buffers_at()) {}

  __device__ const Assignment& at() const { return assigned_; }
  __device__ bool in_first_segment() const { return assigned_.segment == 0; }
  __device__ bool in_last_segment() const { return assigned_.segment == plan_.shape.segments() - 1; }

  // Load.
  __device__ void start_load(unsigned iteration, const OpenChunk& chunk, std::uint64_t row) const {
    const std::uint32_t tile_bytes = plan_.shape.tile_words() * sizeof(Word);
    loader_.start(iteration, pieces(chunk.values, chunk, 1, tile_bytes), chunk.task.in, row);
  }
  __device__ void close_load() const { loader_.close(); }
  __device__ void finish_load(unsigned iteration) const { loader_.wait(iteration); }

  // History. From the rows before this segment; call it before any thread writes. Not for the first segment:
  // its rows before lie in another tile.
  __device__ History history(unsigned iteration) const {
    return history_before<Total, Order>(word_view(iteration, Plain{}, -static_cast<int>(Order)));
  }

  /// The history at the start of a span, from the chunk itself. Before the chunk's start all values are zero.
  __device__ History history_before_row(const OpenChunk& chunk, std::uint64_t row) const {
    History history;
    for (std::uint64_t back = Order; back > 0; --back) {
      const std::uint64_t index = (row - back) * plan_.shape.tuple + assigned_.lane;
      if (row >= back && index < chunk.values.words) {
        difference_step(history, Total{reinterpret_cast<const Word*>(chunk.task.in)[index]});
      }
    }
    return history;
  }

  // Sweep. Turns values into residuals, and puts them where start_store() takes them; returns the history at
  // the segment's end.
  __device__ History sweep(unsigned iteration, const OpenChunk& chunk, std::uint64_t row,
                           History history) const {
    const MaybeZigzag code{plan_.steps.zigzag ? 1u : 0u};
    const Layout layout = plan_.steps.layout;
    if (!kBytesOfOneLane && (layout == Layout::planes || layout == Layout::tuple_planes)) {
      PlaneSink<Word, MaybeZigzag> planes{{}, layout == Layout::planes ? plan_.shape.tuple : 1, code};
      find_planes<Word>(chunk.residuals, buffer(iteration), plan_.piece_stride_out, row, assigned_, Rows,
                        planes.plane);
      sweep_into(iteration, planes, history);
    } else if (single()) {
      sweep_into(iteration, packed_view(iteration, code), history);
    } else {
      sweep_into(iteration, word_view(iteration, code, 0), history);
    }
    if (layout == Layout::bit_planes) {
      sync_compute_warps(plan_.shape.threads());  // publishes the residuals
      scatter_bits(iteration, chunk, row);
    }
    publish_to_copies();
    return history;
  }

  // Store.
  __device__ void start_store(unsigned iteration, const OpenChunk& chunk, std::uint64_t row) const {
    const std::byte* from =
        plan_.in_place() ? loader_.stage(iteration) : reinterpret_cast<std::byte*>(buffer(iteration));
    TileStorer::start(from, pieces(chunk.residuals, chunk, plan_.pieces_out, plan_.piece_stride_out),
                      chunk.task.out, row);
  }

 private:
  /// Their planes are plain bytes.
  static constexpr bool kBytesOfOneLane = sizeof(Word) == 1 && Kind == TileKind::one_lane;
  __device__ bool single() const {
    if constexpr (Kind == TileKind::one_lane) return true;
    return Kind == TileKind::any && plan_.shape.tuple == 1;
  }
  __device__ TilePieces pieces(const PieceMap& map, const OpenChunk& chunk, std::uint32_t count,
                               std::uint32_t stride) const {
    return {map,        chunk.task.bytes, count, stride, plan_.shape.tile_rows(), plan_.shape.threads(),
            threadIdx.x};
  }
  __device__ std::uint8_t* buffer(unsigned iteration) const {
    return reinterpret_cast<std::uint8_t*>(buffers_ + iteration % 2 * plan_.buffer_bytes());
  }
  __device__ Word* segment(unsigned iteration) const {
    return reinterpret_cast<Word*>(loader_.stage(iteration)) + assigned_.segment * Rows * plan_.shape.tuple +
           assigned_.lane;
  }
  template <class Code>
  __device__ WordView<Word, Code> word_view(unsigned iteration, Code code, int from_row) const {
    return {segment(iteration) + from_row * static_cast<int>(plan_.shape.tuple), plan_.shape.tuple, code};
  }
  template <class Code>
  __device__ PackedView<Word, Code> packed_view(unsigned iteration, Code code) const {
    return {reinterpret_cast<Total*>(segment(iteration)), code};
  }

  template <class Sink>
  __device__ void sweep_into(unsigned iteration, const Sink& sink, History& history) const {
    if constexpr (Sink::kPack > 1) {
      difference_segment<Total, Order, Rows>(packed_view(iteration, Plain{}), sink, history);
    } else {
      difference_segment<Total, Order, Rows>(word_view(iteration, Plain{}, 0), sink, history);
    }
  }

  /// From words to bit planes, eight words for each thread. The chunk's last words % 8 words are stored as
  /// words.
  __device__ void scatter_bits(unsigned iteration, const OpenChunk& chunk, std::uint64_t row) const {
    const std::uint64_t n = chunk.residuals.words, first = row * plan_.shape.tuple;
    const Word* from = reinterpret_cast<const Word*>(loader_.stage(iteration));
    for (std::uint32_t eight = threadIdx.x; eight < plan_.shape.tile_words() / 8;
         eight += plan_.shape.threads()) {
      if (first + 8 * eight + 8 <= n)
        scatter_eight(n / 8, first / 8, from + 8 * eight, buffer(iteration) + eight);
    }
    const std::uint64_t loose = n - n % 8 + threadIdx.x;
    if (threadIdx.x < 8 && loose < n && loose >= first && loose - first < plan_.shape.tile_words()) {
      reinterpret_cast<Word*>(chunk.task.out)[loose] = from[loose - first];
    }
  }
  __device__ void scatter_eight(std::uint64_t plane_bytes, std::uint64_t begin, const Word* from,
                                std::uint8_t* to) const {
    const auto apart = static_cast<unsigned>(plane_bytes % kGranule),
               offset = static_cast<unsigned>(begin % kGranule);
    for (unsigned b = 0; b < sizeof(Word); ++b) {
      std::uint64_t bits = 0;
      for (unsigned i = 0; i < 8; ++i)
        bits |= std::uint64_t{static_cast<std::uint8_t>(from[i] >> (8 * b))} << (8 * i);
      bits = transpose8x8(bits);
      for (unsigned j = 0; j < 8; ++j) {
        const unsigned plane = 8 * b + j;
        to[plane * plan_.piece_stride_out + (plane * apart + offset) % kGranule] =
            static_cast<std::uint8_t>(bits >> (8 * j));
      }
    }
  }

  const TilePlan& plan_;
  Assignment assigned_;
  TileLoader loader_;
  std::byte* buffers_;
};

/// How the tiles of a chunk are divided among blocks.
struct SpanCut {
  std::uint32_t spans = 1;  ///< of a chunk
  std::uint32_t tiles_per_span = 0;
};

template <class Word, unsigned Order, unsigned Rows, TileKind Kind>
__global__ void __launch_bounds__(kMaxWarps* kWarp)
    difference_stream(const __grid_constant__ TilePlan plan, const __grid_constant__ ChunkBatch batch,
                      const SpanCut cut) {
  extern __shared__ __align__(128) std::byte shared[];
  const OpenChunk chunk(plan.steps, batch[blockIdx.x / cut.spans]);
  const TileDifferencer<Word, Order, Rows, Kind> block(plan, shared);
  const CarryPair<Word, Order> histories{reinterpret_cast<Sum<Word>*>(shared + plan.carries_at()),
                                         plan.shape.tuple};
  const std::uint32_t tile_rows = plan.shape.tile_rows(), ahead = plan.ahead();
  const std::uint32_t first = blockIdx.x % cut.spans * cut.tiles_per_span;
  const std::uint32_t tiles = smaller(tiles_of(chunk.values.words, plan.shape), first + cut.tiles_per_span);
  const auto row_of = [&](std::uint32_t tile) { return std::uint64_t{tile} * tile_rows; };
  const auto start_load = [&](std::uint32_t tile) {
    if (tile < tiles) block.start_load(tile - first, chunk, row_of(tile));
    block.close_load();
  };

  if (first == 0) copy_trailing<Word>(chunk.task);
  if (block.in_first_segment())
    histories.put(0, block.at().lane, block.history_before_row(chunk, row_of(first)));
  __syncthreads();  // publishes the first histories
  for (std::uint32_t tile = first; tile < first + ahead; ++tile) start_load(tile);
  for (std::uint32_t tile = first; tile < tiles; ++tile) {
    const std::uint32_t iteration = tile - first;
    // Load.
    block.finish_load(iteration);
    const auto history =
        block.in_first_segment() ? histories.get(iteration, block.at().lane) : block.history(iteration);
    __syncthreads();  // frees the values for overwriting

    // Sweep, and the history for the next tile.
    const auto last = block.sweep(iteration, chunk, row_of(tile), history);
    if (block.in_last_segment()) histories.put(iteration + 1, block.at().lane, last);
    wait_for_stores();
    __syncthreads();  // publishes residuals and histories; frees stages

    // Store, and load the next tile into the free stage.
    block.start_store(iteration, chunk, row_of(tile));
    start_load(tile + ahead);
  }
  finish_stores();
}

// ---- The launcher; one source file for each word instantiates it

/// Enough spans to fill the device about four times. No span is so short that its start costs much.
inline SpanCut cut_spans(std::uint32_t tiles, std::uint32_t chunks, unsigned resident) {
  constexpr std::uint32_t kShortest = 16;
  const std::uint32_t wanted = (4 * resident + chunks - 1) / chunks;
  const std::uint32_t most = tiles / kShortest + 1;
  const std::uint32_t spans = smaller(wanted, most);
  return {spans, (tiles + spans - 1) / spans};
}

template <class Word, unsigned Order, unsigned Rows, TileKind Kind>
cudaError_t launch_difference_rows(const Pass& pass, const ChunkBatch& batch, const ScanTuning& tuning,
                                   const DeviceShape& device, cudaStream_t stream) {
  const TilePlan plan = fitted_plan(pass, {Rows, tuning.warps, tuning.stages}, Direction::difference, device);
  if (plan.stages == 0) return cudaErrorInvalidConfiguration;
  const auto kernel = difference_stream<Word, Order, Rows, Kind>;
  unsigned resident = 0;
  const cudaError_t counted = count_resident(kernel, plan.shape.threads(), plan.shared_bytes(), resident);
  if (counted != cudaSuccess) return counted;
  const SpanCut cut =
      cut_spans(tiles_of(batch.chunk_bytes / sizeof(Word), plan.shape), batch.chunks, resident);
  return launch_shared(kernel, batch.chunks * cut.spans, plan.shape.threads(), plan.shared_bytes(), stream,
                       plan, batch, cut);
}

template <class Word>
cudaError_t launch_difference_stream(const Pass& pass, const ChunkBatch& batch, const ScanTuning& tuning,
                                     const DeviceShape& device, cudaStream_t stream) {
  if (batch.chunks == 0) return cudaSuccess;
  return with_order(pass.order, [&]<unsigned Order>() {
    constexpr unsigned kSingle = stream_rows(sizeof(Word), Order, true);
    constexpr unsigned kSeveral = stream_rows(sizeof(Word), Order, false);
    const auto launch = [&]<unsigned Rows, TileKind Kind>() {
      return launch_difference_rows<Word, Order, Rows, Kind>(pass, batch, tuning, device, stream);
    };
    if constexpr (kSingle == kSeveral) {
      return launch.template operator()<kSingle, TileKind::any>();
    } else {
      constexpr TileKind kOne =
          leaves_out_other_kind(sizeof(Word), Order) ? TileKind::one_lane : TileKind::any;
      constexpr TileKind kOther =
          difference_leaves_out_single_lane(sizeof(Word), Order) ? TileKind::several_lanes : TileKind::any;
      return pass.tuple == 1 ? launch.template operator()<kSingle, kOne>()
                             : launch.template operator()<kSeveral, kOther>();
    }
  });
}

}  // namespace tdz::cuda
