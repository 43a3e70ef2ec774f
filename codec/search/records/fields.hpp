// SPDX-License-Identifier: Apache-2.0
// Cuts a record into fields by statistics: what the bytes of words and of their differences cost, for every
// place and width. Then fields that look alike are one column. Pure functions of the bytes, in integers. Only
// a trial decides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codec/search/samples.hpp"
#include "formats/plan/plan.hpp"

namespace tdz {

/// A word of every record.
struct RecordField {
  std::uint8_t width = 1;   ///< 1 to 8 bytes
  bool big_endian = false;  ///< never of one byte
  bool real = false;        ///< looks like an IEEE 754 number
  bool decimal = false;     ///< real, and few mantissas: perhaps multiples of one number
  std::uint8_t order = 0;   ///< 0 to 2: of the difference that suits it
  std::uint64_t cost = 0;   ///< in the sample, in kPartsOfBit
};

/// The fields of a record that begins `begin` bytes later than it was cut, less than 8. Costs are in
/// kPartsOfBit.
struct RecordGuess {
  std::size_t begin = 0;
  std::vector<RecordField> fields;
  std::int64_t price = 0;          ///< the cost, and what else speaks for or against this cut
  std::uint64_t cost = 0;          ///< of all fields in the sample
  std::uint64_t integer_cost = 0;  ///< of those that are not real
  std::uint64_t plain_cost = 0;    ///< the cost with equal words and one order for all of them
  std::size_t sample_bytes = 0;

  /// What fields with this cost take in `bytes` bytes like the sample.
  std::uint64_t packed_bytes(std::uint64_t of_fields, std::uint64_t bytes) const;
};

/// `records`: pieces that begin with a record of `record` bytes, 2 or more. About `sample` bytes of them are
/// read. No fields: the pieces are too short.
RecordGuess guess_fields(const Pieces& records, std::size_t record, std::size_t sample);

// ---- The columns that the fields of a record may form, before their steps are known

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
