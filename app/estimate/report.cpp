// SPDX-License-Identifier: Apache-2.0
#include "app/estimate/estimate.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

#include "app/options/names.hpp"
#include "codec/json.hpp"

namespace tdz::app {

// ---- For people

namespace {

constexpr std::size_t kShownFinds = 3;
constexpr std::size_t kShownNames = 3;

/// The quickest effort first.
std::vector<std::size_t> from_quick_to_slow(const FolderEstimate& folder) {
  std::vector<std::size_t> order;
  for (const Effort effort : {Effort::fastest, Effort::fast, Effort::normal, Effort::best}) {
    const auto found = std::ranges::find(folder.efforts, effort);
    if (found != folder.efforts.end())
      order.push_back(static_cast<std::size_t>(found - folder.efforts.begin()));
  }
  return order;
}

std::uint64_t whole(double bytes) {
  return static_cast<std::uint64_t>(std::llround(bytes));
}

/// "12 000": digits in threes.
std::string count_text(std::uint64_t count) {
  std::string text = fmt::format("{}", count);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, " ");
  return text;
}

std::string files_text(std::uint64_t count) {
  return count_text(count) + (count == 1 ? " file" : " files");
}

std::string kind_text(const std::string& suffix) {
  return suffix.empty() ? "no suffix" : printable(suffix);
}

std::string ratio_cell(std::uint64_t bytes, const std::optional<Figures>& figures) {
  return fmt::format(" {:>9}", figures ? ratio_text(bytes, whole(figures->stored_bytes)) : "-");
}

/// Size and times, of the effort that is shown in full.
std::string figures_cells(const std::optional<Figures>& figures) {
  if (!figures) return fmt::format(" {:>10} {:>9} {:>9}", "-", "-", "-");
  return fmt::format(" {:>10} {:>9} {:>9}", format_size(whole(figures->stored_bytes)),
                     duration_text(figures->compress_seconds), duration_text(figures->restore_seconds));
}

std::string head_line(const FolderEstimate& folder) {
  std::string line = fmt::format("{:>9} {:>10}", "Files", "Size");
  for (const std::size_t e : from_quick_to_slow(folder))
    line += fmt::format(" {:>9}", effort_name(folder.efforts[e]));
  return line + fmt::format(" {:>10} {:>9} {:>9}  Kind\n", "Becomes", "Compress", "Restore");
}

std::string row(const FolderEstimate& folder, std::uint64_t files, std::uint64_t bytes,
                const std::vector<std::optional<Figures>>& figures, const std::string& name) {
  std::string line = fmt::format("{:>9} {:>10}", count_text(files), format_size(bytes));
  for (const std::size_t e : from_quick_to_slow(folder)) line += ratio_cell(bytes, figures[e]);
  return line + figures_cells(figures.front()) + "  " + name + "\n";
}

std::string table(const FolderEstimate& folder) {
  std::string text = head_line(folder);
  for (const KindEstimate& kind : folder.kinds)
    text += row(folder, kind.files, kind.bytes, kind.figures, kind_text(kind.suffix));
  if (folder.kinds.size() < 2) return text;
  std::vector<std::optional<Figures>> totals;
  for (std::size_t e = 0; e < folder.efforts.size(); ++e) totals.push_back(folder.total(e));
  const std::string name = folder.covered_files() == folder.files() ? "all" : "all that were sampled";
  return text + row(folder, folder.covered_files(), folder.covered_bytes(), totals, name);
}

std::string found_text(const KindEstimate& kind, const FoundSteps& found, const Screen& screen) {
  std::string head = found.header.empty() ? "" : found.header + ", ";
  head += found.words.empty() ? "no numbers were found: zstd alone"
                              : (found.type.empty() ? "bytes" : printable(found.type));
  if (kind.found.size() > 1) head += fmt::format(" ({} of them)", found.files);
  std::string text = folded("    " + head, 6, screen);
  for (const std::string& line : found.words) text += folded("      " + line, 8, screen);
  return text;
}

/// What was found, kind by kind, and from how many of its files.
std::string finds(const FolderEstimate& folder, const Screen& screen) {
  std::string text;
  for (const KindEstimate& kind : folder.kinds) {
    text += folded(
        fmt::format("\n  {}: {} read of {} of {}", kind_text(kind.suffix), format_size(kind.sampled_bytes),
                    count_text(kind.sampled_files), files_text(kind.files)),
        4, screen);
    for (std::size_t i = 0; i < std::min(kind.found.size(), kShownFinds); ++i)
      text += found_text(kind, kind.found[i], screen);
    if (kind.found.size() > kShownFinds)
      text += fmt::format("    and {} other lists of steps\n", kind.found.size() - kShownFinds);
  }
  return text;
}

/// All files, a line for each effort.
std::string efforts_text(const FolderEstimate& folder) {
  if (folder.efforts.size() < 2) return "";
  std::string text =
      fmt::format("\n  {:<10} {:>10} {:>9} {:>9}\n", "All with", "Becomes", "Compress", "Restore");
  for (const std::size_t e : from_quick_to_slow(folder))
    text += fmt::format("  {:<10}{}\n", effort_name(folder.efforts[e]), figures_cells(folder.total(e)));
  return text;
}

/// Files that the figures leave out.
std::string left_out_text(const FolderEstimate& folder, const Screen& screen) {
  std::string text;
  if (folder.unread != 0) {
    std::string names;
    const std::size_t shown = std::min(folder.unread_names.size(), kShownNames);
    for (std::size_t i = 0; i < shown; ++i) names += (i == 0 ? "" : ", ") + printable(folder.unread_names[i]);
    if (folder.unread > shown) names += fmt::format(" and {} more", count_text(folder.unread - shown));
    text += folded(
        fmt::format("  Could not be read, and not in the figures: {}: {}", files_text(folder.unread), names),
        4, screen);
  }
  std::string kinds;
  for (const KindEstimate& kind : folder.kinds)
    if (!kind.covered()) kinds += (kinds.empty() ? "" : ", ") + kind_text(kind.suffix);
  if (!kinds.empty())
    text += folded(fmt::format("  No time to sample, and not in the totals: {}", kinds), 4, screen);
  return text;
}

}  // namespace

std::string duration_text(double seconds) {
  if (seconds < 0.1) return fmt::format("{:.0f} ms", 1000 * seconds);
  if (seconds < 10) return fmt::format("{:.1f} s", seconds);
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 100 * 60) return fmt::format("{:.0f} min", seconds / 60);
  if (seconds < 48 * 3600) return fmt::format("{:.1f} h", seconds / 3600);
  return fmt::format("{:.1f} days", seconds / 86400);
}

std::string estimate_text(const FolderEstimate& folder, const Screen& screen) {
  if (folder.files() == 0) return "no files to compress\n" + left_out_text(folder, screen);
  const std::string head = fmt::format("{}, {}; estimated in {} from {} of {}\n", files_text(folder.files()),
                                       format_size(folder.bytes()), duration_text(folder.seconds),
                                       format_size(folder.read_bytes), files_text(folder.sampled_files()));
  const std::string rest = fmt::format(
      "  Ratios, sizes and times are estimates. Times are for this machine with {} thread{}, from the speed "
      "of the samples, with 3 ms for each file that is made on a disk; other waiting for disks and networks "
      "comes on top.",
      folder.threads, folder.threads == 1 ? "" : "s");
  return head + "\n" + table(folder) + finds(folder, screen) + efforts_text(folder) + "\n" +
         left_out_text(folder, screen) + folded(rest, 2, screen);
}

// ---- For programs

namespace {

std::string_view json_effort(Effort effort) {
  const std::string_view name = effort_name(effort);
  return effort == Effort::normal ? "normal" : name.substr(2);
}

/// An array with an object for each effort.
Json figures_json(const FolderEstimate& folder, std::uint64_t bytes,
                  const std::vector<std::optional<Figures>>& all) {
  Json list = Json::array();
  for (std::size_t e = 0; e < all.size(); ++e) {
    Json one = {{"effort", json_effort(folder.efforts[e])}};
    const auto& figures = all[e];
    one["ratio"] = figures ? ratio_json(bytes, whole(figures->stored_bytes)) : Json(nullptr);
    one["stored_bytes"] = figures ? Json(whole(figures->stored_bytes)) : Json(nullptr);
    one["compress_seconds"] = figures ? Json(figures->compress_seconds) : Json(nullptr);
    one["restore_seconds"] = figures ? Json(figures->restore_seconds) : Json(nullptr);
    list.push_back(std::move(one));
  }
  return list;
}

Json kind_json(const FolderEstimate& folder, const KindEstimate& kind) {
  Json found = Json::array();
  for (const FoundSteps& steps : kind.found)
    found.push_back({{"files", steps.files},
                     {"header", steps.header.empty() ? Json(nullptr) : Json(steps.header)},
                     {"type", steps.type.empty() ? "bytes" : steps.type},
                     {"words", steps.words}});
  return {{"suffix", kind.suffix},
          {"files", kind.files},
          {"bytes", kind.bytes},
          {"sampled_files", kind.sampled_files},
          {"sampled_bytes", kind.sampled_bytes},
          {"efforts", figures_json(folder, kind.bytes, kind.figures)},
          {"found", std::move(found)}};
}

}  // namespace

std::string estimate_json(const FolderEstimate& folder) {
  Json kinds = Json::array();
  for (const KindEstimate& kind : folder.kinds) kinds.push_back(kind_json(folder, kind));
  std::vector<std::optional<Figures>> totals;
  for (std::size_t e = 0; e < folder.efforts.size(); ++e) totals.push_back(folder.total(e));
  return dump({{"schema", "tdz-estimate/1"},
               {"files", folder.files()},
               {"bytes", folder.bytes()},
               {"covered_files", folder.covered_files()},
               {"covered_bytes", folder.covered_bytes()},
               {"unread_files", folder.unread},
               {"unread", folder.unread_names},
               {"threads", folder.threads},
               {"seconds", folder.seconds},
               {"sampled_files", folder.sampled_files()},
               {"sampled_bytes", folder.read_bytes},
               {"efforts", figures_json(folder, folder.covered_bytes(), totals)},
               {"kinds", std::move(kinds)}}) +
         "\n";
}

}  // namespace tdz::app
