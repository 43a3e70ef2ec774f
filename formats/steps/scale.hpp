// SPDX-License-Identifier: Apache-2.0
// The step `scale`: numbers that are integers times num / den, and words that are not. Its parameters, and
// its side data as values and as bytes, each way. FORMAT.md, section 3, "scale". Pure functions, thread-safe.
//
// A decoder computes t = q * num / den in f64, one rounding for each operation, and then the word. A word
// that does not come out so is a hole: it is kept as it is, and the q in its place means nothing.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "formats/bytes.hpp"
#include "formats/steps/step.hpp"

namespace tdz {

inline constexpr std::size_t kScaleGroup = 1024;  ///< words of one lane that share a selector
inline constexpr std::size_t kMaxScalePairs = 16;
inline constexpr std::uint32_t kMaxScaleTuple = 256;
/// Beyond this an integer is not exact in f64.
inline constexpr std::int64_t kWidestScaled = std::int64_t{1} << 53;

/// What the words are: integers of 1 to 8 bytes, or IEEE numbers of 4 or 8.
enum class ScaleKind : std::uint8_t { integer = 0, real = 1 };

/// Integers in place of numbers; words that are none are holes. Its substreams: pairs, selectors, bitmap,
/// hole words.
struct ScaleStep {
  static constexpr formats::StepTraits kTraits{
      .id = 7,
      .name = "scale",
      .help = {20, "scale(T)",
               "numbers that are multiples of a number such as 1/100 become integers. A number that is no "
               "multiple is a hole: it is kept as it is"},
      .substreams = 4,
      .once = true};

  std::uint32_t tuple = 1;
  ScaleKind kind = ScaleKind::integer;

  std::string name() const { return formats::name_with_tuple(kTraits.name, tuple); }
  /// Of a plan alone; `tdz analyze` knows the multiples too.
  std::string words() const { return "multiples of steps that each chunk finds"; }
  std::uint32_t tuple_length() const { return tuple; }
  void write(std::vector<std::byte>& out) const;
  static Result<ScaleStep> read(formats::ParameterReader& in);
  formats::Flaw flaw(unsigned width) const;
  void list(formats::SubstreamList& out) const;

  friend constexpr bool operator==(const ScaleStep&, const ScaleStep&) = default;
};

struct ScalePair {
  double num = 1;
  double den = 1;

  friend bool operator==(const ScalePair&, const ScalePair&) = default;
};

/// What samples propose for the chunks of an array. A writer finds out which pair suits which words, so it
/// changes no word.
struct ScalePlan {
  std::vector<ScalePair> pairs;       ///< best first; empty: only the fill, or nothing
  std::optional<std::uint64_t> fill;  ///< a word that stands for missing numbers
  bool unsigned_words = false;        ///< integers: how the samples were read

  friend bool operator==(const ScalePlan&, const ScalePlan&) = default;
};

/// Words of `word` bytes in tuples of `tuple`, 1 to kMaxScaleTuple: word i belongs to lane i % tuple.
struct ScaleShape {
  std::uint8_t word = 4;
  ScaleKind kind = ScaleKind::real;
  std::uint32_t tuple = 1;

  friend constexpr bool operator==(const ScaleShape&, const ScaleShape&) = default;
};

/// What a word stands for. `unsigned_words`: how integers below 8 bytes are read.
inline double number_of(const ScaleShape& shape, bool unsigned_words, std::uint64_t word) {
  if (shape.kind == ScaleKind::integer) {
    return static_cast<double>(unsigned_words ? static_cast<std::int64_t>(word)
                                              : formats::signed_word(word, shape.word));
  }
  if (shape.word == 4) return double{std::bit_cast<float>(static_cast<std::uint32_t>(word))};
  return std::bit_cast<double>(word);
}

/// The side data of one chunk, as a reader sees them. The spans belong to somebody else.
struct ScaleSide {
  std::uint8_t pair_count = 0;  ///< 0: words that are no holes pass unchanged
  std::array<ScalePair, kMaxScalePairs> storage{};
  std::span<const std::byte> selectors;   ///< one byte each; empty unless there are two pairs or more
  std::span<const std::byte> bitmap;      ///< bit i % 8 of byte i / 8 is word i; empty: there is no hole
  std::span<const std::byte> hole_words;  ///< one word for all holes, or one for each in order

  std::span<const ScalePair> pairs() const { return {storage.data(), pair_count}; }
};

constexpr std::size_t bitmap_bytes(std::size_t words) {
  return words / 8 + (words % 8 != 0);
}

/// How many of `words` words belong to a lane; 0 if the tuple is longer than that.
constexpr std::size_t words_of_lane(std::size_t words, std::size_t tuple, std::size_t lane) {
  return words / tuple + (lane < words % tuple);
}

/// Where the selectors of a lane begin: lanes stand one after another, in each its groups. The selector of
/// word i of a lane stands i / kScaleGroup later.
constexpr std::size_t selector_place(std::size_t words, std::size_t tuple, std::size_t lane) {
  const auto groups = [](std::size_t n) { return n / kScaleGroup + (n % kScaleGroup != 0); };
  const std::size_t rows = words / tuple, longer = lane < words % tuple ? lane : words % tuple;
  return longer * groups(rows + 1) + (lane - longer) * groups(rows);
}

/// A selector for every lane and 1024 of its words, the last of them maybe fewer.
constexpr std::size_t selector_count(std::size_t words, std::size_t tuple) {
  return selector_place(words, tuple, tuple);
}

namespace formats {

inline constexpr std::size_t kScalePairBytes = 16;

/// The four substreams of one chunk, in their order.
struct ScaleStreams {
  std::span<const std::byte> pairs;
  std::span<const std::byte> selectors;
  std::span<const std::byte> bitmap;
  std::span<const std::byte> hole_words;
};

/// Within 2^-300 .. 2^300, so that no product or quotient with an integer up to 2^53 leaves f64's normal
/// numbers.
bool is_scale_pair(const ScalePair& pair);

/// The bits that are set: each is a hole.
std::uint64_t count_holes(std::span<const std::byte> bitmap);

/// Precondition: `bytes` holds kScalePairBytes for each.
void write_scale_pairs(std::span<const ScalePair> pairs, std::span<std::byte> bytes);

/// What the lengths of the four substreams say of one another; each was held against `expected` by itself.
bool scale_lengths_fit(std::span<const Substream> expected, std::span<const std::uint32_t> lengths);

/// Checks everything that can be checked without the q: lengths, pairs, selectors, the bitmap's padding, the
/// number of hole words. `words` is the number of words of the chunk. Error: corrupt.
Result<ScaleSide> read_scale_side(const ScaleShape& shape, std::size_t words, const ScaleStreams& streams);

}  // namespace formats
}  // namespace tdz
