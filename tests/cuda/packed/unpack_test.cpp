// SPDX-License-Identifier: Apache-2.0
// Does a device unpack groups as the CPU does, and does it refuse what the CPU calls corrupt?
// TDZ_FRAMES_CASES says how many batches it tries.
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>

#include "kernels/cuda/frames/decode_launch.hpp"
#include "kernels/cuda/packed/unpack.hpp"
#include "tests/cuda/device_buffer.hpp"
#include "tests/cuda/packed/packed_batch.hpp"
#include "tests/cuda/quick.hpp"

namespace tdz::test {
namespace {

using testing::check;
using testing::DeviceBuffer;

template <class T>
DeviceBuffer on_device(const std::vector<T>& table) {
  Bytes bytes(table.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), table.data(), bytes.size());
  return DeviceBuffer(bytes);
}

void check_on_device(const PackedBatch& batch) {
  if (batch.cases.empty()) return;
  const Bytes slack(cuda::kPackedSlack, std::byte{0xEE});
  const DeviceBuffer packed(slack + batch.packed + slack), checks = on_device(batch.tables.checks);
  DeviceBuffer values(static_cast<std::size_t>(batch.values)), status(4 * batch.cases.size());
  check(cudaMemset(values.data(), static_cast<int>(PackedBatch::kUnwritten), values.bytes()), "cudaMemset");
  check(cudaMemset(status.data(), 0, status.bytes()), "cudaMemset");
  auto* states = reinterpret_cast<std::uint32_t*>(status.data());
  cuda::DeviceTables tables;
  tables.checks = reinterpret_cast<const uniform::ByteCheck*>(checks.data());
  tables.check_count = static_cast<std::uint32_t>(batch.tables.checks.size());
  cuda::DecodeBuffers buffers;
  buffers.packed = packed.data() + cuda::kPackedSlack, buffers.status = states;
  check(cuda::launch_decode_frames(tables, buffers, nullptr), "headers");
  for (const unsigned width : {1u, 2u, 4u, 8u}) {
    cuda::UnpackBatch launch;
    const auto chunks = batch.of_width(width, launch.places);
    const DeviceBuffer table = on_device(chunks);
    launch.chunks = reinterpret_cast<const cuda::PackedChunk*>(table.data());
    launch.count = static_cast<std::uint32_t>(chunks.size());
    launch.packed = buffers.packed, launch.out = values.data(), launch.status = states;
    check(cuda::launch_unpack(width, launch, nullptr), "groups");
    check(cudaDeviceSynchronize(), "the kernels");
  }
  std::vector<std::uint32_t> found(batch.cases.size());
  check(cudaMemcpy(found.data(), status.data(), status.bytes(), cudaMemcpyDeviceToHost), "status");
  batch.check(values.get(), found);
}

std::uint64_t batches(std::uint64_t usual) {
  const char* more = std::getenv("TDZ_FRAMES_CASES");
  return more != nullptr ? std::strtoull(more, nullptr, 10) : testing::quick() ? 3 : usual;
}

}  // namespace

TEST_CASE("chunks by chance") {
  const std::uint64_t seeds = batches(100);
  std::size_t tried = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    CAPTURE(seed);
    Chance chance(seed);
    PackedBatch batch;
    for (std::uint64_t count = 1 + chance.below(12); count > 0; --count)
      tried += batch.add(random_packed(chance, testing::quick() ? 100'000 : 2'000'000),
                         chance.once_in(2) ? 0 : chance.below(70));
    check_on_device(batch);
  }
  std::printf("%zu chunks\n", tried);
  CHECK(tried > seeds);
}

TEST_CASE("all lengths of a short chunk, with more lanes than words and without") {
  for (const unsigned width : {1u, 2u, 4u, 8u})
    for (const std::uint32_t tuple : {1u, 3u, 40u, 256u}) {
      Chance chance(width * 1000 + tuple);
      PackedBatch batch;
      for (std::size_t words = 1; words < 70; ++words)
        batch.add(packed_block(width, tuple, words_of_groups(chance, width, words, tuple)), words % 3);
      check_on_device(batch);
    }
}

TEST_CASE("damaged chunks have the verdict of the CPU, and nothing else is written") {
  const std::uint64_t seeds = batches(200);
  std::size_t refused = 0, good = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    CAPTURE(seed);
    Chance chance(seed);
    PackedBatch batch;
    for (std::uint64_t count = 0; count < 24; ++count)
      batch.add(damaged_packed(chance, random_packed(chance, 100'000)), chance.below(40));
    check_on_device(batch);
    for (const PackedCase& one : batch.cases) ++(one.refused ? refused : good);
  }
  std::printf("%zu chunks refused, %zu good\n", refused, good);
  CHECK(refused > 10 * seeds);
  CHECK(good > 2 * seeds);
}

TEST_CASE("a launch of nothing, and one that no grid holds") {
  CHECK(cuda::launch_unpack(2, {}, nullptr) == cudaSuccess);
  cuda::UnpackBatch launch;
  launch.count = 1u << 20, launch.places = 1u << 12;
  CHECK(cuda::launch_unpack(2, launch, nullptr) == cudaErrorInvalidValue);
}

}  // namespace tdz::test
