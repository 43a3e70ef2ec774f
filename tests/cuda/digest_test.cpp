// SPDX-License-Identifier: Apache-2.0
// Are the digests that a device computes XXH3's, for all lengths and addresses? And is each chunk judged by
// itself?
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "formats/digest.hpp"
#include "kernels/cuda/digest/digest.hpp"
#include "tests/cuda/device_buffer.hpp"
#include "tests/cuda/quick.hpp"

namespace {

using namespace tdz;
using namespace tdz::cuda;
using testing::check;
using testing::DeviceBuffer;

using Bytes = std::vector<std::byte>;

Bytes random_bytes(std::size_t size) {
  Bytes bytes(size);
  std::uint64_t state = size;
  for (auto& byte : bytes) {
    state = state * 6364136223846793005 + 1442695040888963407;
    byte = static_cast<std::byte>(state >> 56);
  }
  return bytes;
}

template <class T>
DeviceBuffer on_device(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return DeviceBuffer(bytes);
}

template <class T>
std::vector<T> from_device(const DeviceBuffer& buffer) {
  const Bytes bytes = buffer.get();
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

struct Digests {
  std::vector<std::uint64_t> digests;
  std::vector<std::uint32_t> status;
};

constexpr std::uint64_t kUnwritten = 0xA5A5A5A5A5A5A5A5;

Digests run(const Bytes& data, const std::vector<ChunkPlace>& chunks, std::vector<std::uint64_t> wanted,
            std::vector<std::uint32_t> status, std::uint64_t longest) {
  const DeviceBuffer bytes(data), places = on_device(chunks), expected = on_device(wanted);
  const DeviceBuffer state = on_device(status);
  const auto count = static_cast<std::uint32_t>(chunks.size());
  DeviceBuffer digests(chunks.size() * 8), scratch(digest_scratch_bytes(data.size(), count));
  digests.poison();
  scratch.poison();
  DigestBatch batch;
  batch.data = bytes.data();
  batch.bytes = data.size();
  batch.chunks = reinterpret_cast<const ChunkPlace*>(places.data());
  batch.count = count;
  batch.longest = longest;
  batch.digests = reinterpret_cast<std::uint64_t*>(digests.data());
  if (!wanted.empty()) batch.wanted = reinterpret_cast<const std::uint64_t*>(expected.data());
  batch.status = reinterpret_cast<std::uint32_t*>(state.data());
  check(launch_digest(batch, scratch.data(), nullptr), "launch_digest");
  check(cudaDeviceSynchronize(), "digest");
  return {from_device<std::uint64_t>(digests), from_device<std::uint32_t>(state)};
}

std::uint64_t longest_of(const std::vector<ChunkPlace>& chunks) {
  std::uint64_t longest = 0;
  for (const ChunkPlace& chunk : chunks) longest = std::max(longest, chunk.bytes);
  return longest;
}

std::vector<std::uint64_t> right_digests(const Bytes& data, const std::vector<ChunkPlace>& chunks) {
  std::vector<std::uint64_t> digests;
  for (const ChunkPlace& chunk : chunks) {
    digests.push_back(formats::xxh3_64(std::span(data).subspan(chunk.offset, chunk.bytes)));
  }
  return digests;
}

void check_all(const Bytes& data, const std::vector<ChunkPlace>& chunks) {
  const std::vector<std::uint32_t> good(chunks.size(), 0);
  const Digests got = run(data, chunks, {}, good, longest_of(chunks));
  CHECK(got.digests == right_digests(data, chunks));
  CHECK(got.status == good);
}

/// Chunks of these lengths, each `gap` bytes behind the one before.
std::vector<ChunkPlace> places_of(const std::vector<std::uint64_t>& sizes, std::uint64_t first,
                                  std::uint64_t gap, std::uint64_t alignment) {
  std::vector<ChunkPlace> chunks;
  std::uint64_t at = first;
  for (const std::uint64_t size : sizes) {
    chunks.push_back({at, size});
    at = (at + size + gap + alignment - 1) / alignment * alignment;
  }
  return chunks;
}

TEST_CASE("all lengths up to 2000, at aligned and at any addresses") {
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t size = 0; size <= 2000; size += testing::quick() ? 7u : 1u) sizes.push_back(size);
  for (const std::uint64_t alignment : {16u, 1u}) {
    const auto chunks = places_of(sizes, alignment == 16 ? 0 : 3, 0, alignment);
    check_all(random_bytes(chunks.back().offset + chunks.back().bytes), chunks);
  }
}

TEST_CASE("long chunks") {
  const std::vector<std::uint64_t> sizes = {65536,
                                            65537,
                                            66560,
                                            66561,
                                            1048576,
                                            1048575,
                                            100001,
                                            3000000,
                                            8193,
                                            2097152,
                                            xxh3::kLongest - 1,
                                            xxh3::kLongest};
  for (const std::uint64_t first : {0u, 8u, 5u}) {
    const auto chunks = places_of(sizes, first, 0, first == 5 ? 1 : 8);
    check_all(random_bytes(chunks.back().offset + chunks.back().bytes), chunks);
  }
}

TEST_CASE("many chunks of one length, and their order does not matter") {
  for (const std::uint64_t size : {1024u, 65536u, 70000u, 262144u}) {
    const std::vector<std::uint64_t> sizes(testing::quick() ? 40u : 300u, size);
    auto chunks = places_of(sizes, 0, 0, 16);
    const Bytes data = random_bytes(chunks.back().offset + chunks.back().bytes);
    std::reverse(chunks.begin(), chunks.end());
    check_all(data, chunks);
  }
}

TEST_CASE("a wrong digest refuses its own chunk only") {
  const auto chunks = places_of({5000, 100, 200000, 1, 70000}, 0, 3, 16);
  const Bytes data = random_bytes(chunks.back().offset + chunks.back().bytes);
  auto wanted = right_digests(data, chunks);
  wanted[1] ^= 1;
  wanted[2] ^= std::uint64_t{1} << 63;
  const Digests got = run(data, chunks, wanted, std::vector<std::uint32_t>(5, 0), longest_of(chunks));
  const auto differs = static_cast<std::uint32_t>(DigestStatus::differs);
  CHECK(got.status == std::vector<std::uint32_t>{0, differs, differs, 0, 0});
}

TEST_CASE("what is too long, or not within the data, is refused and not read") {
  const Bytes data = random_bytes(100000);
  const std::vector<ChunkPlace> chunks = {
      {0, 1000},    {99000, 1001}, {0, xxh3::kLongest + 1}, {~std::uint64_t{0}, 2}, {0, ~std::uint64_t{0}},
      {2000, 60000}};
  const Digests got = run(data, chunks, {}, std::vector<std::uint32_t>(6, 0), 50000);
  const auto refused = static_cast<std::uint32_t>(DigestStatus::refused);
  CHECK(got.status == std::vector<std::uint32_t>{0, refused, refused, refused, refused, refused});
  CHECK(got.digests[0] == right_digests(data, {chunks[0]})[0]);
}

TEST_CASE("a chunk that was refused before is left alone") {
  const auto chunks = places_of({5000, 100, 2000}, 0, 0, 16);
  const Bytes data = random_bytes(chunks.back().offset + chunks.back().bytes);
  const Digests got = run(data, chunks, {}, {0, 77, 0}, longest_of(chunks));
  CHECK(got.status == std::vector<std::uint32_t>{0, 77, 0});
  CHECK(got.digests[1] == kUnwritten);
}

}  // namespace
