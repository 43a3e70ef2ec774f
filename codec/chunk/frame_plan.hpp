// SPDX-License-Identifier: Apache-2.0
// Cuts the substreams of a chunk into frames and sets the packing of each frame.
//
// A byte plane of noise has no repeats to search for: entropy coding alone takes a fraction of the time and
// is often smaller, because accidental matches disturb the statistics of the literals. A plane with repeats
// needs the full search. So neighbouring planes with the same packing share a frame, and a new frame begins
// where the packing changes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "formats/plan/plan.hpp"
#include "kernels/steps/column_encoder.hpp"

namespace tdz {

/// The packing of every plane of a chunk. Plane p is the p-th one of plane_lengths; planes beyond the array
/// are searched.
struct FramePlan {
  static constexpr std::size_t kPlanes = kMaxPackedPlanes;
  std::array<Packing, kPlanes> packing{};

  Packing of(std::size_t plane) const { return plane < kPlanes ? packing[plane] : Packing::search; }
  friend bool operator==(const FramePlan&, const FramePlan&) = default;
};

/// The same packing for all planes, and so one frame.
inline FramePlan one_packing(Packing packing) {
  FramePlan plan;
  plan.packing.fill(packing);
  return plan;
}

/// How a chunk is coded. Only the plan is stored in the file; the rest is how its writer gets there.
/// ChunkEncoder takes the packing of planes from `packing` and code_limit from `plan.packing`; it does not
/// read `plan.packing.planes`.
struct Recipe {
  Plan plan = plain_plan();
  std::vector<ColumnHints> hints;  ///< none, or one for each column
  FramePlan packing{};
};

/// A plan with the packing and the scales of the recipe, for those who code with the plan alone. The scales
/// are left out if one of the steps `scale` has no hint. ColumnHints::highest_order is lost.
Plan plan_of(const Recipe& recipe);
/// The inverse; highest_order has its default.
Recipe recipe_of(const Plan& plan);

/// The lengths with neighbouring planes joined, until each part is long enough to be worth its own block.
std::vector<std::size_t> without_short_parts(std::span<const std::size_t> planes);

/// The parts of which the substreams of a chunk consist, in order: byte planes and bit planes one by one,
/// where there are not too many; every other substream is one part. `lengths`: of the substreams. An empty
/// substream has a part of 0 bytes, so the same plan has the same parts in every chunk, except a rest.
std::vector<std::size_t> plane_lengths(const Plan& plan, std::span<const std::uint32_t> lengths);

/// The packing with all substreams of packed groups stored, whatever was asked for: they hardly shrink, and
/// whoever takes this layout wants their speed. `lengths`: of the substreams.
FramePlan with_stored_groups(FramePlan packing, const Plan& plan, std::span<const std::uint32_t> lengths);

/// A planned frame: its length before packing, and its parts. A part is a plane, or several short planes,
/// with its own zstd block and so its own statistics.
struct FramePiece {
  std::size_t bytes = 0;
  Packing packing = Packing::search;
  std::vector<std::size_t> parts;
};
/// Cuts planes of these lengths into frames of at most `longest` bytes. Frames end between planes where the
/// packing changes. No frame is shorter than 4 KiB, except the last one of a run of planes with equal
/// packing.
std::vector<FramePiece> cut_frames(const FramePlan& plan, std::span<const std::size_t> planes,
                                   std::size_t longest);

}  // namespace tdz
