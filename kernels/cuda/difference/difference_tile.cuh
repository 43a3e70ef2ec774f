// SPDX-License-Identifier: Apache-2.0
// The phases of differencing a tile, the mirror of integrate_tile.cuh: load / history / sweep / store.
#pragma once

#include "kernels/cuda/tile/open_chunk.cuh"
#include "kernels/cuda/tile/tile_copy.cuh"
#include "kernels/cuda/tile/tile_scan.hpp"
#include "kernels/cuda/tile/tile_views.hpp"

namespace tdz::cuda {

template <class Word, unsigned Order, unsigned Rows>
class TileDifferencer {
 public:
  using Total = Sum<Word>;
  using History = Polynomial<Total, Order>;
  static_assert(Rows >= Order, "a segment must hold the history of the next");

  __device__ TileDifferencer(const TilePlan& plan, std::byte* shared)
      : plan_(plan),
        seat_(seat(plan.shape, threadIdx.x)),
        loader_(shared, plan),
        buffers_(shared + plan.buffers_at()) {}

  __device__ const Seat& at() const { return seat_; }
  __device__ bool in_first_segment() const { return seat_.segment == 0; }
  __device__ bool in_last_segment() const { return seat_.segment == plan_.shape.segments() - 1; }

  // Load.
  __device__ void start_load(unsigned turn, const OpenChunk& chunk, std::uint64_t row) const {
    const std::uint32_t tile_bytes = plan_.shape.tile_words() * sizeof(Word);
    loader_.start(turn, pieces(chunk.values, chunk, 1, tile_bytes), chunk.task.in, row);
  }
  __device__ void close_load() const { loader_.close(); }
  __device__ void finish_load(unsigned turn) const { loader_.wait(turn); }

  // History. Before anybody writes: what the rows before this segment leave. The first segment has none in
  // the tile.
  __device__ History history(unsigned turn) const {
    return history_before<Total, Order>(word_view(turn, Plain{}, -static_cast<int>(Order)));
  }

  /// The same from the chunk itself, where a span begins; before the chunk's start all is zero.
  __device__ History history_before_row(const OpenChunk& chunk, std::uint64_t row) const {
    History history;
    for (std::uint64_t back = Order; back > 0; --back) {
      const std::uint64_t index = (row - back) * plan_.shape.tuple + seat_.lane;
      if (row >= back && index < chunk.values.words) {
        difference_step(history, Total{reinterpret_cast<const Word*>(chunk.task.in)[index]});
      }
    }
    return history;
  }

  // Sweep. Puts residuals where they leave from; returns the history at the segment's end.
  __device__ History sweep(unsigned turn, const OpenChunk& chunk, std::uint64_t row, History history) const {
    const MaybeZigzag code{plan_.steps.zigzag ? 1u : 0u};
    const Layout layout = plan_.steps.layout;
    if (layout == Layout::planes || layout == Layout::tuple_planes) {
      PlaneSink<Word, MaybeZigzag> planes{{}, layout == Layout::planes ? plan_.shape.tuple : 1, code};
      find_planes<Word>(chunk.residuals, slots(turn), plan_.slot_out, row, seat_, Rows, planes.plane);
      sweep_into(turn, planes, history);
    } else if (plan_.shape.tuple == 1) {
      sweep_into(turn, packed_view(turn, code), history);
    } else {
      sweep_into(turn, word_view(turn, code, 0), history);
    }
    if (layout == Layout::bit_planes) {
      crew_sync(plan_.shape.threads());  // publishes the residuals
      scatter_bits(turn, chunk, row);
    }
    publish_to_copies();
    return history;
  }

  // Store.
  __device__ void start_store(unsigned turn, const OpenChunk& chunk, std::uint64_t row) const {
    const std::byte* from =
        plan_.in_place() ? loader_.stage(turn) : reinterpret_cast<std::byte*>(slots(turn));
    TileStorer::start(from, pieces(chunk.residuals, chunk, plan_.pieces_out, plan_.slot_out), chunk.task.out,
                      row);
  }

 private:
  __device__ TilePieces pieces(const PieceMap& map, const OpenChunk& chunk, std::uint32_t count,
                               std::uint32_t slot) const {
    return {map, chunk.task.bytes, count, slot, plan_.shape.tile_rows(), plan_.shape.threads(), threadIdx.x};
  }
  __device__ std::uint8_t* slots(unsigned turn) const {
    return reinterpret_cast<std::uint8_t*>(buffers_ + turn % 2 * plan_.buffer_bytes());
  }
  __device__ Word* segment(unsigned turn) const {
    return reinterpret_cast<Word*>(loader_.stage(turn)) + seat_.segment * Rows * plan_.shape.tuple +
           seat_.lane;
  }
  template <class Code>
  __device__ WordView<Word, Code> word_view(unsigned turn, Code code, int from_row) const {
    return {segment(turn) + from_row * static_cast<int>(plan_.shape.tuple), plan_.shape.tuple, code};
  }
  template <class Code>
  __device__ PackedView<Word, Code> packed_view(unsigned turn, Code code) const {
    return {reinterpret_cast<Total*>(segment(turn)), code};
  }

  template <class Sink>
  __device__ void sweep_into(unsigned turn, const Sink& sink, History& history) const {
    if constexpr (Sink::kPack > 1) {
      difference_segment<Total, Order, Rows>(packed_view(turn, Plain{}), sink, history);
    } else {
      difference_segment<Total, Order, Rows>(word_view(turn, Plain{}, 0), sink, history);
    }
  }

  /// Words to bit planes, eight words a thread; the chunk's last words % 8 words leave as they are.
  __device__ void scatter_bits(unsigned turn, const OpenChunk& chunk, std::uint64_t row) const {
    const std::uint64_t n = chunk.residuals.words, first = row * plan_.shape.tuple;
    const Word* from = reinterpret_cast<const Word*>(loader_.stage(turn));
    for (std::uint32_t eight = threadIdx.x; eight < plan_.shape.tile_words() / 8;
         eight += plan_.shape.threads()) {
      if (first + 8 * eight + 8 <= n) scatter_eight(n / 8, first / 8, from + 8 * eight, slots(turn) + eight);
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
        to[plane * plan_.slot_out + (plane * apart + offset) % kGranule] =
            static_cast<std::uint8_t>(bits >> (8 * j));
      }
    }
  }

  const TilePlan& plan_;
  Seat seat_;
  TileLoader loader_;
  std::byte* buffers_;
};

}  // namespace tdz::cuda
