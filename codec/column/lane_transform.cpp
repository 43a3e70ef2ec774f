// SPDX-License-Identifier: Apache-2.0
#include "codec/column/lane_transform.hpp"

#include "kernels/cpu/sweep.hpp"

namespace tdz {
namespace {

/// Calls run(first byte, bytes) for each lane.
template <class Run>
void for_each_lane(const LaneMap& map, const Run& run) {
  for (std::size_t lane = 0; lane < map.lanes(); ++lane) {
    run(map.first(lane) * map.word, map.length(lane) * map.word);
  }
}

}  // namespace

std::optional<Pass> pass_of_lane(const Transform& transform, std::uint32_t tuple) {
  const PassList list = passes(transform);
  Pass pass = list.all().front();
  const bool alike = pass.layout == Layout::interleaved ||
                     (pass.layout == Layout::tuple_planes && pass.layout_tuple == tuple);
  if (tuple < 2 || list.count != 1 || pass.order != 0 || !alike) return {};
  if (pass.layout == Layout::tuple_planes) pass.layout = Layout::planes;
  pass.tuple = pass.layout_tuple = 1;
  return pass;
}

void forward_lanes(const Pass& pass, const LaneMap& map, std::span<const std::byte> in,
                   std::span<std::byte> out) {
  for_each_lane(map, [&](std::size_t at, std::size_t bytes) {
    cpu::forward(pass, octets(in) + at, octets(out) + at, bytes);
  });
}

void inverse_lanes(const Pass& pass, const LaneMap& map, std::span<const std::byte> in,
                   std::span<std::byte> out) {
  for_each_lane(map, [&](std::size_t at, std::size_t bytes) {
    cpu::inverse(pass, octets(in) + at, octets(out) + at, bytes);
  });
}

}  // namespace tdz
