// SPDX-License-Identifier: Apache-2.0
// What a run of `tdz roundtrip` found, as one value. Every format is a pure function of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/roundtrip/roundtrip.hpp"
#include "formats/plan/made_plans.hpp"

namespace tdz::app::roundtrip {

enum class Verdict : std::uint8_t {
  passed,
  failed,
  incomplete,  ///< nothing was wrong, but the run ended before the end of the file
};

/// One way to code a file, on all backends.
struct Cell {
  formats::Parameters coding;
  int level = 0;
  std::uint64_t bytes = 0;                 ///< of the file, checked
  std::uint64_t packed_bytes = 0;          ///< their packed bytes
  std::vector<RoundtripFailure> failures;  ///< of the first chunk that failed; later chunks are not checked
};

struct FileReport {
  std::string name;
  std::uint64_t bytes = 0;  ///< read from the file
  std::uint64_t chunks = 0;
  double seconds = 0;
  bool complete = false;       ///< checked to its end, or until every cell had failed
  std::optional<Error> error;  ///< the reason if it is not complete
  std::vector<Cell> cells;
};

struct BackendUsed {
  std::string name;
  std::string description;
};

struct Report {
  std::string version;  ///< of tdz
  std::string zstd;
  std::vector<BackendUsed> backends;
  std::uint64_t chunk_bytes = 0;  ///< of a whole chunk
  unsigned threads = 0;
  bool complete = true;  ///< false: it was interrupted
  std::vector<FileReport> files;
};

struct Counts {
  std::uint64_t cells = 0, passed = 0, failed = 0, incomplete = 0;
};

Verdict verdict(const FileReport& file, const Cell& cell);
std::string_view verdict_name(Verdict verdict);
void count(Counts& counts, Verdict verdict);
Counts counts_of(const FileReport& file);
Counts counts_of(const Report& report);
/// "1152 cells, 1151 passed, 1 failed", and ", 3 incomplete" if there are any.
std::string counts_text(const Counts& counts);

/// "word 4, tuple 3, order 5, planes, level 1".
std::string cell_name(const Cell& cell);
/// "coded by cpu, restored by cuda: value 1000 is wrong": one line without control characters.
std::string failure_title(const RoundtripFailure& failure);
/// The details, in lines: the place, the expected and the found value, the values around it.
std::string failure_details(const RoundtripFailure& failure);

enum class CellLines : unsigned char { hidden, shown };

/// For people: of each file one line for each word and layout, every failure in full, and the sum. With
/// CellLines::shown also a line for each cell.
std::string table_text(const Report& report, CellLines cells);
/// For programs: schema tdz-roundtrip/1, docs/roundtrip-json.md.
std::string json_text(const Report& report);
/// For continuous integration: the XML of JUnit. A file is a suite, a cell is a test case. A cell that was
/// not checked to the end is skipped. A file that could not be read is an error.
std::string junit_text(const Report& report);

// Any bytes as XML 1.0, for junit_text.

/// For text between tags. Line feeds stay. Bytes that are not UTF-8 or not allowed in XML become \xNN.
std::string xml_text(std::string_view bytes);
/// For text in double quotes. Line feeds become &#10;, because readers turn plain ones into blanks.
std::string xml_attribute(std::string_view bytes);

}  // namespace tdz::app::roundtrip
