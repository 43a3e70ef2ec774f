// SPDX-License-Identifier: Apache-2.0
// How fast does a device decode frames of uniform blocks? The chunks of a cut of a file are repeated at
// different places in memory. Every chunk's status is looked at, and the values of some are compared.
//
//     frames_bench FILE WIDTH TUPLE ORDER RUN LIMIT [MiB of a chunk]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <vector>

#include "codec/chunk/parsed_chunk.hpp"
#include "codec/chunk/zstd_coder.hpp"
#include "formats/stream/record.hpp"
#include "kernels/cuda/frames/decode_launch.hpp"
#include "kernels/uniform/decode_plan.hpp"
#include "tests/bench/device_bench.hpp"
#include "tests/bench/wanted_plan.hpp"

namespace tdz {
namespace {

using namespace testing;

struct Encoded {
  ParsedChunk chunk;
  Bytes packed, original;
};

Encoded parsed(const Bytes& block, Bytes original) {
  const auto prefix = formats::parse_prefix(block, {.chunk = true}, 0).value();
  const auto record = std::span(block).first(prefix.total_bytes);
  return {parse_with_plan(record, {}, 0).value(), Bytes(block.begin() + std::ssize(record), block.end()),
          std::move(original)};
}

struct Wanted {
  const char* file;
  WantedPlan plan;
  std::size_t chunk_bytes;
};

std::vector<Encoded> chunks_of(const Wanted& wanted, std::size_t most) {
  std::ifstream file(wanted.file, std::ios::binary);
  const std::size_t group = wanted.plan.group();
  const std::size_t chunk = std::max(group, wanted.chunk_bytes / group * group);
  std::vector<Encoded> chunks;
  std::optional<Plan> plan;
  while (chunks.size() < most) {
    Bytes original(chunk);
    if (!file.read(reinterpret_cast<char*>(original.data()), std::ssize(original))) break;
    if (!plan) plan = plan_of(wanted.plan, best_code(wanted.plan, original));
    chunks.push_back(parsed(*encode_block(*plan, original), original));
  }
  return chunks;
}

template <class Run>
double milliseconds(const Run& run) {
  return median_ms(2, 10, run);
}

void measure(const std::vector<Encoded>& chunks, std::uint64_t bytes) {
  uniform::DecodeTables t;
  std::vector<std::uint64_t> places;
  std::uint64_t packed = cuda::kPackedSlack, values = 0;
  const auto begin = Clock::now();
  for (std::uint32_t i = 0; values < bytes; ++i) {
    const Encoded& from = chunks[i % chunks.size()];
    uniform::ChunkDecode left;
    if (!uniform::add_chunk(from.chunk.plan, from.chunk.record, {i, packed, values}, t, left) ||
        !left.frames.empty()) {
      std::puts("not for a device");
      return;
    }
    places.push_back(packed);
    packed += from.packed.size() + 1;  // other alignments
    values += from.original.size();
  }
  const double planning = since(begin);
  const DeviceBuffer in(packed + cuda::kPackedSlack), out(values),
      joined(t.joined_bytes + 2 * cuda::kPackedSlack), status(4 * places.size()), work(t.work_bytes);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Encoded& from = chunks[i % chunks.size()];
    const auto copied = i < chunks.size()
                            ? cudaMemcpy(in.data() + places[i], from.packed.data(), from.packed.size(),
                                         cudaMemcpyHostToDevice)
                            : cudaMemcpyAsync(in.data() + places[i], in.data() + places[i % chunks.size()],
                                              from.packed.size(), cudaMemcpyDeviceToDevice);
    check(copied, "copy of frames");
  }
  const DeviceTable blocks(t.blocks);
  const DeviceTable lanes(t.lanes);
  const DeviceTable checks(t.checks);
  const DeviceTable joins(t.joins);
  const DeviceTable<uniform::BlockGroup> groups[] = {DeviceTable(t.groups[0]), DeviceTable(t.groups[1]),
                                                     DeviceTable(t.groups[2]), DeviceTable(t.groups[3])};
  cuda::DeviceTables tables;
  tables.blocks = blocks.data(), tables.lanes = lanes.data();
  tables.checks = checks.data(), tables.joins = joins.data();
  tables.check_count = static_cast<std::uint32_t>(t.checks.size());
  tables.join_count = static_cast<std::uint32_t>(t.joins.size());
  for (std::size_t kind = 0; kind < 4; ++kind) {
    tables.groups[kind] = groups[kind].data();
    tables.group_count[kind] = static_cast<std::uint32_t>(t.groups[kind].size());
    tables.code_limit[kind] = t.code_limit[kind];
    tables.team[kind] = t.team[kind];
  }
  const cuda::DecodeBuffers buffers{in.data(),  nullptr,     joined.data() + cuda::kPackedSlack,
                                    out.data(), work.data(), reinterpret_cast<std::uint32_t*>(status.data())};
  check(cudaMemset(status.data(), 0, status.bytes()), "cudaMemset");
  check(cudaMemset(out.data(), 0xA5, out.bytes()), "cudaMemset");
  const double time =
      milliseconds([&] { check(cuda::launch_decode_frames(tables, buffers, nullptr), "launch"); });
  std::vector<std::uint32_t> faults(places.size());
  check(cudaMemcpy(faults.data(), status.data(), status.bytes(), cudaMemcpyDeviceToHost), "status");
  std::size_t wrong = 0;
  for (const std::uint32_t fault : faults) wrong += fault != 0 ? 1 : 0;
  std::uint64_t at = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Bytes& original = chunks[i % chunks.size()].original;
    if (i < 2 * chunks.size() || i % 97 == 0 || i + 1 == places.size()) {
      Bytes found(original.size());
      check(cudaMemcpy(found.data(), out.data() + at, found.size(), cudaMemcpyDeviceToHost), "values");
      wrong += found == original ? 0u : 1u;
    }
    at += original.size();
  }
  const double copy = milliseconds([&] {
    check(cudaMemcpyAsync(out.data(), out.data() + values / 2, values / 2, cudaMemcpyDeviceToDevice), "copy");
  });
  const double giga = static_cast<double>(values) / 1e6;
  std::printf("  %5llu MiB: %7.1f GB/s, %.3f ms; copy %.0f GB/s; planning %.2f ms; joins %zu%s\n",
              static_cast<unsigned long long>(values >> 20), giga / time, time, giga / 2 / copy, planning,
              t.joins.size(), wrong == 0 ? "" : "; WRONG");
}

int run(int count, char** arguments) {
  if (count < 7) return std::puts("frames_bench FILE WIDTH TUPLE ORDER RUN LIMIT [MiB of a chunk]"), 2;
  const auto number = [&](int i) { return static_cast<unsigned>(std::strtoul(arguments[i], nullptr, 10)); };
  const WantedPlan plan{number(2), number(3), number(4), number(5), number(6)};
  const Wanted wanted{arguments[1], plan, std::size_t{count > 7 ? number(7) : 2} << 20};
  const auto chunks = chunks_of(wanted, 4);
  if (chunks.empty()) return std::puts("the file is too short"), 2;
  std::size_t original = 0, packed = 0;
  for (const Encoded& chunk : chunks) original += chunk.original.size(), packed += chunk.packed.size();
  const auto& tokens = std::get<TokensStep>(chunks[0].chunk.plan.columns[0].steps.back());
  std::printf("%s width %u tuple %u order %u run %u limit %u: k %d m %d, ratio %.3f\n", arguments[1],
              plan.width, plan.tuple, plan.order, plan.run, plan.limit, tokens.code.k, tokens.code.m,
              static_cast<double>(original) / static_cast<double>(packed));
  const char* most = std::getenv("FRAMES_BENCH_MIB");
  const std::uint64_t limit = most != nullptr ? std::strtoull(most, nullptr, 10) : 4096;
  for (const std::uint64_t mib : {64u, 256u, 1024u, 4096u})
    if (mib <= limit) measure(chunks, mib << 20);
  return 0;
}

}  // namespace
}  // namespace tdz

int main(int count, char** arguments) {
  return tdz::run(count, arguments);
}
