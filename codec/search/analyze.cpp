// SPDX-License-Identifier: Apache-2.0
#include "codec/pipe/options.hpp"
#include "codec/pipe/pipeline.hpp"
#include "codec/search/grid.hpp"
#include "codec/search/prepare.hpp"

namespace tdz {
namespace {

Analysis analysis_of(const Prepared& prepared) {
  Analysis analysis;
  for (const Recipe& recipe : prepared.found.recipes) analysis.chosen.push_back(plan_of(recipe));
  analysis.candidates = prepared.found.tried;
  for (const auto piece : prepared.found.tried_on) analysis.sampled_bytes += piece.size();
  analysis.raw_prefix = prepared.options.raw_prefix;
  analysis.type = prepared.options.type;
  analysis.sniffed = prepared.sniffed;
  analysis.level = prepared.options.level;
  analysis.chunk_bytes = chunk_bytes(prepared.options);
  return analysis;
}

Result<Analysis> analysis_with_grid(const Prepared& prepared) {
  Analysis analysis = analysis_of(prepared);
  Trial trial(cpu_backend(), prepared.options.level);
  auto grid = order_and_tuple_grid(analysis.chosen.front(), prepared.found.tried_on, trial);
  if (!grid) return grid.error();
  analysis.grid = *std::move(grid);
  return analysis;
}

}  // namespace

Result<Analysis> analyze(Source& from, const CompressOptions& options) {
  if (auto done = check(options); !done) return done.error();
  try {
    PrefixSource source(from, FlushClock(options.flush_after));
    auto prepared = prepare(source, options, cpu_backend());
    if (!prepared) return prepared.error();
    return analysis_with_grid(*prepared);
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  }
}

}  // namespace tdz
