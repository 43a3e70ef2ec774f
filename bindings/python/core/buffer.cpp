// SPDX-License-Identifier: Apache-2.0
#include "bindings/python/core/buffer.hpp"

#include <functional>

#include "bindings/python/core/callbacks.hpp"

namespace tdz::python {

Buffer::~Buffer() {
  if (view_.obj != nullptr) PyBuffer_Release(&view_);
}

namespace {

/// Such as numpy.ma.MaskedArray. Asked of the class: an array of records may have such attributes as fields.
bool has_mask(PyObject* object) {
  PyObject* type = reinterpret_cast<PyObject*>(Py_TYPE(object));
  return PyObject_HasAttrString(type, "filled") != 0 && PyObject_HasAttrString(type, "mask") != 0;
}

bool has_dtype(PyObject* object) {
  return PyObject_HasAttrString(object, "dtype") != 0;
}

/// False with TypeError: tables of pandas and xarray, arrays of torch, h5py, Zarr and Dask, and what is no
/// array.
bool refuse_without_buffer(PyObject* object) {
  const bool is_array = PyObject_HasAttrString(object, "__array__") != 0;
  PyErr_Format(PyExc_TypeError,
               is_array
                   ? "%R lends no memory of its numbers; give an array, as numpy.asarray() makes one of it"
                   : "bytes or an array of numbers is needed, not %R",
               reinterpret_cast<PyObject*>(Py_TYPE(object)));
  return false;
}

}  // namespace

/// numpy shares no memory of some types, such as times (datetime64), those that other packages add, and
/// records with such fields; and of some records it does not tell all gaps. tdz._types makes a view of the
/// same memory that it does share.
bool Buffer::take_view_of(PyObject* array) {
  const Ref types(PyImport_ImportModule("tdz._types"));
  const Ref view(types ? PyObject_CallMethod(types.get(), "view_of_bits", "O", array) : nullptr);
  if (view && PyObject_GetBuffer(view.get(), &view_, PyBUF_FULL_RO) == 0) return true;
  view_.obj = nullptr;
  return false;
}

bool Buffer::take(PyObject* object) {
  if (has_mask(object)) {
    PyErr_SetString(
        PyExc_TypeError,
        "the array has a mask, which would be lost; give array.filled(VALUE), or compress its data and "
        "its mask as two arrays");
    return false;
  }
  if (PyObject_CheckBuffer(object) == 0) return refuse_without_buffer(object);
  if (PyObject_GetBuffer(object, &view_, PyBUF_FULL_RO) == 0) {
    if (!hides_gaps(format(), item_bytes()) || !has_dtype(object)) return true;
    PyBuffer_Release(&view_);
    return take_view_of(object);
  }
  view_.obj = nullptr;
  Raised why;
  why.take();
  if (has_dtype(object)) return take_view_of(object);
  why.restore();
  return false;
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
