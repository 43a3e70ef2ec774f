// SPDX-License-Identifier: Apache-2.0
// Do blocks end where the bytes change, does that make frames smaller, and do all packings restore?
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "codec/chunk/block_ends.hpp"
#include "codec/chunk/frame_plan.hpp"
#include "codec/chunk/zstd_coder.hpp"
#include "codec/search/limits.hpp"
#include "codec/search/packing_plan.hpp"
#include "tests/random.hpp"

using namespace tdz;

namespace {

using Bytes = std::vector<std::byte>;
using Lengths = std::vector<std::size_t>;

constexpr std::size_t kBlock = std::size_t{128} << 10;

/// Bytes from `first` on, all of `values` values equally often.
void append(Bytes& bytes, std::size_t count, unsigned first, unsigned values, test::Random& random) {
  for (std::size_t i = 0; i < count; ++i) bytes.push_back(static_cast<std::byte>(first + random() % values));
}

/// Loud and quiet by turns, `run` bytes each.
Bytes by_turns(std::size_t bytes, std::size_t run) {
  test::Random random(3);
  Bytes out;
  for (unsigned turn = 0; out.size() < bytes; ++turn)
    append(out, run, turn % 2 == 0 ? 0 : 100, turn % 2 == 0 ? 4 : 64, random);
  out.resize(bytes);
  return out;
}

std::size_t frame_bytes_of(const Bytes& bytes, Packing packing) {
  ZstdEncoder encoder(3);
  Bytes room(zstd_bound(bytes.size()));
  const Lengths parts{bytes.size()};
  return encoder.encode(bytes, parts, room, packing).value();
}

}  // namespace

TEST_CASE("blocks cover the bytes, and none is longer than zstd's") {
  test::Random random(1);
  for (const auto content : {BlockContent::literals, BlockContent::matches}) {
    const std::size_t least = content == BlockContent::literals ? 2048 : 4096;
    CHECK(block_lengths({}, content).empty());
    for (const std::size_t size :
         {std::size_t{1}, least - 1, least, least + 1, kBlock - 1, kBlock, kBlock + 1, 3 * kBlock + 12345}) {
      Bytes bytes = by_turns(size, 1 + random() % 30000);
      const Lengths lengths = block_lengths(bytes, content);
      INFO("size ", size);
      CHECK(std::accumulate(lengths.begin(), lengths.end(), std::size_t{0}) == size);
      CHECK(*std::ranges::max_element(lengths) <= kBlock);
      CHECK(*std::ranges::min_element(lengths) > 0);
      for (std::size_t i = 0, at = 0; i < lengths.size(); at += lengths[i++])
        CHECK((at + lengths[i] == size || (at + lengths[i]) % least == 0));
    }
  }
}

TEST_CASE("a block ends where the bytes change, and nowhere else") {
  test::Random random(2);
  Bytes bytes;
  append(bytes, 40960, 0, 4, random);
  append(bytes, 24576, 100, 64, random);
  append(bytes, 16384, 0, 256, random);
  append(bytes, kBlock - bytes.size(), 7, 2, random);
  for (const auto content : {BlockContent::literals, BlockContent::matches})
    CHECK(block_lengths(bytes, content) == Lengths{40960, 24576, 16384, 49152});
  for (const unsigned values : {1u, 3u, 100u, 256u}) {
    Bytes alike;
    append(alike, 2 * kBlock, 0, values, random);
    for (const auto content : {BlockContent::literals, BlockContent::matches})
      CHECK(block_lengths(alike, content) == Lengths{kBlock, kBlock});
  }
}

TEST_CASE("blocks of their own make what changes smaller") {
  const Bytes bytes = by_turns(400000, 12288);
  // 2 and 6 bits by turns are 4 in the mean; one code for both needs about 5.
  const std::size_t by_codes = frame_bytes_of(bytes, Packing::entropy);
  CHECK(by_codes < bytes.size() * 4 / 8 * 103 / 100);
  for (const Packing packing : {Packing::search, Packing::quick})
    CHECK(frame_bytes_of(bytes, with_cuts(packing)) * 100 < frame_bytes_of(bytes, packing) * 99);
}

TEST_CASE("frames of every packing restore, and their parts end where they say") {
  const Bytes original = by_turns(300000, 7000);
  const std::vector<Lengths> all{
      {original.size()}, {0, 1, original.size() - 1}, {5000, 0, 90000, 200000, 5000, 0}};
  for (std::size_t p = 0; p < kPackings; ++p) {
    for (const Lengths& parts : all) {
      const auto packing = static_cast<Packing>(p);
      ZstdEncoder encoder(3);
      Bytes room(zstd_bound(parts)), restored(original.size());
      Lengths ends(parts.size());
      const std::size_t size = encoder.encode(original, parts, room, packing, ends).value();
      INFO("packing ", p, ", parts ", parts.size());
      CHECK(encoder.encode(original, parts, room, packing).value() == size);
      CHECK(std::ranges::is_sorted(ends));
      CHECK(ends.back() == size);
      CHECK(ZstdDecoder{}.decode(std::span(room).first(size), restored));
      CHECK(restored == original);
    }
  }
}

TEST_CASE("noise in many blocks fits into the bound") {
  test::Random random(4);
  for (const std::size_t size : {1u, 2047u, 2049u, 70000u, 400001u}) {
    Bytes bytes;
    // A code for 255 of 256 values saves less than its table: blocks are stored as they are.
    while (bytes.size() < size) append(bytes, 2048, random() % 2, 255, random);
    bytes.resize(size);
    for (std::size_t p = 0; p < kPackings; ++p) {
      const Lengths parts{size};
      Bytes room(zstd_bound(parts));
      for (const FrameUse use : {FrameUse::stored, FrameUse::measured}) {
        const auto written = ZstdEncoder(3, use).encode(bytes, parts, room, static_cast<Packing>(p));
        INFO("size ", size, ", packing ", p);
        CHECK(written);
      }
    }
  }
}

TEST_CASE("what changes, and repeats, is planned with blocks of its own") {
  // Words of 64 bytes that come again and again, of quiet and of loud bytes by turns.
  test::Random random(5);
  Bytes words, bytes;
  append(words, 64 * 64, 0, 4, random);
  append(words, 64 * 64, 100, 64, random);
  for (std::size_t i = 0; bytes.size() < 400000; ++i) {
    const std::size_t kind = i / 160 % 2;
    append(bytes, 64, kind == 0 ? 0 : 100, kind == 0 ? 4 : 64, random);
    const auto word = words.begin() + static_cast<std::ptrdiff_t>(64 * (64 * kind + random() % 64));
    bytes.insert(bytes.end(), word, word + 64);
  }
  Trial trial(3);
  const auto planned = plan_packing(Recipe{}, {bytes}, 400, {}, trial).value();
  CHECK(planned.plan.of(0) == Packing::search_cut);
  CHECK(planned.packed_bytes <
        trial.packed(one_packing(Packing::search), bytes, Lengths{bytes.size()}).value());
}

TEST_CASE("a few bytes behind the last row do not change how the others are packed") {
  FramePlan plan = one_packing(Packing::entropy);
  plan.packing[4] = Packing::quick;
  const Lengths planes{200000, 200000, 200000, 200000, 3};
  const auto frames = cut_frames(plan, planes, 1 << 20);
  REQUIRE(frames.size() == 1);
  CHECK(frames[0].packing == Packing::entropy);
  CHECK(frames[0].bytes == 800003);
}
