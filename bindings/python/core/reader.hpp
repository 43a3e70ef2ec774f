// SPDX-License-Identifier: Apache-2.0
// A file that is read at any offset: the type Reader, and what info() tells. Both take the file as a
// descriptor (int), as memory (a buffer), or as a function read_at(offset, bytes).
#pragma once

#include "bindings/python/core/state.hpp"

namespace tdz::python {

/// Adds the type Reader. False with an exception.
bool add_reader(PyObject* module, State& state);
/// reader(file, size, /, *, threads=0)
PyObject* open_reader(PyObject* module, PyObject* args, PyObject* kwargs);
/// info_json(file, size, /, *, chunks=False)
PyObject* info_json(PyObject* module, PyObject* args, PyObject* kwargs);
/// check_file(file, size, /, *, threads=0): the number of original bytes, after all of them were proved.
PyObject* check_file(PyObject* module, PyObject* args, PyObject* kwargs);

}  // namespace tdz::python
