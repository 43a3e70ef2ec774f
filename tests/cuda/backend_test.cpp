// SPDX-License-Identifier: Apache-2.0
// Do the CUDA backend and the CPU backend write the same bytes, chunk by chunk, file by file, and on the
// device?
#include <doctest/doctest.h>

#include <cstdlib>
#include <thread>

#include "kernels/cuda/host/cuda_backend.hpp"
#include "kernels/cuda/host/cuda_devices.hpp"
#include "kernels/cuda/tile/tile_plan.hpp"
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

Backend& device() {
  static const std::unique_ptr<Backend> backend = make_cuda_backend({.memory = 512u << 20}).value();
  return *backend;
}

Column column_of(std::uint8_t word, std::uint8_t order, std::uint32_t tuple, Layout layout,
                       bool zigzag) {
  Column transform{.word = word};
  if (order > 0) transform.steps.push_back(DifferenceStep{tuple, order});
  if (zigzag) transform.steps.push_back(ZigzagStep{});
  if (layout == Layout::planes) transform.steps.push_back(PlanesStep{});
  if (layout == Layout::tuple_planes) transform.steps.push_back(TuplePlanesStep{tuple});
  if (layout == Layout::bit_planes) transform.steps.push_back(BitPlanesStep{});
  return transform;
}

/// The results of a backend for these chunks. Every chunk has its own thread.
std::vector<Bytes> run(Backend& backend, const Column& transform, cuda::Direction direction,
                       const std::vector<Bytes>& chunks) {
  std::vector<Bytes> out;
  for (const Bytes& chunk : chunks) out.emplace_back(chunk.size(), std::byte{0xA5});
  std::vector<Bytes> scratch = out;
  const auto bring = [&](std::size_t i) {
    const TransformJob job{&transform, chunks[i], out[i], scratch[i]};
    const Status done =
        direction == cuda::Direction::difference ? backend.forward(job) : backend.inverse(job);
    CHECK_MESSAGE(done, (done ? "" : done.error().message));
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < chunks.size(); ++i) threads.emplace_back(bring, i);
  }
  return out;
}

void check_both_ways(const Column& transform, const std::vector<Bytes>& chunks) {
  CAPTURE(kSeed);
  CAPTURE(unsigned{transform.word});
  CAPTURE(unsigned{transform.storage[0].order});
  CAPTURE(transform.storage[0].tuple);
  CAPTURE(
      static_cast<unsigned>(transform.storage[transform.step_count == 0 ? 0 : transform.step_count - 1].id));
  const auto residuals = run(cpu_backend(), transform, cuda::Direction::difference, chunks);
  CHECK(run(device(), transform, cuda::Direction::difference, chunks) == residuals);
  CHECK(run(device(), transform, cuda::Direction::integrate, residuals) == chunks);
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
  Column swapped{.word = 4};
  swapped.steps.insert(swapped.steps.end(), {ByteswapStep{}, DifferenceStep{3, 2}, ZigzagStep{}, PlanesStep{}});
  Column twice{.word = 2};
  twice.steps.insert(twice.steps.end(), {DifferenceStep{640, 1}, DifferenceStep{2, 3}, ZigzagStep{}});
  twice.steps.insert(twice.steps.end(), {ZigzagStep{}, TuplePlanesStep{5}, BitPlanesStep{}});
  for (const Column& transform : {swapped, twice, Column{.width = 8}})
    check_both_ways(transform, chunks);
}

TEST_CASE("a chunk that fits no slot goes to the CPU") {
  const auto small = make_cuda_backend({.memory = 16u << 20}).value();
  const Column transform = column_of(4, 2, 3, Layout::tuple_planes, true);
  const std::vector<Bytes> chunks = {naive::noise(3u << 20, kSeed), naive::noise(5000, kSeed)};
  CHECK(run(*small, transform, cuda::Direction::difference, chunks) ==
        run(cpu_backend(), transform, cuda::Direction::difference, chunks));
}

TEST_CASE("any amount of memory") {  // all parts of a slot must be aligned
  const Column transform = column_of(4, 2, 3, Layout::tuple_planes, true);
  const std::vector<Bytes> chunks = chunks_of(kSeed);
  for (const std::uint64_t mebibytes : {100u, 128u, 401u}) {
    const auto backend = make_cuda_backend({.memory = mebibytes << 20}).value();
    CAPTURE(mebibytes);
    const auto residuals = run(*backend, transform, cuda::Direction::difference, chunks);
    CHECK(residuals == run(cpu_backend(), transform, cuda::Direction::difference, chunks));
    CHECK(run(*backend, transform, cuda::Direction::integrate, residuals) == chunks);
  }
}

TEST_CASE("the caller's current device stays as it is") {
  int before = -1, after = -1;
  testing::check(cudaSetDevice(0), "cudaSetDevice");
  testing::check(cudaGetDevice(&before), "cudaGetDevice");
  CHECK(cuda_devices());
  CHECK(make_cuda_backend({.memory = 64u << 20}));
  testing::check(cudaGetDevice(&after), "cudaGetDevice");
  CHECK(after == before);
}

TEST_CASE("threads share the device") {
  std::vector<std::jthread> threads;
  for (unsigned t = 0; t < 8; ++t) {
    threads.emplace_back([t] {
      for (unsigned round = 0; round < 20; ++round) {
        const Column transform =
            column_of(4, static_cast<std::uint8_t>(1 + t % 3), 1 + t % 2, Layout::tuple_planes, true);
        const Bytes values = naive::noise(200000 + 977 * t, kSeed + t + round);
        const auto there = run(device(), transform, cuda::Direction::difference, {values});
        CHECK(there == run(cpu_backend(), transform, cuda::Direction::difference, {values}));
        CHECK(run(device(), transform, cuda::Direction::integrate, there).front() == values);
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
  const Column transform = column_of(4, 3, 2, Layout::tuple_planes, true);
  const std::size_t bytes = (9u << 20) + 13;
  const Bytes values = naive::noise(bytes, kSeed);
  for (const std::uint64_t chunk_bytes : {std::uint64_t{1} << 20, std::uint64_t{16} << 20}) {
    const DeviceBuffer in(values);
    DeviceBuffer there(bytes), back(bytes);
    there.poison();
    back.poison();
    const DeviceBuffers forward{in.data(), there.data(), bytes, chunk_bytes};
    const DeviceBuffers inverse{there.data(), back.data(), bytes, chunk_bytes};
    const std::size_t needed = device_space_bytes(transform, forward).value();
    DeviceBuffer space(needed);
    REQUIRE(device_forward(transform, forward, space.data(), needed, nullptr));
    REQUIRE(device_inverse(transform, inverse, space.data(), needed, nullptr));
    CHECK(back.get() == values);
    std::vector<Bytes> chunks;
    for (std::size_t at = 0; at < bytes; at += chunk_bytes) {
      const auto first = values.begin() + static_cast<std::ptrdiff_t>(at);
      chunks.emplace_back(
          first, first + static_cast<std::ptrdiff_t>(std::min<std::size_t>(chunk_bytes, bytes - at)));
    }
    Bytes wanted;
    for (const Bytes& chunk : run(cpu_backend(), transform, cuda::Direction::difference, chunks)) {
      wanted.insert(wanted.end(), chunk.begin(), chunk.end());
    }
    CHECK(there.get() == wanted);
  }
}

/// Whether a request on the device is refused as the caller's mistake, before anything runs.
bool is_refused(const Column& transform, const DeviceBuffers& buffers) {
  const Status done = device_forward(transform, buffers, nullptr, 0, nullptr);
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
  const Column transform = Column{4, 1, {DifferenceStep{3, 2}}};
  const Bytes values = naive::noise(100000, kSeed);
  const DeviceBuffer in(values);
  for (const std::uint64_t chunk_bytes : {std::uint64_t{1} << 50, ~std::uint64_t{15}}) {
    DeviceBuffer out(values.size());
    out.poison();
    const DeviceBuffers buffers{in.data(), out.data(), values.size(), chunk_bytes};
    const std::size_t needed = device_space_bytes(transform, buffers).value();
    CHECK(needed < values.size());
    DeviceBuffer space(needed);
    CHECK(device_forward(transform, buffers, space.data(), needed, nullptr));
    CHECK(out.get() == run(cpu_backend(), transform, cuda::Direction::difference, {values}).front());
  }
}

}  // namespace
