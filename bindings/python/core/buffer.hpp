// SPDX-License-Identifier: Apache-2.0
// Memory of Python objects: numpy arrays, bytes, memoryviews, arrays of ctypes.
#pragma once

#include <cstddef>
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

}  // namespace tdz::python
