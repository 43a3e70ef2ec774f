// SPDX-License-Identifier: Apache-2.0
// How streams wait for one another, and copies on a stream.
#pragma once

#include <cstddef>

#include "kernels/cuda/host/cuda_handles.hpp"

namespace tdz::cuda {

/// An event by which one stream waits for another.
inline Status make_signal(Event& event) {
  return checked(cudaEventCreateWithFlags(event.out(), cudaEventDisableTiming), "cudaEventCreate");
}
/// `waiting` goes on when all that `from` has so far is done.
inline Status link(cudaStream_t from, Event& event, cudaStream_t waiting) {
  Status done = checked(cudaEventRecord(event.get(), from), "cudaEventRecord");
  if (done) done = checked(cudaStreamWaitEvent(waiting, event.get(), 0), "cudaStreamWaitEvent");
  return done;
}

/// Puts a copy on the stream. No bytes: nothing.
inline Status enqueue_copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                           cudaStream_t stream) {
  if (bytes == 0) return ok();
  return checked(cudaMemcpyAsync(to, from, bytes, kind, stream), "cudaMemcpyAsync");
}
/// The same, and waits for all that the stream has.
inline Status copy_now(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                       cudaStream_t stream) {
  Status done = enqueue_copy(to, from, bytes, kind, stream);
  if (done) done = checked(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  return done;
}

}  // namespace tdz::cuda
