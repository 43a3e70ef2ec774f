// SPDX-License-Identifier: Apache-2.0
#include "formats/plan/substreams.hpp"

#include <string>

namespace tdz::formats {
namespace {

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
    case SubstreamRole::grid_choices:
      return "choices of predictors";
    case SubstreamRole::grid_predictors:
      return "predictors";
    case SubstreamRole::words:
      return "words";
    case SubstreamRole::tokens:
      return "tokens";
    case SubstreamRole::raw_bits:
      return "raw bits";
    case SubstreamRole::packed_widths:
      return "widths";
    case SubstreamRole::packed_codes:
      return "codes of widths";
    case SubstreamRole::packed_places:
      return "places";
    case SubstreamRole::packed_bits:
      return "packed bits";
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
  return traits_of(step).substreams;
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
    SubstreamList list{out, number++, column.width, rows * column.count};
    for (const PlanStep& step : column.steps) std::visit([&](const auto& s) { s.list(list); }, step);
    if (gives_words(column)) list.exactly(SubstreamRole::words, list.words * column.width);
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
    if (e.fit == nullptr) continue;
    const std::size_t first = i + 1 - e.of_step;
    if (!e.fit(expected.subspan(first, e.of_step), lengths.subspan(first, e.of_step)))
      return wrong_length(e, lengths[i]);
  }
  if (sum > max_substream_bytes(original)) return corrupt("substreams of " + std::to_string(sum) + " bytes");
  return {};
}

}  // namespace tdz::formats
