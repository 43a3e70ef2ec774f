// SPDX-License-Identifier: Apache-2.0
// Small streams. Together they use every step, width and layout of format version 1. Their originals are
// computed: so a test compares what a stored stream decodes to, and never its zstd bytes.
#pragma once

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "formats/bytes.hpp"
#include "formats/plan/made_plans.hpp"
#include "tests/codec/support.hpp"

namespace tdz::test {

struct GoldenCase {
  std::string name;
  Bytes original;
  CompressOptions options;
};

inline GoldenCase usual_case(std::string name, std::size_t bytes, const formats::Parameters& steps) {
  return {std::move(name), walk(bytes, steps.word, static_cast<std::uint32_t>(bytes)),
          options_for(formats::column_of(steps))};
}

inline GoldenCase typed_case(std::string types, std::size_t bytes, unsigned order) {
  GoldenCase made{types, {}, options_for(plan_for(types, order).value())};
  made.options.type = types;
  made.original = walk(bytes, made.options.plan.columns[0].width, static_cast<std::uint32_t>(bytes));
  return made;
}

/// One column of one word a row.
inline GoldenCase listed_case(std::string name, std::size_t bytes, std::uint8_t width,
                              std::vector<PlanStep> steps) {
  return {std::move(name), walk(bytes, width, static_cast<std::uint32_t>(bytes)),
          options_for(Plan{Coding::zstd, {{width, 1, std::move(steps)}}})};
}

/// IEEE numbers with two decimals; one in 50 becomes what `hole` makes of its place.
template <class Number, class Word>
GoldenCase decimal_case(std::string name, std::uint32_t tuple, Number (*hole)(std::uint32_t)) {
  GoldenCase made =
      listed_case(std::move(name), 0, sizeof(Number),
                  {ScaleStep{tuple, ScaleKind::real}, DifferenceStep{tuple, 1}, ZigzagStep{}, PlanesStep{}});
  for (std::uint32_t i = 0; i < 1500; ++i) {
    const auto cents = static_cast<Number>(static_cast<double>(2000 + i * i % 997 + 30 * (i % 3)) / 100);
    formats::put_le(made.original, std::bit_cast<Word>(i % 50 == 7 ? hole(i) : cents));
  }
  return made;
}

/// Pairs of integers: multiples of 250, then of 36.
inline GoldenCase coarse_case() {
  GoldenCase made = listed_case("scale_i32", 0, 4, {ScaleStep{2, ScaleKind::integer}, DifferenceStep{2, 1}});
  for (std::uint32_t i = 0; i < 1500; ++i)
    formats::put_le(made.original, (1000 + i * i % 997) * (i % 2 == 0 ? 250u : 36u));
  return made;
}

inline GoldenCase with(GoldenCase made, std::string name, auto change) {
  made.name = std::move(name);
  change(made.options);
  return made;
}

/// Coding 1. Runs of one value and of noise give blocks of every type; the last rows are a remainder.
inline GoldenCase uniform_case(std::string name, std::size_t bytes, std::vector<PlanStep> steps) {
  GoldenCase made = listed_case(std::move(name), bytes, 2, std::move(steps));
  made.options.plan.coding = Coding::uniform;
  const Bytes other = noise(8192);
  std::ranges::fill(made.original.begin() + 8192, made.original.begin() + 2 * 8192, std::byte{1});
  std::ranges::copy(other, made.original.begin() + 2 * 8192);
  return made;
}

/// In frames without zstd, as Effort::fastest writes them.
inline GoldenCase as_fastest(GoldenCase made) {
  made.options.plan.packing.planes = {Packing::stored};
  return made;
}

/// Groups of all widths from 0 to 64 bits: more than a chunk can list.
inline GoldenCase every_width_case() {
  GoldenCase made = listed_case("packed_u64", 0, 8, {PackedStep{1}});
  std::uint64_t state = 88172645463325252;
  for (unsigned i = 0; i < 65 * 2 * kGroupWords + 5; ++i) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    const unsigned width = static_cast<unsigned>(i / (2 * kGroupWords) * 27 % 65);
    formats::put_le(made.original, width == 0 ? std::uint64_t{0} : state >> (64 - width));
  }
  return made;
}

/// The last chunk is noise, so it gets plain bytes. It ends inside a tuple and a word.
inline GoldenCase packed_chunks_case() {
  constexpr std::size_t kWholeTuples = 65532;  // of a chunk of 64 KiB
  GoldenCase made = listed_case("packed_several_chunks", 2 * kWholeTuples, 2,
                                {DifferenceStep{3, 2}, DifferenceStep{1, 1}, ZigzagStep{}, PackedStep{3}});
  made.original = made.original + noise(3001);
  return made;
}

/// Rows of a time, five words of 3 bytes, two of 2, and a byte; and a part of a row.
inline GoldenCase packed_columns_case() {
  GoldenCase made = listed_case("packed_columns", 0, 1, {});
  made.options.plan.columns = {{8, 1, {DifferenceStep{1, 2}, ZigzagStep{}, PackedStep{1}}},
                               {3, 5, {DifferenceStep{5, 1}, PackedStep{5}}},
                               {2, 2, {DifferenceStep{2, 1}, ZigzagStep{}, TuplePlanesStep{2}}},
                               {1, 1, {PackedStep{1}}}};
  for (std::uint32_t row = 0; row < 251; ++row) {
    formats::put_le(made.original, std::uint64_t{1} << 40 | std::uint64_t{row} * row * 7);
    for (std::uint32_t k = 0; k < 5; ++k) {
      formats::put_le(made.original, static_cast<std::uint16_t>(row * (k + 3)));
      made.original.push_back(static_cast<std::byte>(k));
    }
    formats::put_le(made.original, static_cast<std::uint16_t>(row % 9),
                    static_cast<std::uint16_t>(40 - row % 7));
    made.original.push_back(static_cast<std::byte>(row * row % 23));
  }
  made.original.resize(made.original.size() - 15);
  return made;
}

inline std::vector<GoldenCase> packed_cases() {
  const auto packed = [](std::string name, std::size_t bytes, std::uint8_t width, std::uint32_t tuple) {
    return listed_case(std::move(name), bytes, width,
                       {DifferenceStep{tuple, 1}, ZigzagStep{}, PackedStep{tuple}});
  };
  GoldenCase swapped = listed_case("packed_byteswap", 5003, 4,
                                   {ByteswapStep{}, DifferenceStep{1, 1}, ZigzagStep{}, PackedStep{1}});
  for (std::size_t at = 0; at + 4 <= swapped.original.size(); at += 4)
    std::ranges::reverse(std::span(swapped.original).subspan(at, 4));
  GoldenCase scaled = decimal_case<float, std::uint32_t>(
      "packed_scale", 1, [](std::uint32_t i) { return static_cast<float>(i) * 0.123456F; });
  scaled.options.plan.columns[0].steps.back() = PackedStep{1};
  return {
      as_fastest(packed("packed_u8x3", 4001, 1, 3)),
      as_fastest(packed("packed_i16", 9001, 2, 1)),
      as_fastest(packed("packed_u24x2", 6005, 3, 2)),
      as_fastest(every_width_case()),
      as_fastest(packed_chunks_case()),
      as_fastest(packed_columns_case()),
      as_fastest(std::move(scaled)),
      as_fastest(std::move(swapped)),
  };
}

inline std::vector<GoldenCase> golden_cases() {
  const auto planes = Layout::planes;
  const auto bits = Layout::bit_planes;
  std::vector<GoldenCase> cases = {
      usual_case("empty", 0, {}),
      usual_case("one_byte", 1, {.word = 8, .order = 1}),
      usual_case("plain", 5000, {}),
      typed_case("u8x3", 4001, 1),
      typed_case("i16x2", 4003, 2),
      typed_case("f32x3", 6002, 1),
      typed_case("i64x2", 6001, 3),
      typed_case("u32x1000", 9000, 1),
      usual_case("order8_u8", 3000, {.word = 1, .order = 8}),
      usual_case("order8_u64", 4000, {.word = 8, .tuple = 5, .order = 8, .zigzag = true}),
      usual_case("planes_u16", 3001, {.word = 2, .order = 1, .zigzag = true, .layout = planes}),
      usual_case("planes_u32_big_endian", 3003,
                 {.word = 4, .order = 1, .layout = planes, .big_endian = true}),
      usual_case("bits_u8", 3005, {.word = 1, .tuple = 3, .order = 1, .zigzag = true, .layout = bits}),
      usual_case("bits_u16", 3005, {.word = 2, .order = 2, .zigzag = true, .layout = bits}),
      usual_case("bits_u64", 3005, {.word = 8, .order = 1, .layout = bits, .big_endian = true}),
      listed_case("rows", 8000, 2, {DifferenceStep{1, 1}, DifferenceStep{40, 1}, ZigzagStep{}, PlanesStep{}}),
      listed_case("eight_steps", 8003, 4,
                  {ByteswapStep{}, DifferenceStep{1, 1}, ZigzagStep{}, DifferenceStep{7, 3}, ByteswapStep{},
                   DifferenceStep{2, 1}, ZigzagStep{}, BitPlanesStep{}}),
      listed_case("runs_u16", 9001, 2, {DifferenceStep{2, 2, 1024}, ZigzagStep{}, TuplePlanesStep{2}}),
      listed_case("tuple_beyond_the_end", 500, 4,
                  {DifferenceStep{0xFFFFFFFF, 1}, TuplePlanesStep{0xFFFFFFFF}}),
      with(typed_case("u64,f32x5,i24", 3007, 1), "columns", [](auto&) {}),
      with(typed_case("u24,i40,u48,i56", 4013, 2), "odd_widths", [](auto&) {}),
      decimal_case<float, std::uint32_t>("scale_f32_holes", 1,
                                         [](std::uint32_t i) { return static_cast<float>(i) * 0.123456F; }),
      decimal_case<double, std::uint64_t>(
          "scale_f64_fill", 3, [](std::uint32_t) { return std::numeric_limits<double>::quiet_NaN(); }),
      coarse_case(),
      listed_case("lanes", 6006, 2,
                  {LanesStep{{{.order = 1, .zigzag = true},
                              {.order = 1, .source = 0, .lag = 1},
                              {.zigzag = true, .source = 1, .after = true}},
                             0},
                   PlanesStep{}}),
      listed_case("lanes_runs", 9000, 3,
                  {LanesStep{{{.order = 2}, {.order = 1, .source = 0, .after = true}}, 1024}}),
      listed_case("predict_i16", 9002, 2, {PredictStep{2, Sign::is_signed}, ZigzagStep{}}),
      listed_case("predict_u40", 5004, 5, {PredictStep{1, Sign::is_unsigned}, PlanesStep{}}),
      listed_case("grid_u8x3", 3 * 41 * 50 + 7, 1,
                  {GridStep{3, Sign::is_unsigned, 41, 0, 0x3FFF}, ZigzagStep{}, TuplePlanesStep{3}}),
      listed_case("grid_i16_volume", 33 * 9 * 12, 2,
                  {GridStep{1, Sign::is_signed, 33, 9, 0xFFC09F}, ZigzagStep{}, TokensStep{1, {4, 2}, 0}}),
      listed_case("grid_u24", 20 * 30, 3, {GridStep{1, Sign::is_unsigned, 20, 0, 0xFF}}),
      listed_case("tokens_u32", 6002, 4, {DifferenceStep{1, 1}, ZigzagStep{}, TokensStep{2, {3, 1}, 0}}),
      listed_case("tokens_runs_i16", 6000, 2,
                  {DifferenceStep{1, 1, 1024}, ZigzagStep{}, TokensStep{1, {4, 2}, 1024}}),
      uniform_case("uniform_u16", 30001,
                   {DifferenceStep{1, 1, 1024}, ZigzagStep{}, TokensStep{1, {3, 1}, 1024}}),
      uniform_case("uniform_lanes", 40002, {PredictStep{2, Sign::is_signed}, TokensStep{2, {5, 2}, 1024}}),
      with(typed_case("i16", 150000, 1), "several_chunks", [](CompressOptions& o) { o.level = 1; }),
      with(typed_case("i16", 90000, 1), "several_frames", [](CompressOptions& o) { o.frame_bytes = 4096; }),
      with(typed_case("i16x2", 4044, 1), "foreign_header", [](CompressOptions& o) { o.raw_prefix = 44; }),
      with(typed_case("i16", 500, 1), "without_digest", [](CompressOptions& o) { o.digest = false; }),
  };
  std::ranges::move(packed_cases(), std::back_inserter(cases));
  return cases;
}

}  // namespace tdz::test
