// SPDX-License-Identifier: Apache-2.0
// The first stage of the search: which words and tuples the input may hold, and whether it holds the same
// everywhere.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "codec/search/reach.hpp"
#include "codec/search/request.hpp"
#include "codec/search/samples.hpp"
#include "codec/search/trial.hpp"
#include "formats/sniff.hpp"

namespace tdz {

/// Tuples up to here are tried without a reason, wider ones where the data show such a record.
inline constexpr std::uint32_t kWidestUsualTuple = 8;

/// Pieces of the input that hold one kind of numbers, and the shapes that suit them, best first: order 1 (or
/// as said), the rest of the steps as usual.
struct Kind {
  Pieces pieces;
  std::vector<formats::Parameters> shapes;
};

/// The first kind is the whole input; further ones are stretches of it that another shape serves far better.
/// At most `reach.recipes` in all. Error limit or io, as trials have them.
Result<std::vector<Kind>> find_kinds(const Samples& samples, const SearchOptions& said,
                                     const std::optional<formats::SniffedHint>& hint, const Reach& reach,
                                     Trial& trial);

}  // namespace tdz
