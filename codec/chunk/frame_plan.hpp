// SPDX-License-Identifier: Apache-2.0
// Where a chunk's transformed bytes are cut into frames, and how hard zstd looks at each.
//
// A byte plane of noise holds nothing to search for: entropy coding alone takes a fraction of the time and is
// often smaller, because chance matches disturb the statistics of the literals. A plane with repeats wants
// the full search. So neighbouring planes that are treated alike share a frame, and frames end where the
// treatment changes.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "codec/chunk/packing.hpp"
#include "formats/transform.hpp"

namespace tdz {

/// The packing of every plane of a chunk. Plane p of a layout is its p-th run of bytes of one kind; planes
/// beyond the array, and what has no planes, are packed as plane 0.
struct FramePlan {
  static constexpr std::size_t kPlanes = 128;
  std::array<Packing, kPlanes> packing{};

  Packing of(std::size_t plane) const { return packing[plane < kPlanes ? plane : 0]; }
  friend bool operator==(const FramePlan&, const FramePlan&) = default;
};

/// What is done to a chunk: its steps, and how the result is packed. Only the steps are stored.
struct Recipe {
  Transform transform;
  FramePlan plan;
  friend bool operator==(const Recipe&, const Recipe&) = default;
};

/// Neighbouring planes joined until none is shorter than a block that is worth statistics of its own.
std::vector<std::size_t> without_short_parts(std::span<const std::size_t> planes);

/// The lengths of the planes that the transform's last step leaves, first to last; they sum to `bytes`. One
/// plane for everything where there are none, or more than FramePlan::kPlanes.
std::vector<std::size_t> plane_lengths(const Transform& transform, std::size_t bytes);

/// A frame to be: its length, and the parts of it (planes, or several short ones) that have statistics of
/// their own.
struct FramePiece {
  std::size_t bytes = 0;
  Packing packing = Packing::search;
  std::vector<std::size_t> parts;
};
/// Cuts `bytes` into frames of at most `longest`, at plane borders where the packing changes, none below 4
/// KiB but the last of a run.
std::vector<FramePiece> cut_frames(const Recipe& recipe, std::size_t bytes, std::size_t longest);
/// The same for planes of these lengths.
std::vector<FramePiece> cut_frames(const FramePlan& plan, std::span<const std::size_t> planes,
                                   std::size_t longest);

}  // namespace tdz
