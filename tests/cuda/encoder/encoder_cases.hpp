// SPDX-License-Identifier: Apache-2.0
// Originals and plans for an encoder in device memory, and what encode_block and compress make of them.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "tdz/device_encoder.hpp"
#include "tdz/tdz.hpp"
#include "tests/cuda/encode_cases.hpp"

namespace tdz::testing {

/// Lone blocks: one plan, several lengths.
struct BlocksCase {
  Plan plan;
  std::vector<std::uint32_t> lengths;
  Bytes original;
};

/// Steps that a device applies before groups or frames: mostly a difference over rows, of words of any width.
inline std::vector<PlanStep> steps_before(test::Chance& chance) {
  constexpr std::uint32_t kRows[] = {33, 64, 127, 128, 129, 600, 4320, 100'000}, kShort[] = {1, 2, 5};
  const auto order = static_cast<std::uint8_t>(1 + chance.below(2));
  std::vector<PlanStep> steps;
  if (chance.once_in(5)) steps.push_back(ByteswapStep{});
  if (!chance.once_in(5)) steps.push_back(DifferenceStep{chance.one_of(kRows), order});
  if (chance.once_in(4)) steps.push_back(DifferenceStep{chance.one_of(kShort), 4});
  if (chance.once_in(5)) steps.push_back(ZigzagStep{});
  return steps;
}

/// The bytes after which no lane has a remainder: a block of each.
inline std::uint32_t unit_of(const EncodeCase& made) {
  std::uint32_t run = 1024, tuple = 1;
  for (const Column& column : made.plan.columns) {
    const auto& tokens = std::get<TokensStep>(column.steps.back());
    run = tokens.run, tuple = made.plan.columns.size() == 1 ? tokens.tuple / column.count : 1;
  }
  return static_cast<std::uint32_t>(row_bytes(made.plan)) * 4 * run * std::max(tuple, 1u);
}

/// Blocks for the device, and some with a remainder, for the CPU.
inline BlocksCase random_blocks(std::uint64_t seed, std::size_t most_blocks) {
  test::Chance chance(seed);
  EncodeCase made = random_case(seed, most_blocks);
  const std::uint32_t unit = unit_of(made);
  if (made.plan.columns.size() == 1 && chance.once_in(2)) {
    auto& steps = made.plan.columns[0].steps;
    const auto before = steps_before(chance);
    steps.insert(steps.begin(), before.begin(), before.end());
  }
  BlocksCase found{made.plan, {}, std::move(made.words)};
  for (std::uint64_t left = found.original.size(); left > 0; left -= found.lengths.back()) {
    auto length = (1 + chance.below(4)) * unit;
    if (chance.once_in(4)) length = 1 + chance.below(length);
    found.lengths.push_back(static_cast<std::uint32_t>(std::min<std::uint64_t>(left, length)));
  }
  return found;
}

/// A plan of packed groups that a device encodes: perhaps steps before, perhaps a difference over a tuple,
/// perhaps zigzag.
inline Plan packed_plan(test::Chance& chance) {
  constexpr std::uint8_t kWidths[] = {1, 2, 4, 8};
  constexpr std::uint32_t kTuples[] = {1, 1, 1, 2, 3, 4, 7, 32}, kFrames[] = {0, 0, 4096, 131072, 200'000};
  const std::uint32_t tuple = chance.one_of(kTuples);
  const auto order = static_cast<std::uint8_t>(chance.below(9));
  Column column{chance.one_of(kWidths), static_cast<std::uint16_t>(tuple), {}};
  if (chance.once_in(2)) column.steps = steps_before(chance);
  if (order != 0) column.steps.push_back(DifferenceStep{tuple, order, chance.once_in(2) ? 4096u : 0u});
  if (!chance.once_in(4)) column.steps.push_back(ZigzagStep{});
  column.steps.push_back(PackedStep{chance.once_in(3) ? 1 : tuple});
  Plan plan{Coding::zstd, {column}};
  plan.packing.frame_bytes = chance.one_of(kFrames);
  return plan;
}

/// Blocks of packed groups with any number of rows, and some with bytes after the rows, for the CPU. Some of
/// them are shorter as they are.
inline BlocksCase packed_blocks(std::uint64_t seed, std::uint64_t most_rows) {
  test::Chance chance(seed);
  BlocksCase found{packed_plan(chance), {}, {}};
  const Column& column = found.plan.columns.front();
  const auto row = static_cast<std::uint32_t>(row_bytes(found.plan));
  std::uint64_t bytes = 0;
  for (std::uint64_t blocks = 1 + chance.below(5); blocks > 0; --blocks) {
    std::uint64_t length = (1 + chance.below(most_rows)) * row;
    if (row > 1 && chance.once_in(6)) length += 1 + chance.below(row - 1);
    found.lengths.push_back(static_cast<std::uint32_t>(length));
    bytes += length;
  }
  // Some kinds of words alone, so that many blocks have few widths.
  found.original = words_of(chance, static_cast<std::size_t>(bytes / column.width) + 1, column.width,
                            chance.once_in(2) ? 2 : 6);
  found.original.resize(static_cast<std::size_t>(bytes));
  return found;
}

/// The same bytes as encode_block?
inline void check_blocks(const BlocksCase& made, std::span<const std::byte> packed,
                         const DeviceEncoded& encoded) {
  REQUIRE(encoded.blocks.size() == made.lengths.size());
  REQUIRE(encoded.bytes <= packed.size());
  std::size_t at = 0;
  for (std::size_t i = 0; i < made.lengths.size(); ++i) {
    CAPTURE(i);
    const auto wanted = encode_block(made.plan, std::span(made.original).subspan(at, made.lengths[i]));
    at += made.lengths[i];
    REQUIRE(wanted);
    const auto [offset, bytes] = encoded.blocks[i];
    REQUIRE(offset + bytes <= encoded.bytes);
    REQUIRE(bytes == wanted->size());
    const auto own = packed.subspan(static_cast<std::size_t>(offset), wanted->size());
    CHECK(std::ranges::mismatch(own, *wanted).in1 - own.begin() == std::ssize(*wanted));
  }
}

/// Rows of a picture: each is like the one before, and the first one is smooth.
inline Bytes picture(test::Chance& chance, std::size_t bytes, unsigned width, std::uint32_t row) {
  std::vector<std::uint64_t> above(row);
  for (std::uint32_t i = 1; i < row; ++i) above[i] = above[i - 1] + chance.below(9) - 4;
  Bytes made(bytes / width * width + width);
  for (std::size_t i = 0; i < bytes; i += width) {
    const std::uint64_t word = above[i / width % row] += chance.below(9);
    for (unsigned b = 0; b < width; ++b) made[i + b] = static_cast<std::byte>(word >> (8 * b));
  }
  made.resize(bytes);
  return made;
}

/// What `tdz --fastest` and `--gpu` choose for pictures.
inline Plan rows_plan(Coding coding, std::uint8_t width, std::uint32_t row) {
  Column column{width, 1, {DifferenceStep{row, 1}, DifferenceStep{1, 1, 4096}, ZigzagStep{}}};
  if (coding == Coding::uniform)
    column.steps.push_back(TokensStep{1, {3, 1}, 1024});
  else
    column.steps.push_back(PackedStep{1});
  return {coding, {column}};
}

/// Chunks of one length, a shorter one, and one of them again. The second one is noise. Packed groups also
/// have one after which words begin between two aligned addresses, and one of less than a row.
inline BlocksCase rows_blocks(Coding coding, std::uint8_t width, std::uint32_t row) {
  const std::uint32_t unit = 4096 * width;
  std::vector<std::uint32_t> lengths{3 * unit, 3 * unit, 3 * unit, unit, 3 * unit};
  if (coding == Coding::zstd) lengths.insert(lengths.end(), {unit - width, 2 * unit, 2 * unit, 7u * width});
  test::Chance chance(width * 100'000 + row);
  const auto bytes = std::accumulate(lengths.begin(), lengths.end(), std::size_t{0});
  BlocksCase made{rows_plan(coding, width, row), lengths, picture(chance, bytes, width, row)};
  for (std::size_t i = 3 * unit; i < 6 * unit; ++i) made.original[i] = static_cast<std::byte>(chance.bits());
  return made;
}

/// Calls use(blocks) with words of all widths, and rows of odd and even lengths.
template <class Use>
void for_rows(const Use& use) {
  for (const Coding coding : {Coding::zstd, Coding::uniform})
    for (const std::uint8_t width : {std::uint8_t{1}, std::uint8_t{2}, std::uint8_t{4}, std::uint8_t{8}})
      for (const std::uint32_t row : {129u, 640u, 1001u, 5000u}) {
        CAPTURE(coding == Coding::uniform);
        CAPTURE(int{width});
        CAPTURE(row);
        use(rows_blocks(coding, width, row));
      }
}

/// The device encodes all, and only the noise is not shorter then: of packed groups it is stored as it is.
inline void check_rows(const BlocksCase& made, std::span<const std::byte> packed,
                       const DeviceEncoded& encoded) {
  CHECK(encoded.cpu_chunks == 0);
  for (std::size_t i = 0; i < made.lengths.size(); ++i)
    if (made.lengths[i] > 1000) CHECK((encoded.blocks[i].bytes > made.lengths[i]) == (i == 1));
  check_blocks(made, packed, encoded);
}

/// A stream of rows: chunks of 64 KiB, two of them noise, and a shorter one.
inline DeviceStreamOptions rows_stream(Coding coding) {
  DeviceStreamOptions stream;
  stream.plan = rows_plan(coding, 2, 721), stream.chunk_bytes = 65536;
  return stream;
}
inline Bytes rows_original() {
  test::Chance chance(9);
  Bytes made = picture(chance, 10 * 65536 + 8192, 2, 721);
  for (const std::size_t chunk : {2u, 7u})
    for (std::size_t i = 0; i < 65536; ++i) made[chunk * 65536 + i] = static_cast<std::byte>(chance.bits());
  return made;
}

/// What compress writes with the same options.
inline Bytes stream_of(const Bytes& original, const DeviceStreamOptions& stream) {
  CompressOptions options;
  options.plan = stream.plan, options.type = stream.type, options.level = stream.level;
  options.chunk_bytes = stream.chunk_bytes, options.frame_bytes = stream.frame_bytes;
  options.digest = false, options.threads = 2;
  return compress(original, options).value();
}

inline DeviceStreamOptions usual_stream(std::uint32_t chunk_bytes = 65536) {
  DeviceStreamOptions stream;
  stream.plan = fused_plan(2, {3, 1}, 1, true, 1024, 1, 1024);
  stream.type = "i16";
  stream.chunk_bytes = chunk_bytes;
  return stream;
}

inline Bytes original_of(std::uint64_t seed, std::size_t bytes, unsigned width = 2) {
  test::Chance chance(seed);
  Bytes made = words_of(chance, bytes / width + 1, width);
  made.resize(bytes);
  return made;
}

}  // namespace tdz::testing
