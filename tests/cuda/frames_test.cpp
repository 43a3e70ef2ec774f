// SPDX-License-Identifier: Apache-2.0
// Does a device make the original of uniform blocks, and does it refuse what it must?
#include <doctest/doctest.h>

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "kernels/cuda/frames/decode_launch.hpp"
#include "tests/codec/device_batch.hpp"
#include "tests/cuda/device_buffer.hpp"
#include "tests/cuda/quick.hpp"

namespace tdz::test {
namespace {

using testing::check;
using testing::DeviceBuffer;

/// A table in device memory.
template <class T>
class DeviceTable {
 public:
  explicit DeviceTable(const std::vector<T>& table)
      : memory_(table.size() * sizeof(T)), count_(table.size()) {
    check(cudaMemcpy(memory_.data(), table.data(), memory_.bytes(), cudaMemcpyHostToDevice),
          "copy of a table");
  }
  const T* data() const { return reinterpret_cast<const T*>(memory_.data()); }
  std::uint32_t count() const { return static_cast<std::uint32_t>(count_); }

 private:
  DeviceBuffer memory_;
  std::size_t count_;
};

/// Bytes with slack on both sides.
Bytes with_slack(const Bytes& bytes) {
  const Bytes slack(cuda::kPackedSlack, std::byte{0xEE});
  return slack + bytes + slack;
}

Decoded decode(const DeviceBatch& batch) {
  const auto& t = batch.tables;
  const DeviceTable blocks(t.blocks);
  const DeviceTable lanes(t.lanes);
  const DeviceTable checks(t.checks);
  const DeviceTable joins(t.joins);
  const DeviceTable<uniform::BlockGroup> groups[] = {DeviceTable(t.groups[0]), DeviceTable(t.groups[1]),
                                                     DeviceTable(t.groups[2]), DeviceTable(t.groups[3])};
  cuda::DeviceTables tables;
  tables.blocks = blocks.data(), tables.lanes = lanes.data();
  tables.checks = checks.data(), tables.check_count = checks.count();
  tables.joins = joins.data(), tables.join_count = joins.count();
  for (std::size_t kind = 0; kind < 4; ++kind) {
    tables.groups[kind] = groups[kind].data(), tables.group_count[kind] = groups[kind].count();
    tables.code_limit[kind] = t.code_limit[kind];
    tables.team[kind] = t.team[kind];
  }
  const DeviceBuffer packed(with_slack(batch.packed)), side(batch.side), status(4 * batch.chunks.size());
  DeviceBuffer joined(static_cast<std::size_t>(t.joined_bytes) + 2 * cuda::kPackedSlack);
  joined.poison();  // whole lines are read, with gaps between what was joined
  DeviceBuffer values(static_cast<std::size_t>(batch.values)), work(static_cast<std::size_t>(t.work_bytes));
  values.poison(), work.poison();
  check(cudaMemset(status.data(), 0, status.bytes()), "cudaMemset");
  const cuda::DecodeBuffers buffers{packed.data() + cuda::kPackedSlack,
                                    side.data(),
                                    joined.data() + cuda::kPackedSlack,
                                    values.data(),
                                    work.data(),
                                    reinterpret_cast<std::uint32_t*>(status.data())};
  check(cuda::launch_decode_frames(tables, buffers, nullptr), "launch");
  check(cudaDeviceSynchronize(), "the kernels");
  Decoded decoded{values.get(), work.get(), std::vector<std::uint32_t>(batch.chunks.size())};
  check(cudaMemcpy(decoded.status.data(), status.data(), status.bytes(), cudaMemcpyDeviceToHost), "status");
  return decoded;
}

std::uint64_t cases(std::uint64_t usual) {
  const char* more = std::getenv("TDZ_FRAMES_CASES");
  return more != nullptr ? std::strtoull(more, nullptr, 10) : testing::quick() ? 3 : usual;
}

}  // namespace

TEST_CASE("chunks by chance come back on a device") {
  const std::uint64_t seeds = cases(60);
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    CAPTURE(seed);
    Chance chance(seed);
    DeviceBatch batch;
    for (std::uint64_t chunks = 1 + chance.below(12); chunks > 0; --chunks) {
      const Plan plan = random_device_plan(chance);
      const Bytes original = random_original(chance, plan, testing::quick() ? 40'000 : 400'000);
      batch.add(made_of(*encode_block(plan, original)), original, chance.once_in(2) ? 0 : chance.below(70));
    }
    if (batch.chunks.empty()) continue;
    const Decoded decoded = decode(batch);
    for (const BatchChunk& chunk : batch.chunks) {
      CAPTURE(chunk.base.chunk);
      CHECK(decoded.status[chunk.base.chunk] == 0);
      CHECK(fault_of(chunk, decoded) == "");
    }
  }
}

TEST_CASE("every width, tuple, order, run and limit of codes") {
  Chance chance(77);
  for (unsigned width = 1; width <= 8; ++width)
    for (const std::uint32_t tuple : {1u, 2u, 3u, 4u, 7u}) {
      if (testing::quick() && (tuple > 2 || !std::has_single_bit(width))) continue;
      CAPTURE(width);
      CAPTURE(tuple);
      DeviceBatch batch;
      for (std::uint8_t order = 0; order <= 3; ++order)
        for (const std::uint32_t run : {1024u, 2048u, 4096u}) {
          if (testing::quick() && (run == 4096 || order == 2)) continue;
          Column column{static_cast<std::uint8_t>(width), 1, {}};
          if (order != 0) column.steps.push_back(DifferenceStep{tuple, order, run});
          if (order != 0) column.steps.push_back(ZigzagStep{});
          column.steps.push_back(TokensStep{tuple, {3, 1}, run});
          Plan plan{Coding::uniform, {column}};
          plan.packing.code_limit = static_cast<std::uint8_t>(8 + chance.below(4));
          const std::size_t groups = std::size_t{32} * run * tuple * width;
          const Bytes original =
              pieces(chance, groups + (run == 2048 ? 0 : chance.below(groups)), 50'000, width);
          batch.add(made_of(*encode_block(plan, original)), original, run == 4096 ? chance.below(17) : 0);
        }
      const Decoded decoded = decode(batch);
      CHECK(batch.chunks.size() > (testing::quick() ? 2 : 6));
      for (const BatchChunk& chunk : batch.chunks) {
        CAPTURE(chunk.base.chunk);
        CHECK(decoded.status[chunk.base.chunk] == 0);
        CHECK(fault_of(chunk, decoded) == "");
      }
    }
}

TEST_CASE("damaged chunks are refused, or what the reader by the list makes of them") {
  const std::uint64_t seeds = cases(60);
  std::uint64_t chunks = 0, refused = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    CAPTURE(seed);
    Chance chance(seed + 1000);
    DeviceBatch batch;
    std::vector<bool> good;
    for (int plans = 0; plans < 8; ++plans) {
      const Plan plan = random_device_plan(chance);
      const Bytes original = random_original(chance, plan, 60'000);
      const Made made = made_of(*encode_block(plan, original));
      for (int i = 0; i < 12; ++i) {
        const Made bad = i == 0 ? made : damaged(chance, made);
        batch.chunk_is_damaged = false;
        if (!batch.add(bad, original)) continue;
        good.push_back(!batch.chunk_is_damaged && oracle::read_by_list(bad.chunk, bad.packed).has_value());
      }
    }
    if (batch.chunks.empty()) continue;
    const Decoded decoded = decode(batch);
    const Decoded simulated = BatchSimulation(batch).run();
    for (std::size_t i = 0; i < good.size(); ++i) {
      CAPTURE(i);
      ++chunks;
      if (decoded.status[i] != 0) {
        ++refused;
        CHECK(simulated.status[i] != 0);  // nor is more refused than must be
        continue;
      }
      if (good[i]) continue;
      // What zstd refused before is no business of the device.
      CHECK(simulated.status[i] == 0);
    }
  }
  std::printf("%llu chunks, %llu refused\n", static_cast<unsigned long long>(chunks),
              static_cast<unsigned long long>(refused));
}

/// Cuts of real files, if a folder is named.
TEST_CASE("cuts of the corpus come back on a device") {
  const char* folder = std::getenv("TDZ_CORPUS");
  if (folder == nullptr) return;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    CAPTURE(entry.path().string());
    std::ifstream file(entry.path(), std::ios::binary);
    Bytes original(1u << 20);
    file.read(reinterpret_cast<char*>(original.data()), std::ssize(original));
    original.resize(static_cast<std::size_t>(file.gcount()));
    DeviceBatch batch;
    for (const unsigned width : {1u, 2u, 4u, 8u})
      for (const std::uint32_t tuple : {1u, 2u, 3u})
        for (const std::uint32_t run : {1024u, 4096u}) {
          Plan plan{Coding::uniform,
                    {{static_cast<std::uint8_t>(width),
                      1,
                      {DifferenceStep{tuple, 1, run}, ZigzagStep{},
                       TokensStep{tuple, width == 1 ? TokenCode{7, 7} : TokenCode{4, 2}, run}}}}};
          if (!is_token_code(std::get<TokensStep>(plan.columns[0].steps[2]).code, 8 * width))
            std::get<TokensStep>(plan.columns[0].steps[2]).code = {4, 1};
          batch.add(made_of(*encode_block(plan, original)), original);
        }
    const Decoded decoded = decode(batch);
    for (const BatchChunk& chunk : batch.chunks) {
      CHECK(decoded.status[chunk.base.chunk] == 0);
      CHECK(fault_of(chunk, decoded) == "");
    }
  }
}

}  // namespace tdz::test
