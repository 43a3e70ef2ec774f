// SPDX-License-Identifier: Apache-2.0
#include "kernels/uniform/parts.hpp"

#include <utility>

#include "formats/plan/substreams.hpp"
#include "formats/steps/lane_map.hpp"
#include "kernels/uniform/block.hpp"

namespace tdz::uniform {
namespace {

class Parts {
 public:
  void add(const Part& part) {
    if (part.bytes != 0 || part.kind == PartKind::raw) parts_.push_back(part);
  }
  void add_lanes(const LaneMap& map, Part part) {
    for (std::size_t l = 0; l < map.lanes(); ++l) {
      const std::size_t rest = map.length(l) % part.block;
      part.kind = PartKind::blocks, part.bytes = map.length(l) - rest, add(part);
      part.kind = PartKind::remainder, part.bytes = rest, add(part);
    }
  }
  std::vector<Part> take() { return std::move(parts_); }

 private:
  std::vector<Part> parts_;
};

PartKind kind_of(formats::SubstreamRole role) {
  using enum formats::SubstreamRole;
  switch (role) {
    case scale_pairs:
    case scale_selectors:
    case scale_bitmap:
    case scale_hole_words:
    case predictors:
    case grid_choices:
    case grid_predictors:
    case packed_widths:
    case packed_codes:
    case packed_places:
      return PartKind::side;
    case words:
    case tokens:
    case raw_bits:
    case packed_bits:
    case rest:
      return PartKind::words;
  }
  return PartKind::words;
}

}  // namespace

const TokensStep* uniform_tokens(const Plan& plan, const Column& column) {
  if (plan.coding != Coding::uniform || column.steps.empty() || has_grid(column)) return nullptr;
  const auto* tokens = std::get_if<TokensStep>(&column.steps.back());
  const bool uniform = tokens != nullptr && tokens->run >= 1u << 10 && tokens->run <= 1u << 12;
  return uniform ? tokens : nullptr;
}

std::vector<Part> parts_of(const Plan& plan, std::span<const std::uint32_t> lengths, std::uint64_t original) {
  Parts parts;
  const auto substreams = formats::substreams(plan, original);
  const auto rows = static_cast<std::size_t>(formats::rows_of(plan, original));
  for (std::size_t i = 0; i < substreams.size(); ++i) {
    const auto role = substreams[i].role;
    const bool of_column = role == formats::SubstreamRole::tokens || role == formats::SubstreamRole::raw_bits;
    const Column* column = of_column ? &plan.columns[substreams[i].column] : nullptr;
    const TokensStep* step = column != nullptr ? uniform_tokens(plan, *column) : nullptr;
    if (step == nullptr) {
      parts.add({kind_of(role), lengths[i]});
      continue;
    }
    Part part{PartKind::raw, lengths[i], kRuns * step->run, step->code, 8u * column->width};
    const LaneMap map = LaneMap::of_width(column->width, step->tuple, rows * column->count);
    if (role == formats::SubstreamRole::tokens)
      parts.add_lanes(map, part);
    else
      parts.add(part);
  }
  return parts.take();
}

}  // namespace tdz::uniform
