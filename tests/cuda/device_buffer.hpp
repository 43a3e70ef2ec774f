// SPDX-License-Identifier: Apache-2.0
// Device memory for tests and benchmarks.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <new>
#include <span>
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
    // The copy may return before the last bytes are there, and other streams do not wait for it.
    check(cudaStreamSynchronize(nullptr), "cudaMemcpy to the device");
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

/// Host memory that its owner has pinned: allocated so, or registered.
class PinnedBuffer {
 public:
  enum class Way { allocated, registered };

  PinnedBuffer(std::size_t bytes, Way way) : bytes_(bytes), way_(way) {
    const std::size_t room = bytes == 0 ? 1 : bytes;
    if (way == Way::registered) {
      data_ = ::operator new(room);
      check(cudaHostRegister(data_, room, cudaHostRegisterDefault), "cudaHostRegister");
    } else {
      check(cudaHostAlloc(&data_, room, cudaHostAllocDefault), "cudaHostAlloc");
    }
  }
  PinnedBuffer(const std::vector<std::byte>& bytes, Way way) : PinnedBuffer(bytes.size(), way) {
    std::copy(bytes.begin(), bytes.end(), data());
  }
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;
  ~PinnedBuffer() {
    if (way_ == Way::registered) {
      cudaHostUnregister(data_);
      ::operator delete(data_);
    } else {
      cudaFreeHost(data_);
    }
  }

  std::byte* data() const { return static_cast<std::byte*>(data_); }
  std::span<const std::byte> bytes() const { return {data(), bytes_}; }
  void poison() { std::fill_n(data(), bytes_, std::byte{0xA5}); }
  std::vector<std::byte> get() const { return {data(), data() + bytes_}; }

 private:
  std::size_t bytes_;
  Way way_;
  void* data_ = nullptr;
};

/// The same as types.
template <PinnedBuffer::Way way>
class Pinned : public PinnedBuffer {
 public:
  explicit Pinned(std::size_t bytes) : PinnedBuffer(bytes, way) {}
};

}  // namespace tdz::testing
