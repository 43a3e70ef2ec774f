// SPDX-License-Identifier: Apache-2.0
// Figures and names of a report as people read them. A value that was not measured, or is not a number, is
// "-". Pure functions. page.html has the same figures.
#pragma once

#include <string>
#include <string_view>

#include "app/bench/results.hpp"

namespace tdz::app::bench {

/// Three digits: "2790", "18.7", "0.91".
std::string three_digits(double value);
/// "2.79 TB/s", "913 MB/s".
std::string speed_text(double bytes_per_second);
/// In MB/s and at most five characters: "913", "18700"; "279G" is GB/s.
std::string mega_text(double bytes_per_second);
/// In GB/s: "2790", "18.7", "0.91".
std::string giga_text(double bytes_per_second);
/// In percent: "93", "0.4".
std::string percent_text(double share);
/// At most six characters: "2.631", "1024.0".
std::string ratio_figure(double ratio);
/// "612 ns", "12.3 ms", "4.00 s".
std::string seconds_text(double seconds);

std::string_view direction_name(Direction direction);
std::string_view shape_name(Shape shape);
/// "i16x2": the coding's word and tuple, and the kind of the file's type if its words are as long.
std::string coding_type(const Coding& coding, const NumberType& type);
/// "cuda, tdz: integrate, 1.00 GiB in chunks of 1.00 MiB, 32-bit words, interleaved": all except order and
/// tuple.
std::string scan_title(const ScanResult& scan);
/// The same with order and tuple.
std::string scan_cell_title(const ScanResult& scan);
/// "recording.raw, i16x2, order 1, planes, level 3, cpu".
std::string codec_title(const Report& report, const CodecResult& cell);
/// "recording.raw: i16x2, 16.0 MiB".
std::string data_title(const DataSet& data);
/// The data set of a result. If there is no such index: one without a name.
const DataSet& data_of(const Report& report, std::size_t index);

}  // namespace tdz::app::bench
