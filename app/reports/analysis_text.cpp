// SPDX-License-Identifier: Apache-2.0
#include "app/reports/analysis_text.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>

#include "app/options/names.hpp"
#include "app/options/options.hpp"
#include "app/options/sizes.hpp"
#include "app/options/step_options.hpp"
#include "formats/parameters.hpp"
#include "formats/plan/made_plans.hpp"
#include "formats/plan/plan_name.hpp"

namespace tdz::app {
namespace {

constexpr std::size_t kShownCandidates = 8;

std::string head(const FileAnalysis& file, const Screen& screen) {
  const Analysis& analysis = file.analysis;
  std::string text = shown_name(file.name) + ":";
  if (!analysis.sniffed.empty())
    text += fmt::format(" {}, numbers from byte {} on;", analysis.sniffed, analysis.raw_prefix);
  text += fmt::format(" level {}, chunks of {}\n", analysis.level, format_size(analysis.chunk_bytes));
  for (std::size_t i = 0; i < analysis.chosen.size(); ++i)
    text += folded(fmt::format("  {} {}", i == 0 ? "chosen" : "or    ", formats::plan_name(analysis.chosen[i])),
                    11, screen);
  const bool general = std::ranges::all_of(analysis.chosen, [](const Plan& p) { return p.coding == Coding::zstd; });
  if (file.gpu && general)
    text += folded("  General frames: frames for a GPU would be more than 8 % larger, or these numbers have none.",
                    2, screen);
  return text;
}

/// What decided, because it need not be the first of the list.
std::string judge_text(const FileAnalysis& file, const Screen& screen) {
  if (file.analysis.candidates.size() < 2) return "";
  const std::string how =
      file.request.effort == Effort::best
          ? fmt::format("the best few, and the best of each layout, were packed again at level {}",
                        file.analysis.level)
          : std::string("the first few were packed again as one chunk");
  return folded("  These ratios are of a quick packing; " + how + ", and that decided.", 2, screen);
}

std::string candidates_text(const FileAnalysis& file, const Screen& screen) {
  const Analysis& analysis = file.analysis;
  std::vector<Candidate> best = analysis.candidates;
  std::ranges::stable_sort(best, {}, &Candidate::packed_bytes);
  best.resize(std::min(best.size(), kShownCandidates));
  std::string text = fmt::format("\n  the best of {} candidates, on samples of {}\n",
                                 analysis.candidates.size(), format_size(analysis.sampled_bytes));
  for (const Candidate& candidate : best)
    text += folded(fmt::format("  {:>7}  {}", ratio_text(analysis.sampled_bytes, candidate.packed_bytes),
                                formats::plan_name(candidate.plan)),
                    13, screen);
  return text + judge_text(file, screen);
}

/// A bar of one of eight heights, from the worst ratio of the grid to the best. Without UTF-8 only the best is
/// marked.
std::string_view bar(std::uint64_t packed, std::uint64_t least, std::uint64_t most, Letters letters) {
  constexpr std::array<std::string_view, 8> kBars{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  if (letters == Letters::ascii) return packed == least ? "*" : " ";
  if (most == least) return kBars.back();
  const double share = (1.0 / static_cast<double>(packed) - 1.0 / static_cast<double>(most)) /
                       (1.0 / static_cast<double>(least) - 1.0 / static_cast<double>(most));
  return kBars[std::min<std::size_t>(7, static_cast<std::size_t>(share * 8))];
}

/// A table with a row for each order and a column for each tuple.
std::string grid_text(const Analysis& analysis, Letters letters) {
  const auto& grid = analysis.grid;
  if (grid.empty() || analysis.sampled_bytes == 0) return "";
  const auto [least, most] = std::ranges::minmax(grid, {}, &Candidate::packed_bytes);
  // The grid is a list of rows, one for each order. Steps of order 0 do not contain a tuple, so the tuples
  // are taken from the last row.
  const auto of = [](const Candidate& c) { return formats::parameters_of(formats::transform_of(c.plan).value_or(Transform{})); };
  const auto same_order = [&](const Candidate& c) { return of(c).order == of(grid.front()).order; };
  const auto columns = static_cast<std::size_t>(std::ranges::find_if_not(grid, same_order) - grid.begin());
  std::string text = "\n  ratio by order (down) and tuple (across)\n      ";
  for (std::size_t c = 0; c < columns; ++c)
    text += fmt::format("{}{:>8}", c == 0 ? "" : " ", of(grid[grid.size() - columns + c]).tuple);
  for (std::size_t i = 0; i < grid.size(); ++i) {
    if (i % columns == 0) text += fmt::format("\n  {:>3}", of(grid[i]).order);
    text += fmt::format(" {:>7}{}", ratio_text(analysis.sampled_bytes, grid[i].packed_bytes),
                        bar(grid[i].packed_bytes, least.packed_bytes, most.packed_bytes, letters));
  }
  return text + "\n";
}

}  // namespace

std::string command_for(const FileAnalysis& file, const Plan& chosen) {
  // What options cannot say, the search finds again by itself.
  std::string text = "tdz " + step_options(chosen).value_or(request_options(file.request));
  if (text.back() == ' ') text.pop_back();
  if (file.analysis.raw_prefix != 0) text += fmt::format(" --offset {}", file.analysis.raw_prefix);
  if (file.request.effort == Effort::fast) text += " --fast";
  if (file.request.effort == Effort::best) text += " --best";  // also for its longer chunks
  if (file.gpu) text += " --gpu";
  text += fmt::format(" --level {}", file.analysis.level);
  if (file.name == kStandardInput) return text;
  const bool looks_like_option = file.name.starts_with('-');
  return text + (looks_like_option ? " -- " : " ") + shell_word(file.name);
}

std::string analysis_text(const FileAnalysis& file, const Screen& screen) {
  return head(file, screen) + candidates_text(file, screen) + grid_text(file.analysis, screen.letters) + "\n  " +
         printable(command_for(file, file.analysis.chosen.front())) + "\n";
}

}  // namespace tdz::app
