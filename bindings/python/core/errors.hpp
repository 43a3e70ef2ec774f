// SPDX-License-Identifier: Apache-2.0
// Errors of the library become exceptions.
#pragma once

#include "bindings/python/core/state.hpp"

namespace tdz::python {

/// Makes tdz.Error and its kinds, and adds them to the module. False with an exception.
bool add_errors(PyObject* module, State& state);

/// Sets the exception for this error. Returns null, so that a caller can return it.
PyObject* raise(const State& state, tdz_status status, const tdz_error& error);
/// LimitError: there is no memory for so many bytes.
PyObject* raise_no_memory(const State& state, unsigned long long bytes);

}  // namespace tdz::python
