// SPDX-License-Identifier: Apache-2.0
#include "codec/chunk/frame_plan.hpp"

#include <algorithm>
#include <utility>

#include "formats/records.hpp"

namespace tdz {
namespace {

/// A run of planes shorter than this joins its neighbour: its own frame would cost more than it saves.
constexpr std::size_t kShortestRun = 4 * formats::kMinFrame;
/// A part shorter than this saves less than its block header and Huffman table cost.
constexpr std::size_t kShortestPart = 4096;

std::vector<std::size_t> byte_planes(std::size_t words, std::size_t word, std::size_t tuple) {
  std::vector<std::size_t> lengths;
  for (std::size_t lane = 0; lane < std::min(tuple, words); ++lane) {
    lengths.insert(lengths.end(), word, (words - lane + tuple - 1) / tuple);
  }
  return lengths;
}

/// The lengths of the planes that the last step makes. Empty if it makes none, or too many.
std::vector<std::size_t> whole_planes(const Transform& transform, std::size_t words) {
  if (transform.steps().empty()) return {};
  const Step last = transform.steps().back();
  const std::size_t word = transform.word;
  switch (layout_of(last.id)) {
    case Layout::interleaved:
      return {};
    case Layout::planes:
      return byte_planes(words, word, 1);
    case Layout::tuple_planes:
      if (std::uint64_t{last.tuple} * word > FramePlan::kPlanes) return {};
      return byte_planes(words, word, last.tuple);
    case Layout::bit_planes:
      return std::vector<std::size_t>(8 * word, words / 8);
  }
  return {};
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

/// Joins each short run with the run before it (a short first run with the second). The joined run gets the
/// slower packing of the two, which is never much larger.
std::vector<FramePiece> without_short_runs(const std::vector<FramePiece>& runs) {
  std::vector<FramePiece> joined;
  for (const FramePiece& run : runs) {
    const bool join = !joined.empty() && (run.bytes < kShortestRun || joined.back().bytes < kShortestRun);
    if (!join) {
      joined.push_back(run);
      continue;
    }
    FramePiece& last = joined.back();
    last.bytes += run.bytes;
    last.packing = std::min(last.packing, run.packing);
    last.parts.insert(last.parts.end(), run.parts.begin(), run.parts.end());
  }
  return joined;
}

/// Appends the run, cut into frames of at most `longest` bytes.
void cut_run(const FramePiece& run, std::size_t longest, std::vector<FramePiece>& frames) {
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

std::vector<std::size_t> plane_lengths(const Transform& transform, std::size_t bytes) {
  std::vector<std::size_t> lengths = whole_planes(transform, bytes / transform.word);
  std::size_t covered = 0;
  for (const std::size_t length : lengths) covered += length;
  if (lengths.empty()) lengths.push_back(0);
  lengths.back() += bytes - covered;  // the bytes after the last whole word follow the last plane
  return lengths;
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

std::vector<FramePiece> cut_frames(const Recipe& recipe, std::size_t bytes, std::size_t longest) {
  return cut_frames(recipe.plan, plane_lengths(recipe.transform, bytes), longest);
}

}  // namespace tdz
