// SPDX-License-Identifier: Apache-2.0
// Streams, in memory and over objects with read() and write(), as functions of the module.
#pragma once

#include "bindings/python/core/state.hpp"

namespace tdz::python {

PyObject* compress(PyObject* module, PyObject* args, PyObject* kwargs);
PyObject* decompress(PyObject* module, PyObject* args, PyObject* kwargs);
/// compress_stream(read, write, /, *, type, plan, level, big_endian, threads): `read(most)` returns bytes,
/// b"" at the end; `write(bytes)` takes them all. Returns the lengths of original and stream.
PyObject* compress_stream(PyObject* module, PyObject* args, PyObject* kwargs);
/// decompress_stream(read, write, /, *, threads): with None for `write` all is checked and nothing is
/// written.
PyObject* decompress_stream(PyObject* module, PyObject* args, PyObject* kwargs);
/// check_options(*, type, plan, level, threads): raises what compress_stream would raise for them.
PyObject* check_options(PyObject* module, PyObject* args, PyObject* kwargs);

/// type_of(buffer): the types of its items, or None, and whether they are big-endian.
PyObject* type_of_buffer(PyObject* module, PyObject* object);
/// The bytes of a buffer.
PyObject* nbytes(PyObject* module, PyObject* object);
/// piece(buffer, at, most): a copy of a part of it.
PyObject* piece(PyObject* module, PyObject* args);

}  // namespace tdz::python
