// SPDX-License-Identifier: Apache-2.0
#include "tests/cuda/faulty_calls.hpp"

#include <cuda_runtime_api.h>

#include <atomic>

namespace {

std::atomic<unsigned> calls = 0, failing = 0;
std::atomic<bool> for_good = false;

bool fails() {
  const unsigned call = ++calls, bad = failing;
  return bad != 0 && (call == bad || (for_good && call > bad));
}

}  // namespace

namespace tdz::testing {

void fail_call(unsigned n, Fault fault) {
  calls = 0;
  failing = n;
  for_good = fault == Fault::from_then_on;
}
unsigned calls_made() {
  return calls;
}

}  // namespace tdz::testing

// Each function replaces the call of its name; the linker gives the real one the prefix __real_.
#define TDZ_FAULTY(call, error, parameters, arguments) \
  extern "C" cudaError_t __real_##call parameters;     \
  extern "C" cudaError_t __wrap_##call parameters;     \
  extern "C" cudaError_t __wrap_##call parameters {    \
    return fails() ? error : __real_##call arguments;  \
  }

TDZ_FAULTY(cudaGetDeviceCount, cudaErrorUnknown, (int* count), (count))
TDZ_FAULTY(cudaGetDeviceProperties, cudaErrorUnknown, (cudaDeviceProp * properties, int device),
           (properties, device))
TDZ_FAULTY(cudaSetDevice, cudaErrorDevicesUnavailable, (int device), (device))
TDZ_FAULTY(cudaGetDevice, cudaErrorUnknown, (int* device), (device))
TDZ_FAULTY(cudaMemGetInfo, cudaErrorUnknown, (std::size_t * free, std::size_t* total), (free, total))
TDZ_FAULTY(cudaDeviceGetAttribute, cudaErrorUnknown, (int* value, cudaDeviceAttr attribute, int device),
           (value, attribute, device))
TDZ_FAULTY(cudaStreamCreateWithFlags, cudaErrorUnknown, (cudaStream_t * stream, unsigned flags),
           (stream, flags))
TDZ_FAULTY(cudaEventCreateWithFlags, cudaErrorUnknown, (cudaEvent_t * event, unsigned flags), (event, flags))
TDZ_FAULTY(cudaMalloc, cudaErrorMemoryAllocation, (void** memory, std::size_t bytes), (memory, bytes))
TDZ_FAULTY(cudaHostAlloc, cudaErrorMemoryAllocation, (void** memory, std::size_t bytes, unsigned flags),
           (memory, bytes, flags))
TDZ_FAULTY(cudaHostRegister, cudaErrorMemoryAllocation, (void* memory, std::size_t bytes, unsigned flags),
           (memory, bytes, flags))
TDZ_FAULTY(cudaHostGetDevicePointer, cudaErrorInvalidValue, (void** on_device, void* at, unsigned flags),
           (on_device, at, flags))
TDZ_FAULTY(cudaPointerGetAttributes, cudaErrorUnknown, (cudaPointerAttributes * attributes, const void* at),
           (attributes, at))
TDZ_FAULTY(cudaMemcpyAsync, cudaErrorECCUncorrectable,
           (void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream),
           (to, from, bytes, kind, stream))
TDZ_FAULTY(cudaMemsetAsync, cudaErrorUnknown, (void* at, int value, std::size_t bytes, cudaStream_t stream),
           (at, value, bytes, stream))
TDZ_FAULTY(cudaFuncGetAttributes, cudaErrorUnknown, (cudaFuncAttributes * attributes, const void* function),
           (attributes, function))
TDZ_FAULTY(cudaFuncSetAttribute, cudaErrorInvalidDeviceFunction,
           (const void* function, cudaFuncAttribute attribute, int value), (function, attribute, value))
TDZ_FAULTY(cudaGetLastError, cudaErrorLaunchFailure, (), ())
TDZ_FAULTY(cudaEventRecord, cudaErrorUnknown, (cudaEvent_t event, cudaStream_t stream), (event, stream))
TDZ_FAULTY(cudaEventSynchronize, cudaErrorIllegalAddress, (cudaEvent_t event), (event))
TDZ_FAULTY(cudaStreamSynchronize, cudaErrorUnknown, (cudaStream_t stream), (stream))
TDZ_FAULTY(cudaStreamWaitEvent, cudaErrorUnknown, (cudaStream_t stream, cudaEvent_t event, unsigned flags),
           (stream, event, flags))
TDZ_FAULTY(cudaLaunchKernelExC, cudaErrorLaunchOutOfResources,
           (const cudaLaunchConfig_t* launch, const void* kernel, void** arguments),
           (launch, kernel, arguments))
TDZ_FAULTY(cudaOccupancyMaxActiveBlocksPerMultiprocessor, cudaErrorUnknown,
           (int* blocks, const void* kernel, int threads, std::size_t shared_bytes),
           (blocks, kernel, threads, shared_bytes))
