// SPDX-License-Identifier: Apache-2.0
// Plans of tdz.h: from types, numbers, a search, JSON and bytes.
#include "codec/c/plans.hpp"

#include <algorithm>
#include <string_view>

#include "codec/chunk/frame_plan.hpp"
#include "codec/chunk/open_block.hpp"
#include "codec/search/prepare.hpp"
#include "codec/stream/memory_io.hpp"
#include "formats/names.hpp"
#include "formats/plan/made_plans.hpp"
#include "formats/plan/plan_bytes.hpp"
#include "formats/plan/plan_rules.hpp"
#include "kernels/float_environment.hpp"
#include "tdz/plan.hpp"

namespace tdz::c {

// ---- Plans of a caller

Status check_level(int level) {
  if (level == 0 || (level >= kMinLevel && level <= kMaxLevel)) return ok();
  return usage("the level must be 1 to 22, or 0");
}

Status give(Result<Plan> plan, tdz_plan** out) {
  if (!plan) return plan.error();
  if (auto good = formats::check(*plan); !good) return good;
  auto handle = std::make_unique<tdz_plan>();
  handle->plan = std::move(plan).value();
  handle->json = to_json(handle->plan);
  for (const std::string& line : formats::plan_words(handle->plan, {}))
    handle->words += (handle->words.empty() ? "" : "\n") + line;
  handle->bytes = formats::serialize(handle->plan);
  *out = handle.release();
  return ok();
}

// ---- What the search is to know

namespace {

Result<Effort> effort_of(unsigned effort) {
  switch (effort) {
    case TDZ_EFFORT_NORMAL:
      return Effort::normal;
    case TDZ_EFFORT_FAST:
      return Effort::fast;
    case TDZ_EFFORT_BEST:
      return Effort::best;
    case TDZ_EFFORT_FASTEST:
      return Effort::fastest;
    default:
      return usage("the effort must be 0 to 3");
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

// ---- Where plans come from

namespace {

Result<Plan> with_level(Result<Plan> plan, int level) {
  if (!plan) return plan;
  if (auto good = check_level(level); !good) return good.error();
  plan->packing.level = level;
  return plan;
}

Result<Layout> layout_of_number(unsigned layout) {
  switch (layout) {
    case TDZ_INTERLEAVED:
    case TDZ_PACKED:  // comes after these steps
      return Layout::interleaved;
    case TDZ_PLANES:
      return Layout::planes;
    case TDZ_LAYOUT_AUTO:
    case TDZ_TUPLE_PLANES:
      return Layout::tuple_planes;
    case TDZ_BIT_PLANES:
      return Layout::bit_planes;
    default:
      return usage("the layout must be 0 to 5");
  }
}

Status check(const tdz_numbers& numbers) {
  if (numbers.word < 1 || numbers.word > kMaxWidth) return usage("the word must be 1 to 8 bytes");
  if (numbers.order > kMaxOrder) return usage("the order must be 0 to 8");
  if ((numbers.flags & ~(TDZ_BIG_ENDIAN | TDZ_NO_ZIGZAG)) != 0) return usage("a flag that does not exist");
  return ok();
}

Result<Plan> plan_of_numbers(const tdz_numbers& numbers) {
  if (auto good = check(numbers); !good) return good.error();
  const auto layout = layout_of_number(numbers.layout);
  if (!layout) return layout.error();
  const std::uint32_t tuple = std::max(numbers.tuple, 1u);
  Column column = formats::column_of({.word = static_cast<std::uint8_t>(numbers.word),
                                      .tuple = tuple,
                                      .order = static_cast<std::uint8_t>(numbers.order),
                                      .zigzag = (numbers.flags & TDZ_NO_ZIGZAG) == 0,
                                      .layout = *layout,
                                      .big_endian = (numbers.flags & TDZ_BIG_ENDIAN) != 0,
                                      .row = numbers.row});
  if (numbers.layout == TDZ_PACKED) column.steps.push_back(PackedStep{tuple <= kMaxSideTuple ? tuple : 1});
  return formats::plan_of(std::move(column));
}

Result<Plan> searched(std::span<const std::byte> sample, const tdz_search_options& options) {
  if (sample.empty()) return usage("a search needs a sample");
  const auto request = compress_request(
      {options.type, options.level, options.effort, options.gpu != 0, options.big_endian != 0});
  if (!request) return request.error();
  const FloatEnvironment usual;
  MemorySource from(sample);
  PrefixSource source(from, FlushClock());
  auto prepared = prepare(source, *request);
  if (!prepared) return prepared.error();
  return with_level(plan_of(prepared->found.recipes.front()), prepared->options.level);
}

/// The plan at the front, and at most the padding of a record after it.
Result<Plan> parse_padded(std::span<const std::byte> bytes) {
  const auto length = formats::plan_length(bytes);
  if (!length) return length.error();
  const auto pad = bytes.subspan(*length);
  constexpr std::size_t kMaxPad = 7;
  if (pad.size() > kMaxPad || std::ranges::any_of(pad, [](std::byte b) { return b != std::byte{0}; }))
    return corrupt("bytes behind a plan");
  return formats::parse_plan(bytes.first(*length));
}

}  // namespace
}  // namespace tdz::c

using namespace tdz;
using namespace tdz::c;

void tdz_plan_free(tdz_plan* plan) {
  delete plan;
}

tdz_plan_cache* tdz_plan_cache_new(void) {
  try {
    return new tdz_plan_cache;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void tdz_plan_cache_free(tdz_plan_cache* cache) {
  delete cache;
}

uint64_t tdz_plan_cache_taken(const tdz_plan_cache* cache) {
  return cache != nullptr ? cache->plans.taken() : 0;
}

tdz_status tdz_plan_for(const char* types, unsigned order, int level, tdz_plan** plan, tdz_error* error) {
  return guarded(error, {{types, "types"}, {plan, "plan"}},
                 [&]() -> Status { return give(with_level(plan_for(types, order), level), plan); });
}

tdz_status tdz_plan_of_numbers(const tdz_numbers* numbers, tdz_plan** plan, tdz_error* error) {
  return guarded(error, {{numbers, "numbers"}, {plan, "plan"}}, [&]() -> Status {
    const auto said = read_struct(numbers);
    if (!said) return said.error();
    return give(with_level(plan_of_numbers(*said), said->level), plan);
  });
}

tdz_status tdz_plan_search(const void* sample, size_t bytes, const tdz_search_options* options,
                           tdz_plan** plan, tdz_error* error) {
  return guarded(error, {{sample, "sample", bytes}, {plan, "plan"}}, [&]() -> Status {
    const auto said = read_struct(options);
    if (!said) return said.error();
    return give(searched(bytes_at(sample, bytes), *said), plan);
  });
}

tdz_status tdz_plan_from_json(const char* text, size_t length, tdz_plan** plan, tdz_error* error) {
  return guarded(error, {{text, "text"}, {plan, "plan"}},
                 [&]() -> Status { return give(plan_from_json(std::string_view(text, length)), plan); });
}

const char* tdz_plan_json(const tdz_plan* plan, size_t* length) {
  if (length != nullptr) *length = plan != nullptr ? plan->json.size() : 0;
  return plan != nullptr ? plan->json.c_str() : nullptr;
}

const char* tdz_plan_words(const tdz_plan* plan, size_t* length) {
  if (length != nullptr) *length = plan != nullptr ? plan->words.size() : 0;
  return plan != nullptr ? plan->words.c_str() : nullptr;
}

tdz_status tdz_plan_from_bytes(const void* bytes, size_t length, int level, tdz_plan** plan,
                               tdz_error* error) {
  return guarded(error, {{bytes, "bytes", length}, {plan, "plan"}}, [&]() -> Status {
    return give(with_level(parse_padded(bytes_at(bytes, length)), level), plan);
  });
}

const void* tdz_plan_bytes(const tdz_plan* plan, size_t* length) {
  if (length != nullptr) *length = plan != nullptr ? plan->bytes.size() : 0;
  return plan != nullptr ? plan->bytes.data() : nullptr;
}

tdz_status tdz_plan_with_level(const tdz_plan* plan, int level, tdz_plan** other, tdz_error* error) {
  return guarded(error, {{plan, "plan"}, {other, "other"}},
                 [&]() -> Status { return give(with_level(plan->plan, level), other); });
}

int tdz_plan_level(const tdz_plan* plan) {
  return plan != nullptr ? plan->plan.packing.level : 0;
}

size_t tdz_plan_record_bytes(const tdz_plan* plan) {
  return plan != nullptr ? row_bytes(plan->plan) : 0;
}

tdz_status tdz_block_plan(const void* block, size_t bytes, tdz_plan** plan, tdz_error* error) {
  return guarded(error, {{block, "block", bytes}, {plan, "plan"}}, [&]() -> Status {
    auto open = open_record(bytes_at(block, bytes));
    if (!open) return open.error();
    return give(std::move(open->chunk.plan), plan);
  });
}
