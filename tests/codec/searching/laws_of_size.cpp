// SPDX-License-Identifier: Apache-2.0
// Is what an effort finds never larger than plain bytes, nor than what a quicker effort finds? Does the
// search find by itself what options can name?
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>

#include "formats/bytes.hpp"
#include "tests/codec/law.hpp"
#include "tests/codec/support.hpp"
#include "tests/random.hpp"

using namespace tdz;
using namespace tdz::test;

namespace {

constexpr std::size_t kRecords = 600;  // bytes of records in a short stream

std::size_t size_with(const Bytes& original, Effort effort, const SearchOptions& request = {}) {
  CompressOptions options;
  options.search = request;
  options.search->effort = effort;
  options.threads = 1;
  const Bytes stored = packed(original, options);
  CHECK(decompress(stored, one_thread()).value() == original);
  return stored.size();
}

/// As zstd -3 packs it.
std::size_t size_of_plain_bytes(const Bytes& original) {
  CompressOptions options;
  options.level = 3;
  options.chunk_bytes = 8u << 20;
  options.threads = 1;
  return packed(original, options).size();
}

/// Files of 512-byte records, each a little different from some file before it, with names in front: as tar
/// joins them.
Bytes archive(std::size_t files) {
  Random random(3);
  std::vector<Bytes> seen;
  Bytes all;
  for (std::size_t i = 0; i < files; ++i) {
    Bytes file = seen.empty() || random() % 8 == 0
                     ? walk(512 * (1 + random() % 8), 4, static_cast<std::uint32_t>(i + 1))
                     : seen[random() % seen.size()];
    for (int k = 0; k < 3; ++k) file[random() % file.size()] = static_cast<std::byte>(random() % 256);
    Bytes head(512);
    const std::string name = "zone/" + std::to_string(i * 7919 % 100000);
    std::ranges::transform(name, head.begin(), [](char c) { return static_cast<std::byte>(c); });
    formats::put_bytes(all, head);
    formats::put_bytes(all, file);
    seen.push_back(std::move(file));
  }
  return all;
}

/// `times` copies of the same numbers, in each of which one byte in a hundred is another one.
Bytes copies(const Bytes& once, int times) {
  Random random(5);
  Bytes all;
  for (int i = 0; i < times; ++i) {
    Bytes copy = once;
    for (std::size_t k = 0; k < copy.size() / 100; ++k)
      copy[random() % copy.size()] = static_cast<std::byte>(random() % 256);
    formats::put_bytes(all, copy);
  }
  return all;
}

/// Counts of a converter times a constant, as IEEE numbers of the other byte order, in blocks after headers
/// of noise.
Bytes traces(std::size_t blocks) {
  constexpr float kVolts = 1.8626451e-05f;
  Bytes all = noise(628, 4);
  for (std::size_t b = 0; b < blocks; ++b) {
    if (b > 0) all = all + noise(340, static_cast<std::uint32_t>(b));
    Random random(static_cast<std::uint32_t>(b + 1));
    double level = 0, speed = 0;
    for (int i = 0; i < 15000; ++i) {
      speed = speed * 0.98 + (static_cast<double>(random() % 2001) - 1000) * 0.7 - level * 0.001;
      level += speed;
      const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(std::lround(level)) * kVolts);
      for (int shift = 24; shift >= 0; shift -= 8) all.push_back(static_cast<std::byte>(bits >> shift));
    }
  }
  return all;
}

/// Rows of 16-bit numbers that stand again, in short chunks and in long ones.
Bytes chances(std::size_t rows) {
  Random random(9);
  std::vector<Bytes> seen;
  Bytes all;
  for (std::size_t i = 0; i < rows; ++i) {
    Bytes row;
    if (!seen.empty() && random() % 10 < 4) {
      row = seen[random() % seen.size()];
    } else {
      std::uint32_t left = 65535;
      for (int k = 0; k < 32; ++k) {
        const auto part = static_cast<std::uint16_t>(random() % (left / 4 + 1));
        left -= part;
        formats::put_le(row, part);
      }
    }
    formats::put_bytes(all, row);
    seen.push_back(std::move(row));
  }
  return all;
}

std::vector<Bytes> inputs() {
  return {archive(300), copies(walk(400 << 10, 2, 7), 4), traces(3), chances(6000),
          walk(1 << 18, 4, 3) + noise(1 << 16) + walk(1 << 18, 2, 4)};
}

}  // namespace

TEST_CASE("no effort is larger than plain bytes as zstd -3 packs them, nor than a quicker effort" * law) {
  for (const Bytes& original : inputs()) {
    INFO("of ", original.size(), " bytes");
    REQUIRE(original.size() <= std::size_t{2} << 20);  // --fast compares no more than that
    const std::size_t plain = size_of_plain_bytes(original);
    std::size_t quicker = plain + plain / 50 + kRecords;
    for (const Effort effort : {Effort::fast, Effort::normal, Effort::best}) {
      const std::size_t size = size_with(original, effort);
      CHECK(size <= quicker);
      quicker = size;
    }
  }
}

TEST_CASE("numbers that stand again after most of a chunk keep their steps, in a longer chunk" * law) {
  const Bytes original = copies(walk(700 << 10, 2, 7), 4);
  CHECK(size_with(original, Effort::normal) * 10 < size_of_plain_bytes(original) * 9);
}

TEST_CASE("big-endian counts times a constant are found, between headers and after one" * law) {
  const Bytes original = traces(4);
  const std::size_t told = size_with(original, Effort::normal, {.word = 4, .big_endian = true});
  CHECK(size_with(original, Effort::normal) <= told + told / 10);
  CHECK(told * 10 < size_of_plain_bytes(original) * 7);  // there is something to find
}
