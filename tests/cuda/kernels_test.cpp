// SPDX-License-Identifier: Apache-2.0
// Do the kernels agree with the definition of the steps? For every word, order, kind of tuple, layout,
// direction and path, and lengths around a tile.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>

#include "kernels/cuda/host/dispatch.hpp"
#include "tests/cuda/device_buffer.hpp"
#include "tests/cuda/naive.hpp"
#include "tests/cuda/quick.hpp"

namespace {

using namespace tdz;
using namespace tdz::cuda;
using testing::check;
using testing::DeviceBuffer;
using testing::quick;

constexpr std::size_t kRoom = 24u << 20;
constexpr std::uint64_t kSeed = 20261120;

const std::vector<std::uint32_t> kTuples = {1,  2,  3,  4,  5,   6,    7,     8,         9,
                                            15, 16, 17, 64, 255, 1000, 70000, 0xFFFFFFFF};

struct Rig {
  DeviceBuffer in{kRoom}, out{kRoom}, space{kRoom};
  DeviceShape shape;

  Rig() { check(current_shape(shape), "current_shape"); }

  /// Runs chunks of `chunk_bytes` and returns the results. Bytes that no kernel wrote are poison.
  naive::Bytes run(const Pass& pass, Path path, Direction direction, const naive::Bytes& input,
                   std::size_t chunk_bytes) {
    check(cudaMemset(out.data(), 0xA5, input.size() + 64), "cudaMemset");
    in.put(input);
    const ChunkBatch batch = cut({in.data(), out.data(), input.size()}, chunk_bytes);
    check(enqueue_pass(pass, path, batch, direction, shape, space.data(), nullptr), "enqueue_pass");
    naive::Bytes result(input.size());
    check(cudaMemcpy(result.data(), out.data(), result.size(), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return result;
  }
};
Rig& rig() {
  static Rig instance;
  return instance;
}

std::size_t stream_tile_words(const Pass& steps) {
  return tile_plan(steps, stream_tuning(steps, rig().shape), Direction::integrate).shape.tile_words();
}

std::size_t look_back_tile_words(const Pass& steps) {
  const ScanTuning tuning = look_back_tuning(steps, rig().shape);
  return fitted_plan(steps, tuning, Direction::integrate_by_look_back, rig().shape).shape.tile_words();
}

/// Lengths in words around the units of a kernel: eight (bit planes), a granule, a warp, a row, a tile.
std::vector<std::size_t> lengths(const Pass& steps) {
  const std::size_t row = steps.tuple;
  std::vector<std::size_t> words = {0, 1, 7, 8, 9, 31, 33, row - 1, row, row + 1};
  if (is_narrow(steps.tuple)) {
    const std::size_t tile = stream_tile_words(steps);
    words.insert(words.end(), {tile - 1, tile, tile + 1, 3 * tile + 5});
    const std::size_t differenced =
        tile_plan(steps, difference_tuning(steps), Direction::difference).shape.tile_words();
    if (differenced != tile) words.insert(words.end(), {differenced - 1, differenced, differenced + 1});
    const std::size_t looked_back = look_back_tile_words(steps);
    if (looked_back != tile) words.insert(words.end(), {looked_back - 1, looked_back, looked_back + 1});
  } else {
    words.push_back(9 * row + 3);
  }
  const std::size_t most = kRoom / 3 / steps.word;  // rows of the widest tuples do not fit
  std::erase_if(words, [&](std::size_t each) { return each > most; });
  return words;
}

std::vector<Path> paths(const Pass& steps, Direction direction) {
  if (steps.order == 0) return {Path::rearrange};
  if (!runs_by_tiles(steps, rig().shape)) return {Path::columns};
  if (direction == Direction::difference) return {Path::stream};
  return {Path::stream, Path::look_back};
}

void check_both_ways(const Pass& steps, std::size_t chunk_bytes) {
  // Two chunks and a shorter one. If there are several chunks, each must begin at a granule.
  const std::size_t bytes = chunk_bytes % kGranule == 0 ? 2 * chunk_bytes + chunk_bytes / 3 : chunk_bytes;
  const naive::Bytes values = naive::noise(bytes, kSeed + bytes, bytes % 2 == 0);
  const naive::Bytes residuals = naive::forward_batch(steps, values, std::max<std::size_t>(chunk_bytes, 1));
  CAPTURE(kSeed);
  CAPTURE(steps.word);
  CAPTURE(steps.order);
  CAPTURE(steps.tuple);
  CAPTURE(static_cast<int>(steps.layout));
  CAPTURE(chunk_bytes);
  for (Path path : paths(steps, Direction::integrate)) {
    CAPTURE(static_cast<int>(path));
    CHECK(rig().run(steps, path, Direction::integrate, residuals, std::max<std::size_t>(chunk_bytes, 1)) ==
          values);
  }
  for (Path path : paths(steps, Direction::difference)) {
    CHECK(rig().run(steps, path, Direction::difference, values, std::max<std::size_t>(chunk_bytes, 1)) ==
          residuals);
  }
}

void check_lengths(const Pass& steps) {
  for (std::size_t words : lengths(steps)) {
    for (std::size_t trailing : {std::size_t{0}, std::size_t{steps.word} - 1}) {
      check_both_ways(steps, words * steps.word + trailing);
      if (steps.word == 1 || quick()) break;
    }
    const std::size_t whole = words * steps.word / kGranule * kGranule;
    if (whole > 0 && words < 200000) check_both_ways(steps, whole);
  }
}

void check_orders_and_tuples(std::uint8_t word, Layout layout, bool zigzag) {
  for (std::uint8_t order = 0; order <= kMaxOrder; ++order) {
    for (std::uint32_t tuple : kTuples) {
      const Pass steps{word, order, zigzag, layout, tuple};
      const bool fits = order == 0 || runs_by_tiles(steps, rig().shape) || layout == Layout::interleaved;
      if (quick() && (order % 3 == 0 || (tuple != 1 && tuple != 3 && tuple != 8 && tuple != 1000))) continue;
      if (fits && (order < 3 || tuple < 256 || order == 8)) check_lengths(steps);
    }
  }
}

TEST_CASE("the kernels agree with the definition") {
  for (std::uint8_t word : {std::uint8_t{1}, std::uint8_t{2}, std::uint8_t{4}, std::uint8_t{8}}) {
    check_orders_and_tuples(word, Layout::interleaved, false);
    check_orders_and_tuples(word, Layout::interleaved, true);
    check_orders_and_tuples(word, Layout::planes, true);
    check_orders_and_tuples(word, Layout::tuple_planes, true);
    check_orders_and_tuples(word, Layout::tuple_planes, false);
    check_orders_and_tuples(word, Layout::bit_planes, true);
  }
}

// These are short enough for a race detector.
void check_every_layout(std::uint8_t word, std::size_t chunk_bytes) {
  for (Layout layout : {Layout::interleaved, Layout::planes, Layout::tuple_planes, Layout::bit_planes}) {
    for (std::uint32_t tuple : {1u, 6u, 1000u}) {
      const Pass steps{word, 2, true, layout, tuple};
      if (tuple < 1000 || layout == Layout::interleaved) check_both_ways(steps, chunk_bytes);
    }
  }
}

TEST_CASE("every layout, once") {
  for (std::uint8_t word : {std::uint8_t{1}, std::uint8_t{4}, std::uint8_t{8}})
    check_every_layout(word, 160016);
}

TEST_CASE("every layout of 16-bit numbers, once") {
  check_every_layout(2, quick() ? 80016 : 160016);
}

TEST_CASE("a step list that does not fit one kernel runs step by step") {
  Column column{.width = 4};
  column.steps.insert(column.steps.end(), {ByteswapStep{}, DifferenceStep{640, 2}, DifferenceStep{3, 1}});
  column.steps.insert(column.steps.end(), {ZigzagStep{}, TuplePlanesStep{7}, PlanesStep{}});
  CHECK(device_passes(column, rig().shape).count == 5);
  const naive::Bytes values = naive::noise(1 << 20, kSeed);
  const DeviceBuffer in(values);
  DeviceBuffer there(values.size()), back(values.size());
  back.poison();
  for (Direction direction : {Direction::difference, Direction::integrate}) {
    const bool forwards = direction == Direction::difference;
    const ChunkBatch batch = cut(
        {forwards ? in.data() : there.data(), forwards ? there.data() : back.data(), values.size()}, 1 << 18);
    check(enqueue(column, batch, direction, rig().shape, rig().space.data(), nullptr), "enqueue");
  }
  CHECK(there.get() != values);
  CHECK(back.get() == values);
}

TEST_CASE("the chunks of one launch may each have their own length") {
  const std::vector<std::uint64_t> lengths = {70001, 1, 0, 65536, 4099, 131072};
  const std::uint64_t stride = 131072, longest = 131072;
  DeviceBuffer on_device(lengths.size() * sizeof(std::uint64_t));
  check(cudaMemcpy(on_device.data(), lengths.data(), on_device.bytes(), cudaMemcpyHostToDevice),
        "cudaMemcpy");
  for (const std::uint32_t tuple : {1u, 3u, 1000u}) {
    const Pass steps{4, 2, true, Layout::interleaved, tuple};
    naive::Bytes values, residuals;
    for (const std::uint64_t length : lengths) {
      naive::Bytes chunk = naive::noise(length, kSeed + length);
      naive::Bytes coded = naive::forward(steps, chunk.data(), chunk.size());
      chunk.resize(stride), coded.resize(stride);
      values.insert(values.end(), chunk.begin(), chunk.end());
      residuals.insert(residuals.end(), coded.begin(), coded.end());
    }
    for (Path path : paths(steps, Direction::integrate)) {
      CAPTURE(tuple);
      CAPTURE(static_cast<int>(path));
      rig().in.put(residuals);
      check(cudaMemset(rig().out.data(), 0, values.size()), "cudaMemset");
      const ChunkBatch batch{rig().in.data(),
                             rig().out.data(),
                             values.size(),
                             longest,
                             stride,
                             static_cast<std::uint32_t>(lengths.size()),
                             reinterpret_cast<const std::uint64_t*>(on_device.data())};
      check(enqueue_pass(steps, path, batch, Direction::integrate, rig().shape, rig().space.data(), nullptr),
            "enqueue_pass");
      naive::Bytes result(values.size());
      check(cudaMemcpy(result.data(), rig().out.data(), result.size(), cudaMemcpyDeviceToHost), "cudaMemcpy");
      CHECK(result == values);
    }
  }
}

TEST_CASE("short look-backs are right every time") {
  const Pass steps{4, 3, false, Layout::interleaved, 2};
  const std::size_t bytes = 40 * stream_tile_words(steps) * 4;
  const naive::Bytes values = naive::noise(bytes, kSeed, true);
  const naive::Bytes residuals = naive::forward_batch(steps, values, bytes);
  rig().in.put(residuals);
  const ChunkBatch batch = cut({rig().in.data(), rig().out.data(), bytes}, bytes);
  rig().out.poison();
  const int repetitions = std::getenv("TDZ_SOAK") != nullptr ? 100000 : quick() ? 2 : 200;
  for (int i = 0; i < repetitions; ++i) {
    check(enqueue_pass(steps, Path::look_back, batch, Direction::integrate, rig().shape, rig().space.data(),
                       nullptr),
          "enqueue_pass");
    if (i % 100 != 99 && i > 0) continue;
    naive::Bytes result(bytes);
    check(cudaMemcpy(result.data(), rig().out.data(), bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
    REQUIRE(result == values);
    rig().out.poison();
  }
}

}  // namespace
