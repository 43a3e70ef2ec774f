// SPDX-License-Identifier: Apache-2.0
// Chunks for the encoder on a device, and the check of what it wrote against the writer on the CPU.
#pragma once

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "codec/chunk/parsed_chunk.hpp"
#include "formats/plan/plan.hpp"
#include "kernels/cuda/frames/encode_tables.hpp"
#include "tdz/block.hpp"
#include "tests/codec/random_plans.hpp"

namespace tdz::testing {

using Bytes = std::vector<std::byte>;

struct EncodeCase {
  std::string name;
  Plan plan;
  Bytes words;
};

/// What a device wrote, in host memory.
struct EncodeOutput {
  std::vector<cuda::frames::FramesPlace> chunks;
  std::vector<cuda::frames::EncodedBlock> blocks;
  std::vector<std::uint32_t> frame_bytes, raw_bytes;
  Bytes packed;
};

/// Encodes words by tables (in host memory), with so many bytes of room for the output.
using Encode =
    std::function<EncodeOutput(const Bytes& words, const cuda::frames::EncodeTables&, std::uint64_t room)>;

/// One kind of word for each `piece` of words.
inline Bytes words_of(test::Chance& chance, std::size_t words, unsigned width, unsigned kinds = 6) {
  Bytes made(words * width);
  const std::size_t piece = 256u << chance.below(8);
  unsigned kind = 0;
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < words; ++i) {
    if (i % piece == 0)
      kind = static_cast<unsigned>(chance.below(kinds)), value = chance.bits() >> chance.below(64);
    const std::uint64_t bits = chance.bits();
    std::uint64_t x = value;                     // one value
    if (kind == 0) x = value += bits % 37 - 15;  // a walk
    if (kind == 1) x = bits >> 60;               // small ones
    if (kind == 2) x = bits % 256 * (bits >> 8 & 255) >> (bits >> 61);
    if (kind == 3) x = bits >> (bits & 63);  // of every length
    if (kind == 4) x = bits;                 // noise
    for (unsigned b = 0; b < width; ++b) made[i * width + b] = static_cast<std::byte>(x >> (8 * b));
  }
  return made;
}

inline Plan fused_plan(std::uint8_t width, TokenCode code, unsigned order, bool zigzag,
                       std::uint32_t run = 1024, std::uint32_t tuple = 1, std::uint32_t restart = 0,
                       std::uint16_t count = 1) {
  Column column{width, count, {}};
  if (order != 0) column.steps.push_back(DifferenceStep{tuple, static_cast<std::uint8_t>(order), restart});
  if (zigzag) column.steps.push_back(ZigzagStep{});
  column.steps.push_back(TokensStep{tuple, code, run});
  return {Coding::uniform, {column}};
}

inline EncodeCase random_case(std::uint64_t seed, std::size_t most_blocks) {
  test::Chance chance(seed);
  constexpr std::uint8_t kWidths[] = {1, 2, 4, 8}, kLimits[] = {0, 8, 9, 10, 11};
  constexpr std::uint32_t kTuples[] = {1, 1, 1, 2, 3}, kRuns[] = {1024, 1024, 2048, 4096},
                          kRestarts[] = {0, 1024, 4096, 65536};
  const bool record = chance.once_in(5);
  const std::uint32_t run = chance.one_of(kRuns);
  const auto blocks = static_cast<std::size_t>(1 + chance.below(most_blocks));
  Plan plan{Coding::uniform, {}};
  std::size_t row = 0;
  const auto tuple = record ? 1u : chance.one_of(kTuples);
  for (std::uint64_t columns = record ? 1 + chance.below(3) : 1; columns > 0; --columns) {
    const std::uint8_t width = chance.one_of(kWidths);
    TokenCode code;
    do {
      code.k = static_cast<std::uint8_t>(chance.below(8));
      code.m = static_cast<std::uint8_t>(chance.below(8));
    } while (!is_token_code(code, 8u * width));
    const auto count = static_cast<std::uint16_t>(record ? 1 + chance.below(2) : 1);
    const Plan one = fused_plan(width, code, static_cast<unsigned>(chance.below(4)), !chance.once_in(3), run,
                                record ? count : tuple, chance.one_of(kRestarts), count);
    plan.columns.push_back(one.columns[0]);
    row += std::size_t{width} * count;
  }
  plan.packing.code_limit = chance.one_of(kLimits);
  if (chance.once_in(3))
    plan.packing.frame_bytes = static_cast<std::uint32_t>(32 * run + chance.below(300'000));
  const std::size_t rows = blocks * 4 * run * (record ? 1 : tuple);
  const unsigned width = plan.columns[0].width;
  return {"seed " + std::to_string(seed), plan, words_of(chance, rows * row / width, width)};
}

/// Alphabets of one, two and 256 symbols; one value; trees that need every kind of description.
inline std::vector<EncodeCase> special_cases() {
  test::Chance chance(5);
  std::vector<EncodeCase> cases;
  const auto add = [&](std::string name, const Plan& plan, std::size_t bytes, const auto& byte) {
    Bytes words(bytes);
    for (std::size_t i = 0; i < bytes; ++i) words[i] = static_cast<std::byte>(byte(i));
    cases.push_back({std::move(name), plan, std::move(words)});
  };
  const Plan bytes = fused_plan(1, {7, 7}, 0, false);  // tokens are the bytes
  add("one symbol", bytes, 65536, [](auto) { return 7; });
  add("one value", fused_plan(4, {3, 1}, 1, true), 262144, [](auto i) { return 0x11 << i % 4; });
  add("two symbols", bytes, 65536, [&](auto) { return 3 + 9 * (chance.bits() % 16 == 0); });
  add("two far symbols", bytes, 65536, [&](auto) { return 255 * chance.once_in(8); });
  add("256 symbols alike", bytes, 65536, [](auto i) { return i * 167; });
  add("256 symbols unlike", bytes, 131072, [&](auto) { return chance.bits() >> (56 + chance.below(8)); });
  add("blocks of one symbol between others", bytes, 131072,
      [&](auto i) { return i / 4096 % 2 != 0 ? i / 4096 : chance.bits() % 20; });
  add("noise between trees", bytes, 131072,
      [&](auto i) { return i / 4096 % 3 != 0 ? chance.bits() : chance.bits() % 20; });
  add("the same tree again", bytes, 262144,
      [&](auto) { return chance.bits() % 16 * (chance.bits() % 16) / 8; });
  add("other symbols in each group", bytes, 262144,
      [&](auto i) { return i / 32768 * 20 + chance.bits() % 16 * (chance.bits() % 16) / 16; });
  add("raw bits across raw blocks", fused_plan(8, {0, 0}, 0, false), 1u << 20,
      [&](auto) { return chance.bits(); });
  Plan short_frames = fused_plan(8, {0, 0}, 0, false);
  short_frames.packing.frame_bytes = 32768;
  add("raw bits across frames", short_frames, 1u << 19, [&](auto) { return chance.bits(); });
  for (const std::uint8_t m : {std::uint8_t{3}, std::uint8_t{7}})
    for (const std::uint32_t tuple : {1u, 2u, 3u, 4u, 5u})
      add("bytes with m of " + std::to_string(m) + " in tuples of " + std::to_string(tuple),
          fused_plan(1, {7, m}, 1, true, 1024, tuple), 8192 * tuple,
          [&](auto i) { return i / tuple % 256 + chance.bits() % 40; });
  add("long runs", fused_plan(2, {4, 2}, 1, true, 4096), 1u << 18,
      [&](auto i) { return i % 2 != 0 ? 0 : chance.bits() % 64; });
  return cases;
}

/// The same bytes as the writer on the CPU?
inline void check_encoded(const EncodeCase& made, const cuda::frames::EncodeBatch& batch,
                          const EncodeOutput& out, std::uint32_t chunk) {
  CAPTURE(made.name);
  const auto block = encode_block(made.plan, made.words);
  REQUIRE(block);
  const auto prefix = formats::parse_prefix(*block, {.chunk = true}, 0);
  REQUIRE(prefix);
  const auto record = std::span(*block).first(static_cast<std::size_t>(prefix->total_bytes));
  const auto expected = parse_with_plan(record, {}, 0);
  REQUIRE(expected);
  if (!(expected->plan == made.plan)) return;  // it did not pay
  formats::ChunkRecord found;
  batch.describe({out.chunks, out.blocks, out.frame_bytes, out.raw_bytes}, chunk, found);
  CHECK(found.substreams == expected->record.substreams);
  CHECK(found.frames == expected->record.frames);
  CHECK(found.blocks == expected->record.blocks);
  const auto packed = std::span(*block).subspan(record.size());
  REQUIRE(out.chunks[chunk].bytes == packed.size());
  const auto own =
      std::span(out.packed).subspan(static_cast<std::size_t>(out.chunks[chunk].offset), packed.size());
  const auto different = std::ranges::mismatch(own, packed).in1 - own.begin();
  CHECK(different == std::ssize(packed));
}

/// Encodes all cases as one batch and checks each. Chunks stand `apart` bytes apart in the input.
inline void check_batch(const std::vector<EncodeCase>& cases, const Encode& encode, std::size_t apart = 0) {
  cuda::frames::EncodeBatch batch;
  Bytes words;
  for (const EncodeCase& made : cases) {
    CAPTURE(made.name);
    const auto length = static_cast<std::uint32_t>(made.words.size());
    const auto frame = made.plan.packing.frame_bytes != 0 ? made.plan.packing.frame_bytes : length;
    REQUIRE(batch.add(made.plan, words.size(), length, frame));
    words.insert(words.end(), made.words.begin(), made.words.end());
    words.resize(words.size() + apart);
  }
  const EncodeOutput out = encode(words, batch.tables(), batch.output_bound());
  for (std::size_t i = 0; i < cases.size(); ++i)
    check_encoded(cases[i], batch, out, static_cast<std::uint32_t>(i));
}

}  // namespace tdz::testing
