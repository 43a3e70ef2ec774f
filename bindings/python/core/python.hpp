// SPDX-License-Identifier: Apache-2.0
// What all files of the module share: Python's limited API of 3.11, so that one module file serves
// Python 3.11 and all later ones; small owners for what it hands out; what one import of the module owns;
// exceptions; types whose objects own something of the library; and the arguments of several functions.
#pragma once

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include <cstdint>
#include <new>
#include <utility>
#include <vector>

#include "tdz/tdz.h"

namespace tdz::python {

/// Owns one reference, or none. Used while the thread holds the GIL.
class Ref {
 public:
  Ref() = default;
  /// Takes over a new reference; null is allowed.
  explicit Ref(PyObject* taken) : object_(taken) {}
  static Ref shared(PyObject* borrowed) {
    Py_XINCREF(borrowed);
    return Ref(borrowed);
  }
  ~Ref() { Py_XDECREF(object_); }
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }

  PyObject* get() const { return object_; }
  PyObject* give() { return std::exchange(object_, nullptr); }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  PyObject* object_ = nullptr;
};

/// Makes a call while other threads run Python code.
template <class Call>
auto without_gil(const Call& call) {
  struct Others {
    PyThreadState* state = PyEval_SaveThread();
    ~Others() { PyEval_RestoreThread(state); }
  } const others;
  return call();
}

/// While it lives, this thread may call Python. For callbacks, which come from any thread.
class WithGil {
 public:
  WithGil() : state_(PyGILState_Ensure()) {}
  ~WithGil() { PyGILState_Release(state_); }
  WithGil(const WithGil&) = delete;
  WithGil& operator=(const WithGil&) = delete;

 private:
  PyGILState_STATE state_;
};

/// What one import of the module owns.
struct State {
  PyObject* error = nullptr;  ///< tdz.Error; the four below are kinds of it
  PyObject* corrupt = nullptr;
  PyObject* truncated = nullptr;
  PyObject* unsupported = nullptr;
  PyObject* limit = nullptr;
  PyTypeObject* plan = nullptr;
  PyTypeObject* plan_cache = nullptr;
  PyTypeObject* reader = nullptr;
  PyTypeObject* device = nullptr;
  /// Contexts that no call uses now. The GIL guards the list.
  std::vector<tdz_context*> contexts;
};

/// Null with an exception where the module has gone.
State* state_of(PyObject* module);
/// Of an object whose type this module made; such types have no subclasses.
State* state_of_instance(PyObject* self);

// ---- Errors of the library become exceptions.

/// Makes tdz.Error and its kinds, and adds them to the module. False with an exception.
bool add_errors(PyObject* module, State& state);

/// Sets the exception for this error. Returns null, so that a caller can return it.
PyObject* raise(const State& state, tdz_status status, const tdz_error& error);
/// LimitError: there is no memory for `bytes` bytes. Returns null.
PyObject* raise_no_memory(const State& state, unsigned long long bytes);

// ---- Types of the module whose objects own something of the library. They have no subclasses.

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

/// Adds a type to the module. False with an exception. Callers make its objects only if a slot says how.
inline bool add_type(PyObject* module, const char* name, std::size_t bytes, PyType_Slot* slots,
                     PyTypeObject*& type) {
  unsigned making = Py_TPFLAGS_DISALLOW_INSTANTIATION;
  for (const PyType_Slot* slot = slots; slot->slot != 0; ++slot)
    if (slot->slot == Py_tp_new) making = 0;
  PyType_Spec spec = {name, static_cast<int>(bytes), 0,
                      static_cast<unsigned>(Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE) | making, slots};
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

// ---- Arguments that several functions share. Each function returns false with an exception set.

/// 0 to 2^31 - 1; 0: one for each core.
bool threads_of(int given, unsigned& threads);
/// 1 or more; null or None: 0, which is no limit.
bool max_output_of(PyObject* given, std::uint64_t& most);
/// Is there memory for these bytes at once? LimitError where they are more than the free memory of this
/// machine; `option` is the name of the argument that allows more. Whoever names a limit of their own is not
/// asked.
bool has_memory_for(const State& state, std::uint64_t bytes, const char* option);
/// 1 to 22; null or None: 0, which leaves it to the library.
bool level_of(PyObject* given, int& level);
/// "fast", "normal" or "best".
bool effort_of(const char* given, unsigned& effort);
/// A text such as "f32x3"; null or None: empty. It lives as long as the object.
bool type_of(PyObject* given, const char*& type);

}  // namespace tdz::python
