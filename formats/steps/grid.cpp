// SPDX-License-Identifier: Apache-2.0
#include "formats/steps/grid.hpp"

namespace tdz {
namespace {

constexpr std::size_t kParameterBytes = 16;

std::size_t predictor_bytes(const GridStep& step) {
  return 2 * std::size_t{neighbour_count(step)};
}

}  // namespace

std::string GridStep::name() const {
  std::string name = "grid(" + std::to_string(tuple) + ", " + std::to_string(line);
  if (height != 0) name += ", " + std::to_string(height);
  return name + ")";
}

std::string GridStep::words() const {
  return "minus a prediction from neighbours in lines of " + std::to_string(line) +
         (height == 0 ? "" : " and slices of " + std::to_string(height) + " lines");
}

void GridStep::write(std::vector<std::byte>& out) const {
  formats::put_le(out, static_cast<std::uint16_t>(tuple), static_cast<std::uint8_t>(sign), std::uint8_t{0},
                  line, height, neighbours);
}

Result<GridStep> GridStep::read(formats::ParameterReader& in) {
  if (in.length() != kParameterBytes) return in.wrong_length();
  GridStep s;
  s.tuple = in.get<std::uint16_t>();
  s.sign = Sign{in.get<std::uint8_t>()};
  if (in.get<std::uint8_t>() != 0) return in.bad_value("a byte that is not zero");
  s.line = in.get<std::uint32_t>();
  s.height = in.get<std::uint32_t>();
  s.neighbours = in.get<std::uint32_t>();
  return s;
}

formats::Flaw GridStep::flaw(unsigned) const {
  if (tuple == 0 || tuple > kMostGridLanes)
    return "grid: a tuple of " + std::to_string(tuple) + ", but it may be 1 to 16";
  if (sign > Sign::is_signed) return "grid: a sign above 1";
  if (line < kLeastGridLine) return "grid: a line of " + std::to_string(line) + " points, fewer than 16";
  if (neighbours == 0 || neighbours >> kGridNeighbours.size() != 0)
    return "grid: no neighbour, or an unknown one";
  if (neighbour_count(*this) > kMostGridNeighbours) return "grid: more than 16 neighbours";
  return {};
}

void GridStep::list(formats::SubstreamList& out) const {
  const std::uint64_t blocks = GridShape::of(*this, out.words).blocks();
  const std::uint64_t each = predictor_bytes(*this);
  out.exactly(formats::SubstreamRole::grid_choices, blocks);
  if (blocks == 0)
    out.exactly(formats::SubstreamRole::grid_predictors, 0);
  else
    out.out.push_back(
        {formats::SubstreamRole::grid_predictors, out.column, each, kMostGridPredictors * each, each});
}

std::vector<std::uint8_t> write_grid_predictors(const GridStep& step,
                                                std::span<const GridPredictor> predictors) {
  std::vector<std::uint8_t> side;
  for (const GridPredictor& p : predictors) {
    for (unsigned j = 0; j < neighbour_count(step); ++j) {
      const auto c = static_cast<std::uint16_t>(p.coefficient[j]);
      side.insert(side.end(), {static_cast<std::uint8_t>(c), static_cast<std::uint8_t>(c >> 8)});
    }
  }
  return side;
}

Result<std::vector<GridPredictor>> read_grid_predictors(const GridStep& step,
                                                        std::span<const std::uint8_t> choices,
                                                        std::span<const std::uint8_t> side) {
  const std::size_t each = predictor_bytes(step), count = side.size() / each;
  if (side.size() % each != 0 || count > kMostGridPredictors)
    return corrupt("grid: " + std::to_string(side.size()) + " bytes of predictors");
  for (const std::uint8_t choice : choices)
    if (choice >= count) return corrupt("grid: a block chooses a predictor that is not there");
  std::vector<GridPredictor> predictors(count);
  for (std::size_t p = 0, at = 0; p < count; ++p) {
    for (unsigned j = 0; j < neighbour_count(step); ++j, at += 2)
      predictors[p].coefficient[j] = static_cast<std::int16_t>(side[at] | side[at + 1] << 8);
  }
  return predictors;
}

}  // namespace tdz
