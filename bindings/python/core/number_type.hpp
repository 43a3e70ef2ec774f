// SPDX-License-Identifier: Apache-2.0
// What a buffer says of its items, in the words of tdz.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tdz::python {

struct NumberTypes {
  /// Such as "f32" or "u64,f32x5"; empty where nothing is known: plain bytes, or a row too wide for columns.
  std::string types;
  bool big_endian = false;
};

/// `format` is that of a Py_buffer (PEP 3118), such as "<f" or "T{<u8:time:(3)<f:place:}", and one item has
/// `item_bytes` bytes. A structure becomes the columns of a row. Bytes that no field names (padding) are
/// columns too, and a complex number is two numbers. Where fields have different byte orders, nothing is
/// known.
NumberTypes types_of(std::string_view format, std::size_t item_bytes);

/// The fields do not fill an item, or records stand in an array: numpy does not tell of the gap at the end of
/// a record.
bool hides_gaps(std::string_view format, std::size_t item_bytes);

/// The items hold Python objects or pointers: their bytes mean nothing outside this process.
bool holds_references(std::string_view format);

}  // namespace tdz::python
