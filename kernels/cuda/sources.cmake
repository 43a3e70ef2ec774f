# SPDX-License-Identifier: Apache-2.0
# The CUDA backend, part of tdz_kernels. Machine code for 7.5, 8.0 and 9.0, and code of 9.0 that newer drivers translate.
find_package(CUDAToolkit REQUIRED)
set(TDZ_CUDA_ARCHITECTURES 75-real 80-real 90 CACHE STRING "GPUs to build machine code for")
set_target_properties(tdz_kernels PROPERTIES CUDA_ARCHITECTURES "${TDZ_CUDA_ARCHITECTURES}")
target_sources(tdz_kernels PRIVATE rearrange.cu)
foreach(word u8 u16 u32 u64)
  target_sources(tdz_kernels PRIVATE
    integrate_stream_${word}.cu integrate_look_back_${word}.cu difference_stream_${word}.cu columns_${word}.cu)
endforeach()
# Host code: memory, streams, errors. cudart is linked statically, so the program starts where there is no driver.
target_sources(tdz_kernels PRIVATE launch.cpp dispatch.cpp cuda_backend.cpp device_transform.cpp)
target_link_libraries(tdz_kernels PRIVATE CUDA::cudart_static)
