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
  return said.row ? "--row" : "";
}

}  // namespace

bool names_columns(std::string_view type) {
  if (type.find(',') != std::string_view::npos) return true;
  return !formats::parse_type(type) && formats::parse_types(type);
}

Result<std::string> take_columns(std::string_view type, SearchOptions& said) {
  const std::string option = "--type " + std::string(type);
  if (const auto other = option_for_one_type(said); !other.empty())
    return usage(option + " names columns; " + std::string(other) + " goes only with one type");
  auto types = formats::parse_types(type);
  if (!types) return types.error();
  if (const auto plan = formats::plan_of(*types); !plan) return usage(option + ": " + plan.error().message);
  said.fields = *types;
  return formats::type_names(*types);
}

}  // namespace tdz::app
