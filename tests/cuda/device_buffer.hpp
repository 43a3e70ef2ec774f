// SPDX-License-Identifier: Apache-2.0
// Device memory for tests and benchmarks.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace tdz::testing {

inline void check(cudaError_t result, const char* what) {
  if (result != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(result));
}

class DeviceBuffer {
 public:
  explicit DeviceBuffer(std::size_t bytes) : bytes_(bytes) {
    check(cudaMalloc(reinterpret_cast<void**>(&data_), bytes == 0 ? 1 : bytes), "cudaMalloc");
  }
  explicit DeviceBuffer(const std::vector<std::byte>& bytes) : DeviceBuffer(bytes.size()) { put(bytes); }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  ~DeviceBuffer() { cudaFree(data_); }

  std::byte* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  void put(const std::vector<std::byte>& bytes) {
    check(cudaMemcpy(data_, bytes.data(), bytes.size(), cudaMemcpyHostToDevice), "cudaMemcpy to the device");
  }
  /// Bytes that no kernel writes must not look right.
  void poison() { check(cudaMemset(data_, 0xA5, bytes_), "cudaMemset"); }
  std::vector<std::byte> get() const {
    std::vector<std::byte> bytes(bytes_);
    check(cudaMemcpy(bytes.data(), data_, bytes_, cudaMemcpyDeviceToHost), "cudaMemcpy from the device");
    return bytes;
  }

 private:
  std::byte* data_ = nullptr;
  std::size_t bytes_;
};

}  // namespace tdz::testing
