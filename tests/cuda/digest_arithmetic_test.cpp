// SPDX-License-Identifier: Apache-2.0
// Is the arithmetic of the digests right? On the CPU, in the same parts as on a device: rows of blocks, the
// chain, the tail. libxxhash is the judge.
#include <doctest/doctest.h>

#include <vector>

#include "formats/digest.hpp"
#include "kernels/cuda/digest/digest_plan.hpp"

namespace {

using namespace tdz;
using namespace tdz::cuda;

using Bytes = std::vector<xxh3::Byte>;

Bytes random_bytes(std::size_t size, std::uint64_t seed) {
  Bytes bytes(size);
  for (auto& byte : bytes) {
    seed = seed * 6364136223846793005 + 1442695040888963407;
    byte = static_cast<xxh3::Byte>(seed >> 56);
  }
  return bytes;
}

/// A row: what some stripes of a block add to all pairs.
struct Row {
  xxh3::Pair pair[4];
};

void add_stripes(Row& row, const xxh3::Byte* block, unsigned stripes) {
  for (unsigned n = 0; n < stripes; ++n) {
    for (unsigned p = 0; p < 4; ++p) {
      const xxh3::Byte* at = block + n * xxh3::kStripe + 16 * p;
      xxh3::add_stripe(row.pair[p], xxh3::stripe_key(n, p), xxh3::read64(at), xxh3::read64(at + 8));
    }
  }
}

Row tail_of(const Bytes& bytes) {
  Row row;
  add_stripes(row, bytes.data() + xxh3::scrambles_of(bytes.size()) * xxh3::kBlock,
              xxh3::tail_stripes(bytes.size()));
  for (unsigned p = 0; p < 4; ++p) {
    const xxh3::Byte* at = bytes.data() + bytes.size() - xxh3::kStripe + 16 * p;
    xxh3::add_stripe(row.pair[p], xxh3::last_key(p), xxh3::read64(at), xxh3::read64(at + 8));
  }
  return row;
}

std::uint64_t word_of(const Row& row, unsigned i) {
  return i % 2 == 0 ? row.pair[i / 2].even : row.pair[i / 2].odd;
}

std::uint64_t chain(const std::vector<Row>& rows, const Row& tail, unsigned i) {
  const auto sum = [&](std::size_t n) { return word_of(n < rows.size() ? rows[n] : tail, i); };
  std::uint64_t state = xxh3::first_state(i) + sum(0);
  const std::uint64_t key = xxh3::secret(xxh3::kScrambleSecret + 8 * i);
  for (std::size_t n = 0; n < rows.size(); ++n) state = xxh3::scrambled(state, key, sum(n + 1));
  return state;
}

std::uint64_t digest_of(const Bytes& bytes) {
  if (bytes.size() <= xxh3::kLongestShort) return xxh3::short_digest(bytes.data(), bytes.size());
  std::vector<Row> rows(xxh3::scrambles_of(bytes.size()));
  for (std::size_t n = 0; n < rows.size(); ++n) add_stripes(rows[n], bytes.data() + n * xxh3::kBlock, 16);
  const Row tail = tail_of(bytes);
  std::uint64_t sum = 0;
  for (unsigned p = 0; p < 4; ++p) {
    sum += xxh3::merged(chain(rows, tail, 2 * p), chain(rows, tail, 2 * p + 1), p);
  }
  return xxh3::finished(sum, bytes.size());
}

std::uint64_t wanted(const Bytes& bytes) {
  return formats::xxh3_64(std::as_bytes(std::span(bytes)));
}

TEST_CASE("digests of all short lengths are XXH3's") {
  const Bytes all = random_bytes(3000, 1);
  for (std::size_t size = 0; size <= 2100; ++size) {
    const Bytes bytes(all.begin() + static_cast<std::ptrdiff_t>(size % 7),
                      all.begin() + static_cast<std::ptrdiff_t>(size % 7 + size));
    CAPTURE(size);
    CHECK(digest_of(bytes) == wanted(bytes));
  }
}

TEST_CASE("digests of long inputs are XXH3's") {
  for (const std::size_t size : {65535u, 65536u, 65537u, 66560u, 100001u, 1048576u, 1048577u, 2096128u}) {
    const Bytes bytes = random_bytes(size, size);
    CAPTURE(size);
    CHECK(digest_of(bytes) == wanted(bytes));
  }
}

TEST_CASE("bytes of ones carry into all halves") {
  for (const std::size_t size : {3u, 8u, 16u, 128u, 240u, 241u, 1024u, 1025u, 5000u}) {
    const Bytes bytes(size, 0xFF);
    CAPTURE(size);
    CHECK(digest_of(bytes) == wanted(bytes));
  }
}

TEST_CASE("rows of chunks that touch do not overlap, and the scratch holds them") {
  for (const std::uint64_t size : {1u, 240u, 241u, 1023u, 1024u, 1025u, 2049u, 65537u}) {
    for (const std::uint64_t begin : {0u, 1u, 1000u, 1024u, 5000u}) {
      std::uint64_t offset = begin, end = 0;
      for (unsigned chunk = 0; chunk < 50; ++chunk, offset += size) {
        const std::uint64_t first = first_row({offset, size});
        CHECK(first >= end);
        end = first + xxh3::scrambles_of(size);
      }
      CHECK(end * kRowBytes <= digest_row_bytes(offset));
    }
  }
}

TEST_CASE("the segments of a chunk hold all of its rows") {
  CHECK(segments_of(0) == 1);
  CHECK(segments_of(1024) == 1);
  CHECK(segments_of(65536 + 1) == 1);
  CHECK(segments_of(65536 + 1024 + 1) == 2);
  CHECK(segments_of(1 << 20) == 16);
}

}  // namespace
