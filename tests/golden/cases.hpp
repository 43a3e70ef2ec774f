// SPDX-License-Identifier: Apache-2.0
// Twenty small streams. Together they use every step, word and layout of format version 1. Their originals
// are computed: so a test compares what a stored stream decodes to, and never its zstd bytes.
#pragma once

#include <string>
#include <vector>

#include "formats/parameters.hpp"
#include "tests/codec/support.hpp"

namespace tdz::test {

struct GoldenCase {
  std::string name;
  Bytes original;
  CompressOptions options;
};

inline GoldenCase usual_case(std::string name, std::size_t bytes, const formats::Parameters& steps) {
  return {std::move(name), walk(bytes, steps.word, static_cast<std::uint32_t>(bytes)),
          options_for(formats::transform_of(steps))};
}

inline GoldenCase typed_case(std::string type, std::size_t bytes, unsigned order) {
  GoldenCase made{type, {}, options_for(steps_for(type, order).value())};
  made.options.nominal = formats::parse_type(type).value();
  made.original = walk(bytes, made.options.transform.word, static_cast<std::uint32_t>(bytes));
  return made;
}

inline GoldenCase listed_case(std::string name, std::size_t bytes, std::uint8_t word, std::vector<Step> steps) {
  Transform transform{.word = word};
  for (const Step& step : steps) transform.append(step);
  return {std::move(name), walk(bytes, word, static_cast<std::uint32_t>(bytes)), options_for(transform)};
}

inline GoldenCase with(GoldenCase made, std::string name, auto change) {
  made.name = std::move(name);
  change(made.options);
  return made;
}

inline std::vector<GoldenCase> golden_cases() {
  const auto planes = Layout::planes;
  const auto bits = Layout::bit_planes;
  return {
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
      usual_case("planes_u32_big_endian", 3003, {.word = 4, .order = 1, .layout = planes, .big_endian = true}),
      usual_case("bits_u8", 3005, {.word = 1, .tuple = 3, .order = 1, .zigzag = true, .layout = bits}),
      usual_case("bits_u16", 3005, {.word = 2, .order = 2, .zigzag = true, .layout = bits}),
      usual_case("bits_u64", 3005, {.word = 8, .order = 1, .layout = bits, .big_endian = true}),
      listed_case("rows", 8000, 2, {Step::difference(1, 1), Step::difference(40, 1), Step::zigzag(), Step::planes()}),
      listed_case("eight_steps", 8003, 4,
                  {Step::byteswap(), Step::difference(1, 1), Step::zigzag(), Step::tuple_planes(3), Step::planes(),
                   Step::bit_planes(), Step::difference(7, 3), Step::zigzag()}),
      with(typed_case("i16", 200000, 1), "several_chunks", [](CompressOptions& o) { o.level = 1; }),
      with(typed_case("i16", 90000, 1), "several_frames", [](CompressOptions& o) { o.frame_bytes = 4096; }),
      with(typed_case("i16x2", 4044, 1), "foreign_header", [](CompressOptions& o) { o.raw_prefix = 44; }),
  };
}

}  // namespace tdz::test
