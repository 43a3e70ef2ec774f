// SPDX-License-Identifier: Apache-2.0
// Do the scan kernels, called by the functions of libtdz_cuda.so, and the kernels of the CPU write the same
// bytes? And do CPU and GPU compress to the same files?
#include <doctest/doctest.h>

#include <algorithm>
#include <thread>

#include "formats/names.hpp"
#include "kernels/cpu/sweep.hpp"
#include "kernels/cuda/host/cuda_devices.hpp"
#include "kernels/cuda/tile/tile_plan.hpp"
#include "tdz/device.hpp"
#include "tdz/tdz.hpp"
#include "tests/cuda/device_buffer.hpp"
#include "tests/cuda/naive.hpp"

namespace {

using namespace tdz;
using naive::Bytes;
using testing::DeviceBuffer;

constexpr std::uint64_t kSeed = 20261123;
constexpr std::uint8_t kWords[] = {1, 2, 4, 8};
constexpr Layout kLayouts[] = {Layout::interleaved, Layout::planes, Layout::tuple_planes, Layout::bit_planes};

/// A stream, and memory for chunks. For one thread.
class ScanDevice {
 public:
  ScanDevice() : memory_(kMemory) {
    testing::check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
  }
  ScanDevice(const ScanDevice&) = delete;
  ScanDevice& operator=(const ScanDevice&) = delete;
  ~ScanDevice() { cudaStreamDestroy(stream_); }

  Bytes run(const Column& column, cuda::Direction direction, const Bytes& chunk) {
    const std::size_t room = (chunk.size() + 255) / 256 * 256;
    std::byte *in = memory_.data(), *out = in + room, *space = out + room;
    const DeviceBuffers buffers{in, out, chunk.size(), std::max<std::size_t>(room, 256)};
    const std::size_t needed = device_space_bytes(column, buffers).value();
    REQUIRE(2 * room + needed <= kMemory);
    testing::check(cudaMemsetAsync(out, 0xA5, room, stream_), "cudaMemset");
    testing::check(cudaMemcpyAsync(in, chunk.data(), chunk.size(), cudaMemcpyHostToDevice, stream_),
                   "cudaMemcpy");
    const bool forwards = direction == cuda::Direction::difference;
    const Status done = forwards ? device_forward(column, buffers, space, needed, stream_)
                                 : device_inverse(column, buffers, space, needed, stream_);
    CHECK_MESSAGE(done, (done ? "" : done.error().message));
    Bytes result(chunk.size());
    testing::check(cudaMemcpyAsync(result.data(), out, chunk.size(), cudaMemcpyDeviceToHost, stream_),
                   "cudaMemcpy");
    testing::check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
    return result;
  }

 private:
  static constexpr std::size_t kMemory = 32u << 20;

  DeviceBuffer memory_;
  cudaStream_t stream_ = nullptr;
};

Column column_of(std::uint8_t word, std::uint8_t order, std::uint32_t tuple, Layout layout, bool zigzag) {
  Column column{.width = word};
  if (order > 0) column.steps.push_back(DifferenceStep{tuple, order});
  if (zigzag) column.steps.push_back(ZigzagStep{});
  if (layout == Layout::planes) column.steps.push_back(PlanesStep{});
  if (layout == Layout::tuple_planes) column.steps.push_back(TuplePlanesStep{tuple});
  if (layout == Layout::bit_planes) column.steps.push_back(BitPlanesStep{});
  return column;
}

Bytes on_cpu(const Column& column, const Bytes& chunk) {
  Bytes out(chunk.size()), scratch(chunk.size());
  cpu::forward({column.width, column.steps, chunk, out, scratch});
  return out;
}

void check_both_ways(const Column& column, const std::vector<Bytes>& chunks) {
  CAPTURE(kSeed);
  CAPTURE(unsigned{column.width});
  CAPTURE(formats::steps_name(column));
  static ScanDevice device;
  for (const Bytes& chunk : chunks) {
    const Bytes residuals = on_cpu(column, chunk);
    CHECK(device.run(column, cuda::Direction::difference, chunk) == residuals);
    CHECK(device.run(column, cuda::Direction::integrate, residuals) == chunk);
  }
}

/// Lengths with no common factor with a tile or a word. One is empty.
std::vector<Bytes> chunks_of(std::uint64_t seed) {
  std::vector<Bytes> chunks;
  for (const std::size_t bytes : {70001u, 1u, 0u, 65536u, 4099u})
    chunks.push_back(naive::noise(bytes, seed + bytes));
  return chunks;
}

TEST_CASE("the same bytes as the CPU: words, orders, tuples, layouts") {
  for (const std::uint8_t word : kWords) {
    const std::vector<Bytes> chunks = chunks_of(kSeed + word);
    for (std::uint8_t order = 0; order <= kMaxOrder; ++order) {
      for (const std::uint32_t tuple : {1u, 2u, 3u, 7u, 8u, 16u, 1000u}) {
        for (const Layout layout : kLayouts) {
          check_both_ways(column_of(word, order, tuple, layout, tuple != 2), chunks);
        }
      }
    }
  }
}

TEST_CASE("step lists that need more than one kernel") {
  const std::vector<Bytes> chunks = chunks_of(kSeed);
  Column swapped{.width = 4};
  swapped.steps.insert(swapped.steps.end(),
                       {ByteswapStep{}, DifferenceStep{3, 2}, ZigzagStep{}, PlanesStep{}});
  Column twice{.width = 2};
  twice.steps.insert(twice.steps.end(), {DifferenceStep{640, 1}, DifferenceStep{2, 3}, ZigzagStep{}});
  twice.steps.insert(twice.steps.end(), {ZigzagStep{}, TuplePlanesStep{5}, BitPlanesStep{}});
  for (const Column& column : {swapped, twice, Column{.width = 8}}) check_both_ways(column, chunks);
}

TEST_CASE("the caller's current device stays as it is") {
  int before = -1, after = -1;
  testing::check(cudaSetDevice(0), "cudaSetDevice");
  testing::check(cudaGetDevice(&before), "cudaGetDevice");
  CHECK(cuda_devices());
  CHECK(check_device({}));
  CHECK(backends().back().available);
  testing::check(cudaGetDevice(&after), "cudaGetDevice");
  CHECK(after == before);
}

TEST_CASE("threads share the device") {
  std::vector<std::jthread> threads;
  for (unsigned t = 0; t < 8; ++t) {
    threads.emplace_back([t] {
      ScanDevice device;
      for (unsigned round = 0; round < 20; ++round) {
        const Column column =
            column_of(4, static_cast<std::uint8_t>(1 + t % 3), 1 + t % 2, Layout::tuple_planes, true);
        const Bytes values = naive::noise(200000 + 977 * t, kSeed + t + round);
        const Bytes there = device.run(column, cuda::Direction::difference, values);
        CHECK(there == on_cpu(column, values));
        CHECK(device.run(column, cuda::Direction::integrate, there) == values);
      }
    });
  }
}

TEST_CASE("streams: both backends compress to the same bytes, and both restore them") {
  const Bytes original = naive::noise((5u << 20) + 3, kSeed);
  for (const char* type : {"f32x3", "u8", "i16x2", "u64"}) {
    CompressOptions options;
    options.plan = plan_for(type, 2).value();
    options.threads = 4;
    options.level = 1;
    options.backend = BackendChoice::cpu;
    const Bytes by_cpu = compress(original, options).value();
    unsigned warnings = 0;
    options.backend = BackendChoice::cuda;
    options.warn = [&](std::string_view) { ++warnings; };
    CHECK(compress(original, options).value() == by_cpu);
    CHECK(decompress(by_cpu, {.threads = 4, .backend = BackendChoice::cuda, .warn = options.warn}).value() ==
          original);
    CHECK(warnings == 0);
  }
}

TEST_CASE("data that stays on the device") {
  const Column column = column_of(4, 3, 2, Layout::tuple_planes, true);
  const std::size_t bytes = (9u << 20) + 13;
  const Bytes values = naive::noise(bytes, kSeed);
  for (const std::uint64_t chunk_bytes : {std::uint64_t{1} << 20, std::uint64_t{16} << 20}) {
    const DeviceBuffer in(values);
    DeviceBuffer there(bytes), back(bytes);
    there.poison();
    back.poison();
    const DeviceBuffers forward{in.data(), there.data(), bytes, chunk_bytes};
    const DeviceBuffers inverse{there.data(), back.data(), bytes, chunk_bytes};
    const std::size_t needed = device_space_bytes(column, forward).value();
    DeviceBuffer space(needed);
    REQUIRE(device_forward(column, forward, space.data(), needed, nullptr));
    REQUIRE(device_inverse(column, inverse, space.data(), needed, nullptr));
    CHECK(back.get() == values);
    Bytes wanted;
    for (std::size_t at = 0; at < bytes; at += chunk_bytes) {
      const auto first = values.begin() + static_cast<std::ptrdiff_t>(at);
      const auto length = static_cast<std::ptrdiff_t>(std::min<std::size_t>(chunk_bytes, bytes - at));
      const Bytes chunk = on_cpu(column, {first, first + length});
      wanted.insert(wanted.end(), chunk.begin(), chunk.end());
    }
    CHECK(there.get() == wanted);
  }
}

/// Whether a request on the device is refused as the caller's mistake, before anything runs.
bool is_refused(const Column& column, const DeviceBuffers& buffers) {
  const Status done = device_forward(column, buffers, nullptr, 0, nullptr);
  return !done && done.error().kind == ErrorKind::usage;
}

TEST_CASE("requests on the device that make no sense are refused") {
  const DeviceBuffer memory(64);
  const Column good = Column{4, 1, {DifferenceStep{1, 1}}};
  const DeviceBuffers whole{memory.data(), memory.data() + 32, 32, 16};
  CHECK(is_refused(good, {nullptr, nullptr, 16, 8}));
  CHECK(is_refused(good, {nullptr, nullptr, 16, 16}));
  CHECK(is_refused(good, {memory.data() + 4, memory.data() + 32, 16, 16}));
  CHECK(is_refused(good, {memory.data(), memory.data() + 32, 32, 0}));
  CHECK(is_refused(good, {memory.data(), memory.data() + 32, std::uint64_t{1} << 36, 16}));
  CHECK(is_refused(Column{.width = 3}, whole));
  CHECK(is_refused(Column{4, 1, {DifferenceStep{0, 1}}}, whole));
  CHECK(is_refused(Column{4, 1, {DifferenceStep{1, 0}}}, whole));
  CHECK(is_refused(Column{4, 1, {DifferenceStep{1, 9}}}, whole));
}

TEST_CASE("a chunk may be as long as 64 bits say") {
  const Column column = Column{4, 1, {DifferenceStep{3, 2}}};
  const Bytes values = naive::noise(100000, kSeed);
  const DeviceBuffer in(values);
  for (const std::uint64_t chunk_bytes : {std::uint64_t{1} << 50, ~std::uint64_t{15}}) {
    DeviceBuffer out(values.size());
    out.poison();
    const DeviceBuffers buffers{in.data(), out.data(), values.size(), chunk_bytes};
    const std::size_t needed = device_space_bytes(column, buffers).value();
    CHECK(needed < values.size());
    DeviceBuffer space(needed);
    CHECK(device_forward(column, buffers, space.data(), needed, nullptr));
    CHECK(out.get() == on_cpu(column, values));
  }
}

}  // namespace
