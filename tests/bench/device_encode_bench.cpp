// SPDX-License-Identifier: Apache-2.0
// How fast does tdz::DeviceEncoder encode values in device memory to a stream, records and digests made? A
// cut of a file is repeated until it fills each size. Three ways: packed bytes in device memory, as a stream
// and as lone blocks, and a stream in pinned host memory. The packed bytes are compared with those of the
// CPU, up to 64 MiB.
//
//     device_encode_bench FOLDER MIB...
//
// Or a file by the plan of its first chunk in a .tdz file, which tdz chose, in chunks as long as that one:
//
//     device_encode_bench STORED ORIGINAL MIB...
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "codec/stream/memory_io.hpp"
#include "codec/stream/ranged_reader.hpp"
#include "codec/stream/stream_index.hpp"
#include "formats/plan/plan_bytes.hpp"
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

/// What is encoded.
struct Input {
  std::string name;
  Plan plan;
  std::uint32_t chunk;  ///< bytes
  Bytes cut;            ///< whole chunks
};

Result<DeviceEncoder> open(const Input& input, const Way& way, std::uint64_t bytes) {
  if (way.is_stream) {
    DeviceStreamOptions options;
    options.plan = input.plan, options.chunk_bytes = input.chunk;
    return DeviceEncoder::open_stream(bytes, options, {.to_host = way.to_host});
  }
  const std::vector<std::uint32_t> lengths(static_cast<std::size_t>(bytes / input.chunk), input.chunk);
  return DeviceEncoder::open_blocks(input.plan, lengths, {.to_host = way.to_host});
}

/// The stream of the CPU, over the same bytes.
bool is_right(const Input& input, std::uint64_t bytes, const Bytes& found) {
  Bytes original;
  while (original.size() < bytes) original.insert(original.end(), input.cut.begin(), input.cut.end());
  original.resize(static_cast<std::size_t>(bytes));
  CompressOptions options;
  options.plan = input.plan, options.chunk_bytes = input.chunk, options.digest = false;
  return compress(original, options).value() == found;
}

void measure(const Input& input, std::uint64_t mib) {
  if (input.cut.empty())
    return void(std::printf("%s: there is no such file, or it is too short\n", input.name.c_str()));
  const std::uint64_t bytes = (mib << 20) / input.chunk * input.chunk;
  const DeviceBuffer values(static_cast<std::size_t>(bytes));
  fill(values, input.cut);
  check(cudaDeviceSynchronize(), "values");
  for (const Way& way : kWays) {
    auto encoder = open(input, way, bytes);
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
      right = is_right(input, bytes, packed.get(encoded.bytes)) ? ", as the CPU" : ", WRONG";
    const double giga = static_cast<double>(bytes) / 1e6;
    std::printf(
        "%-20s %-8s %5llu MiB %7.1f GB/s %8.3f ms (device %.3f, call %.3f), ratio %.3f, %llu "
        "chunks, %llu by CPU, prepare %.1f ms, pinned %.3f scratch %.3f of values%s\n",
        input.name.c_str(), way.name, static_cast<unsigned long long>(mib), giga / time.all, time.all,
        time.device, time.call, static_cast<double>(bytes) / static_cast<double>(encoded.bytes),
        static_cast<unsigned long long>(sizes.chunks), static_cast<unsigned long long>(encoded.cpu_chunks),
        preparing, static_cast<double>(sizes.pinned) / static_cast<double>(bytes),
        static_cast<double>(sizes.scratch) / static_cast<double>(bytes), right);
    std::fflush(stdout);
  }
}

Input input_of(const std::string& folder, const EncodeRow& row) {
  const auto chunk = static_cast<std::uint32_t>((1u << 20) / row.unit() * row.unit());
  const std::string name = std::string(row.file) + " o" + std::to_string(row.order) + " k" +
                           std::to_string(row.code.k) + " m" + std::to_string(row.code.m);
  return {name, plan_of(row), chunk, read_cut(folder, row, chunk)};
}

/// The plan of the first chunk that is not a header.
Input input_of(const char* stored_path, const char* original_path) {
  Input input{stored_path, {}, 0, {}};
  const auto stored_bytes = bytes_of(stored_path), original = bytes_of(original_path);
  MemoryRandomAccess stored(stored_bytes);
  auto streams = find_streams(stored);
  if (!streams) return input;
  IndexedReader reader(stored, *std::move(streams));
  if (!reader.go_to(0)) return input;
  for (auto listed = reader.next_listed(); listed && *listed; listed = reader.next_listed()) {
    const auto& chunk = (*listed)->chunk;
    input.chunk = chunk.record.original_bytes, input.plan = chunk.plan;
    if (input.chunk >= formats::kMinChunk) break;
  }
  if (input.chunk != 0)
    input.cut.assign(original.begin(), original.end() - std::ssize(original) % input.chunk);
  return input;
}

int run(int count, char** arguments) {
  if (count < 3)
    return std::puts("device_encode_bench FOLDER MIB...\ndevice_encode_bench STORED ORIGINAL MIB..."), 2;
  const auto mib = [&](int i) { return std::strtoull(arguments[i], nullptr, 10); };
  if (std::filesystem::is_directory(arguments[1])) {
    for (int i = 2; i < count; ++i)
      for (const EncodeRow& row : kEncodeRows) measure(input_of(arguments[1], row), mib(i));
    return 0;
  }
  const Input input = input_of(arguments[1], arguments[2]);
  for (int i = 3; i < count; ++i) measure(input, mib(i));
  return 0;
}

}  // namespace
}  // namespace tdz

int main(int count, char** arguments) {
  return tdz::run(count, arguments);
}
