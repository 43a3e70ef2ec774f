// SPDX-License-Identifier: Apache-2.0
// What may be changed in a recipe after it was found: a few percent of the size for quicker reading, and more
// pairs of scale.
#pragma once

#include "codec/search/samples.hpp"
#include "codec/search/trial.hpp"

namespace tdz {

/// Whether reading counts more than a few percent of the size: the caller asks for level 1 of zstd, but not
/// for a fast search, which is about writing.
inline bool prefers_quick_reading(int level, Effort effort) {
  return level == 1 && effort != Effort::fast;
}

/// A recipe whose chunks are decoded faster, and become a few percent longer: with one order less, if the
/// order may change and this costs at most 3 % of the size, and with tokens in Huffman codes alone, if this
/// costs at most 6 %. `pieces` together should be as long as a chunk. Errors: those of Trial.
Result<Recipe> with_quick_reading(const Recipe& recipe, const Pieces& pieces, bool order_may_change,
                                  Trial& trial);

/// Pieces of the input find pairs of scale by themselves, where their plan left holes. A chunk looks for such
/// pairs only a few times; those that stand in its plan serve all of its words. Returns the recipe with these
/// pairs too, where it then packs the pieces to fewer bytes; otherwise the recipe itself. Errors: those of
/// Trial.
Result<Recipe> with_found_pairs(const Recipe& recipe, const Pieces& pieces, Trial& trial);

}  // namespace tdz
