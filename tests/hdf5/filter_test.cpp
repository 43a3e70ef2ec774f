// SPDX-License-Identifier: Apache-2.0
// Does the filter restore what it wrote, for all values; and does it refuse chunks and values that are wrong,
// with the buffer as it was?
#include <dlfcn.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "bindings/hdf5/library.hpp"
#include "tdz/tdz.h"

using namespace tdz::hdf5;

namespace {

using Bytes = std::vector<unsigned char>;
using Values = std::vector<unsigned>;

const abi::FilterClass& plugin() {
  static const abi::FilterClass* const filter = [] {
    void* const file = dlopen(TDZ_PLUGIN, RTLD_LAZY | RTLD_LOCAL);
    if (file == nullptr) throw std::runtime_error(dlerror());
    const auto info = reinterpret_cast<const void* (*)()>(dlsym(file, "H5PLget_plugin_info"));
    return static_cast<const abi::FilterClass*>(info());
  }();
  return *filter;
}

/// What HDF5 does with a chunk: it hands over memory of malloc, and owns what comes back. Empty: refused.
Bytes filtered(const Bytes& chunk, const Values& values, unsigned flags) {
  void* buffer = std::malloc(chunk.size() + 1);
  std::ranges::copy(chunk, static_cast<unsigned char*>(buffer));
  void* const before = buffer;
  std::size_t room = chunk.size() + 1;
  const std::size_t length =
      plugin().filter(flags, values.size(), values.data(), chunk.size(), &room, &buffer);
  CHECK(length <= room);
  if (length == 0) CHECK((buffer == before && room == chunk.size() + 1));
  const auto* const bytes = static_cast<const unsigned char*>(buffer);
  Bytes out(bytes, bytes + length);
  std::free(buffer);
  return out;
}
Bytes packed(const Bytes& chunk, const Values& values) {
  return filtered(chunk, values, 0);
}
Bytes restored(const Bytes& block, const Values& values) {
  return filtered(block, values, abi::kFlagReverse);
}

/// The same values for chunks of this length.
Values sized(Values values, std::size_t chunk) {
  values.resize(std::max<std::size_t>(values.size(), 8));
  values.push_back(static_cast<unsigned>(chunk));
  return values;
}

/// Words of a walk with small steps.
Bytes walk(std::size_t bytes) {
  Bytes out(bytes);
  std::mt19937 random(7);
  std::uint32_t value = 0;
  for (std::size_t at = 0; at + 4 <= bytes; at += 4) {
    value += static_cast<std::uint32_t>(random() % 16);
    std::memcpy(&out[at], &value, 4);
  }
  return out;
}

Values plan_values(const char* types, unsigned level) {
  tdz_plan* plan = nullptr;
  REQUIRE(tdz_plan_for(types, 1, 0, &plan, nullptr) == TDZ_OK);
  std::size_t length = 0;
  const void* const bytes = tdz_plan_bytes(plan, &length);
  Values values = {1, 1, 1, 0, 0, 0, level, 0};
  values.resize(8 + (length + 7) / 8 * 2);
  std::memcpy(&values[8], bytes, length);
  tdz_plan_free(plan);
  return values;
}

}  // namespace

TEST_CASE("the class says what HDF5 needs") {
  CHECK(plugin().version == 1);
  CHECK(plugin().id >= 32768);
  CHECK(plugin().id <= 65535);
  CHECK(plugin().encoder_present == 1);
  CHECK(plugin().decoder_present == 1);
  CHECK(std::strncmp(plugin().name, "tdz", 3) == 0);
}

TEST_CASE("chunks come back, for all values") {
  const Bytes chunk = walk(40000);
  const std::vector<Values> all = {
      {1, 4, 1, 1, 0, 0, 3, 0}, {1, 4, 1, 1, 0, 100, 9, 8},       {1, 2, 3, 2, 4, 0, 1, 3},
      {1, 8, 0, 0, 1, 0, 0, 4}, {1, 3, 7, 8, 2, 0, 22, 2},        {1, 4},
      {1, 4, 1, 1, 5, 0, 0, 0}, {1, 3, 300, 2, 5, 100, 0, 0},     {1, 8, 2, 0, 5, 0, 9, 6},
      plan_values("u32", 5),    plan_values("u64,f32x5,u8x3", 3),
  };
  for (const Values& values : all) {
    const Bytes block = packed(chunk, sized(values, chunk.size()));
    CHECK_FALSE(block.empty());
    CHECK(restored(block, sized(values, chunk.size())) == chunk);
  }
  CHECK(packed(chunk, sized(all[0], chunk.size())).size() < chunk.size() / 2);
  CHECK(packed(chunk, sized(plan_values("u32", 5), chunk.size())).size() < chunk.size() / 2);
  for (const std::size_t length : {1u, 2u, 3u, 5u, 1000u}) {
    const Values values = sized(all[0], length);
    CHECK(restored(packed(walk(length), values), values) == walk(length));
  }
}

TEST_CASE("values that make no plan are refused") {
  const Bytes chunk = walk(4000);
  for (const Values& values : std::vector<Values>{{},
                                                  {1},
                                                  {2, 4, 1, 1, 0, 0, 3, 0},
                                                  {1, 9, 1, 1, 0, 0, 3, 0},
                                                  {1, 4, 1, 9, 0, 0, 3, 0},
                                                  {1, 4, 1, 1, 6, 0, 3, 0},
                                                  {1, 4, 1, 1, 0, 0, 23, 0},
                                                  {1, 4, 1, 1, 0, 0, 3, 16},
                                                  {1, 4, 1, 1, 0, 0, 3, 0, 1, 2},
                                                  {1, 4, 1, 1, 0, 0, 0xFFFFFFFF, 0}})
    CHECK(packed(chunk, sized(values, 4000)).empty());
  Values cut = plan_values("u64,f32x5", 3);
  cut.resize(cut.size() - 2);
  CHECK(packed(chunk, sized(cut, 4000)).empty());
  CHECK(packed({}, sized({1, 4, 1, 1, 0, 0, 3, 0}, 0)).empty());
}

TEST_CASE("values without the length of a chunk, or with another one, are refused, also in writing") {
  const Bytes chunk = walk(4000), block = packed(chunk, {1, 4, 1, 1, 0, 0, 3, 0, 4000});
  REQUIRE_FALSE(block.empty());
  const std::vector<Values> wrong = {{},
                                     {7},
                                     {4000},
                                     {1, 4, 1, 1, 0, 0, 3},
                                     {1, 4, 1, 1, 0, 0, 3, 0},
                                     {1, 4, 1, 1, 0, 0, 3, 0, 0},
                                     {1, 4, 1, 1, 0, 0, 3, 0, 3999},
                                     {1, 4, 1, 1, 0, 0, 3, 0, 4001},
                                     plan_values("u32", 3)};
  for (const Values& values : wrong) {
    CHECK(restored(block, values).empty());
    CHECK(packed(chunk, values).empty());
  }
}

TEST_CASE("reading ignores the other values") {
  const Bytes chunk = walk(4000), block = packed(chunk, {1, 4, 1, 1, 0, 0, 3, 0, 4000});
  for (const Values& values :
       std::vector<Values>{{7}, {1, 9, 9, 9, 9, 9, 99, 99}, {1, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4}})
    CHECK(restored(block, sized(values, 4000)) == chunk);
}

TEST_CASE("hostile chunks are refused, or give the right bytes") {
  const Values values = {1, 4, 1, 1, 0, 0, 3, 0, 2000};
  const Bytes chunk = walk(2000), block = packed(chunk, values);
  CHECK(restored({}, values).empty());
  for (std::size_t length = 0; length < block.size(); length += 3) {
    const Bytes cut(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(length));
    CHECK(restored(cut, values).empty());
  }
  std::mt19937 random(1);
  for (int i = 0; i < 3000; ++i) {
    Bytes bad = block;
    for (auto changes = random() % 3 + 1; changes > 0; --changes)
      bad[random() % bad.size()] ^= static_cast<unsigned char>(1 + random() % 255);
    const Bytes again = restored(bad, values);
    CHECK((again.empty() || again == chunk));
  }
}

TEST_CASE("without HDF5 the filter decides nothing") {
  CHECK(plugin().set_local(1, 2, 3) == 0);
}

TEST_CASE("threads share nothing") {
  const Bytes chunk = walk(100000);
  const Bytes expected = packed(chunk, {1, 4, 1, 1, 0, 0, 3, 0, 100000});
  std::vector<int> good(4);
  std::vector<std::thread> threads;
  for (int& right : good)
    threads.emplace_back([&] {
      const abi::FilterClass& filter = plugin();
      for (int round = 0; round < 5; ++round) {
        const unsigned values[] = {1, 4, 1, 1, 0, 0, 3, 0, 100000};
        void* buffer = std::malloc(chunk.size());
        std::memcpy(buffer, chunk.data(), chunk.size());
        std::size_t room = chunk.size();
        const std::size_t length = filter.filter(0, 9, values, chunk.size(), &room, &buffer);
        const bool same = length == expected.size() && std::memcmp(buffer, expected.data(), length) == 0;
        const std::size_t back = filter.filter(abi::kFlagReverse, 9, values, length, &room, &buffer);
        if (same && back == chunk.size() && std::memcmp(buffer, chunk.data(), back) == 0) ++right;
        std::free(buffer);
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const int right : good) CHECK(right == 5);
}
