// SPDX-License-Identifier: Apache-2.0
// libtdz_cuda.so: all code that needs CUDA. Programs open it at the first use of a device, so they start
// without it, and are small. This is its table of functions.
#pragma once

#include "kernels/cuda/host/cuda_devices.hpp"
#include "kernels/cuda/host/decode_queue.hpp"
#include "kernels/cuda/host/device_transform.hpp"
#include "kernels/cuda/host/encode_queue.hpp"
#include "kernels/cuda/meter/meter.hpp"
#include "tdz_headers.hpp"  // made by cmake/headers.cmake

#ifdef _GLIBCXX_DEBUG
#define TDZ_LIBRARY_MODE ", debug containers"
#else
#define TDZ_LIBRARY_MODE ""
#endif

namespace tdz::cuda {

/// C++ types go through the table. So both sides must have the same headers and the same compiler.
inline constexpr char kBuild[] =
    "tdz " TDZ_VERSION ", headers " TDZ_HEADERS ", compiler " __VERSION__ TDZ_LIBRARY_MODE;

/// Only `build` may be read before it was compared with kBuild: the other members belong to that build.
struct CudaLibrary {
  const char* build = nullptr;
  decltype(&cuda_devices) devices = nullptr;
  decltype(&use_cuda_device) use_device = nullptr;
  decltype(&start_cuda_devices) start_devices = nullptr;
  decltype(&make_cuda_decode_queue) make_decode_queue = nullptr;
  decltype(&make_cuda_decode_queues) make_decode_queues = nullptr;
  decltype(&make_cuda_encode_queue) make_encode_queue = nullptr;
  decltype(&device_space_bytes) space_bytes = nullptr;
  decltype(&device_forward) forward = nullptr;
  decltype(&device_inverse) inverse = nullptr;
  decltype(&make_meter) make_a_meter = nullptr;
  decltype(&scan_names) names_of_scans = nullptr;
  decltype(&can_scan) can_run_scan = nullptr;
};

}  // namespace tdz::cuda

/// The one symbol that libtdz_cuda.so shows. The table lives as long as the process.
extern "C" const tdz::cuda::CudaLibrary* tdz_cuda_library();
