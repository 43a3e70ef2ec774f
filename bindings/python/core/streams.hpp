// SPDX-License-Identifier: Apache-2.0
// Streams, in memory and over objects with read() and write(), as functions of the module.
#pragma once

#include "bindings/python/core/state.hpp"

namespace tdz::python {

PyObject* compress(PyObject* module, PyObject* args, PyObject* kwargs);
PyObject* decompress(PyObject* module, PyObject* args, PyObject* kwargs);
/// compress_stream(read, write, /, *, type, plan, level, big_endian, threads): `read(most)` returns bytes, b"" at
/// the end; `write(bytes)` takes them all. Returns the lengths of original and stream.
PyObject* compress_stream(PyObject* module, PyObject* args, PyObject* kwargs);
/// decompress_stream(read, write, /, *, threads): with None for `write` all is checked and nothing is written.
PyObject* decompress_stream(PyObject* module, PyObject* args, PyObject* kwargs);
PyObject* type_of_buffer(PyObject* module, PyObject* object);

}  // namespace tdz::python
