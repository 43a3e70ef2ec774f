// SPDX-License-Identifier: Apache-2.0
#include "formats/plan/substreams.hpp"

#include <algorithm>
#include <string>

#include "formats/scale/scale_side.hpp"

namespace tdz::formats {
namespace {

constexpr std::uint64_t kShortestPredictor = 2, kLongestPredictor = 66;  // P and shift, 32 coefficients

/// Blocks of all lanes, the last one of a lane perhaps shorter. No loop, because a tuple may be long.
std::uint64_t blocks_of_lanes(std::uint64_t words, std::uint64_t tuple, std::uint64_t block) {
  const auto blocks = [&](std::uint64_t n) { return n / block + (n % block != 0); };
  const std::uint64_t longer = words % tuple, rows = words / tuple;
  return longer * blocks(rows + 1) + (tuple - longer) * blocks(rows);
}

/// Appends what a step of one column gives.
struct Listing {
  std::vector<Substream>& out;
  std::uint16_t column;
  std::uint64_t width;
  std::uint64_t words;

  void exactly(SubstreamRole role, std::uint64_t length) const {
    out.push_back({role, column, length, length, 1});
  }
  void at_most(SubstreamRole role, std::uint64_t most, std::uint64_t unit) const {
    out.push_back({role, column, 0, most, std::max<std::uint64_t>(unit, 1)});
  }

  void operator()(const PlainStep& s) const {
    if (is_layout(s)) exactly(SubstreamRole::words, words * width);
  }
  void operator()(const ScaleStep& s) const {
    const std::uint64_t groups = blocks_of_lanes(words, s.tuple, kScaleGroup),
                        bits = words / 8 + (words % 8 != 0);
    at_most(SubstreamRole::scale_pairs, words == 0 ? 0 : kMaxScalePairs * kScalePairBytes, kScalePairBytes);
    at_most(SubstreamRole::scale_selectors, groups, groups);
    at_most(SubstreamRole::scale_bitmap, bits, bits);
    at_most(SubstreamRole::scale_hole_words, words * width, width);
  }
  void operator()(const LanesStep&) const {}
  void operator()(const PredictStep& s) const {
    const std::uint64_t blocks = blocks_of_lanes(words, s.tuple, kPredictBlockWords);
    out.push_back(
        {SubstreamRole::predictors, column, kShortestPredictor * blocks, kLongestPredictor * blocks, 2});
  }
  void operator()(const TokensStep&) const {
    exactly(SubstreamRole::tokens, words);
    at_most(SubstreamRole::raw_bits, words * width, 1);
  }
};

struct Count {
  std::size_t operator()(const PlainStep& s) const { return is_layout(s) ? 1 : 0; }
  std::size_t operator()(const ScaleStep&) const { return 4; }
  std::size_t operator()(const LanesStep&) const { return 0; }
  std::size_t operator()(const PredictStep&) const { return 1; }
  std::size_t operator()(const TokensStep&) const { return 2; }
};

/// What the lengths of one scale say of one another. `length` is of the pairs, the others follow.
bool scale_fits(std::span<const Substream> expected, std::span<const std::uint32_t> length) {
  const bool two_pairs = length[0] > kScalePairBytes;
  if (length[1] != (two_pairs ? expected[1].most : 0)) return false;
  return length[2] != 0 || length[3] == 0;
}

std::string_view name_of(SubstreamRole role) {
  switch (role) {
    case SubstreamRole::scale_pairs:
      return "pairs";
    case SubstreamRole::scale_selectors:
      return "selectors";
    case SubstreamRole::scale_bitmap:
      return "a bitmap";
    case SubstreamRole::scale_hole_words:
      return "hole words";
    case SubstreamRole::predictors:
      return "coefficients";
    case SubstreamRole::words:
      return "words";
    case SubstreamRole::tokens:
      return "tokens";
    case SubstreamRole::raw_bits:
      return "raw bits";
    case SubstreamRole::rest:
      return "the rest";
  }
  return "";
}

Error wrong_length(const Substream& expected, std::uint32_t length) {
  return corrupt(std::to_string(length) + " bytes of " + std::string(name_of(expected.role)) + " in column " +
                 std::to_string(expected.column));
}

}  // namespace

std::uint64_t rows_of(const Plan& plan, std::uint64_t original) {
  return original / row_bytes(plan);
}

std::size_t substream_count(const PlanStep& step) {
  return std::visit(Count{}, step);
}

std::size_t substream_count(const Column& column) {
  std::size_t count = has_layout(column) ? 0 : 1;
  for (const PlanStep& step : column.steps) count += substream_count(step);
  return count;
}

std::vector<Substream> substreams(const Plan& plan, std::uint64_t original) {
  std::vector<Substream> out;
  const std::uint64_t rows = rows_of(plan, original);
  std::uint16_t number = 0;
  for (const Column& column : plan.columns) {
    const Listing listing{out, number++, column.width, rows * column.count};
    for (const PlanStep& step : column.steps) std::visit(listing, step);
    if (!has_layout(column)) listing.exactly(SubstreamRole::words, listing.words * column.width);
  }
  const std::uint64_t rest = original - rows * row_bytes(plan);
  if (rest != 0) out.push_back({SubstreamRole::rest, number, rest, rest, 1});
  return out;
}

Fault check_lengths(std::span<const Substream> expected, std::span<const std::uint32_t> lengths,
                    std::uint64_t original) {
  if (lengths.size() != expected.size()) {
    return corrupt(std::to_string(lengths.size()) + " substreams, but the plan gives " +
                   std::to_string(expected.size()));
  }
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const Substream& e = expected[i];
    if (lengths[i] < e.least || lengths[i] > e.most || lengths[i] % e.unit != 0)
      return wrong_length(e, lengths[i]);
    sum += lengths[i];
    if (e.role == SubstreamRole::scale_hole_words &&
        !scale_fits(expected.subspan(i - 3, 4), lengths.subspan(i - 3, 4))) {
      return wrong_length(e, lengths[i]);
    }
  }
  if (sum > max_substream_bytes(original)) return corrupt("substreams of " + std::to_string(sum) + " bytes");
  return {};
}

}  // namespace tdz::formats
