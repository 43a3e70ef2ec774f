// SPDX-License-Identifier: Apache-2.0
// The columns that the fields of a record may form, before their steps are known. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codec/search/records/fields.hpp"
#include "formats/plan/plan.hpp"

namespace tdz {

/// A column without steps.
struct RecordCut {
  std::uint8_t width = 1;
  std::size_t count = 1;
  bool big_endian = false;
  bool real = false;  ///< IEEE 754 numbers

  std::size_t bytes() const { return width * count; }
};

/// Cuts of one kind that stand together: one column for all of them or one for each, which trials decide. Few
/// columns are faster, and lanes may be sources of one another; alone, each has its own order and layout.
using Neighbours = std::vector<RecordCut>;

RecordCut joined(const Neighbours& part);

/// A record that may be; it begins `phase` bytes behind the raw prefix.
struct RecordLayout {
  std::uint64_t phase = 0;
  std::vector<Neighbours> parts;

  std::size_t record_bytes() const;
  std::size_t fields() const;  ///< of columns, if none are joined
};

/// Fields that look alike are one cut.
RecordLayout layout_of(const RecordGuess& guess);
RecordLayout layout_of(std::span<const NumberType> said, bool big_endian);

}  // namespace tdz
