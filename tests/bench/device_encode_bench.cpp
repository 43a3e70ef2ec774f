// SPDX-License-Identifier: Apache-2.0
// How fast does tdz::DeviceEncoder encode values in device memory to a stream, records and digests made? A
// cut of a file is repeated until it fills each size. Three ways: packed bytes in device memory, as a stream
// and as lone blocks, and a stream in pinned host memory. The packed bytes are compared with those of the
// CPU, once for the first 64 MiB.
//
//     device_encode_bench FOLDER MIB...
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "tdz/device_encoder.hpp"
#include "tdz/tdz.hpp"
#include "tests/bench/device_bench.hpp"
#include "tests/bench/encode_rows.hpp"

namespace tdz {
namespace {

using namespace testing;

constexpr int kRounds = 11, kWarm = 2;

/// Memory for packed bytes, on the device or pinned.
class Packed {
 public:
  Packed(std::uint64_t bytes, bool host) : host_(host) {
    check(host ? cudaHostAlloc(&data_, bytes, cudaHostAllocDefault) : cudaMalloc(&data_, bytes), "memory");
  }
  ~Packed() { static_cast<void>(host_ ? cudaFreeHost(data_) : cudaFree(data_)); }
  Packed(const Packed&) = delete;
  Packed& operator=(const Packed&) = delete;
  std::byte* data() const { return static_cast<std::byte*>(data_); }
  Bytes get(std::uint64_t bytes) const {
    Bytes copy(static_cast<std::size_t>(bytes));
    check(cudaMemcpy(copy.data(), data_, copy.size(), cudaMemcpyDefault), "packed bytes");
    return copy;
  }

 private:
  bool host_;
  void* data_ = nullptr;
};

struct Timing {
  double all = 0;     ///< from encode() to the end of finish(), milliseconds
  double call = 0;    ///< of the host in encode()
  double device = 0;  ///< between events around encode()
};

Timing time_of(DeviceEncoder& encoder, const DeviceBuffer& values, const Packed& packed,
               const DeviceBuffer& scratch, DeviceEncoded& encoded) {
  cudaStream_t stream{};
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
  DeviceTimer timer(stream);
  std::vector<double> all, call, device;
  for (int round = 0; round < kRounds; ++round) {
    const auto from = Clock::now();
    timer.begin();
    const Status begun = encoder.encode(values.data(), packed.data(), scratch.data(), stream);
    timer.end();
    const double host = since(from);
    auto done = begun ? encoder.finish() : Result<DeviceEncoded>(begun.error());
    const double whole = since(from);
    if (!done) std::printf("  WRONG: %s\n", done.error().message.c_str()), std::exit(1);
    encoded = *std::move(done);
    if (round >= kWarm) all.push_back(whole), call.push_back(host), device.push_back(timer.milliseconds());
  }
  check(cudaStreamDestroy(stream), "stream");
  return {median(all), median(call), median(device)};
}

struct Way {
  const char* name;
  bool is_stream, to_host;
};
constexpr Way kWays[] = {{"stream", true, false}, {"blocks", false, false}, {"to host", true, true}};

DeviceStreamOptions stream_options(const EncodeRow& row, std::uint32_t chunk) {
  DeviceStreamOptions options;
  options.plan = plan_of(row), options.chunk_bytes = chunk;
  return options;
}

Result<DeviceEncoder> open(const EncodeRow& row, const Way& way, std::uint64_t bytes, std::uint32_t chunk) {
  if (way.is_stream)
    return DeviceEncoder::open_stream(bytes, stream_options(row, chunk), {.to_host = way.to_host});
  const std::vector<std::uint32_t> lengths(static_cast<std::size_t>(bytes / chunk), chunk);
  return DeviceEncoder::open_blocks(plan_of(row), lengths, {.to_host = way.to_host});
}

/// The stream of the CPU, over the same bytes.
bool is_right(const EncodeRow& row, std::uint32_t chunk, const Bytes& cut, std::uint64_t bytes,
              const Bytes& found) {
  Bytes original;
  while (original.size() < bytes) original.insert(original.end(), cut.begin(), cut.end());
  original.resize(static_cast<std::size_t>(bytes));
  CompressOptions options;
  options.plan = plan_of(row), options.chunk_bytes = chunk, options.digest = false;
  return compress(original, options).value() == found;
}

void measure(const std::string& folder, const EncodeRow& row, std::uint64_t mib) {
  const auto chunk = static_cast<std::uint32_t>((1u << 20) / row.unit() * row.unit());
  const Bytes cut = read_cut(folder, row, chunk);
  if (cut.empty()) return void(std::printf("%s: there is no such file, or it is too short\n", row.file));
  const std::uint64_t bytes = (mib << 20) / chunk * chunk;
  const DeviceBuffer values(static_cast<std::size_t>(bytes));
  fill(values, cut);
  check(cudaDeviceSynchronize(), "values");
  for (const Way& way : kWays) {
    auto encoder = open(row, way, bytes, chunk);
    if (!encoder) std::printf("  %s\n", encoder.error().message.c_str()), std::exit(1);
    const auto sizes = encoder->sizes();
    const auto before = Clock::now();
    if (!encoder->prepare()) std::exit(1);
    const double preparing = since(before);
    const DeviceBuffer scratch(static_cast<std::size_t>(sizes.scratch));
    const Packed packed(sizes.packed, way.to_host);
    DeviceEncoded encoded;
    const Timing time = time_of(*encoder, values, packed, scratch, encoded);
    const char* right = "";
    if (way.is_stream && mib <= 64)
      right = is_right(row, chunk, cut, bytes, packed.get(encoded.bytes)) ? ", as the CPU" : ", WRONG";
    const double giga = static_cast<double>(bytes) / 1e6;
    std::printf(
        "%-20s o%u k%u m%u %-8s %5llu MiB %7.1f GB/s %8.3f ms (device %.3f, call %.3f), ratio %.3f, %llu "
        "chunks, %llu by CPU, prepare %.1f ms, pinned %.3f scratch %.3f of values%s\n",
        row.file, row.order, row.code.k, row.code.m, way.name, static_cast<unsigned long long>(mib),
        giga / time.all, time.all, time.device, time.call,
        static_cast<double>(bytes) / static_cast<double>(encoded.bytes),
        static_cast<unsigned long long>(sizes.chunks), static_cast<unsigned long long>(encoded.cpu_chunks),
        preparing, static_cast<double>(sizes.pinned) / static_cast<double>(bytes),
        static_cast<double>(sizes.scratch) / static_cast<double>(bytes), right);
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace tdz

int main(int count, char** arguments) {
  if (count < 3) return std::puts("device_encode_bench FOLDER MIB..."), 2;
  for (int i = 2; i < count; ++i)
    for (const tdz::EncodeRow& row : tdz::kEncodeRows)
      tdz::measure(arguments[1], row, std::strtoull(arguments[i], nullptr, 10));
}
