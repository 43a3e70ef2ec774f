// SPDX-License-Identifier: Apache-2.0
// tdz.Plan: a plan that never changes, so that all threads may share it.
#pragma once

#include "bindings/python/core/state.hpp"

namespace tdz::python {

/// Adds the type tdz.Plan. False with an exception.
bool add_plan(PyObject* module, State& state);

/// A new tdz.Plan that owns the plan. Null with an exception, and the plan is freed.
PyObject* plan_object(const State& state, tdz_plan* plan);

/// The plan of a tdz.Plan; null with TypeError if `object` is something else.
const tdz_plan* plan_in(const State& state, PyObject* object);

/// plan_for(types, order=1, *, level=None)
PyObject* plan_for(PyObject* module, PyObject* args, PyObject* kwargs);
/// plan(sample, /, *, type=None, level=None, effort='normal', gpu=False)
PyObject* search_plan(PyObject* module, PyObject* args, PyObject* kwargs);

}  // namespace tdz::python
