// SPDX-License-Identifier: Apache-2.0
// Chunks of uniform blocks, for tests.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "codec/chunk/uniform_frames.hpp"
#include "codec/chunk/zstd_coder.hpp"
#include "tdz/block.hpp"
#include "tests/codec/random_plans.hpp"
#include "tests/codec/support.hpp"
#include "tests/oracle/uniform.hpp"

namespace tdz::test {

/// One kind of word for each `piece` of bytes: noise, one value, small values, all values of a byte unevenly.
inline Bytes pieces(Chance& chance, std::size_t bytes, std::size_t piece, unsigned width) {
  Bytes made(bytes);
  unsigned kind = 0;
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes; i += width) {
    if (i % piece < width) kind = static_cast<unsigned>(chance.below(5)), value = chance.below(256);
    const std::uint64_t bits = chance.bits();
    std::uint64_t x = value;
    if (kind == 0) x = bits;
    if (kind == 1) x = bits >> 60;
    if (kind == 2) x = bits % 256 * (bits >> 8) % 256 >> (bits >> 61);
    if (kind == 3) x = bits >> (32 + bits % 32);
    for (std::size_t b = 0; b < width && i + b < bytes; ++b)
      made[i + b] = static_cast<std::byte>(x >> (8 * b));
  }
  return made;
}

inline Bytes random_original(Chance& chance, const Plan& plan, std::size_t most) {
  return pieces(chance, 1 + chance.below(most), 1 + chance.below(60'000), plan.columns[0].width);
}

inline TokensStep random_tokens(Chance& chance, unsigned width) {
  constexpr std::uint32_t kTuples[] = {1, 1, 1, 2, 3}, kRuns[] = {1024, 1024, 1024, 2048, 4096, 0, 8192};
  TokensStep step{chance.one_of(kTuples), {}, chance.one_of(kRuns)};
  do {
    step.code.k = static_cast<std::uint8_t>(chance.below(8));
    step.code.m = static_cast<std::uint8_t>(chance.below(8));
  } while (!is_token_code(step.code, 8 * width));
  return step;
}

inline Plan random_uniform_plan(Chance& chance) {
  constexpr std::uint8_t kLimits[] = {0, 8, 9, 10, 11};
  Plan plan{Coding::uniform, {}};
  for (std::uint64_t columns = chance.once_in(3) ? 1 + chance.below(3) : 1; columns > 0; --columns) {
    Column column{
        static_cast<std::uint8_t>(1 + chance.below(8)), static_cast<std::uint16_t>(1 + chance.below(3)), {}};
    if (chance.once_in(4)) column.steps.push_back(PredictStep{1, Sign::is_signed});
    if (chance.once_in(4)) column.steps.push_back(ScaleStep{1, ScaleKind::integer});
    if (chance.once_in(3)) column.steps.push_back(DifferenceStep{1, 1});
    if (!chance.once_in(8)) column.steps.push_back(random_tokens(chance, column.width));
    plan.columns.push_back(std::move(column));
  }
  plan.packing.code_limit = chance.one_of(kLimits);
  if (chance.once_in(3)) plan.packing.frame_bytes = static_cast<std::uint32_t>(4096 + chance.below(200'000));
  return plan;
}

struct Made {
  ParsedChunk chunk;
  Bytes packed;
};

inline Made made_of(const Bytes& block) {
  const auto prefix = formats::parse_prefix(block, {.chunk = true}, 0);
  REQUIRE(prefix);
  const auto record = std::span(block).first(prefix->total_bytes);
  auto chunk = parse_with_plan(record, {}, 0);
  REQUIRE(chunk);
  return {*std::move(chunk), Bytes(block.begin() + std::ssize(record), block.end())};
}

/// What libzstd makes of the frames, or nothing.
inline std::optional<Bytes> by_libzstd(const ParsedChunk& chunk, std::span<const std::byte> packed) {
  Bytes all(static_cast<std::size_t>(substream_bytes(chunk.record)));
  std::span<std::byte> out(all);
  ZstdDecoder zstd;
  for (const auto& frame : chunk.record.frames) {
    if (!zstd.decode(packed.first(frame.packed), out.first(frame.unpacked))) return std::nullopt;
    packed = packed.subspan(frame.packed);
    out = out.subspan(frame.unpacked);
  }
  return all;
}

inline Plan tokens_plan(std::uint8_t width, TokenCode code, std::uint32_t run = 1024,
                        std::uint32_t tuple = 1) {
  return {Coding::uniform, {{width, 1, {TokensStep{tuple, code, run}}}}};
}

/// Changes one field of an entry of the list. The lengths stay sound.
inline void damage_entry(Chance& chance, formats::BlockEntry& entry) {
  switch (chance.below(4)) {
    case 0:
      entry.length = static_cast<std::uint16_t>(entry.length + chance.below(5) - 2);
      break;
    case 1:
      entry.type = static_cast<std::uint8_t>(chance.below(6));
      break;
    case 2:
      entry.bits = static_cast<std::uint8_t>(chance.below(13));
      break;
    default:
      entry.raw[chance.below(4)] ^= static_cast<std::uint16_t>(1u << chance.below(16));
  }
}

/// Changes one bit of a frame, or a field of the list.
inline void damage_once(Chance& chance, Made& made) {
  auto& blocks = made.chunk.record.blocks;
  if (!blocks.empty() && chance.once_in(4)) return damage_entry(chance, blocks[chance.below(blocks.size())]);
  made.packed[chance.below(made.packed.size())] ^= static_cast<std::byte>(1u << chance.below(8));
}

/// Damaged as a file may be, in one to three places.
inline Made damaged(Chance& chance, Made made) {
  for (std::uint64_t places = 1 + chance.below(3); places > 0; --places) damage_once(chance, made);
  return made;
}

/// The list says nothing, or what libzstd says.
inline bool is_silent_or_right(const ParsedChunk& chunk, const Bytes& packed) {
  const auto found = oracle::read_by_list(chunk, packed);
  return !found || found == by_libzstd(chunk, packed);
}

/// Blocks of all four types, and remainders.
inline Made with_all_types() {
  Chance chance(11);
  const Bytes original = pieces(chance, 200'000, 20'000, 1);
  const Plan plan{Coding::uniform,
                  {{1, 1, {TokensStep{1, {7, 7}, 1024}}}, {2, 1, {TokensStep{1, {3, 1}, 1024}}}}};
  const auto block = encode_block(plan, original);
  REQUIRE(block);
  Made made = made_of(*block);
  for (std::uint8_t type = 0; type <= 4; ++type) {
    CAPTURE(type);
    CHECK(std::ranges::count(made.chunk.record.blocks, type, &formats::BlockEntry::type) > 0);
  }
  return made;
}

}  // namespace tdz::test
