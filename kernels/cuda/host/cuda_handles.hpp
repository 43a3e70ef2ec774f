// SPDX-License-Identifier: Apache-2.0
// What host code puts around CUDA's calls: the helper that turns a failed call into an Error with the call's
// name, owners of CUDA objects, how streams wait for one another and copy, and whether there is a device.
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

// ---- Streams

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

// ---- Devices

/// At least 1. The error unsupported says why there is no device.
inline Result<int> count_devices() {
  int count = 0;
  const cudaError_t counted = cudaGetDeviceCount(&count);
  if (counted == cudaErrorInsufficientDriver) {
    static_cast<void>(cudaGetLastError());
    return unsupported("there is no NVIDIA driver, or it is older than CUDA " +
                       std::to_string(CUDART_VERSION / 1000) + " needs; install one");
  }
  if (counted == cudaErrorNoDevice || (counted == cudaSuccess && count == 0)) {
    static_cast<void>(cudaGetLastError());
    return unsupported("the NVIDIA driver finds no GPU");
  }
  const Status usable = checked(counted, "cudaGetDeviceCount");
  if (!usable) return usable.error();
  return count;
}

/// There must be a device.
inline Status check_device() {
  const auto count = count_devices();
  return count ? ok() : Status(count.error());
}

}  // namespace tdz::cuda
