// SPDX-License-Identifier: Apache-2.0
// A report with everything that a round trip can find, for the tests of its formats.
#pragma once

#include <string>

#include "app/roundtrip/report.hpp"

namespace tdz::test {

/// A name that every format must escape: a tag, quotes, a line feed, an escape sequence, a byte that is not
/// UTF-8, and a character that XML forbids.
inline const std::string kHostileName = "<&\"x'>\n\x1B[31m\xE9\xEF\xBF\xBF]]>";

inline RoundtripFailure wrong_value() {
  RoundtripFailure failure;
  failure.fault = RoundtripFault::wrong_value;
  failure.coder = "cpu";
  failure.restorer = "cuda";
  failure.chunk = 2;
  failure.chunk_offset = 2096640;
  failure.detail = "the restored bytes do not match their digest";
  Mismatch mismatch;
  mismatch.first = {.value = 1000, .lane = 1, .expected = 18446744073709551615u, .found = 10};
  mismatch.offset = 8000;
  mismatch.width = 8;
  mismatch.around = {{999, 0, 7, 7}, mismatch.first, {1001, 2, 8, 9}};
  failure.mismatch = mismatch;
  return failure;
}

inline RoundtripFailure of_kind(RoundtripFault fault, std::string restorer, std::string detail) {
  RoundtripFailure failure;
  failure.fault = fault;
  failure.coder = "cpu";
  failure.restorer = std::move(restorer);
  failure.detail = std::move(detail);
  return failure;
}

inline app::roundtrip::Cell cell(std::uint8_t word, Layout layout, std::uint64_t bytes) {
  app::roundtrip::Cell cell;
  cell.coding = {.word = word, .tuple = 3, .order = 5, .zigzag = true, .layout = layout};
  cell.level = 1;
  cell.bytes = bytes;
  cell.packed_bytes = bytes / 2;
  return cell;
}

/// Two cells that passed, three that failed; an interrupted file; a missing file.
inline app::roundtrip::Report report_of_everything() {
  using namespace app::roundtrip;
  FileReport whole;
  whole.name = "data";
  whole.bytes = 4000;
  whole.chunks = 3;
  whole.seconds = 1.5;
  whole.complete = true;
  whole.cells = {cell(4, Layout::planes, 4000), cell(4, Layout::planes, 3000), cell(8, Layout::planes, 4000),
                 cell(8, Layout::interleaved, 0), cell(8, Layout::bit_planes, 0)};
  whole.cells[1].failures = {wrong_value()};
  whole.cells[3].failures = {of_kind(RoundtripFault::coding, "", "it said <\x1B>"),
                             of_kind(RoundtripFault::restoring, "cuda", "it was unplugged")};
  whole.cells[4].failures = {
      of_kind(RoundtripFault::disagreement, "cuda", "byte 7 of the coded chunk differs")};

  FileReport cut_short;
  cut_short.name = kHostileName;
  cut_short.bytes = 2000;
  cut_short.chunks = 2;
  cut_short.cells = {cell(1, Layout::interleaved, 2000), cell(2, Layout::interleaved, 1000)};

  FileReport missing;
  missing.name = "missing";
  missing.error = Error{ErrorKind::io, "No such file or directory"};

  Report report;
  report.version = "0.2.0";
  report.zstd = "1.5.4";
  report.backends = {{"cpu", "AVX2"}, {"cuda", "a GPU <\"&\">"}};
  report.chunk_bytes = 1048576;
  report.threads = 2;
  report.complete = false;
  report.files = {whole, cut_short, missing};
  return report;
}

}  // namespace tdz::test
