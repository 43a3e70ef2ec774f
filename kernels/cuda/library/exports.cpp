// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/library/library.hpp"

const tdz::cuda::CudaLibrary* tdz_cuda_library() {
  using namespace tdz;
  using namespace tdz::cuda;
  static constexpr CudaLibrary kLibrary{
      kBuild,
      cuda_devices,
      use_cuda_device,
      start_cuda_devices,
      make_cuda_decode_queue,
      make_cuda_decode_queues,
      make_cuda_encode_queue,
      cuda::device_space_bytes,
      cuda::device_forward,
      cuda::device_inverse,
      make_meter,
      scan_names,
      can_scan,
  };
  return &kLibrary;
}
