// SPDX-License-Identifier: Apache-2.0
#include "app/options/columns.hpp"

#include "formats/plan/made_plans.hpp"
#include "formats/type_name.hpp"

namespace tdz::app {
namespace {

/// The option about one kind of numbers that was given, or empty.
std::string_view option_for_one_type(const SearchOptions& said) {
  if (said.word) return "--word";
  if (said.tuple) return "--tuple";
  if (said.zigzag) return "--zigzag";
  if (said.layout) return "--layout";
  return said.row ? "--row" : "";
}

/// The levels and the chunk length that the search would set.
void take_effort(Effort effort, CompressOptions& to) {
  constexpr int kFastLevel = 1, kBestLevel = 16;
  constexpr std::uint32_t kBestChunk = 4u << 20;
  if (to.level == 0 && effort == Effort::fast) to.level = kFastLevel;
  if (effort != Effort::best) return;
  if (to.level == 0) to.level = kBestLevel;
  if (to.chunk_bytes == 0) to.chunk_bytes = kBestChunk;
}

}  // namespace

bool names_columns(std::string_view type) {
  if (type.find(',') != std::string_view::npos) return true;
  return !formats::parse_type(type) && formats::parse_types(type);
}

Status take_columns(std::string_view type, const SearchOptions& said, CompressOptions& to) {
  const std::string option = "--type " + std::string(type);
  if (const auto other = option_for_one_type(said); !other.empty())
    return usage(option + " names columns; " + std::string(other) + " goes only with one type");
  const auto types = formats::parse_types(type);
  if (!types) return types.error();
  auto plan = formats::plan_of(*types, said.order.value_or(1));
  if (!plan) return usage(option + ": " + plan.error().message);
  if (said.big_endian) {
    for (Column& column : plan->columns) formats::begin_with_byteswap(column);
  }
  to.plan = *std::move(plan);
  to.type = formats::type_names(*types);
  to.search.reset();
  take_effort(said.effort, to);
  return ok();
}

}  // namespace tdz::app
