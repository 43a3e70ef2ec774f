// SPDX-License-Identifier: Apache-2.0
// What the programs that measure work on a device share: tables in device memory, and clocks.
#pragma once

#include <algorithm>
#include <chrono>
#include <fstream>
#include <vector>

#include "tests/cuda/device_buffer.hpp"

namespace tdz::testing {

using Bytes = std::vector<std::byte>;

/// A whole file; nothing if it cannot be read.
inline Bytes bytes_of(const char* path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  Bytes bytes(file ? static_cast<std::size_t>(file.tellg()) : 0);
  file.seekg(0);
  if (!file.read(reinterpret_cast<char*>(bytes.data()), std::ssize(bytes))) bytes.clear();
  return bytes;
}

/// A copy of a table in device memory.
template <class T>
class DeviceTable {
 public:
  explicit DeviceTable(const std::vector<T>& values) : buffer_(values.size() * sizeof(T)) {
    check(cudaMemcpy(buffer_.data(), values.data(), buffer_.bytes(), cudaMemcpyHostToDevice), "a table");
  }
  T* data() const { return reinterpret_cast<T*>(buffer_.data()); }
  std::vector<T> get() const {
    std::vector<T> all(buffer_.bytes() / sizeof(T));
    check(cudaMemcpy(all.data(), buffer_.data(), buffer_.bytes(), cudaMemcpyDeviceToHost), "a table");
    return all;
  }

 private:
  DeviceBuffer buffer_;
};

/// Repeats these bytes in device memory.
inline void fill(const DeviceBuffer& to, const Bytes& bytes) {
  for (std::size_t at = 0; at < to.bytes(); at += bytes.size())
    check(cudaMemcpy(to.data() + at, bytes.data(), std::min(bytes.size(), to.bytes() - at),
                     cudaMemcpyHostToDevice),
          "values");
}

inline double median(std::vector<double> times) {
  std::ranges::sort(times);
  return times[times.size() / 2];
}

using Clock = std::chrono::steady_clock;
/// Milliseconds of the host's clock.
inline double since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

/// Milliseconds of the device's clock, between two events on a stream.
class DeviceTimer {
 public:
  explicit DeviceTimer(cudaStream_t stream = nullptr) : stream_(stream) {
    check(cudaEventCreate(&begin_), "event"), check(cudaEventCreate(&end_), "event");
  }
  DeviceTimer(const DeviceTimer&) = delete;
  DeviceTimer& operator=(const DeviceTimer&) = delete;
  ~DeviceTimer() { cudaEventDestroy(begin_), cudaEventDestroy(end_); }

  void begin() { check(cudaEventRecord(begin_, stream_), "record"); }
  void end() { check(cudaEventRecord(end_, stream_), "record"); }
  /// Waits for the end.
  double milliseconds() {
    float time = 0;
    check(cudaEventSynchronize(end_), "the work"), check(cudaEventElapsedTime(&time, begin_, end_), "time");
    return static_cast<double>(time);
  }
  template <class Work>
  double once(const Work& work) {
    begin(), work(), end();
    return milliseconds();
  }

 private:
  cudaStream_t stream_;
  cudaEvent_t begin_{}, end_{};
};

/// The median of so many runs, after some that warm up.
template <class Work>
double median_ms(int warm, int rounds, const Work& work) {
  DeviceTimer timer;
  std::vector<double> times;
  for (int round = 0; round < warm + rounds; ++round) {
    const double time = timer.once(work);
    if (round >= warm) times.push_back(time);
  }
  return median(times);
}

}  // namespace tdz::testing
