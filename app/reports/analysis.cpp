// SPDX-License-Identifier: Apache-2.0
#include "app/reports/analysis.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>

#include "app/options/names.hpp"
#include "app/options/number_options.hpp"
#include "app/options/options.hpp"
#include "codec/json.hpp"
#include "formats/names.hpp"

namespace tdz::app {

// ---- For people

namespace {

constexpr std::ptrdiff_t kShownCandidates = 8;

SearchOptions request_of(const FileAnalysis& file) {
  return file.asked.search.value_or(SearchOptions{});
}

/// What --gpu took, and what that costs.
std::string gpu_text(const FileAnalysis& file) {
  const Analysis& analysis = file.analysis;
  const bool fastest = request_of(file).effort == Effort::fastest;
  const auto is_general = [](const Plan& plan) {
    return plan.coding == Coding::zstd && !std::ranges::any_of(plan.columns, is_packed);
  };
  if (!fastest && std::ranges::all_of(analysis.chosen, is_general))
    return "  General frames: what a GPU decodes would be more than 20 % larger, or does not suit these "
           "numbers.";
  std::string text;
  if (analysis.larger_for_gpu) {
    const double per_cent = 100 * std::max(0.0, *analysis.larger_for_gpu);
    text += fmt::format(" {:.1f} % larger than what a CPU would get.", per_cent);
  }
  if (analysis.gpu_speed)
    text += fmt::format(" One H100 decodes this at about {:.0f} GB/s, by a model.", *analysis.gpu_speed);
  return text.empty() ? text : "  For a GPU:" + text;
}

std::string head(const FileAnalysis& file, const Screen& screen) {
  const Analysis& analysis = file.analysis;
  std::string text = shown_name(file.name) + ":";
  if (!analysis.sniffed.empty())
    text += fmt::format(" {}, numbers from byte {} on;", analysis.sniffed, analysis.raw_prefix);
  const bool fastest = request_of(file).effort == Effort::fastest;
  text += fastest ? std::string(" without zstd") : fmt::format(" level {}", analysis.level);
  text += fmt::format(", chunks of {}\n", format_size(analysis.chunk_bytes));
  for (std::size_t i = 0; i < analysis.chosen.size(); ++i) {
    const Plan& plan = analysis.chosen[i];
    text +=
        folded(fmt::format("  {} {}", i == 0 ? "chosen" : "or    ", formats::plan_name(plan)), 11, screen);
    const auto holes = i == 0 ? analysis.holes : std::vector<double>{};
    for (const std::string& line : formats::plan_words(with_kinds(plan, analysis.type), holes))
      text += folded("    " + line, 6, screen);
  }
  if (const std::string said = file.asked.gpu ? gpu_text(file) : ""; !said.empty())
    text += folded(said, 2, screen);
  return text;
}

/// Where records are a noticeable part of a short file.
std::string records_text(const Analysis& analysis, const Screen& screen) {
  constexpr std::uint64_t kNoticed = 20;  // a part of 20: 5 %
  if (kNoticed * analysis.record_bytes <= analysis.stored_bytes) return "";
  return "\n" +
         folded(fmt::format(
                    "  Of the {} bytes that this input becomes, {} are records. Many small files are smaller "
                    "together, with tar -I tdz; a program can store each as a lone block.",
                    analysis.stored_bytes, analysis.record_bytes),
                2, screen);
}

/// Do both plans have the same steps? How the steps are packed may differ.
bool same_steps(const Plan& plan, const Plan& other) {
  return plan.coding == other.coding && plan.columns == other.columns;
}

/// What decided for the choice, which need not be the first of the list.
std::string judge_text(const FileAnalysis& file, const Screen& screen) {
  if (file.analysis.candidates.size() < 2) return "";
  const std::string how = request_of(file).effort == Effort::best
                              ? fmt::format("at level {}", file.analysis.level)
                              : std::string("as one chunk");
  return folded(
      "  These ratios are of a quick packing. The best few, and then the same with scale, lanes, predict or "
      "tokens, were packed again " +
          how + ", and that decided.",
      2, screen);
}

/// The best few, and the choice as the last of them if it has a lower ratio.
std::vector<Candidate> shown_candidates(const Analysis& analysis) {
  std::vector<Candidate> best = analysis.candidates;
  std::ranges::stable_sort(best, {}, &Candidate::packed_bytes);
  const auto choice = std::ranges::find_if(
      best, [&](const Candidate& candidate) { return same_steps(candidate.plan, analysis.chosen.front()); });
  if (choice - best.begin() >= kShownCandidates && choice != best.end()) best[kShownCandidates - 1] = *choice;
  best.resize(std::min<std::size_t>(best.size(), kShownCandidates));
  return best;
}

std::string candidates_text(const FileAnalysis& file, const Screen& screen) {
  const Analysis& analysis = file.analysis;
  if (analysis.candidates.empty()) return "";
  std::string text =
      fmt::format("\n  the best of {} candidates, on samples of {}; tdz analyze --help explains the steps\n",
                  analysis.candidates.size(), format_size(analysis.sampled_bytes));
  for (const Candidate& candidate : shown_candidates(analysis)) {
    const bool chosen = same_steps(candidate.plan, analysis.chosen.front());
    text += folded(fmt::format("  {:>7}  {}{}", ratio_text(analysis.sampled_bytes, candidate.packed_bytes),
                               formats::plan_name(candidate.plan), chosen ? " (chosen)" : ""),
                   13, screen);
  }
  return text + judge_text(file, screen);
}

/// A bar of one of eight heights, from the worst ratio of the grid to the best. Without UTF-8 only the best
/// is marked.
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
  const auto [least, most] = std::ranges::minmax(grid, {}, &GridCell::packed_bytes);
  const auto columns =
      static_cast<std::size_t>(std::ranges::count(grid, grid.front().order, &GridCell::order));
  std::string text = "\n  ratio by order (down) and tuple (across)\n      ";
  for (std::size_t c = 0; c < columns; ++c) text += fmt::format("{}{:>8}", c == 0 ? "" : " ", grid[c].tuple);
  for (std::size_t i = 0; i < grid.size(); ++i) {
    if (i % columns == 0) text += fmt::format("\n  {:>3}", grid[i].order);
    text += fmt::format(" {:>7}{}", ratio_text(analysis.sampled_bytes, grid[i].packed_bytes),
                        bar(grid[i].packed_bytes, least.packed_bytes, most.packed_bytes, letters));
  }
  return text + "\n";
}

/// A command, and what it does. With several choices each chunk takes its own, so no options name them all.
std::string command_text(const FileAnalysis& file, const Screen& screen) {
  const auto& chosen = file.analysis.chosen;
  const bool named = chosen.size() == 1 && step_options(chosen.front());
  const std::string_view why =
      named ? "The same steps, named by options:"
      : chosen.size() > 1
          ? "Each chunk takes the list of steps that suits it. This command finds them by itself:"
          : "No options name these steps. This command finds them by itself:";
  const std::string command = command_for(file, named ? chosen.front() : Plan{});
  return "\n" + folded(fmt::format("  {}", why), 2, screen) + "  " + printable(command) + "\n";
}

}  // namespace

Plan with_kinds(Plan plan, const std::string& type) {
  const auto fields = formats::parse_types(type);
  if (!fields || fields->size() != plan.columns.size()) return plan;
  for (std::size_t c = 0; c < plan.columns.size(); ++c)
    if ((*fields)[c].word == plan.columns[c].width) plan.columns[c].kind = (*fields)[c].kind;
  return plan;
}

std::string command_for(const FileAnalysis& file, const Plan& chosen) {
  const SearchOptions request = request_of(file);
  const auto steps = step_options(chosen);
  std::string text = "tdz";
  if (const std::string said = steps.value_or(request_options(request)); !said.empty()) text += " " + said;
  const std::uint64_t offset = steps ? file.analysis.raw_prefix : file.asked.raw_prefix;
  if (offset != 0) text += fmt::format(" --offset {}", offset);
  if (request.effort == Effort::fastest) text += " --fastest";
  if (request.effort == Effort::fast) text += " --fast";
  if (request.effort == Effort::best) text += " --best";  // also for its longer chunks
  if (file.asked.gpu) text += " --gpu";
  if (request.effort != Effort::fastest) text += fmt::format(" --level {}", file.analysis.level);
  if (file.name == kStandardInput) return text;
  const bool looks_like_option = file.name.starts_with('-');
  return text + (looks_like_option ? " -- " : " ") + shell_word(file.name);
}

std::string analysis_text(const FileAnalysis& file, const Screen& screen) {
  return head(file, screen) + records_text(file.analysis, screen) + candidates_text(file, screen) +
         grid_text(file.analysis, screen.letters) + command_text(file, screen);
}

// ---- For programs

namespace {

Json with_size(Json json, const Analysis& analysis, std::uint64_t packed_bytes) {
  json["packed_bytes"] = packed_bytes;
  json["ratio"] = ratio_json(analysis.sampled_bytes, packed_bytes);
  return json;
}

Json choices(const FileAnalysis& file) {
  Json list = Json::array();
  for (const Plan& chosen : file.analysis.chosen) {
    Json choice = plan_json(chosen);
    choice["command"] = command_for(file, chosen);
    list.push_back(std::move(choice));
  }
  return list;
}

Json candidates(const Analysis& analysis) {
  Json list = Json::array();
  for (const Candidate& candidate : analysis.candidates)
    list.push_back(with_size(plan_json(candidate.plan), analysis, candidate.packed_bytes));
  return list;
}

Json grid(const Analysis& analysis) {
  Json list = Json::array();
  for (const GridCell& cell : analysis.grid)
    list.push_back(with_size({{"order", cell.order}, {"tuple", cell.tuple}}, analysis, cell.packed_bytes));
  return list;
}

}  // namespace

std::string analysis_json(const FileAnalysis& file) {
  const Analysis& analysis = file.analysis;
  const Json header = analysis.sniffed.empty() ? Json(nullptr) : Json(analysis.sniffed);
  return dump({{"name", file.name},
               {"header", header},
               {"offset", analysis.raw_prefix},
               {"type", analysis.type.empty() ? "bytes" : analysis.type},
               {"level", analysis.level},
               {"chunk_bytes", analysis.chunk_bytes},
               {"stored_bytes", file.analysis.stored_bytes},
               {"record_bytes", file.analysis.record_bytes},
               {"chosen", choices(file)},
               {"larger_for_gpu", analysis.larger_for_gpu ? Json(*analysis.larger_for_gpu) : Json(nullptr)},
               {"gpu_gb_per_s", analysis.gpu_speed ? Json(*analysis.gpu_speed) : Json(nullptr)},
               {"holes", analysis.holes},
               {"sampled_bytes", analysis.sampled_bytes},
               {"candidates", candidates(analysis)},
               {"grid", grid(analysis)}});
}

std::string analysis_json(const std::string& name, const Error& error) {
  return dump({{"name", name}, {"error", error_json(error)}});
}

}  // namespace tdz::app
