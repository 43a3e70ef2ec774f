// SPDX-License-Identifier: Apache-2.0
// Do several GPUs decode so many times as fast as one? Each has a decoder and a thread of its own; packed
// bytes and values stay in its memory. A cut of a file is repeated to a stream, which every device decodes.
//
//     devices_bench FILE WIDTH MIB
#include <algorithm>
#include <barrier>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tdz/device_decoder.hpp"
#include "tests/bench/device_bench.hpp"

namespace tdz {
namespace {

using namespace testing;

constexpr int kRounds = 20, kWarm = 3;

Plan plan_of(std::uint8_t width) {
  constexpr std::uint32_t kRun = 1024;
  const TokenCode code = width == 2 ? TokenCode{4, 2} : TokenCode{3, 1};
  Column column{width, 1, {}};
  column.steps = {DifferenceStep{1, 1, kRun}, ZigzagStep{}, TokensStep{1, code, kRun}};
  return {Coding::uniform, {column}};
}

Bytes original_of(const char* name, std::size_t bytes) {
  std::ifstream file(name, std::ios::binary);
  Bytes cut(std::min<std::size_t>(bytes, 4u << 20));
  file.read(reinterpret_cast<char*>(cut.data()), std::ssize(cut));
  cut.resize(static_cast<std::size_t>(file.gcount()));
  if (cut.empty()) std::puts("the file is empty"), std::exit(2);
  Bytes original;
  while (original.size() < bytes) original.insert(original.end(), cut.begin(), cut.end());
  original.resize(bytes);
  return original;
}

template <class T>
T good(Result<T> result) {
  if (!result) std::puts(result.error().message.c_str()), std::exit(1);
  return *std::move(result);
}
void good(const Status& status) {
  if (!status) std::puts(status.error().message.c_str()), std::exit(1);
}

/// One device's share: all of the stream, in every round.
void decode_on(int device, const Bytes& stored, const Bytes& original, std::barrier<>& all,
               std::mutex& turn) {
  check(cudaSetDevice(device), "cudaSetDevice");
  const DeviceBuffer there(stored);
  auto decoder = good(DeviceDecoder::open_on_device(there.data(), there.bytes()));
  const auto sizes = good(decoder.select());
  good(decoder.load());
  const DeviceBuffer values(sizes.original), scratch(sizes.scratch);
  cudaStream_t stream{};
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
  for (int round = 0; round < kWarm + kRounds; ++round) {
    if (round == kWarm) all.arrive_and_wait();  // the clock starts
    good(decoder.decode(values.data(), scratch.data(), stream));
    good(decoder.finish());
  }
  all.arrive_and_wait();              // the clock stops
  const std::scoped_lock lock(turn);  // one copy of the values at a time
  if (decoder.refused_chunks() != 0 || values.get() != original) std::puts("WRONG values"), std::exit(1);
  check(cudaStreamDestroy(stream), "stream");
}

/// GB/s of values of so many devices together.
double speed_of(int devices, const Bytes& stored, const Bytes& original) {
  std::barrier all(devices + 1);
  std::mutex turn;
  std::vector<std::jthread> threads;
  for (int device = 0; device < devices; ++device)
    threads.emplace_back([&, device] { decode_on(device, stored, original, all, turn); });
  all.arrive_and_wait();
  const auto begin = Clock::now();
  all.arrive_and_wait();
  const double seconds = since(begin) / 1000;
  return static_cast<double>(original.size()) * devices * kRounds / seconds / 1e9;
}

int run(const char* name, std::uint8_t width, std::size_t bytes) {
  int devices = 0;
  check(cudaGetDeviceCount(&devices), "cudaGetDeviceCount");
  const Bytes original = original_of(name, bytes);
  CompressOptions options;
  options.plan = plan_of(width), options.chunk_bytes = 1u << 20, options.digest = false;
  const Bytes stored = good(compress(original, options));
  double one = 0;
  for (int count = 1; count <= devices; ++count) {
    const double speed = speed_of(count, stored, original);
    if (count == 1) one = speed;
    std::printf("%d devices: %8.1f GB/s, %.2f times one\n", count, speed, speed / one);
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace
}  // namespace tdz

int main(int count, char** arguments) {
  if (count != 4) return std::puts("devices_bench FILE WIDTH MIB"), 2;
  return tdz::run(arguments[1], static_cast<std::uint8_t>(std::atoi(arguments[2])),
                  std::strtoull(arguments[3], nullptr, 10) << 20);
}
