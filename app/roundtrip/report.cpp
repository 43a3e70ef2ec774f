// SPDX-License-Identifier: Apache-2.0
#include "app/roundtrip/report.hpp"

#include <spdlog/fmt/fmt.h>

#include "app/options/names.hpp"

namespace tdz::app::roundtrip {
namespace {

std::string number_text(std::uint64_t number, unsigned width) {
  return fmt::format("{} (0x{:0{}x})", number, number, 2 * width);
}

/// The greatest length of number_text.
unsigned number_columns(unsigned width) {
  const auto largest = ~std::uint64_t{0} >> (64 - 8 * width);
  return static_cast<unsigned>(number_text(largest, width).size());
}

std::string mismatch_text(const Mismatch& mismatch) {
  const ComparedValue& first = mismatch.first;
  const auto text = [&](std::uint64_t number) { return number_text(number, mismatch.width); };
  const unsigned columns = number_columns(mismatch.width);
  auto lines = fmt::format("value {}, lane {}, at byte {} of the file: expected {}, found {}\n", first.value,
                           first.lane, mismatch.offset, text(first.expected), text(first.found));
  lines += fmt::format("  {:>12}  {:>5}  {:>{}}    {:>{}}\n", "value", "lane", "expected", columns, "found",
                       columns);
  for (const ComparedValue& near : mismatch.around) {
    lines += fmt::format("{} {:>12}  {:>5}  {:>{}}  {} {:>{}}\n", near.value == first.value ? ">" : " ",
                         near.value, near.lane, text(near.expected), columns,
                         near.expected == near.found ? " " : "!", text(near.found), columns);
  }
  return lines;
}

}  // namespace

Verdict verdict(const FileReport& file, const Cell& cell) {
  if (!cell.failures.empty()) return Verdict::failed;
  return file.complete && cell.bytes == file.bytes ? Verdict::passed : Verdict::incomplete;
}

std::string_view verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::passed:
      return "passed";
    case Verdict::failed:
      return "failed";
    case Verdict::incomplete:
      break;
  }
  return "incomplete";
}

void count(Counts& counts, Verdict verdict) {
  ++counts.cells;
  if (verdict == Verdict::passed) ++counts.passed;
  if (verdict == Verdict::failed) ++counts.failed;
  if (verdict == Verdict::incomplete) ++counts.incomplete;
}

Counts counts_of(const FileReport& file) {
  Counts counts;
  for (const Cell& cell : file.cells) count(counts, verdict(file, cell));
  return counts;
}

Counts counts_of(const Report& report) {
  Counts counts;
  for (const FileReport& file : report.files) {
    for (const Cell& cell : file.cells) count(counts, verdict(file, cell));
  }
  return counts;
}

std::string counts_text(const Counts& counts) {
  auto text = fmt::format("{} cell{}, {} passed, {} failed", counts.cells, counts.cells == 1 ? "" : "s",
                          counts.passed, counts.failed);
  if (counts.incomplete > 0) text += fmt::format(", {} incomplete", counts.incomplete);
  return text;
}

std::string cell_name(const Cell& cell) {
  return fmt::format("word {}, tuple {}, order {}, {}, level {}", cell.coding.word, cell.coding.tuple,
                     cell.coding.order, formats::layout_name(cell.coding), cell.level);
}

std::string failure_title(const RoundtripFailure& failure) {
  switch (failure.fault) {
    case RoundtripFault::coding:
      return fmt::format("{} failed to code chunk {}", failure.coder, failure.chunk);
    case RoundtripFault::disagreement:
      return fmt::format("{} and {} coded chunk {} in different bytes", failure.coder, failure.restorer,
                         failure.chunk);
    case RoundtripFault::restoring:
      return fmt::format("coded by {}, restored by {}: no result for chunk {}", failure.coder,
                         failure.restorer, failure.chunk);
    case RoundtripFault::wrong_value:
      break;
  }
  return fmt::format("coded by {}, restored by {}: value {} is wrong", failure.coder, failure.restorer,
                     failure.mismatch ? failure.mismatch->first.value : 0);
}

std::string failure_details(const RoundtripFailure& failure) {
  std::string lines =
      fmt::format("chunk {}, from byte {} of the file on", failure.chunk, failure.chunk_offset);
  if (!failure.detail.empty()) lines += ": " + printable(failure.detail);
  lines += '\n';
  if (failure.mismatch) lines += mismatch_text(*failure.mismatch);
  return lines;
}

}  // namespace tdz::app::roundtrip
