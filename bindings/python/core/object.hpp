// SPDX-License-Identifier: Apache-2.0
// Types of the module whose objects own something of the library. They have no subclasses.
#pragma once

#include <new>

#include "bindings/python/core/errors.hpp"

namespace tdz::python {

/// Ends the life of an object and gives its memory back.
inline void free_object(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

/// An object whose memory is zeros; null with an exception.
inline PyObject* allocate(PyTypeObject* type) {
  return reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc))(type, 0);
}

/// Adds a type to the module. False with an exception.
inline bool add_type(PyObject* module, const char* name, std::size_t bytes, PyType_Slot* slots, PyTypeObject*& type) {
  PyType_Spec spec = {name, static_cast<int>(bytes), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE, slots};
  type = reinterpret_cast<PyTypeObject*>(PyType_FromModuleAndSpec(module, &spec, nullptr));
  return type != nullptr && PyModule_AddType(module, type) == 0;
}

/// An object that owns a Held.
template <class Held>
struct Owner {
  PyObject_HEAD Held* held;

  static Held& of(PyObject* self) { return *reinterpret_cast<Owner*>(self)->held; }
  static void dealloc(PyObject* self) {
    delete reinterpret_cast<Owner*>(self)->held;
    free_object(self);
  }
  /// Null with an exception.
  static PyObject* make(PyTypeObject* type, const State& state) {
    Ref object(allocate(type));
    if (!object) return nullptr;
    Held* held = new (std::nothrow) Held;
    reinterpret_cast<Owner*>(object.get())->held = held;
    return held != nullptr ? object.give() : raise_no_memory(state, sizeof(Held));
  }
};

}  // namespace tdz::python
