// SPDX-License-Identifier: Apache-2.0
// What the two programs that measure encoding on a device encode.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "formats/plan/plan.hpp"

namespace tdz {

/// A file of the corpus and its plan.
struct EncodeRow {
  const char* file;
  std::uint8_t width;
  std::uint32_t tuple;
  std::uint8_t order;
  TokenCode code;
  std::uint32_t run;

  /// Bytes of a block in each lane.
  std::size_t unit() const { return std::size_t{4} * run * tuple * width; }
};

inline constexpr EncodeRow kEncodeRows[] = {
    {"dem_etopo5_i16x1.bin", 2, 1, 1, {4, 2}, 2048}, {"dem_etopo5_i16x1.bin", 2, 1, 2, {4, 2}, 1024},
    {"audio_sf2_i16x1.bin", 2, 1, 1, {4, 2}, 2048},  {"music_ogg_i16x2.bin", 2, 2, 1, {4, 2}, 2048},
    {"geoid_f32x1.bin", 4, 1, 1, {3, 1}, 2048},      {"winds_f32x2.bin", 4, 2, 1, {3, 1}, 2048},
    {"starxyz_u32x3.bin", 4, 3, 1, {3, 1}, 2048},    {"mri_u8x1.bin", 1, 1, 1, {7, 7}, 2048},
    {"mri_u8x1.bin", 1, 1, 1, {5, 2}, 4096},         {"photo_u8x3.bin", 1, 3, 1, {7, 7}, 2048},
    {"ephem_f64x1.bin", 8, 1, 1, {3, 1}, 2048},
};

inline Plan plan_of(const EncodeRow& row) {
  Column column{row.width, 1, {}};
  column.steps.push_back(DifferenceStep{row.tuple, row.order, row.run});
  column.steps.push_back(ZigzagStep{});
  column.steps.push_back(TokensStep{row.tuple, row.code, row.run});
  return {Coding::uniform, {column}};
}

/// The file's first 4 MiB, cut to a whole number of units.
inline std::vector<std::byte> read_cut(const std::string& folder, const EncodeRow& row, std::size_t unit) {
  std::ifstream in(folder + "/" + row.file, std::ios::binary);
  std::vector<std::byte> bytes(4u << 20);
  in.read(reinterpret_cast<char*>(bytes.data()), std::ssize(bytes));
  bytes.resize(static_cast<std::size_t>(in.gcount()) / unit * unit);
  return bytes;
}

}  // namespace tdz
