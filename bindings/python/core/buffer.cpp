// SPDX-License-Identifier: Apache-2.0
#include "bindings/python/core/buffer.hpp"

#include <functional>
#include <string>

#include "bindings/python/core/number_type.hpp"

namespace tdz::python {

Buffer::~Buffer() {
  if (view_.obj != nullptr) PyBuffer_Release(&view_);
}

namespace {

/// "i8" or "u2": integers of as many bytes, in the same byte order. Empty where there are none.
std::string integers_for(PyObject* array) {
  const Ref dtype(PyObject_GetAttrString(array, "dtype"));
  const Ref name(dtype ? PyObject_GetAttrString(dtype.get(), "str") : nullptr);  // such as "<M8[ns]"
  const char* text = name ? PyUnicode_AsUTF8AndSize(name.get(), nullptr) : nullptr;
  const std::string_view type = text != nullptr ? text : "";
  if (type.size() < 3 || type[1] == 'O' || std::string_view("1248").find(type[2]) == std::string_view::npos)
    return {};
  const bool is_time = type[1] == 'M' || type[1] == 'm';
  return {type[0] == '>' ? '>' : '=', is_time ? 'i' : 'u', type[2]};
}

}  // namespace

/// numpy shares no memory of times (datetime64), and none of types that PEP 3118 has no letter for. Their
/// bits are integers: array.view("=i8") is the same memory.
bool Buffer::take_view_of(PyObject* array) {
  PyErr_Clear();
  const std::string integers = integers_for(array);
  const Ref view(integers.empty() ? nullptr : PyObject_CallMethod(array, "view", "s", integers.c_str()));
  if (view && PyObject_GetBuffer(view.get(), &view_, PyBUF_FULL_RO) == 0) return true;
  view_.obj = nullptr;
  PyErr_SetString(PyExc_TypeError,
                  "the numbers of this array cannot be read as bytes; use its view() of integers");
  return false;
}

bool Buffer::take(PyObject* object) {
  if (PyObject_GetBuffer(object, &view_, PyBUF_FULL_RO) == 0) return true;
  view_.obj = nullptr;
  if (PyErr_ExceptionMatches(PyExc_TypeError)) return false;  // it has no buffer at all
  return take_view_of(object);
}

bool Buffer::open(PyObject* object) {
  if (!take(object)) return false;
  if (holds_references(format())) {
    PyErr_SetString(PyExc_TypeError, "the buffer holds Python objects or pointers, not numbers");
    return false;
  }
  if (PyBuffer_IsContiguous(&view_, 'A')) return true;
  PyErr_SetString(PyExc_ValueError,
                  "the buffer is not contiguous; numpy.ascontiguousarray makes a copy that is");
  return false;
}

bool Buffer::open_output(PyObject* object) {
  if (!open(object)) return false;
  if (!view_.readonly) return true;
  PyErr_SetString(PyExc_ValueError, "`out` is read-only");
  return false;
}

bool Buffer::open_output_beside(PyObject* object, const Buffer& data) {
  if (!open_output(object)) return false;
  if (!overlaps(data)) return true;
  PyErr_SetString(PyExc_ValueError, "`out` and the data share memory");
  return false;
}

bool Buffer::overlaps(const Buffer& other) const {
  const std::less<const char*> before;
  return size() != 0 && other.size() != 0 && before(data(), other.data() + other.size()) &&
         before(other.data(), data() + size());
}

}  // namespace tdz::python
