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
  std::uint8_t order = 0;   ///< 0 to 2: of the difference that suits it

  friend bool operator==(const RecordField&, const RecordField&) = default;
};

/// A record that begins `begin` bytes later than it was cut, less than 8, and its fields from there.
struct RecordGuess {
  std::size_t begin = 0;
  std::vector<RecordField> fields;
  std::uint64_t bits = 0;        ///< of all fields in the sample, in parts of 256
  std::uint64_t integer_bits = 0;  ///< of those that are not real
  std::uint64_t plain_bits = 0;  ///< the same with equal words and one order for all
  std::int64_t price = 0;        ///< bits, and what else speaks for or against this cut
  std::size_t records = 0;       ///< in the sample
  std::size_t record = 0;        ///< its bytes

  /// What fields of so many bits take in `bytes` bytes like the sample.
  std::uint64_t bytes_of(std::uint64_t of_fields, std::uint64_t bytes) const {
    return of_fields / 2048 * bytes / (records * record);
  }
};

/// `records`: pieces that begin with a record of `record` bytes, 2 or more. At most `sample` bytes of them are
/// read.
RecordGuess guess_fields(const Pieces& records, std::size_t record, std::size_t sample);

}  // namespace tdz
