// SPDX-License-Identifier: Apache-2.0
// Does a device go from groups to values as the CPU does, and does it refuse what the CPU calls corrupt?
// TDZ_FRAMES_CASES says how many batches it tries.
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "kernels/cuda/launch/launch.hpp"
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
  const Bytes slack(PackedBatch::kSlack, std::byte{0xEE});
  const DeviceBuffer packed(slack + batch.packed + slack), checks = on_device(batch.tables.checks);
  DeviceBuffer values(static_cast<std::size_t>(batch.values)), status(4 * batch.cases.size());
  check(cudaMemset(values.data(), static_cast<int>(PackedBatch::kUnwritten), values.bytes()), "cudaMemset");
  check(cudaMemset(status.data(), 0, status.bytes()), "cudaMemset");
  auto* states = reinterpret_cast<std::uint32_t*>(status.data());
  auto made_rows = batch.digest_rows();
  DeviceBuffer rows(made_rows.size() * sizeof(std::uint64_t));
  bool first = true;
  for (PackedBatch::Launch& one : batch.launches()) {
    const DeviceBuffer table = on_device(one.chunks);
    one.batch.digest_rows = reinterpret_cast<std::uint64_t*>(rows.data());
    cuda::GroupBatch& launch = one.batch;
    launch.chunks = reinterpret_cast<const cuda::PackedChunk*>(table.data());
    launch.packed = packed.data() + PackedBatch::kSlack, launch.out = values.data(), launch.status = states;
    if (std::exchange(first, false)) {
      launch.checks = reinterpret_cast<const uniform::ByteCheck*>(checks.data());
      launch.check_count = static_cast<std::uint32_t>(batch.tables.checks.size());
    }
    const DeviceBuffer space(cuda::GroupSpaceLayout(one.width, launch).bytes);
    check(cuda::with_word(one.width,
                          [&]<class Word>() {
                            return cuda::launch_integrate_groups<Word>(launch, space.data(), nullptr);
                          }),
          "groups");
    check(cudaDeviceSynchronize(), "the kernels");
  }
  std::vector<std::uint32_t> found(batch.cases.size());
  check(cudaMemcpy(found.data(), status.data(), status.bytes(), cudaMemcpyDeviceToHost), "status");
  batch.check(values.get(), found);
  check(cudaMemcpy(made_rows.data(), rows.data(), rows.bytes(), cudaMemcpyDeviceToHost), "rows");
  batch.check_rows(made_rows, found);
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
    for (const std::uint32_t tuple : {1u, 3u, 32u}) check_on_device(short_chunks(width, tuple));
}

TEST_CASE("so many chunks that a warp takes a whole one") {
  for (const unsigned width : {1u, 2u, 4u, 8u})
    for (const std::uint32_t tuple : {1u, 3u}) check_on_device(many_chunks(width, tuple));
}

TEST_CASE("damaged chunks have the verdict of the CPU, and nothing else is written") {
  const std::uint64_t seeds = batches(200);
  std::size_t refused = 0, good = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    CAPTURE(seed);
    const PackedBatch batch = damaged_chunks(seed, 24);
    check_on_device(batch);
    refused += batch.refused(), good += batch.cases.size() - batch.refused();
  }
  std::printf("%zu chunks refused, %zu good\n", refused, good);
  CHECK(refused > 10 * seeds);
  CHECK(good > 2 * seeds);
}

TEST_CASE("a launch of nothing, one that no grid holds, and a tuple that no warp holds") {
  const auto launch = [](const cuda::GroupBatch& batch) {
    return cuda::launch_integrate_groups<std::uint16_t>(batch, nullptr, nullptr);
  };
  CHECK(launch({}) == cudaSuccess);
  cuda::GroupBatch batch;
  batch.count = 1u << 20, batch.groups = 1u << 20;
  CHECK(launch(batch) == cudaErrorInvalidValue);
  batch = {};
  batch.steps.tuple = 33, batch.count = 1, batch.groups = 1;
  CHECK(launch(batch) == cudaErrorInvalidValue);
}

}  // namespace tdz::test
