// SPDX-License-Identifier: Apache-2.0
#include "codec/search/known_kinds.hpp"

#include <algorithm>
#include <bit>

#include "codec/search/packed_search.hpp"
#include "codec/search/stored_size.hpp"

namespace tdz {
namespace {

constexpr std::size_t kMostKnown = 64;
constexpr std::size_t kMostTried = 8;          // plans of one kind that are tried on an input
constexpr std::uint64_t kBrokenPromise = 100;  // 1 % more than promised: the input is searched
constexpr std::uint64_t kOtherShare = 8;       // 12 % of the size

/// A third of an input of 200 KB, and enough for what zstd needs to know of longer ones.
constexpr Stretches stretches_of(std::uint64_t bytes) {
  constexpr std::uint64_t kShort = std::uint64_t{1} << 20;
  return bytes < kShort ? Stretches{3, std::size_t{24} << 10} : Stretches{4, std::size_t{128} << 10};
}

/// a is at most one part in `parts` larger than b.
bool hardly_larger(std::uint64_t a, std::uint64_t b, std::uint64_t parts) {
  return a <= b + b / parts;
}

/// The plan saves what it promised, and the input shrinks about as much: what shrinks far more may be of
/// another kind, with a better plan.
bool keeps(const SizePromise& promise, const SizePromise& now) {
  const std::uint64_t saved = now.bytes * promise.packed, promised = promise.bytes * now.packed;
  const std::uint64_t share = now.bytes * promise.original, usual = promise.bytes * now.original;
  return hardly_larger(saved, promised, kBrokenPromise) && hardly_larger(share, usual, kOtherShare) &&
         hardly_larger(usual, share, kOtherShare);
}

/// An input that is coded as the one before. `options`: with raw_prefix settled.
Prepared as_for(const KnownKind& known, const CompressOptions& options) {
  Prepared prepared;
  prepared.options = options;
  prepared.options.plan = known.recipes.front().plan;
  prepared.options.raw_prefix += known.skipped;
  prepared.options.type = known.type;
  prepared.options.level = known.level;
  prepared.options.chunk_bytes = known.chunk_bytes;
  prepared.found.recipes = known.recipes;
  prepared.found.skipped = known.skipped;
  prepared.chunk_sample = known.chunk_sample;
  prepared.sniffed = known.sniffed;
  return prepared;
}

}  // namespace

PlanCache::PlanCache() : entries_(std::make_unique<Entries>()) {}
PlanCache::~PlanCache() = default;

std::uint64_t PlanCache::taken() const {
  const std::lock_guard lock(entries_->mutex);
  return entries_->taken;
}

Result<KindOfInput> KindOfInput::of(RandomAccess& input, const std::optional<formats::SniffedHint>& header,
                                    const CompressOptions& options) {
  KindOfInput self(input);
  self.raw_prefix_ = options.raw_prefix;
  SearchOptions packed = *options.search;
  packed.effort = Effort::fastest;
  auto found =
      search_packed({input, header, 0, options.chunk_bytes, nullptr}, options.raw_prefix, packed, false);
  if (!found) return found.error();
  InputKind& kind = self.kind_;
  kind = {header,
          *options.search,
          options.type,
          options.chunk_bytes,
          options.level,
          options.gpu,
          static_cast<int>(std::bit_width(input.size())),
          found->recipes.front().plan};
  if (kind.header) kind.header->offset = 0;
  for (Column& column : kind.packed.columns)
    std::erase_if(column.steps,
                  [](const PlanStep& step) { return std::holds_alternative<DifferenceStep>(step); });
  Prepared prepared;
  prepared.options = options;
  prepared.options.plan = found->recipes.front().plan;
  prepared.found.recipes = std::move(found->recipes);
  auto promise = self.promise_of(prepared);
  if (!promise) return promise.error();
  self.packed_bytes_ = promise->bytes;
  return self;
}

Result<SizePromise> KindOfInput::promise_of(const Prepared& prepared) const {
  const Settled settled{prepared.options, prepared.found.recipes, prepared.chunk_sample};
  const std::uint64_t numbers = input_->size() - std::min(input_->size(), prepared.options.raw_prefix);
  Stretches stretches = stretches_of(numbers);
  const std::uint64_t looked_at = std::min<std::uint64_t>(numbers, stretches.count * stretches.length);
  if (looked_at == numbers) stretches = {};
  const auto bytes = stored_size(*input_, settled, stretches);
  if (!bytes) return bytes.error();
  return SizePromise{*bytes, packed_bytes_, looked_at};
}

Result<std::optional<Prepared>> KindOfInput::recall(PlanCache::Entries& entries,
                                                    const CompressOptions& options) {
  const std::lock_guard lock(entries.mutex);
  std::size_t tried = 0;
  std::uint64_t smallest = UINT64_MAX;
  auto best = entries.known.end();
  for (auto at = entries.known.begin(); at != entries.known.end() && tried < kMostTried; ++at) {
    if (at->kind != kind_) continue;
    ++tried;
    auto now = promise_of(as_for(*at, options));
    if (!now) return now.error();
    if (now->bytes >= smallest || !keeps(at->promise, *now)) continue;
    smallest = now->bytes;
    best = at;
  }
  if (best == entries.known.end()) return std::optional<Prepared>();
  std::rotate(entries.known.begin(), best, best + 1);
  ++entries.taken;
  return std::optional(as_for(entries.known.front(), options));
}

Status KindOfInput::remember(PlanCache::Entries& entries, const Prepared& prepared) {
  if (prepared.found.repeats_after != 0) return ok();  // the next input need not repeat itself
  auto promise = promise_of(prepared);
  if (!promise) return promise.error();
  const CompressOptions& options = prepared.options;
  KnownKind known{kind_,           *promise,      prepared.found.recipes, prepared.found.skipped,
                  options.type,    options.level, options.chunk_bytes,    prepared.chunk_sample,
                  prepared.sniffed};
  const std::lock_guard lock(entries.mutex);
  entries.known.push_front(std::move(known));
  if (entries.known.size() > kMostKnown) entries.known.pop_back();
  return ok();
}

}  // namespace tdz
