// SPDX-License-Identifier: Apache-2.0
// Arrays on a GPU that other libraries describe with DLPack.
#pragma once

#include "bindings/python/core/python.hpp"

namespace tdz::python {

/// dlpack_memory(capsule, /): address and bytes of a contiguous, writable array on a GPU, as what __dlpack__() returned
/// describes it. The capsule keeps the memory. TypeError or ValueError: it is something else.
PyObject* dlpack_memory(PyObject* module, PyObject* capsule);

}  // namespace tdz::python
