// SPDX-License-Identifier: Apache-2.0
// How fast do the CPU kernels move data that lies in the second-level cache? bytes_per_second counts values
// once.
#include <benchmark/benchmark.h>

#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "kernels/cpu/cpu_backend.hpp"
#include "kernels/cpu/targets.hpp"

namespace tdz {
namespace {

/// Input and output together: half of the second-level cache of a Zen 3 core (512 KiB).
constexpr std::size_t kChunk = std::size_t{128} << 10;

/// Between input and output, modulo a page: glibc's memcpy is 15 times slower on Zen 3 where the two agree.
constexpr std::size_t kOffset = 2048;

constexpr std::uint8_t kWords[] = {1, 2, 4, 8};
constexpr std::uint8_t kOrders[] = {0, 1, 2, 3, 4, 8};
constexpr std::uint32_t kTuples[] = {1, 2, 3, 4, 6, 8, 1000};

using Run = void (*)(const TransformJob&, const PassList&);

void run_job(benchmark::State& state, Run run, const Transform& transform) {
  std::vector<std::uint8_t> in(kChunk), out(kChunk + kOffset);
  for (std::size_t i = 0; i < kChunk; ++i) in[i] = static_cast<std::uint8_t>(i * i >> 3);
  const TransformJob job{
      &transform, std::as_bytes(std::span(in)), std::as_writable_bytes(std::span(out)).subspan(kOffset), {}};
  const PassList list = passes(transform);
  for (auto _ : state) {
    run(job, list);
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(kChunk));
}

void run_memcpy(benchmark::State& state) {
  std::vector<std::uint8_t> in(kChunk, 1), out(kChunk + kOffset);
  for (auto _ : state) {
    std::memcpy(out.data() + kOffset, in.data(), kChunk);
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(kChunk));
}

void add_pair(const std::string& name, const Transform& transform) {
  const auto add = [&](const char* direction, Run run) {
    benchmark::RegisterBenchmark((direction + name).c_str(),
                                 [=](benchmark::State& state) { run_job(state, run, transform); });
  };
  add("inverse", &cpu::inverse);
  add("forward", &cpu::forward);
}

/// No zigzag without a difference; with one, always: that is how the layouts are used.
Transform transform_of(std::uint8_t word, std::uint8_t order, std::uint32_t tuple, Layout layout) {
  Transform transform{word};
  if (order > 0) transform.append(Step::difference(tuple, order)).append(Step::zigzag());
  if (layout == Layout::planes) transform.append(Step::planes());
  if (layout == Layout::tuple_planes) transform.append(Step::tuple_planes(tuple));
  if (layout == Layout::bit_planes) transform.append(Step::bit_planes());
  return transform;
}

void add_all() {
  static constexpr const char* kLayouts[] = {"interleaved", "planes", "tuple-planes", "bit-planes"};
  benchmark::RegisterBenchmark("memcpy", run_memcpy);
  for (std::uint8_t word : kWords) {
    for (std::uint8_t order : kOrders) {
      for (std::uint32_t tuple : kTuples) {
        for (unsigned layout = 0; layout < 4; ++layout) {
          const std::string name = "/word:" + std::to_string(word) + "/order:" + std::to_string(order) +
                                   "/tuple:" + std::to_string(tuple) + "/" + kLayouts[layout];
          add_pair(name, transform_of(word, order, tuple, Layout{static_cast<std::uint8_t>(layout)}));
        }
      }
    }
  }
}

}  // namespace
}  // namespace tdz

int main(int argc, char** argv) {
  benchmark::AddCustomContext("target", std::string(tdz::cpu::current_target()));
  tdz::add_all();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
