// SPDX-License-Identifier: Apache-2.0
// Python's limited API of 3.11, and small owners for what it hands out. One module file then serves
// Python 3.11 and all later ones.
#pragma once

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include <utility>

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

}  // namespace tdz::python
