// SPDX-License-Identifier: Apache-2.0
// What every step says of itself. FORMAT.md, section 3.
//
// A step is a struct with its parameters as fields, and with these members:
//
//   static constexpr std::uint16_t kId             its number in files; it never changes its meaning
//   static constexpr std::string_view kName        its name in FORMAT.md, in reports and in JSON
//   static constexpr bool kIsLayout                it turns words into substreams; so it is the last step of
//   a column static constexpr std::size_t kSubstreams       how many it gives std::string name() const with
//   its parameters: "difference(2, 1)" void write(std::vector<std::byte>&) const      appends the parameters
//   as they stand in a file static Result<STEP> read(ParameterReader&)     the inverse; it judges the length
//   of the parameters Flaw flaw(unsigned width) const                what is wrong with the values for words
//   of `width` bytes void list(SubstreamList&) const                the substreams that it gives
//
// And with these where they apply: kLayout (the order of bytes that a layout of words makes), kOnce (a column
// has at most one such step), kByLanes (the step works on one lane after another, so words may stay in that
// order before it).
//
// The list of all steps is PlanStep, in formats/plan/plan.hpp. Pure functions, thread-safe.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/bytes.hpp"
#include "formats/error.hpp"

namespace tdz {

inline constexpr std::uint32_t kMaxSideTuple = 256;  ///< side data and parameters stand for each lane

/// How many words a run may have: all words of its lane (0), or 2^10 to 2^16.
constexpr bool is_run(std::size_t run) {
  return run == 0 || (std::has_single_bit(run) && run >= 1024 && run <= 65536);
}

namespace formats {

/// What is wrong, without a verdict: of a file it is unsupported, of a caller a usage error.
using Flaw = std::optional<std::string>;

Flaw flaw_of_run(std::uint32_t run);
/// For steps whose side data or parameters stand for each lane.
Flaw flaw_of_side_tuple(std::uint64_t tuple);

/// What FORMAT.md calls r: a run has 2^r words; 0 is all of a lane. Precondition: is_run(run).
std::uint8_t log_of_run(std::uint32_t run);
/// The inverse. What is no run becomes one that is_run() refuses.
std::uint32_t run_of_log(std::uint8_t r);

/// "NAME(TUPLE)", and " in runs of 4096" where a run has an end.
std::string name_with_tuple(std::string_view name, std::size_t tuple);
std::string run_name(std::uint32_t run);

/// The parameters of one step in the bytes of a plan, from front to back. A read past the end gives zeros.
class ParameterReader : public ByteReader {
 public:
  ParameterReader(std::uint16_t id, std::span<const std::byte> parameters, std::uint64_t where)
      : ByteReader(parameters), id_(id), length_(parameters.size()), where_(where) {}

  std::uint16_t id() const { return id_; }
  std::size_t length() const { return length_; }
  /// Errors of a step whose parameters have a wrong length (corrupt), or a value that version 1.0 does not
  /// have (unsupported).
  Error wrong_length() const;
  Error bad_value(const std::string& what) const;

 private:
  std::uint16_t id_;
  std::size_t length_;
  std::uint64_t where_;
};

enum class SubstreamRole : std::uint8_t {
  scale_pairs,
  scale_selectors,
  scale_bitmap,
  scale_hole_words,
  predictors,
  words,  ///< interleaved, planes, tuple-planes or bit-planes
  tokens,
  raw_bits,
  rest,  ///< bytes after the last row
};

/// A length is a multiple of `unit`, from `least` to `most`. The two are the same where plan and chunk give
/// the length. Selectors, bitmap and hole words also depend on one another: scale_lengths_fit knows.
struct Substream {
  SubstreamRole role = SubstreamRole::words;
  std::uint16_t column = 0;  ///< of the rest: the number of columns
  std::uint64_t least = 0;
  std::uint64_t most = 0;
  std::uint64_t unit = 1;
};

/// Collects the substreams of a column with `words` words of `width` bytes.
struct SubstreamList {
  std::vector<Substream>& out;
  std::uint16_t column = 0;
  std::uint64_t width = 1;
  std::uint64_t words = 0;

  void exactly(SubstreamRole role, std::uint64_t length) { out.push_back({role, column, length, length, 1}); }
  /// Any multiple of `unit` up to `most`.
  void at_most(SubstreamRole role, std::uint64_t most, std::uint64_t unit) {
    out.push_back({role, column, 0, most, std::max<std::uint64_t>(unit, 1)});
  }
};

/// Blocks of all lanes, where the last block of a lane may be shorter. No loop, because a tuple may be long.
constexpr std::uint64_t blocks_of_lanes(std::uint64_t words, std::uint64_t tuple, std::uint64_t block) {
  const auto blocks = [&](std::uint64_t n) { return n / block + (n % block != 0); };
  const std::uint64_t longer = words % tuple, rows = words / tuple;
  return longer * blocks(rows + 1) + (tuple - longer) * blocks(rows);
}

}  // namespace formats
}  // namespace tdz
