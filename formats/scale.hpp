// SPDX-License-Identifier: Apache-2.0
// The vocabulary of the step `scale`: numbers that are integers times num / den, and words that are not.
//
// A decoder computes t = q * num / den in f64, one rounding for each operation, and then the word. A word that does
// not come out so is a hole: it is kept as it is, and the q in its place means nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tdz {

inline constexpr std::size_t kScaleGroup = 1024;  ///< words of one lane that share a selector
inline constexpr std::size_t kMaxScalePairs = 16;
/// Beyond this an integer is not exact in f64.
inline constexpr std::int64_t kWidestScaled = std::int64_t{1} << 53;

/// What the words are: integers of 1, 2, 4 or 8 bytes, or IEEE numbers of 4 or 8.
enum class ScaleKind : std::uint8_t { integer = 0, real = 1 };

struct ScalePair {
  double num = 1;
  double den = 1;

  friend bool operator==(const ScalePair&, const ScalePair&) = default;
};

/// Words of `word` bytes in tuples of `tuple`: word i belongs to lane i % tuple.
struct ScaleShape {
  std::uint8_t word = 4;
  ScaleKind kind = ScaleKind::real;
  std::uint32_t tuple = 1;

  friend constexpr bool operator==(const ScaleShape&, const ScaleShape&) = default;
};

/// What stands for the words that are holes.
enum class HoleMode : std::uint8_t {
  none = 0,      ///< there are no holes
  raw = 1,       ///< a bitmap, and the words themselves in order
  constant = 2,  ///< a bitmap, and one word for all
};

/// The side data of one chunk, as a reader sees them. The spans belong to somebody else.
struct ScaleSide {
  std::uint8_t pair_count = 0;  ///< 0: words that are no holes pass unchanged
  HoleMode holes = HoleMode::none;
  std::array<ScalePair, kMaxScalePairs> storage{};
  std::span<const std::byte> selectors;  ///< one byte each; empty unless there are two pairs or more
  std::span<const std::byte> bitmap;     ///< bit i % 8 of byte i / 8 is word i; empty without holes
  std::span<const std::byte> raw;        ///< the holes' words; HoleMode::raw only
  std::uint64_t constant = 0;            ///< HoleMode::constant only

  std::span<const ScalePair> pairs() const { return {storage.data(), pair_count}; }
};

constexpr std::size_t bitmap_bytes(std::size_t words) {
  return words / 8 + (words % 8 != 0);
}

/// How many lanes have a word in group `group`; only the last group may lack some.
constexpr std::size_t lanes_in_group(std::size_t words, std::size_t tuple, std::size_t group) {
  const std::size_t first_row = group * kScaleGroup;
  if (first_row > words / tuple) return 0;
  const std::size_t left = words - first_row * tuple;
  return left < tuple ? left : tuple;
}

/// A selector for every lane and 1024 of its words, the last of them maybe fewer.
constexpr std::size_t selector_count(std::size_t words, std::size_t tuple) {
  const std::size_t rows = words / tuple, whole = rows / kScaleGroup;
  return whole * tuple + lanes_in_group(words, tuple, whole);
}

/// Where the selector of a lane's group stands: groups behind one another, in each its lanes.
constexpr std::size_t selector_place(std::size_t tuple, std::size_t lane, std::size_t group) {
  return group * tuple + lane;
}

}  // namespace tdz
