// SPDX-License-Identifier: Apache-2.0
// The main of tests that need a device: without one they exit with 77, which counts as Skipped.
#define DOCTEST_CONFIG_IMPLEMENT
#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include <cstdio>

int main(int count, char** arguments) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::puts("no CUDA device");
    return 77;
  }
  return doctest::Context(count, arguments).run();
}
