// SPDX-License-Identifier: Apache-2.0
// How fast a device computes digests and undoes steps in its memory: GB/s of values, by size of batch. Usage:
// steps_bench [bytes of a chunk [MiB of the largest batch [begin of the names to run]]]. tests/cuda judges
// the results.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "formats/steps/predict.hpp"
#include "kernels/cuda/digest/digest.hpp"
#include "kernels/cuda/steps/undo_steps.hpp"
#include "tests/bench/device_bench.hpp"

namespace {

using namespace tdz;
using namespace tdz::cuda;
using namespace testing;

constexpr std::uint64_t kMiB = 1 << 20;
constexpr int kRepeats = 9;
std::string wanted_name;

/// A batch of equal chunks, in two buffers.
struct Bench {
  std::uint64_t bytes, chunk;
  const DeviceBuffer& in;
  const DeviceBuffer& out;

  std::uint32_t chunks() const { return static_cast<std::uint32_t>(bytes / chunk); }

  void show(const std::string& name, const std::function<cudaError_t()>& call) const {
    if (!name.starts_with(wanted_name)) return;
    std::printf("%-34s %6llu MiB %9.1f GB/s\n", name.c_str(), static_cast<unsigned long long>(bytes / kMiB),
                static_cast<double>(bytes) / median_ms(2, kRepeats, [&] { check(call(), "launch"); }) / 1e6);
    std::fflush(stdout);
  }

  std::vector<StepChunk> step_chunks(unsigned width) const {
    std::vector<StepChunk> all;
    for (std::uint32_t k = 0; k < chunks(); ++k) {
      all.push_back(
          {in.data() + k * chunk, out.data() + k * chunk, static_cast<std::uint32_t>(chunk / width), k});
    }
    return all;
  }

  StepBatch batch(const StepChunk* table, std::uint32_t* status, unsigned width) const {
    StepBatch b;
    b.chunks = table;
    b.count = chunks();
    b.most_words = static_cast<std::uint32_t>(chunk / width);
    b.width = static_cast<std::uint8_t>(width);
    b.status = status;
    return b;
  }
};

std::vector<std::uint32_t> zeros(std::size_t count) {
  return std::vector<std::uint32_t>(count, 0);
}

void bench_digest(const Bench& bench, std::uint64_t skew) {
  std::vector<ChunkPlace> places;
  for (std::uint32_t k = 0; k < bench.chunks(); ++k) places.push_back({k * bench.chunk + skew, bench.chunk});
  if (skew != 0) places.pop_back();
  const DeviceTable<ChunkPlace> table(places);
  const DeviceTable<std::uint64_t> digests(std::vector<std::uint64_t>(places.size()));
  DigestBatch batch;
  batch.data = bench.in.data();
  batch.bytes = bench.bytes;
  batch.chunks = table.data();
  batch.count = static_cast<std::uint32_t>(places.size());
  batch.longest = bench.chunk;
  batch.digests = digests.data();
  const DeviceBuffer scratch(digest_scratch_bytes(batch.bytes, batch.count));
  bench.show(skew == 0 ? "digest" : "digest, unaligned by " + std::to_string(skew),
             [&] { return launch_digest(batch, scratch.data(), nullptr); });
}

struct ScaleChoice {
  const char* name;
  unsigned width;
  std::uint32_t tuple, pairs;
  unsigned one_hole_in;  ///< 0: none
  bool fill;
};

void bench_scale(const Bench& bench, const ScaleChoice& choice) {
  const std::uint64_t words = bench.chunk / choice.width;
  std::vector<double> pairs;
  for (unsigned k = 0; k < choice.pairs; ++k) pairs.insert(pairs.end(), {1, k % 2 == 0 ? 100.0 : 1000.0});
  const DeviceTable<double> pair_table(pairs);
  std::vector<std::uint8_t> selectors(choice.pairs > 1 ? selector_count(words, choice.tuple) : 0);
  for (std::size_t i = 0; i < selectors.size(); ++i)
    selectors[i] = static_cast<std::uint8_t>(i % choice.pairs);
  const DeviceTable<std::uint8_t> selector_table(selectors);
  std::vector<std::uint8_t> bitmap(choice.one_hole_in == 0 ? 0 : words / 8);
  std::size_t holes = 0;
  for (std::size_t i = 0; choice.one_hole_in != 0 && i < words; i += choice.one_hole_in - i % 3, ++holes) {
    bitmap[i / 8] = static_cast<std::uint8_t>(bitmap[i / 8] | 1u << i % 8);
  }
  // Every chunk has a bitmap and hole words of its own, as in a file.
  std::vector<std::uint8_t> all_bitmaps;
  for (std::uint32_t k = 0; k < bench.chunks(); ++k)
    all_bitmaps.insert(all_bitmaps.end(), bitmap.begin(), bitmap.end());
  const DeviceTable<std::uint8_t> bitmap_table(all_bitmaps);
  const std::size_t hole_bytes = bitmap.empty() ? 0 : choice.fill ? choice.width : holes * choice.width;
  const DeviceBuffer hole_words(hole_bytes * bench.chunks());
  std::vector<ScaleSubstreams> sides;
  for (std::uint32_t k = 0; k < bench.chunks(); ++k) {
    const auto part = [](const auto* at, std::size_t bytes) {
      return DeviceBytes{reinterpret_cast<const std::byte*>(at), static_cast<std::uint32_t>(bytes)};
    };
    sides.push_back({part(pair_table.data(), pairs.size() * 8), part(selector_table.data(), selectors.size()),
                     part(bitmap_table.data() + k * bitmap.size(), bitmap.size()),
                     part(hole_words.data() + k * hole_bytes, hole_bytes)});
  }
  const DeviceTable<ScaleSubstreams> side_table(sides);
  const DeviceTable<StepChunk> chunks(bench.step_chunks(choice.width));
  const DeviceTable<std::uint32_t> status(zeros(bench.chunks()));
  const ScaleBatch batch{bench.batch(chunks.data(), status.data(), choice.width),
                         {static_cast<std::uint8_t>(choice.width), ScaleKind::real, choice.tuple},
                         side_table.data()};
  const bool some = !bitmap.empty();
  const DeviceBuffer scratch(undo_scale_scratch_bytes(batch.steps.count, batch.steps.most_words, some));
  bench.show(choice.name, [&] { return launch_undo_scale(batch, some, scratch.data(), nullptr); });
  std::vector<std::uint32_t> after(bench.chunks());
  check(cudaMemcpy(after.data(), status.data(), after.size() * 4, cudaMemcpyDeviceToHost), "copy");
  if (std::ranges::any_of(after, [](std::uint32_t s) { return s != 0; }))
    std::printf("  refused: %x\n", after[0]);
}

void bench_lanes(const Bench& bench, const char* name, unsigned width, std::uint32_t run,
                 const std::vector<DeviceLaneRule>& rules) {
  const DeviceTable<DeviceLaneRule> rule_table(rules);
  const DeviceTable<StepChunk> chunks(bench.step_chunks(width));
  const DeviceTable<std::uint32_t> status(zeros(bench.chunks()));
  LanesBatch batch;
  batch.steps = bench.batch(chunks.data(), status.data(), width);
  batch.tuple = static_cast<std::uint32_t>(rules.size());
  batch.run = run;
  batch.depths = depths_of(rules);
  batch.rules = rule_table.data();
  bench.show(name, [&] { return launch_undo_lanes(batch, nullptr); });
}

void bench_predict(const Bench& bench, const char* name, unsigned width, std::uint32_t tuple,
                   unsigned order) {
  const std::uint32_t words = static_cast<std::uint32_t>(bench.chunk / width);
  const std::size_t blocks = predict_blocks(LaneMap::of_width(width, tuple, words));
  std::vector<Predictor> predictors(blocks);
  for (Predictor& p : predictors) {
    p.order = static_cast<std::uint8_t>(order);
    p.shift = 9;
    for (unsigned j = 0; j < order; ++j) p.coefficient[j] = static_cast<std::int16_t>(37 * j + 11);
  }
  const auto bytes = write_predictors(predictors);
  const DeviceTable<std::uint8_t> side(bytes);
  const DeviceTable<DeviceBytes> sides(std::vector<DeviceBytes>(
      bench.chunks(),
      {reinterpret_cast<const std::byte*>(side.data()), static_cast<std::uint32_t>(bytes.size())}));
  const DeviceTable<StepChunk> chunks(bench.step_chunks(width));
  const DeviceTable<std::uint32_t> status(zeros(bench.chunks()));
  const PredictBatch batch{bench.batch(chunks.data(), status.data(), width), tuple, Sign::is_signed,
                           sides.data()};
  const DeviceBuffer scratch(undo_predict_scratch_bytes(batch.steps.count, batch.steps.most_words, tuple));
  bench.show(name, [&] { return launch_undo_predict(batch, scratch.data(), nullptr); });
}

void bench_map(const Bench& bench) {
  const DeviceTable<StepChunk> chunks(bench.step_chunks(4));
  const DeviceTable<std::uint32_t> status(zeros(bench.chunks()));
  const StepBatch batch = bench.batch(chunks.data(), status.data(), 4);
  bench.show("byteswap, 4 bytes", [&] { return launch_map_words(batch, WordMap::byteswap, nullptr); });
}

/// Small numbers: every word of 4 or 8 bytes is a valid q.
void fill(const DeviceBuffer& memory) {
  std::vector<std::uint64_t> numbers(kMiB / 8);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i * 2654435761 % 1000003;
  for (std::size_t at = 0; at < memory.bytes(); at += kMiB) {
    check(cudaMemcpy(memory.data() + at, numbers.data(), kMiB, cudaMemcpyHostToDevice), "copy");
  }
}

DeviceLaneRule rule(std::uint8_t order, bool zigzag, std::uint16_t source = LaneRule::kNoSource,
                    std::uint8_t lag = 0) {
  return {order, zigzag, false, lag, source, static_cast<std::uint8_t>(source == LaneRule::kNoSource ? 0 : 1),
          0};
}

void bench_all(const Bench& bench) {
  bench.show("copy", [&] {
    return cudaMemcpyAsync(bench.out.data(), bench.in.data(), bench.bytes, cudaMemcpyDeviceToDevice, nullptr);
  });
  bench_digest(bench, 0);
  bench_digest(bench, 8);
  bench_digest(bench, 1);
  for (const ScaleChoice& choice : {ScaleChoice{"scale f32, 1 pair", 4, 1, 1, 0, false},
                                    {"scale f32, 1 pair, holes 1 in 1000", 4, 1, 1, 1000, false},
                                    {"scale f32, 1 pair, holes 1 in 10", 4, 1, 1, 10, false},
                                    {"scale f32, 1 pair, fill 1 in 10", 4, 1, 1, 10, true},
                                    {"scale f32, 4 pairs", 4, 1, 4, 0, false},
                                    {"scale f32, 4 pairs, tuple 3", 4, 3, 4, 0, false},
                                    {"scale f64, 1 pair", 8, 1, 1, 0, false}}) {
    bench_scale(bench, choice);
  }
  const DeviceLaneRule plain = rule(1, true);
  bench_lanes(bench, "lanes u32, 1 lane, order 1", 4, 1024, {plain});
  bench_lanes(bench, "lanes u32, 3 lanes, order 1", 4, 1024, {plain, plain, plain});
  bench_lanes(bench, "lanes u32, 3 lanes, order 2", 4, 1024, {rule(2, true), rule(2, true), rule(2, true)});
  bench_lanes(bench, "lanes u32, 3 lanes, a source", 4, 1024, {plain, rule(1, true, 0, 1), plain});
  bench_lanes(bench, "lanes u32, 12 lanes, order 1", 4, 1024, std::vector<DeviceLaneRule>(12, plain));
  bench_lanes(bench, "lanes u16, 2 lanes, order 1", 2, 1024, {plain, rule(1, true, 0)});
  bench_lanes(bench, "lanes u64, 2 lanes, order 1", 8, 1024, {plain, plain});
  bench_lanes(bench, "lanes u32, 3 lanes, no runs", 4, 0, {plain, plain, plain});
  bench_predict(bench, "predict i16, 8 coefficients", 2, 1, 8);
  bench_predict(bench, "predict i24, 2 lanes, 8", 3, 2, 8);
  bench_predict(bench, "predict i16, 32 coefficients", 2, 1, 32);
  bench_predict(bench, "predict i16, 2 lanes, 8", 2, 2, 8);
  bench_predict(bench, "predict i32, 12 coefficients", 4, 1, 12);
  bench_map(bench);
}

}  // namespace

int main(int count, char** arguments) {
  const std::uint64_t chunk = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : kMiB;
  const std::uint64_t most = count > 2 ? std::strtoull(arguments[2], nullptr, 10) * kMiB : 4096 * kMiB;
  if (count > 3) wanted_name = arguments[3];
  const DeviceBuffer in(most), out(most);
  fill(in);
  for (const std::uint64_t bytes : {64 * kMiB, 256 * kMiB, 1024 * kMiB, 4096 * kMiB}) {
    if (bytes <= most) bench_all({bytes, chunk, in, out});
  }
  return 0;
}
