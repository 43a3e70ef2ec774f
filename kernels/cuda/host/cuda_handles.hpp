// SPDX-License-Identifier: Apache-2.0
// Owners of CUDA objects, and the one helper that turns a failed call into an Error with the call's name.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>
#include <utility>

#include "formats/error.hpp"

namespace tdz::cuda {

/// Success, or an error that names the call: of kind limit if memory is missing, else of kind io.
inline Status checked(cudaError_t result, const char* call) {
  if (result == cudaSuccess) return ok();
  static_cast<void>(cudaGetLastError());  // clears it: else the next launch reports it again
  const ErrorKind kind = result == cudaErrorMemoryAllocation ? ErrorKind::limit : ErrorKind::io;
  return Error{kind, std::string(call) + ": " + cudaGetErrorString(result)};
}

/// Owns what `Free` releases; empty when moved from.
template <class Handle, cudaError_t (*Free)(Handle)>
class Owned {
 public:
  Owned() = default;
  Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, Handle{})) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Owned() {
    if (handle_ != Handle{}) static_cast<void>(Free(handle_));  // nothing can be done if this fails
  }

  Handle get() const { return handle_; }
  /// Where a call that creates a handle puts it. Precondition: empty.
  Handle* out() { return &handle_; }

 private:
  Handle handle_{};
};

using Stream = Owned<cudaStream_t, cudaStreamDestroy>;
using Event = Owned<cudaEvent_t, cudaEventDestroy>;
using DeviceMemory = Owned<void*, cudaFree>;
using PinnedMemory = Owned<void*, cudaFreeHost>;

inline Status make_stream(Stream& stream) {
  return checked(cudaStreamCreateWithFlags(stream.out(), cudaStreamNonBlocking), "cudaStreamCreate");
}
/// An event that blocks the thread that waits for it.
inline Status make_event(Event& event) {
  return checked(cudaEventCreateWithFlags(event.out(), cudaEventBlockingSync | cudaEventDisableTiming),
                 "cudaEventCreate");
}
inline Status allocate_device(DeviceMemory& memory, std::size_t bytes) {
  return checked(cudaMalloc(memory.out(), bytes), "cudaMalloc");
}
inline Status allocate_pinned(PinnedMemory& memory, std::size_t bytes) {
  return checked(cudaHostAlloc(memory.out(), bytes, cudaHostAllocDefault), "cudaHostAlloc");
}

}  // namespace tdz::cuda
