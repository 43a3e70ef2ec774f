// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/host/pinned_pieces.hpp"

#include "kernels/cuda/host/device_queue.hpp"
#include "kernels/cuda/host/stream_order.hpp"

namespace tdz::cuda {

Status PinnedPieces::make(unsigned threads) {
  if (threads <= pairs_.size()) return ok();
  auto memory = memory_.take(pieces_bytes(threads));
  if (!memory) return memory.error();
  pairs_.resize(threads);
  for (Pair& pair : pairs_) {
    for (std::size_t i = 0; i < pair.pieces.size(); ++i) {
      pair.pieces[i] = memory->first(kPieceBytes);
      *memory = memory->subspan(kPieceBytes);
      if (pair.sent[i].get() != nullptr) continue;
      if (auto made = make_event(pair.sent[i]); !made) return made;
    }
  }
  return ok();
}

Result<std::span<std::byte>> PinnedPieces::take(unsigned thread) {
  Pair& pair = pairs_[thread];
  if (auto sent = checked(cudaEventSynchronize(pair.sent[pair.turn].get()), "cudaEventSynchronize"); !sent)
    return sent.error();
  return pair.pieces[pair.turn];
}

Status PinnedPieces::send(unsigned thread, std::byte* to, std::size_t bytes, cudaStream_t stream) {
  Pair& pair = pairs_[thread];
  Status done = enqueue_copy(to, pair.pieces[pair.turn].data(), bytes, cudaMemcpyHostToDevice, stream);
  if (done) done = checked(cudaEventRecord(pair.sent[pair.turn].get(), stream), "cudaEventRecord");
  pair.turn = 1 - pair.turn;
  return done;
}

}  // namespace tdz::cuda
