// SPDX-License-Identifier: Apache-2.0
// The values that HDF5 stores beside the filter, `cd_values`:
//
//     0  1, the version of these values        4  layout, as tdz_layout in tdz.h
//     1  word, bytes of a number               5  row, numbers: a second difference over rows
//     2  tuple, numbers of a record            6  level of zstd; layout 5 has none
//     3  order of the difference               7  flags
//     8  and after it, if there is a plan: its bytes and its pad, as a chunk's record has them (FORMAT.md,
//        section 2), four bytes a value, the first byte lowest; because of the pad the number of values is
//        even
//     at the end, if the number of values is odd: the bytes of a chunk
//
// 0 leaves the choice to set_local. So does every value that is missing because the list ends before the
// eighth. Where there is a plan, it says everything except the level.
//
// Reading needs only the last value: a block of another length is refused, and so is every block if the
// values do not say how long a chunk is. HDF5 1.10 and 2.0 read beyond the end of what a filter returns, if
// that is shorter than a chunk; then they give other memory as data.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tdz/tdz.h"

namespace tdz::hdf5 {

inline constexpr unsigned kValuesVersion = 1;

enum Flag : unsigned {
  kBigEndian = 1,  ///< the words are big-endian
  kNoZigzag = 2,
  kNoDifference = 4,  ///< order 0 is meant, and leaves no choice to set_local
  kNoRows = 8,        ///< the same for row 0
};

struct Values {
  unsigned word = 0;
  unsigned tuple = 0;
  unsigned order = 0;
  unsigned layout = 0;
  unsigned row = 0;
  unsigned level = 0;
  unsigned flags = 0;
  std::vector<unsigned> plan = {};
  unsigned chunk_bytes = 0;  ///< 0: not known

  friend bool operator==(const Values&, const Values&) = default;
};

/// The bytes of a chunk, or 0 where the values do not say it.
unsigned chunk_bytes_of(std::span<const unsigned> from);

/// The sentence that says what is wrong, or nothing.
std::string read(std::span<const unsigned> from, Values& to);
std::vector<unsigned> written(const Values& values);

struct FreePlan {
  void operator()(tdz_plan* plan) const { tdz_plan_free(plan); }
};
using PlanHandle = std::unique_ptr<tdz_plan, FreePlan>;

/// The plan that complete values mean. Null, and a sentence: they mean none.
PlanHandle plan_of(const Values& values, std::string& why);

/// The bytes of a plan with its pad, as values.
std::vector<unsigned> plan_values(const tdz_plan* plan);

}  // namespace tdz::hdf5
