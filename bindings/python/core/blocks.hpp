// SPDX-License-Identifier: Apache-2.0
// Lone blocks, as functions of the module.
#pragma once

#include "bindings/python/core/state.hpp"

namespace tdz::python {

PyObject* encode_block(PyObject* module, PyObject* args, PyObject* kwargs);
PyObject* decode_block(PyObject* module, PyObject* args, PyObject* kwargs);
PyObject* block_size(PyObject* module, PyObject* block);
PyObject* block_plan(PyObject* module, PyObject* block);
PyObject* block_bound(PyObject* module, PyObject* bytes);

/// Frees the contexts that wait for a next call.
void free_contexts(State& state);

}  // namespace tdz::python
