// SPDX-License-Identifier: Apache-2.0
// The steps as reports name them, in one table. FORMAT.md, section 3, defines them.
#pragma once

#include <string_view>

namespace tdz::app {

struct StepRow {
  std::string_view name;
  std::string_view meaning;  ///< as in OptionRow: a part of a sentence
};

inline constexpr StepRow kStepRows[] = {
    {"byteswap", "numbers that are stored with the big end first are turned round"},
    {"scale(T)", "numbers that are multiples of a number such as 1/100 become integers. A number that is no multiple "
                 "is a hole: it is kept as it is"},
    {"lanes(T)", "each column (lane) of tuples of T numbers has its own order; another column may be subtracted"},
    {"difference(T, N)", "each number minus the one T places before (delta), N times: order N"},
    {"predict(T)", "each number minus a linear prediction from the numbers of its column before it"},
    {"zigzag", "small numbers of either sign become small codes: 0, -1, 1, -2 become 0, 1, 2, 3"},
    {"planes", "byte shuffle: the lowest bytes of all numbers, then the next bytes, and so on"},
    {"tuple-planes(T)", "the same for each column of tuples of T numbers"},
    {"bit-planes", "bit shuffle: the same for single bits"},
    {"tokens(T, K, M)", "one byte for each number, with its length in bits and its highest bits (K and M say how "
                        "many); the lower bits stand apart"},
    {"in runs of N", "the step begins anew after every N numbers of a column, so that a GPU can start there"},
    {"none", "the bytes as they are"},
};

}  // namespace tdz::app
