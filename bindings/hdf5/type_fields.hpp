// SPDX-License-Identifier: Apache-2.0
// What a type of HDF5 is made of: fields of numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bindings/hdf5/library.hpp"

namespace tdz::hdf5 {

/// Equal numbers that stand together.
struct Field {
  bool number = true;  ///< false: bytes that are no number, such as text
  unsigned word = 1;
  std::uint64_t count = 1;
  bool big_endian = false;

  friend bool operator==(const Field&, const Field&) = default;
};

/// The fields of an element, first to last, gaps too: their bytes are those of the type.
std::vector<Field> fields_of(const Library& hdf5, abi::hid_t type);

/// The one field that an element is, if it is one.
std::optional<Field> single_field(const std::vector<Field>& fields);

/// "u16,u64x5", as tdz_plan_for has it. Nothing: too many fields, or big-endian ones.
std::optional<std::string> type_name(const std::vector<Field>& fields);

}  // namespace tdz::hdf5
