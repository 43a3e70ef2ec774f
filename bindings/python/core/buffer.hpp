// SPDX-License-Identifier: Apache-2.0
// Memory of Python objects: numpy arrays, bytes, memoryviews, arrays of ctypes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "bindings/python/core/python.hpp"

namespace tdz::python {

/// Holds the memory of an object, so that it neither moves nor goes while the GIL is released.
class Buffer {
 public:
  Buffer() = default;
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  /// The memory of `object`, C- or Fortran-contiguous. False with TypeError or ValueError.
  bool open(PyObject* object);
  /// The same for an argument that is written to: ValueError where it is read-only.
  bool open_output(PyObject* object);
  /// The same, and ValueError where it shares memory with `data`.
  bool open_output_beside(PyObject* object, const Buffer& data);

  char* data() const { return static_cast<char*>(view_.buf); }
  std::size_t size() const { return static_cast<std::size_t>(view_.len); }
  /// What an item is, in the words of struct and PEP 3118; numbers of a bytes object are "B".
  std::string_view format() const { return view_.format != nullptr ? view_.format : "B"; }
  std::size_t item_bytes() const { return static_cast<std::size_t>(view_.itemsize); }

 private:
  bool overlaps(const Buffer& other) const;
  bool take(PyObject* object);
  bool take_view_of(PyObject* object);

  Py_buffer view_{};
};

// ---- What a buffer says of its items, in the words of tdz

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
