// SPDX-License-Identifier: Apache-2.0
// How streams wait for one another.
#pragma once

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

}  // namespace tdz::cuda
