// SPDX-License-Identifier: Apache-2.0
// Heat maps of order x tuple, as figures with inline SVG. Every cell shows its value. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "app/bench/cells.hpp"
#include "app/bench/heat.hpp"

namespace tdz::app::bench {

struct HeatCell {
  std::uint8_t order = 0;
  std::uint32_t tuple = 0;
  double value = 0;  ///< of the scale; 0: not known
  std::string text;  ///< what stands in the cell: at most five characters
  std::string hint;  ///< shown when pointed at
  bool wrong = false;
};

struct HeatMap {
  std::string metric;  ///< for programs that look for it: "share"
  std::string caption;
  std::vector<std::uint8_t> orders;
  std::vector<std::uint32_t> tuples;
  std::vector<HeatCell> cells;
  Scale scale;
};

std::string heat_map_figure(const HeatMap& map);

/// The codec on every data set: ratio, and the speeds of both ways.
std::string codec_maps(const Report& report);
/// Kernels alone: speed, share of memcpy, share of the limit; the rivals' folded away.
std::string scan_maps(const Report& report);

}  // namespace tdz::app::bench
