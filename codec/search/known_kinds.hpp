// SPDX-License-Identifier: Apache-2.0
// Inputs of one kind, and the plans that were found for them.
//
// Two inputs are of one kind if their headers, their lengths and the caller's wishes agree, and if packed
// groups want the same word, tuple and order for both: that search looks at statistics alone and takes a
// millisecond. Then a plan has promised to be so much smaller than packed groups, and it is taken if it keeps
// this promise on some stretches of the new input. Packed groups grow with the noise as the plan does, so
// loud and quiet recordings are of one kind. Where no plan keeps its promise, the input is searched; if that
// finds nothing that is clearly smaller than a plan that was known, this plan promises less from then on.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/search/prepare.hpp"
#include "tdz/plan_cache.hpp"

namespace tdz {

/// What is known of an input before its search. The wishes are those of its caller, with type and level
/// settled.
struct InputKind {
  std::optional<formats::SniffedHint> header;  ///< without its offset: headers have notes of all lengths
  SearchOptions request;
  std::string type;
  std::uint32_t chunk_bytes = 0;
  std::uint32_t frame_bytes = 0;
  int level = 0;
  bool gpu = false;
  int length = 0;  ///< its bits
  Plan packed;     ///< what packed groups want, without differences: short samples show these by chance

  friend bool operator==(const InputKind&, const InputKind&) = default;
};

/// What some stretches of an input take.
struct SizePromise {
  std::uint64_t bytes = 0;
  std::uint64_t packed = 0;  ///< in packed groups
  std::uint64_t original = 0;
};

/// What the search of an input settled for.
struct KnownKind {
  InputKind kind;
  std::vector<SizePromise> promises;  ///< of inputs for which a search found nothing clearly smaller
  std::vector<Recipe> recipes;
  std::uint64_t skipped = 0;
  std::string type;
  int level = 0;
  std::uint32_t chunk_bytes = 0;
  std::size_t chunk_sample = 0;
  std::string_view sniffed;
};

/// Thread-safe.
class PlanCache::Entries {
 public:
  /// Of this kind, at most so many; the one that was taken last is the first.
  std::vector<std::shared_ptr<const KnownKind>> of(const InputKind& kind, std::size_t most) const;
  /// Counts that it was taken.
  void take(const KnownKind& one);
  void add(KnownKind one);
  /// From now on it promises this too. Nothing happens if it was forgotten.
  void add_promise(const KnownKind& one, const SizePromise& promise);
  std::uint64_t taken() const;
  std::size_t size() const;

 private:
  mutable std::mutex mutex_;
  std::deque<std::shared_ptr<const KnownKind>> known_;
  std::uint64_t taken_ = 0;
};

/// An input whose kind may be known, and that does not repeat itself. Used by one thread.
class KindOfInput {
 public:
  /// `options`: with raw_prefix, type and level settled. Errors: those of reading.
  static Result<KindOfInput> of(RandomAccess& input, const std::optional<formats::SniffedHint>& header,
                                const CompressOptions& options);

  /// What was found for inputs of this kind, the smallest of a few of them, if one keeps its promise.
  /// `options`: the same.
  Result<std::optional<Prepared>> recall(PlanCache::Entries& entries, const CompressOptions& options);
  /// Keeps what the search found; or, if that is hardly smaller than the best plan that recall() tried, what
  /// this plan takes here.
  Status remember(PlanCache::Entries& entries, const Prepared& prepared);

 private:
  explicit KindOfInput(RandomAccess& input) : input_(&input) {}
  Result<bool> plain_is_smaller(const Prepared& prepared) const;
  std::uint64_t numbers_of(const Prepared& prepared) const;
  Result<SizePromise> promise_of(const Prepared& prepared) const;
  Result<std::uint64_t> whole_size(const Prepared& prepared) const;

  /// A plan that was known, and what it takes here.
  struct Tried {
    std::shared_ptr<const KnownKind> known;
    Prepared prepared;
    SizePromise now;
    std::optional<std::uint64_t> whole;  ///< of all numbers, if it was measured
  };
  struct TwoSizes {
    std::uint64_t best_tried, other;
  };
  Status measure_short(const Prepared& prepared, std::optional<std::uint64_t>& whole) const;
  Result<TwoSizes> beside_best_tried(const Prepared& other, const SizePromise& promise);

  RandomAccess* input_;
  InputKind kind_;
  std::uint64_t packed_bytes_ = 0;
  std::optional<Tried> best_tried_;
};

}  // namespace tdz
