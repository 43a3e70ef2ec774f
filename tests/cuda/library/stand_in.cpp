// SPDX-License-Identifier: Apache-2.0
// Stands in for libtdz_cuda.so, with one device that cannot work. With TDZ_OTHER_BUILD it belongs to another
// build of tdz.
#include "kernels/cuda/library/library.hpp"

using namespace tdz;

namespace {

Result<std::vector<DeviceInfo>> one_device() {
  return std::vector{DeviceInfo{.number = 0, .name = "stand-in", .major = 9, .supported = true}};
}

Result<DeviceInfo> the_device(int) {
  return one_device()->front();
}

Result<std::vector<DeviceInfo>> no_devices(const std::vector<int>&) {
  throw std::bad_alloc();
}

#ifdef TDZ_OTHER_BUILD
constexpr const char* kBuild = "tdz 99";
#else
constexpr const char* kBuild = cuda::kBuild;
#endif

constexpr cuda::CudaLibrary kLibrary{
    .build = kBuild, .devices = one_device, .use_device = the_device, .start_devices = no_devices};

}  // namespace

const cuda::CudaLibrary* tdz_cuda_library() {
  return &kLibrary;
}
