// SPDX-License-Identifier: Apache-2.0
#include "codec/chunk/frame_plan.hpp"

#include <algorithm>
#include <utility>

#include "formats/plan/substreams.hpp"
#include "formats/stream/limits.hpp"
#include "kernels/uniform/block_layout.hpp"

namespace tdz {
namespace {

/// A run of planes shorter than this joins its neighbour: its own frame would cost more than it saves.
constexpr std::size_t kShortestRun = 4 * formats::kMinFrame;
/// A part shorter than this saves less than its block header and Huffman table cost.
constexpr std::size_t kShortestPart = 4096;

/// More planes than this in a layout are one part: short planes have nothing of their own.
constexpr std::size_t kMostPlanes = 128;

void put_byte_planes(std::size_t words, std::size_t width, std::size_t tuple, std::vector<std::size_t>& out) {
  for (std::size_t lane = 0; lane < tuple; ++lane) {
    out.insert(out.end(), width, lane < words ? (words - lane + tuple - 1) / tuple : 0);
  }
}

void put_bit_planes(std::size_t words, std::size_t width, std::vector<std::size_t>& out) {
  out.insert(out.end(), 8 * width, words / 8);
  out.back() += words % 8 * width;
}

/// The planes of the words of a column.
void put_planes(const Column& column, std::size_t bytes, std::vector<std::size_t>& out) {
  const std::size_t words = bytes / column.width;
  const Layout layout = word_layout(column);
  if (layout == Layout::planes) return put_byte_planes(words, column.width, 1, out);
  if (layout == Layout::bit_planes) return put_bit_planes(words, column.width, out);
  const std::uint64_t tuple = layout == Layout::tuple_planes ? tuple_of(column.steps.back()) : 0;
  if (tuple != 0 && tuple * column.width <= kMostPlanes)
    return put_byte_planes(words, column.width, tuple, out);
  out.push_back(bytes);
}

/// The planes of all substreams of a column.
void put_parts(const Column& column, std::span<const std::uint32_t> lengths, std::vector<std::size_t>& out) {
  const bool words = gives_words(column);
  out.insert(out.end(), lengths.begin(), lengths.end() - (words ? 1 : 0));
  if (words) put_planes(column, lengths.back(), out);
}

std::vector<FramePiece> runs_of(const FramePlan& plan, std::span<const std::size_t> lengths) {
  std::vector<FramePiece> runs;
  for (std::size_t plane = 0; plane < lengths.size(); ++plane) {
    const Packing packing = plan.of(plane);
    if (runs.empty() || runs.back().packing != packing) runs.push_back({0, packing, {}});
    runs.back().bytes += lengths[plane];
    runs.back().parts.push_back(lengths[plane]);
  }
  return runs;
}

/// Of a run of both. That of the longer one, if the other is so short that it hardly counts: side data, or
/// the bytes behind the last row. Otherwise the slower one, which is never much larger; it stands first in
/// the enum.
Packing packing_of_both(const FramePiece& a, const FramePiece& b) {
  constexpr std::size_t kHardly = 16;
  if (a.packing == Packing::stored || b.packing == Packing::stored) return Packing::stored;
  if (a.bytes < b.bytes / kHardly) return b.packing;
  if (b.bytes < a.bytes / kHardly) return a.packing;
  const Packing slower = std::min(without_cuts(a.packing), without_cuts(b.packing));
  const bool cut = a.packing == with_cuts(slower) || b.packing == with_cuts(slower);
  return cut ? with_cuts(slower) : slower;
}

/// Joins each short run with the run before it (a short first run with the second).
std::vector<FramePiece> without_short_runs(const std::vector<FramePiece>& runs) {
  std::vector<FramePiece> joined;
  for (const FramePiece& run : runs) {
    const bool join = !joined.empty() && (run.bytes < kShortestRun || joined.back().bytes < kShortestRun);
    if (!join) {
      joined.push_back(run);
      continue;
    }
    FramePiece& last = joined.back();
    last.packing = packing_of_both(last, run);
    last.bytes += run.bytes;
    last.parts.insert(last.parts.end(), run.parts.begin(), run.parts.end());
  }
  return joined;
}

/// Appends the run, cut into frames of at most `longest` bytes.
void cut_run(const FramePiece& run, std::size_t longest, std::vector<FramePiece>& frames) {
  if (run.packing == Packing::stored) longest = std::min(longest, uniform::kLongestFrame);
  FramePiece frame{0, run.packing, {}};
  for (std::size_t part : without_short_parts(run.parts)) {
    while (part > 0) {
      const std::size_t taken = std::min(part, longest - frame.bytes);
      frame.bytes += taken;
      frame.parts.push_back(taken);
      part -= taken;
      if (frame.bytes == longest) frames.push_back(std::exchange(frame, {0, run.packing, {}}));
    }
  }
  if (frame.bytes > 0) frames.push_back(std::move(frame));
}

}  // namespace

std::vector<std::size_t> plane_lengths(const Plan& plan, std::span<const std::uint32_t> lengths) {
  std::vector<std::size_t> planes;
  for (const Column& column : plan.columns) {
    const std::size_t count = formats::substream_count(column);
    put_parts(column, lengths.first(count), planes);
    lengths = lengths.subspan(count);
  }
  planes.insert(planes.end(), lengths.begin(), lengths.end());  // the bytes after the last row
  return planes;
}

FramePlan with_stored_groups(FramePlan packing, const Plan& plan, std::span<const std::uint32_t> lengths) {
  if (std::ranges::none_of(plan.columns, is_packed)) return packing;
  std::vector<std::size_t> planes;
  for (const Column& column : plan.columns) {
    const std::size_t count = formats::substream_count(column);
    put_parts(column, lengths.first(count), planes);
    const std::size_t groups = is_packed(column) ? PackedStep::kTraits.substreams : 0;
    for (std::size_t p = planes.size() - groups; p < std::min(planes.size(), FramePlan::kPlanes); ++p)
      packing.packing[p] = Packing::stored;
    lengths = lengths.subspan(count);
  }
  return packing;
}

namespace {

/// PackOptions::planes as a plan of frames.
FramePlan frame_plan_of(const PackOptions& packing) {
  FramePlan plan;
  if (packing.planes.empty()) return plan;
  plan.packing.fill(packing.planes.back());
  std::ranges::copy(packing.planes, plan.packing.begin());
  return plan;
}

/// The inverse of frame_plan_of: the shortest list.
std::vector<Packing> planes_of(const FramePlan& plan) {
  if (plan == FramePlan{}) return {};
  std::vector<Packing> planes(plan.packing.begin(), plan.packing.end());
  const auto other = std::ranges::find_if(planes.rbegin(), planes.rend(),
                                          [&](Packing packing) { return packing != planes.back(); });
  planes.erase(other.base() + 1, planes.end());
  return planes;
}

/// PackOptions::scales by columns.
std::vector<ColumnHints> hints_of(const Plan& plan) {
  if (plan.packing.scales.empty()) return {};
  std::vector<ColumnHints> hints(plan.columns.size());
  std::size_t next = 0;
  for (std::size_t c = 0; c < hints.size(); ++c)
    if (has_scale(plan.columns[c])) hints[c].scale = plan.packing.scales[next++];
  return hints;
}

/// The inverse of hints_of, without highest_order. A plan names the scales of all steps or none.
std::vector<ScalePlan> scales_of(const Recipe& recipe) {
  std::vector<ScalePlan> scales;
  for (std::size_t c = 0; c < recipe.hints.size(); ++c) {
    if (!has_scale(recipe.plan.columns[c])) continue;
    if (!recipe.hints[c].scale) return {};
    scales.push_back(*recipe.hints[c].scale);
  }
  return scales;
}

}  // namespace

Plan plan_of(const Recipe& recipe) {
  Plan plan = recipe.plan;
  plan.packing.planes = planes_of(recipe.packing);
  plan.packing.scales = scales_of(recipe);
  return plan;
}

Recipe recipe_of(const Plan& plan) {
  return {plan, hints_of(plan), frame_plan_of(plan.packing)};
}

std::vector<std::size_t> without_short_parts(std::span<const std::size_t> planes) {
  std::vector<std::size_t> parts;
  for (const std::size_t plane : planes) {
    if (!parts.empty() && parts.back() < kShortestPart) {
      parts.back() += plane;
    } else {
      parts.push_back(plane);
    }
  }
  return parts;
}

std::vector<FramePiece> cut_frames(const FramePlan& plan, std::span<const std::size_t> planes,
                                   std::size_t longest) {
  std::vector<FramePiece> frames;
  for (const FramePiece& run : without_short_runs(runs_of(plan, planes))) cut_run(run, longest, frames);
  return frames;
}

}  // namespace tdz
