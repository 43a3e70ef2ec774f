// SPDX-License-Identifier: Apache-2.0
// Parsers for the word after an option. They are strict: the whole word counts, and values are in range. Pure
// functions; Error usage.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/options/options.hpp"
#include "formats/plan/made_plans.hpp"

namespace tdz::app {

/// The parts between separators, also the empty ones: "-o,--output" -> "-o" and "--output".
std::vector<std::string> split(std::string_view text, char separator);
/// A whole decimal number from `least` to `most`.
Result<std::uint64_t> parse_number(std::string_view text, std::uint64_t least, std::uint64_t most);
/// A size from `least` to `most`.
Result<std::uint32_t> parse_size_between(std::string_view text, std::uint32_t least, std::uint32_t most);
/// A size, except 0, which would mean no limit.
Result<std::uint64_t> parse_memory(std::string_view text);
/// The same, up to a PiB, so that several times the size does not overflow.
Result<std::uint64_t> parse_bench_size(std::string_view text);
/// 1, 2, 4 or 8.
Result<std::uint8_t> parse_word(std::string_view text);
/// "on" or "off".
Result<bool> parse_switch(std::string_view text);
/// Seconds such as "0.5", from a millisecond to a day.
Result<std::chrono::milliseconds> parse_seconds(std::string_view text);
/// "OFFSET:LENGTH", each a size or a number of values, "100v"; no LENGTH means to the end.
Result<Range> parse_range(std::string_view text);
/// "zero" or "skip".
Result<Fill> parse_fill(std::string_view text);
/// "0,1", "0-3"; "all" gives an empty list.
Result<std::vector<int>> parse_devices(std::string_view text);
/// A size that has room for the smallest batches of a device.
Result<std::uint64_t> parse_device_memory(std::string_view text);
Result<BackendChoice> parse_backend(std::string_view text);
Result<BenchFormat> parse_bench_format(std::string_view text);
Result<RoundtripFormat> parse_roundtrip_format(std::string_view text);
Result<ProgressChoice> parse_progress(std::string_view text);

// ---- The ranges of parameters of bench and roundtrip

/// "1-8", "1,2,4,8", "0-2,8", in any order. The result has each number once, and at most 4096 numbers. Error
/// usage.
Result<std::vector<std::uint32_t>> parse_numbers(std::string_view text, std::uint32_t least,
                                                 std::uint32_t most);

Result<std::vector<std::uint8_t>> parse_words(std::string_view text);
Result<std::vector<std::uint32_t>> parse_tuples(std::string_view text);
Result<std::vector<std::uint8_t>> parse_orders(std::string_view text);
Result<std::vector<int>> parse_levels(std::string_view text);
/// "interleaved,tuple-planes,packed"; "all".
Result<std::vector<GridLayout>> parse_layouts(std::string_view text);
/// "cpu", "cuda", "cpu,cuda".
Result<std::vector<BackendChoice>> parse_backends(std::string_view text);
/// "tdz,sam": names that are not empty; what they mean is not checked.
Result<std::vector<std::string>> parse_names(std::string_view text);

/// "cpu" or "cuda".
std::string_view backend_name(BackendChoice backend);

/// Every combination of words, tuples, orders and layouts. Combinations with the same steps (order 0 with any
/// tuple, planes of words of one byte) appear once. Zigzag is on if there is a difference. Precondition: no
/// list is empty.
std::vector<formats::Parameters> codings(const Grid& grid);

}  // namespace tdz::app
