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
    {"byteswap", "the bytes of each big-endian number are reversed"},
    {"scale(T)", "numbers that are multiples of a number such as 1/100 become integers. A number that is no multiple "
                 "is a hole: it is kept as it is"},
    {"lanes(T)", "each column (lane) of tuples of T numbers has its own order; another column may be subtracted"},
    {"difference(T, N)", "from each number the number T places before it is subtracted (delta), N times: order N"},
    {"predict(T)", "from each number its linear prediction is subtracted, made from the numbers before it in its column"},
    {"zigzag", "small numbers of either sign become small codes: 0, -1, 1, -2 become 0, 1, 2, 3"},
    {"planes", "byte shuffle: the lowest bytes of all numbers, then the next bytes, and so on"},
    {"tuple-planes(T)", "the same for each column of tuples of T numbers"},
    {"bit-planes", "bit shuffle: the same for single bits"},
    {"tokens(T, K, M)", "one byte (token) for each number: its length in bits and its highest bits (K and M say how "
                        "many). The lower bits are stored separately"},
    {"in runs of N", "the step restarts after every N numbers of a column, so that a GPU can start there"},
    {"none", "the bytes as they are"},
};

}  // namespace tdz::app
