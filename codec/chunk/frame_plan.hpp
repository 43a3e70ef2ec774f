// SPDX-License-Identifier: Apache-2.0
// Cuts a chunk's transformed bytes into frames and sets the packing of each frame.
//
// A byte plane of noise has no repeats to search for: entropy coding alone takes a fraction of the time and
// is often smaller, because accidental matches disturb the statistics of the literals. A plane with repeats
// needs the full search. So neighbouring planes with the same packing share a frame, and a new frame begins
// where the packing changes.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "codec/chunk/packing.hpp"
#include "formats/transform.hpp"

namespace tdz {

/// The packing of every plane of a chunk. Plane p is the p-th plane that the layout writes. Planes beyond the
/// array, and layouts without planes, use the packing of plane 0.
struct FramePlan {
  static constexpr std::size_t kPlanes = 128;
  std::array<Packing, kPlanes> packing{};

  Packing of(std::size_t plane) const { return packing[plane < kPlanes ? plane : 0]; }
  friend bool operator==(const FramePlan&, const FramePlan&) = default;
};

/// How a chunk is coded: its steps, and the packing of the result. Only the steps are stored in the file.
struct Recipe {
  Transform transform;
  FramePlan plan;
  friend bool operator==(const Recipe&, const Recipe&) = default;
};

/// The lengths with neighbouring planes joined, until each part is long enough to be worth its own block.
std::vector<std::size_t> without_short_parts(std::span<const std::size_t> planes);

/// The lengths of the planes that the transform's last step makes, first to last; their sum is `bytes`. If it
/// makes no planes, or more than FramePlan::kPlanes, all bytes count as one plane.
std::vector<std::size_t> plane_lengths(const Transform& transform, std::size_t bytes);

/// A planned frame: its length before packing, and its parts. A part is a plane, or several short planes,
/// with its own zstd block and so its own statistics.
struct FramePiece {
  std::size_t bytes = 0;
  Packing packing = Packing::search;
  std::vector<std::size_t> parts;
};
/// Cuts `bytes` bytes into frames of at most `longest` bytes. Frames end between planes where the packing
/// changes. No frame is shorter than 4 KiB, except the last one of a run of planes with equal packing.
std::vector<FramePiece> cut_frames(const Recipe& recipe, std::size_t bytes, std::size_t longest);
/// The same for planes of these lengths.
std::vector<FramePiece> cut_frames(const FramePlan& plan, std::span<const std::size_t> planes,
                                   std::size_t longest);

}  // namespace tdz
