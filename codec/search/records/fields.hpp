// SPDX-License-Identifier: Apache-2.0
// Cuts a record into fields by statistics: what the bytes of words and of their differences cost, for every
// place and width. Pure functions of the bytes, in integers. Only a trial decides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codec/search/samples.hpp"

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

}  // namespace tdz
