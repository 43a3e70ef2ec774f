// SPDX-License-Identifier: Apache-2.0
#include "app/roundtrip/file_check.hpp"

#include <algorithm>
#include <chrono>

#include "codec/stream/chunk_cutter.hpp"
#include "codec/stream/options.hpp"
#include "formats/plan/made_plans.hpp"

namespace tdz::app::roundtrip {
namespace {

/// The first recipe asks for whole words. Otherwise the numbers of later chunks would not be those of the
/// file.
CutRules rules_for(std::span<const Cell> cells, std::uint32_t chunk_bytes) {
  CompressOptions options;
  options.chunk_bytes = chunk_bytes;
  std::vector<Recipe> recipes(1);
  for (const Cell& cell : cells) {
    Column& words = recipes.front().plan.columns.front();
    words.width = std::max(words.width, cell.coding.word);
    recipes.push_back({formats::plan_of(formats::transform_of(cell.coding)), {}, {}});
  }
  return cut_rules(options, recipes);
}

bool any_left(std::span<const Cell> cells) {
  return std::ranges::any_of(cells, [](const Cell& cell) { return cell.failures.empty(); });
}

/// Adds the duration of a scope to a number.
class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds) {}
  ~Stopwatch() { seconds_ += std::chrono::duration<double>(Clock::now() - begin_).count(); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  double& seconds_;
  Clock::time_point begin_ = Clock::now();
};

}  // namespace

std::vector<Cell> cells_of(std::span<const formats::Parameters> codings, std::span<const int> levels) {
  std::vector<Cell> cells;
  for (const int level : levels) {
    for (const formats::Parameters& coding : codings) cells.push_back({coding, level, 0, 0, {}});
  }
  return cells;
}

FileCheck::FileCheck(Source& source, std::uint32_t chunk_bytes, CellWorkers& workers)
    : source_(source), chunk_bytes_(chunk_bytes), workers_(workers) {}

Status FileCheck::run(FileReport& report, const CheckProgress& progress) {
  const Stopwatch watch(report.seconds);
  ChunkCutter cutter(source_, rules_for(report.cells, chunk_bytes_));
  Buffer memory;
  while (any_left(report.cells)) {
    const auto cut = cutter.next(memory);
    if (!cut) return cut.error();
    if (cut->bytes.empty()) break;
    if (auto done = check({cut->bytes, report.chunks, report.bytes}, report, progress); !done) return done;
  }
  report.complete = true;
  return ok();
}

Status FileCheck::check(const PlacedChunk& chunk, FileReport& report, const CheckProgress& progress) {
  report.bytes += chunk.bytes.size();
  ++report.chunks;
  const double share = static_cast<double>(chunk.bytes.size()) / static_cast<double>(report.cells.size());
  return workers_.check(chunk, report.cells, [&](std::size_t cells) {
    if (progress) progress(chunk.offset + static_cast<std::uint64_t>(share * static_cast<double>(cells)));
  });
}

}  // namespace tdz::app::roundtrip
