// SPDX-License-Identifier: Apache-2.0
// What one import of the module owns.
#pragma once

#include <vector>

#include "bindings/python/core/python.hpp"
#include "tdz/tdz.h"

namespace tdz::python {

struct State {
  PyObject* error = nullptr;  ///< tdz.Error; the four below are kinds of it
  PyObject* corrupt = nullptr;
  PyObject* truncated = nullptr;
  PyObject* unsupported = nullptr;
  PyObject* limit = nullptr;
  PyTypeObject* plan = nullptr;
  PyTypeObject* reader = nullptr;
  PyTypeObject* device = nullptr;
  /// Contexts that no call uses now. The GIL guards the list.
  std::vector<tdz_context*> contexts;
};

/// Null with an exception where the module has gone.
State* state_of(PyObject* module);
/// Of an object whose type this module made; such types have no subclasses.
State* state_of_instance(PyObject* self);

}  // namespace tdz::python
