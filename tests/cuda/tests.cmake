# SPDX-License-Identifier: Apache-2.0
# The arithmetic of the kernels runs everywhere; the kernels themselves need a device, and report Skipped without one.
add_executable(tile_simulation_test tile_simulation_test.cpp)
target_link_libraries(tile_simulation_test PRIVATE tdz_formats tdz_build_options)
target_include_directories(tile_simulation_test PRIVATE ${PROJECT_SOURCE_DIR})
add_test(NAME cuda.tile_simulation COMMAND tile_simulation_test)

if(TDZ_WITH_CUDA)
  find_package(CUDAToolkit REQUIRED)
  add_executable(cuda_kernels_test kernels_test.cpp)
  target_link_libraries(cuda_kernels_test PRIVATE tdz_kernels CUDA::cudart_static)
  add_test(NAME cuda.kernels COMMAND cuda_kernels_test)
  set_tests_properties(cuda.kernels PROPERTIES SKIP_RETURN_CODE 77)

  # The rivals and the benchmark: machine code for the device at hand only, they take longer to build than the product.
  if(TDZ_BENCH)
    add_library(tdz_cuda_baselines STATIC
      ${PROJECT_SOURCE_DIR}/kernels/cuda/baselines/blelloch.cu
      ${PROJECT_SOURCE_DIR}/kernels/cuda/baselines/kogge_stone.cu
      ${PROJECT_SOURCE_DIR}/kernels/cuda/baselines/chained.cu
      ${PROJECT_SOURCE_DIR}/kernels/cuda/baselines/look_back_per_order.cu
      ${PROJECT_SOURCE_DIR}/kernels/cuda/baselines/sam.cu
      ${PROJECT_SOURCE_DIR}/tests/bench/cub_scan.cu)
    target_link_libraries(tdz_cuda_baselines PUBLIC tdz_formats CUDA::cudart_static)
    set_target_properties(tdz_cuda_baselines PROPERTIES CUDA_ARCHITECTURES 90)
    add_executable(scan_bench ${PROJECT_SOURCE_DIR}/tests/bench/scan_bench.cpp
                              ${PROJECT_SOURCE_DIR}/tests/bench/scan_methods.cpp)
    target_link_libraries(scan_bench PRIVATE tdz_kernels tdz_cuda_baselines)
  endif()
endif()
