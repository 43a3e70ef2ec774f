// SPDX-License-Identifier: Apache-2.0
// What a report says as people read it: figures and names; itself, the run and the machine; and which of its
// results are wrong, or not to be trusted. Pure functions. page.html has the same figures.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/bench/results.hpp"

namespace tdz::app::bench {

// ---- Figures and names. A value that was not measured, or is not a number, is "-".

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

// ---- The report itself, as pairs of name and text: the run, the machine, the constants of the model.
// Unknown facts are left out.

using Facts = std::vector<std::pair<std::string, std::string>>;

/// "tdz" and its arguments, quoted for a shell. Control characters are made visible.
std::string command_text(const Report& report);
/// "0.35 before the run, 1.20 after it; 98 % of a processor for the run". Empty if nothing is known.
std::string load_text(const Report& report);
Facts run_facts(const Report& report);
Facts machine_facts(const Machine& machine);
/// ("model, cuda", "w 3.02 TB/s, l 612 ns, p 270336 threads, 16 bytes an access").
Facts model_facts(const std::vector<MachineModel>& models);

/// A sentence for every result that is wrong.
std::vector<std::string> faults(const Report& report);

/// The figures that cannot be trusted, and why: a spread above a quarter, a speed that is 1.1 times what
/// bounds it, a stage that takes 1.1 times as long as the whole, a whole that takes 3 times as long as its
/// stages, and processor time that other programs took. A sentence for each kind, with the number of cells
/// and the worst of them.
std::vector<std::string> doubts(const Report& report);

}  // namespace tdz::app::bench
