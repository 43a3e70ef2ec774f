// SPDX-License-Identifier: Apache-2.0
// Blocks that are decoded into the memory of a GPU: the type DeviceDecoder, for tdz/cuda.py.
#pragma once

#include "bindings/python/core/state.hpp"

namespace tdz::python {

/// Adds the type DeviceDecoder. False with an exception.
bool add_device(PyObject* module, State& state);
/// device_decoder(blocks, /): of a sequence of buffers. It reads all records, and loads the packed bytes.
PyObject* open_device(PyObject* module, PyObject* blocks);
/// device_count()
PyObject* device_count(PyObject* module, PyObject*);

}  // namespace tdz::python
