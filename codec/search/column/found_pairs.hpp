// SPDX-License-Identifier: Apache-2.0
// Pairs of scale that pieces of the input found by themselves, because their plan left holes. A chunk looks
// for such pairs only a few times; those that stand in its plan serve all of its words.
#pragma once

#include "codec/search/trial.hpp"

namespace tdz {

/// The recipe with these pairs too, where it then packs the pieces to fewer bytes; otherwise the recipe
/// itself. Errors: those of Trial.
Result<Recipe> with_found_pairs(const Recipe& recipe, const Pieces& pieces, Trial& trial);

}  // namespace tdz
