// SPDX-License-Identifier: Apache-2.0
// Are the differences of integers multiples of one number, while the integers themselves may have a
// remainder, or be too long for f64? So it is with times in nanoseconds that were taken in microseconds. In
// integers.
#pragma once

#include "codec/search/samples.hpp"
#include "formats/steps/scale.hpp"

namespace tdz {

/// The factors that most pieces of a lane have in common in the differences of its words, as pairs, except
/// powers of 2; and 1 where other lanes have none. Empty: no lane has one. The pieces hold little-endian
/// words and begin at lane 0.
std::vector<ScalePair> common_factors(const ScaleShape& shape, const Pieces& pieces);

}  // namespace tdz
