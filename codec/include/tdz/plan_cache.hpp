// SPDX-License-Identifier: Apache-2.0
// The plans that a job found, for its next inputs.
#pragma once

#include <cstdint>
#include <memory>

namespace tdz {

/// A search takes as long for a short input as packing some megabytes. A job over many inputs of one kind,
/// the recordings of an instrument for example, needs one search: the inputs after it take its plan where
/// they are packed as well as was promised, and are searched where they are not.
///
///     tdz::PlanCache plans;
///     for (auto& input : inputs) tdz::compress(input, {.search = tdz::SearchOptions{}, .plans = &plans});
///
/// What a call writes then depends on the calls before it, but not on threads or time. Thread-safe; but only
/// calls one after another, in one order, write the same bytes every time. Holds the last 64 plans.
class PlanCache {
 public:
  PlanCache();  ///< throws std::bad_alloc
  ~PlanCache();
  PlanCache(const PlanCache&) = delete;
  PlanCache& operator=(const PlanCache&) = delete;

  /// How many inputs took a plan from here. All others were searched.
  std::uint64_t taken() const;

  class Entries;  ///< for the library
  Entries& entries() { return *entries_; }

 private:
  std::unique_ptr<Entries> entries_;
};

}  // namespace tdz
