// SPDX-License-Identifier: Apache-2.0
#include "codec/c/search_request.hpp"

#include <string_view>

#include "codec/c/plan_handle.hpp"
#include "formats/type_name.hpp"

namespace tdz::c {
namespace {

Result<Effort> effort_of(unsigned effort) {
  switch (effort) {
    case TDZ_EFFORT_NORMAL:
      return Effort::normal;
    case TDZ_EFFORT_FAST:
      return Effort::fast;
    case TDZ_EFFORT_BEST:
      return Effort::best;
    default:
      return usage("the effort must be 0 to 2");
  }
}

/// "i16x2" fixes word and tuple, "i16" the word alone; several fields, and words of 3, 5, 6 and 7 bytes, are
/// columns.
Status take_type(std::string_view name, SearchOptions& search) {
  auto types = formats::parse_types(name);
  if (!types) return types.error();
  const NumberType first = types->front();
  if (types->size() > 1 || !is_word_size(first.word)) {
    search.fields = *std::move(types);
    return ok();
  }
  search.word = first.word;
  if (name.find('x') != std::string_view::npos) search.tuple = first.tuple;
  return ok();
}

}  // namespace

Result<std::string> checked_type(const char* type) {
  const auto types = formats::parse_types(type);
  if (!types) return types.error();
  return formats::type_names(*types);
}

Result<CompressOptions> compress_request(const SearchWish& wish) {
  CompressOptions options;
  if (auto good = check_level(wish.level); !good) return good.error();
  const auto effort = effort_of(wish.effort);
  if (!effort) return effort.error();
  options.level = wish.level;
  options.gpu = wish.gpu;
  SearchOptions& search = options.search.emplace();
  search.effort = *effort;
  if (wish.type == nullptr && wish.big_endian)
    return usage("big_endian needs a type: single bytes have no byte order");
  if (wish.type == nullptr) return options;
  search.big_endian = wish.big_endian;
  auto name = checked_type(wish.type);
  if (!name) return name.error();
  options.type = *std::move(name);
  if (auto good = take_type(wish.type, search); !good) return good.error();
  return options;
}

}  // namespace tdz::c
