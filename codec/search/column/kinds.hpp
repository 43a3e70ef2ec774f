// SPDX-License-Identifier: Apache-2.0
// The first stage of the search: which words and tuples the input may hold, and whether they are the same in
// the whole input.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "codec/search/limits.hpp"
#include "codec/search/samples.hpp"
#include "codec/search/trial.hpp"
#include "formats/plan/made_plans.hpp"
#include "formats/sniff.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// Tuples up to this one are always tried, except long ones of 64-bit words; wider ones only if the data show
/// records of that length.
inline constexpr std::uint32_t kWidestUsualTuple = 8;

/// Bytes of a record of this shape.
inline std::size_t record_of(const formats::Parameters& shape) {
  return std::size_t{shape.word} * shape.tuple;
}

/// `parameters` that the search proposes, with each value that the caller set in its place.
formats::Parameters apply_request(const SearchOptions& request, formats::Parameters parameters);

/// Pieces of the input that hold the same kind of numbers, and the shapes that suit them, best first. The
/// shapes have order 1, zigzag and tuple-planes, except where the caller set something else.
struct Kind {
  Pieces pieces;
  std::vector<formats::Parameters> shapes;
  /// Shapes of different record lengths in bytes, and of one length those of different words; best first.
  /// Some are a little worse than `shapes`: steps beside differences may suit them better. Those of the first
  /// kind suit what no other kind has.
  std::vector<formats::Parameters> others{};
};

/// The first kind is the whole input. Each further kind is a set of stretches that another shape suits far
/// better. There are at most `limits.recipes` kinds. Errors: those of Trial.
Result<std::vector<Kind>> find_kinds(const Samples& samples, const SearchOptions& request,
                                     const std::optional<formats::SniffedHint>& hint,
                                     const SearchLimits& limits, Trial& trial);

}  // namespace tdz
