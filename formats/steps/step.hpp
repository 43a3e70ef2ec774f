// SPDX-License-Identifier: Apache-2.0
// What every step says of itself. FORMAT.md, section 3.
//
// A step is a struct with its parameters as fields, and with the members that the concept Step asks for:
//
//   kTraits                   what all steps of this kind have in common: see StepTraits
//   std::string name()        its name with its parameters: "difference(2, 1)"
//   std::string words()       what it does, for people who read `tdz analyze`: "difference of order 1 to .."
//   uint32 tuple_length()     the words of its tuple; 0: it has no tuple
//   void write(bytes)         appends the parameters as they stand in a file
//   Result<STEP> read(in)     the inverse, static; it judges the length of the parameters
//   Flaw flaw(width)          what is wrong with the values for words of `width` bytes
//   void list(SubstreamList)  the substreams that it gives, except those of a layout of words
//
// A step whose parameters are all plain numbers lists them in numbers(), static: JSON and tests need no more.
//
// The list of all steps is PlanStep, in formats/plan/plan.hpp. Pure functions, thread-safe.
#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "formats/bytes.hpp"
#include "formats/error.hpp"

namespace tdz {

inline constexpr std::uint32_t kMaxSideTuple = 256;  ///< side data and parameters stand for each lane

/// The order in which zstd gets the bytes of the words.
enum class Layout : std::uint8_t { interleaved, planes, tuple_planes, bit_planes };

/// How many words a run may have: all words of its lane (0), or 2^10 to 2^16.
constexpr bool is_run(std::size_t run) {
  return run == 0 || (std::has_single_bit(run) && run >= 1024 && run <= 65536);
}

namespace formats {

/// A line about a step in the help, the manual page and cli.md.
struct StepHelp {
  unsigned place;            ///< its usual place in a column; lists for people are in this order
  std::string_view name;     ///< with letters for its parameters: "difference(T, N)"
  std::string_view meaning;  ///< a part of a sentence
};

/// What general code asks of a step. A step names here what applies to it; the rest is as it stands here. It
/// is one struct, so that a misspelt name does not compile.
struct StepTraits {
  std::uint16_t id;       ///< its number in files; it never changes its meaning
  std::string_view name;  ///< in FORMAT.md, in reports and in JSON
  StepHelp help;
  std::size_t substreams = 0;  ///< how many it gives
  bool is_layout = false;      ///< it turns words into substreams; so it is the last step of a column
  Layout word_layout = Layout::interleaved;  ///< of a layout of words: the order of bytes that it makes
  bool once = false;                         ///< a column has at most one such step
  std::uint8_t minor_version = 0;            ///< of format 1: the first one that has this step
  bool by_lanes = false;  ///< it works on one lane after another, so words may stay in that order before it
};

/// A layout of words gives one substream: the words themselves, in another order of bytes.
constexpr bool is_layout_of_words(const StepTraits& traits) {
  return traits.word_layout != Layout::interleaved;
}

/// What is wrong, without a verdict: of a file it is unsupported, of a caller a usage error.
using Flaw = std::optional<std::string>;

Flaw flaw_of_run(std::uint32_t run);
/// For steps whose side data or parameters stand for each lane.
Flaw flaw_of_side_tuple(std::uint64_t tuple);

/// What FORMAT.md calls r: a run has 2^r words; 0 is all of a lane. Precondition: is_run(run).
std::uint8_t log_of_run(std::uint32_t run);
/// The inverse. What is no run becomes one that is_run() refuses.
std::uint32_t run_of_log(std::uint8_t r);

/// A parameter that is a plain number from `least` to `most`.
template <class Owner, class Number>
struct NumberParameter {
  std::string_view name;  ///< in JSON
  Number Owner::*place;
  Number least, most;
};

template <class Owner, class Number>
constexpr NumberParameter<Owner, Number> number_parameter(std::string_view name, Number Owner::*place,
                                                          std::type_identity_t<Number> least,
                                                          std::type_identity_t<Number> most) {
  return {name, place, least, most};
}

/// "NAME(TUPLE)", and " in runs of 4096" where a run has an end.
std::string name_with_tuple(std::string_view name, std::size_t tuple);
std::string run_name(std::uint32_t run);
/// For words(): ", anew every 4096 numbers" where a run has an end.
std::string run_words(std::uint32_t run);
/// For words(): " and 5 more" where a list of `count` things is longer than the part that is shown.
std::string and_more(std::size_t count, std::size_t shown);

/// The parameters of one step in the bytes of a plan, from front to back. A read past the end gives zeros.
class ParameterReader : public ByteReader {
 public:
  ParameterReader(std::uint16_t id, std::span<const std::byte> parameters, std::uint64_t where)
      : ByteReader(parameters), id_(id), length_(parameters.size()), where_(where) {}

  std::uint16_t id() const { return id_; }
  std::size_t length() const { return length_; }
  /// Errors of a step whose parameters have a wrong length (corrupt), or a value that version 1.1 does not
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
  grid_choices,
  grid_predictors,
  words,  ///< interleaved, planes, tuple-planes or bit-planes
  tokens,
  raw_bits,
  packed_widths,
  packed_codes,
  packed_places,
  packed_bits,
  rest,  ///< bytes after the last row
};

struct Substream;

/// Whether lengths fit one another, each of which is right by itself: of all substreams of one step.
using LengthsFit = bool (*)(std::span<const Substream> expected, std::span<const std::uint32_t> lengths);

/// A length is a multiple of `unit`, from `least` to `most`. The two are the same where plan and chunk give
/// the length.
struct Substream {
  SubstreamRole role = SubstreamRole::words;
  std::uint16_t column = 0;  ///< of the rest: the number of columns
  std::uint64_t least = 0;
  std::uint64_t most = 0;
  std::uint64_t unit = 1;
  /// Where lengths of a step depend on one another, its last substream has this; null: nothing more to judge.
  LengthsFit fit = nullptr;
  std::size_t of_step = 1;  ///< how many substreams `fit` judges, this one and those before it
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
  /// The last `count` substreams are those of a step whose lengths depend on one another.
  void must_fit(std::size_t count, LengthsFit fit) {
    out.back().fit = fit;
    out.back().of_step = count;
  }
};

/// Blocks of all lanes, where the last block of a lane may be shorter. No loop, because a tuple may be long.
constexpr std::uint64_t blocks_of_lanes(std::uint64_t words, std::uint64_t tuple, std::uint64_t block) {
  const auto blocks = [&](std::uint64_t n) { return n / block + (n % block != 0); };
  const std::uint64_t longer = words % tuple, rows = words / tuple;
  return longer * blocks(rows + 1) + (tuple - longer) * blocks(rows);
}

template <class T>
concept Step = std::equality_comparable<T> && std::default_initializable<T> &&
    requires(const T& step, std::vector<std::byte>& bytes, ParameterReader& in, unsigned width,
             SubstreamList& substreams) {
  requires std::same_as<decltype(T::kTraits), const StepTraits>;
  { step.name() } -> std::same_as<std::string>;
  { step.words() } -> std::same_as<std::string>;
  { step.tuple_length() } -> std::same_as<std::uint32_t>;
  { step.write(bytes) } -> std::same_as<void>;
  { T::read(in) } -> std::same_as<Result<T>>;
  { step.flaw(width) } -> std::same_as<Flaw>;
  { step.list(substreams) } -> std::same_as<void>;
};

/// All of its parameters are plain numbers.
template <class T>
concept StepOfNumbers = Step<T> && requires {
  T::numbers();
};

/// The base of the steps that have no parameters. They add kTraits and words().
template <class T>
struct StepWithoutParameters {
  static constexpr std::tuple<> numbers() { return {}; }

  std::string name() const { return std::string(T::kTraits.name); }
  std::uint32_t tuple_length() const { return 0; }
  void write(std::vector<std::byte>&) const {}
  static Result<T> read(ParameterReader& in) {
    if (in.length() != 0) return in.wrong_length();
    return T{};
  }
  Flaw flaw(unsigned) const { return {}; }
  void list(SubstreamList&) const {}

  friend constexpr bool operator==(const StepWithoutParameters&, const StepWithoutParameters&) = default;
};

}  // namespace formats
}  // namespace tdz
