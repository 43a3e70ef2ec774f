// SPDX-License-Identifier: Apache-2.0
// What all pages about options share: the table of steps, names, sentences, lines. Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "app/options/option_values.hpp"
#include "app/options/table/option_rows.hpp"

namespace tdz::app {

/// A step as reports name it. FORMAT.md, section 3, defines the steps.
struct StepRow {
  std::string_view name;
  std::string_view meaning;  ///< as in OptionRow: a part of a sentence
};

inline constexpr StepRow kStepRows[] = {
    {"byteswap", "the bytes of each big-endian number are reversed"},
    {"scale(T)",
     "numbers that are multiples of a number such as 1/100 become integers. A number that is no multiple "
     "is a hole: it is kept as it is"},
    {"lanes(T)",
     "each column (lane) of tuples of T numbers has its own order; another column may be subtracted"},
    {"difference(T, N)",
     "from each number the number T places before it is subtracted (delta), N times: order N"},
    {"predict(T)",
     "from each number its linear prediction is subtracted, made from the numbers before it in its column"},
    {"zigzag", "small numbers of either sign become small codes: 0, -1, 1, -2 become 0, 1, 2, 3"},
    {"planes", "byte shuffle: the lowest bytes of all numbers, then the next bytes, and so on"},
    {"tuple-planes(T)", "the same for each column of tuples of T numbers"},
    {"bit-planes", "bit shuffle: the same for single bits"},
    {"tokens(T, K, M)",
     "one byte (token) for each number: its length in bits and its highest bits (K and M say how "
     "many). The lower bits are stored separately"},
    {"in runs of N", "the step restarts after every N numbers of a column, so that a GPU can start there"},
    {"none", "the bytes as they are"},
};

std::string join(const std::vector<std::string>& parts, std::string_view separator);

/// The names of an option, and before them "-1 .. -22" for levels, which may be written as options.
std::vector<std::string> shown_names(const OptionRow& row);
/// The verbs of an option, in order, and "none" if it exists without a verb.
std::vector<std::string> verbs_of(const OptionRow& row);
/// For people: "compress, decompress", or "every verb".
std::string verbs_text(const OptionRow& row);
/// "restore FILE" and "Look." -> "Restore FILE. Look."
std::string sentences(std::string_view part, std::string_view more);

/// Without the marks of code.
std::string plain(std::string_view text);
/// Lines of at most `width` columns, each after `indent` blanks; the first continues a line of `column`.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t column, std::size_t width);

}  // namespace tdz::app
