// SPDX-License-Identifier: Apache-2.0
#include "codec/search/known_kinds.hpp"

#include <algorithm>
#include <bit>

#include "codec/search/limits.hpp"
#include "codec/search/repeats.hpp"
#include "codec/search/search.hpp"
#include "codec/search/stored_size.hpp"

namespace tdz {
namespace {

constexpr std::size_t kMostKnown = 64;
constexpr std::size_t kMostTried = 8;         // plans of one kind that are tried on an input
constexpr std::size_t kRivals = 3;            // of these, after one that keeps its promise
constexpr std::size_t kMostPromises = 32;     // of one plan
constexpr std::uint64_t kBrokenPromise = 60;  // 1.7 % more than promised: the input is searched
constexpr std::uint64_t kOtherShare = 8;      // 12 % of the size, for each input that the plan suited

/// A third of an input of 200 KB, and enough for what zstd needs to know of longer ones.
constexpr Stretches stretches_of(std::uint64_t bytes) {
  constexpr std::uint64_t kShort = std::uint64_t{1} << 20, kLong = std::uint64_t{8} << 20;
  if (bytes < kShort) return {3, std::size_t{24} << 10};
  return {std::size_t{bytes < kLong ? 4u : 8u}, std::size_t{128} << 10};
}

/// a is at most one part in `parts` larger than b.
bool hardly_larger(std::uint64_t a, std::uint64_t b, std::uint64_t parts) {
  return a <= b + b / parts;
}

/// The plan saves what it promised, and the input shrinks about as much as some before it, or as much as
/// between two of them: what shrinks far more may be of another kind, with a better plan. A plan that suited
/// many inputs may suit inputs that are less like these.
bool keeps(const std::vector<SizePromise>& promises, const SizePromise& now) {
  bool shrinks_enough = false, shrinks_too_much = true;
  for (const SizePromise& one : promises) {
    if (!hardly_larger(now.bytes * one.packed, one.bytes * now.packed, kBrokenPromise)) continue;
    const std::uint64_t share = now.bytes * one.original, usual = one.bytes * now.original;
    const std::uint64_t apart = promises.size() * (usual / kOtherShare);
    shrinks_enough |= share <= usual + apart;
    shrinks_too_much &= share + apart < usual;
  }
  return shrinks_enough && !shrinks_too_much;
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
  return entries_->taken();
}

Result<KindOfInput> KindOfInput::of(RandomAccess& input, const std::optional<formats::SniffedHint>& header,
                                    const CompressOptions& options) {
  KindOfInput self(input);
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
          options.frame_bytes,
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

/// The bytes after the header.
std::uint64_t KindOfInput::numbers_of(const Prepared& prepared) const {
  return input_->size() - std::min(input_->size(), prepared.options.raw_prefix);
}

Result<SizePromise> KindOfInput::promise_of(const Prepared& prepared) const {
  const Settled settled{prepared.options, prepared.found.recipes, prepared.chunk_sample};
  const std::uint64_t numbers = numbers_of(prepared);
  Stretches stretches = stretches_of(numbers);
  const std::uint64_t looked_at = std::min<std::uint64_t>(numbers, stretches.count * stretches.length);
  if (looked_at == numbers) stretches = {1, static_cast<std::size_t>(numbers)};  // without the header
  const auto bytes = stored_size(*input_, settled, stretches);
  if (!bytes) return bytes.error();
  return SizePromise{*bytes, packed_bytes_, looked_at};
}

/// Of all numbers, of which there are some.
Result<std::uint64_t> KindOfInput::whole_size(const Prepared& prepared) const {
  return stored_size(*input_, {prepared.options, prepared.found.recipes, prepared.chunk_sample},
                     {1, static_cast<std::size_t>(numbers_of(prepared))});
}

Result<std::optional<Prepared>> KindOfInput::recall(PlanCache::Entries& entries,
                                                    const CompressOptions& options) {
  bool kept = false;
  std::size_t rivals = 0;
  for (const auto& known : entries.of(kind_, kMostTried)) {
    if (kept && rivals++ == kRivals) break;
    Prepared prepared = as_for(*known, options);
    auto now = promise_of(prepared);
    if (!now) return now.error();
    kept = kept || keeps(known->promises, *now);
    if (best_tried_ && now->bytes >= best_tried_->now.bytes) continue;
    if (best_tried_ && kept) {  // an input may be more like one long ago than like the last
      const auto sizes = beside_best_tried(prepared, *now);
      if (!sizes) return sizes.error();
      if (sizes->other >= sizes->best_tried) continue;
    }
    best_tried_ = {known, std::move(prepared), *now, {}};
  }
  if (!kept) return std::optional<Prepared>();
  auto repeats = plain_is_smaller(best_tried_->prepared);
  if (!repeats) return repeats.error();
  if (*repeats) return std::optional<Prepared>();
  entries.take(*best_tried_->known);
  return std::optional(std::move(best_tried_->prepared));
}

/// What stands again farther away than a stretch shows. Of long inputs repeat_distance() tells that.
Result<bool> KindOfInput::plain_is_smaller(const Prepared& prepared) const {
  const std::uint64_t numbers = numbers_of(prepared);
  if (input_->size() > kCheapToTryOn || numbers == 0 || has_no_steps(prepared.options.plan)) return false;
  auto matches = matches_in(*input_);
  if (!matches) return matches.error();
  if (!matches->are_one_in(kFewMatches)) return false;
  auto with = whole_size(prepared);
  if (!with) return with.error();
  CompressOptions options = prepared.options;
  options.plan = plain_plan();
  options.chunk_bytes = kChunkWithoutNumbers;
  const std::vector<Recipe> plain{Recipe{plain_plan(), {}, one_packing(Packing::moderate)}};
  auto without =
      stored_size(*input_, {options, plain, prepared.chunk_sample}, {1, static_cast<std::size_t>(numbers)});
  if (!without) return without.error();
  return *without < *with;
}

/// Of a short input, all of it: stretches hold few rows.
Status KindOfInput::measure_short(const Prepared& prepared, std::optional<std::uint64_t>& whole) const {
  const std::uint64_t numbers = numbers_of(prepared);
  if (whole || numbers == 0 || numbers > kCheapToTryOn) return ok();
  auto size = whole_size(prepared);
  if (!size) return size.error();
  whole = *size;
  return ok();
}

/// What the input takes with the best plan that was tried, and with another that takes `promise` on the
/// stretches.
Result<KindOfInput::TwoSizes> KindOfInput::beside_best_tried(const Prepared& other,
                                                             const SizePromise& promise) {
  std::optional<std::uint64_t> whole;
  Status done = measure_short(best_tried_->prepared, best_tried_->whole);
  if (done) done = measure_short(other, whole);
  if (!done) return done.error();
  if (best_tried_->whole && whole) return TwoSizes{*best_tried_->whole, *whole};
  return TwoSizes{best_tried_->now.bytes, promise.bytes};
}

Status KindOfInput::remember(PlanCache::Entries& entries, const Prepared& prepared) {
  auto promise = promise_of(prepared);
  if (!promise) return promise.error();
  if (best_tried_) {
    const auto sizes = beside_best_tried(prepared, *promise);
    if (!sizes) return sizes.error();
    if (hardly_larger(sizes->best_tried, sizes->other, kBrokenPromise)) {  // searched in vain
      entries.add_promise(*best_tried_->known, best_tried_->now);
      return ok();
    }
  }
  const CompressOptions& options = prepared.options;
  entries.add({kind_,
               {*promise},
               prepared.found.recipes,
               prepared.found.skipped,
               options.type,
               options.level,
               options.chunk_bytes,
               prepared.chunk_sample,
               prepared.sniffed});
  return ok();
}

// ---- The entries. Nobody holds the lock while an input is read, or coded.

std::vector<std::shared_ptr<const KnownKind>> PlanCache::Entries::of(const InputKind& kind,
                                                                     std::size_t most) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<const KnownKind>> found;
  for (const auto& one : known_)
    if (found.size() < most && one->kind == kind) found.push_back(one);
  return found;
}

void PlanCache::Entries::take(const KnownKind& one) {
  const std::lock_guard lock(mutex_);
  ++taken_;
  const auto at = std::ranges::find(known_, &one, [](const auto& known) { return known.get(); });
  if (at != known_.end()) std::rotate(known_.begin(), at, at + 1);
}

void PlanCache::Entries::add(KnownKind one) {
  auto known = std::make_shared<const KnownKind>(std::move(one));
  const std::lock_guard lock(mutex_);
  known_.push_front(std::move(known));
  if (known_.size() > kMostKnown) known_.pop_back();
}

void PlanCache::Entries::add_promise(const KnownKind& one, const SizePromise& promise) {
  const std::lock_guard lock(mutex_);
  const auto at = std::ranges::find(known_, &one, [](const auto& known) { return known.get(); });
  if (at == known_.end()) return;
  KnownKind more = **at;
  if (more.promises.size() == kMostPromises) more.promises.erase(more.promises.begin());
  more.promises.push_back(promise);
  *at = std::make_shared<const KnownKind>(std::move(more));
  std::rotate(known_.begin(), at, at + 1);
}

std::uint64_t PlanCache::Entries::taken() const {
  const std::lock_guard lock(mutex_);
  return taken_;
}

std::size_t PlanCache::Entries::size() const {
  const std::lock_guard lock(mutex_);
  return known_.size();
}

}  // namespace tdz
