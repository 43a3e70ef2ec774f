// SPDX-License-Identifier: Apache-2.0
#include "codec/frame_plan.hpp"

#include <algorithm>

#include "formats/records.hpp"

namespace tdz {
namespace {

/// A run of planes shorter than this joins its neighbour: a frame of its own would cost more than it gains.
constexpr std::size_t kShortestRun = 4 * formats::kMinFrame;

std::vector<std::size_t> byte_planes(std::size_t words, std::size_t word, std::size_t tuple) {
  std::vector<std::size_t> lengths;
  for (std::size_t lane = 0; lane < std::min(tuple, words); ++lane) {
    lengths.insert(lengths.end(), word, (words - lane + tuple - 1) / tuple);
  }
  return lengths;
}

std::vector<FramePiece> runs_of(const Recipe& recipe, std::size_t bytes) {
  std::vector<FramePiece> runs;
  const auto lengths = plane_lengths(recipe.transform, bytes);
  for (std::size_t plane = 0; plane < lengths.size(); ++plane) {
    const Packing packing = recipe.plan.of(plane);
    if (!runs.empty() && runs.back().packing == packing) {
      runs.back().bytes += lengths[plane];
    } else {
      runs.push_back({lengths[plane], packing});
    }
  }
  return runs;
}

/// Joins short runs to the one before (or the first to the second); the harder search wins, it never loses
/// much.
std::vector<FramePiece> without_short_runs(const std::vector<FramePiece>& runs) {
  std::vector<FramePiece> joined;
  for (const FramePiece& run : runs) {
    const bool join = !joined.empty() && (run.bytes < kShortestRun || joined.back().bytes < kShortestRun);
    if (!join) {
      joined.push_back(run);
      continue;
    }
    joined.back().bytes += run.bytes;
    joined.back().packing = std::min(joined.back().packing, run.packing);
  }
  return joined;
}

}  // namespace

std::vector<std::size_t> plane_lengths(const Transform& transform, std::size_t bytes) {
  const std::size_t words = bytes / transform.word;
  std::vector<std::size_t> lengths;
  if (!transform.steps().empty()) {
    const Step last = transform.steps().back();
    if (last.id == StepId::planes) lengths = byte_planes(words, transform.word, 1);
    if (last.id == StepId::tuple_planes && std::size_t{last.tuple} * transform.word <= FramePlan::kPlanes) {
      lengths = byte_planes(words, transform.word, last.tuple);
    }
    if (last.id == StepId::bit_planes) lengths.assign(8 * std::size_t{transform.word}, words / 8);
  }
  std::size_t covered = 0;
  for (const std::size_t length : lengths) covered += length;
  if (lengths.empty()) lengths.push_back(0);
  lengths.back() += bytes - covered;  // what is left over by the planes stands behind the last
  return lengths;
}

std::vector<FramePiece> cut_frames(const Recipe& recipe, std::size_t bytes, std::size_t longest) {
  std::vector<FramePiece> frames;
  for (const FramePiece& run : without_short_runs(runs_of(recipe, bytes))) {
    for (std::size_t left = run.bytes; left > 0; left -= frames.back().bytes) {
      frames.push_back({std::min(left, longest), run.packing});
    }
  }
  return frames;
}

}  // namespace tdz
