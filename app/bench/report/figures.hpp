// SPDX-License-Identifier: Apache-2.0
// Figures and names of a report as people read them. What was not measured, or is no number, is "-". Pure
// functions.
#pragma once

#include <string>
#include <string_view>

#include "app/bench/results.hpp"

namespace tdz::app::bench {

/// Three digits: "2790", "18.7", "0.91".
std::string three_digits(double value);
/// "2.79 TB/s", "913 MB/s".
std::string speed_text(double bytes_per_second);
/// In MB/s and at most five characters: "913", "18700", "279G" where that is GB/s.
std::string mega_text(double bytes_per_second);
/// In GB/s: "2790", "18.7", "0.91".
std::string giga_text(double bytes_per_second);
/// "93", "0.4", of a hundred.
std::string percent_text(double share);
/// At most six characters: "2.631", "1024.0".
std::string ratio_figure(double ratio);
/// "612 ns", "12.3 ms", "4.00 s".
std::string seconds_text(double seconds);

std::string_view direction_name(Direction direction);
std::string_view shape_name(Shape shape);
/// "i16x2": the coding's word and tuple, and the kind that the file's type names if that has such words.
std::string coding_type(const Coding& coding, const NumberType& type);
/// "cuda, tdz: integrate, chunks of 1.00 MiB of 1.00 GiB, 32-bit words, interleaved": all but order and
/// tuple.
std::string scan_title(const ScanResult& scan);
/// "recording.raw: i16x2, 16.0 MiB".
std::string data_title(const DataSet& data);
/// The data set of a result; one without a name if the index is none.
const DataSet& data_of(const Report& report, std::size_t index);

}  // namespace tdz::app::bench
