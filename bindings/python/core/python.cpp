// SPDX-License-Identifier: Apache-2.0
#include "bindings/python/core/python.hpp"

#include <string>
#include <string_view>

namespace tdz::python {
namespace {

constexpr const char* kErrorText =
    "What went wrong with compressed data. `where` is the offset in it, or None.\n\n"
    "Wrong arguments are ValueError or TypeError, and a failed read or write is OSError.";

PyObject* make(PyObject* module, const char* name, const char* text, PyObject* bases) {
  const std::string full = std::string("tdz.") + name;
  PyObject* made = PyErr_NewExceptionWithDoc(full.c_str(), text, bases, nullptr);
  if (made != nullptr && PyModule_AddObjectRef(module, name, made) != 0) Py_CLEAR(made);
  return made;
}

/// A kind of tdz.Error that is also one of Python's own kinds.
PyObject* make_kind(PyObject* module, const State& state, const char* name, const char* text,
                    PyObject* usual) {
  const Ref bases(PyTuple_Pack(2, state.error, usual));
  return bases ? make(module, name, text, bases.get()) : nullptr;
}

PyObject* type_for(const State& state, tdz_status status) {
  switch (status) {
    case TDZ_CORRUPT:
      return state.corrupt;
    case TDZ_TRUNCATED:
      return state.truncated;
    case TDZ_UNSUPPORTED:
      return state.unsupported;
    case TDZ_LIMIT:
      return state.limit;
    case TDZ_USAGE:
      return PyExc_ValueError;
    case TDZ_IO:
      return PyExc_OSError;
    case TDZ_CANCELLED:
    case TDZ_OK:
      break;
  }
  return state.error;
}

}  // namespace

State* state_of(PyObject* module) {
  return static_cast<State*>(PyModule_GetState(module));
}

State* state_of_instance(PyObject* self) {
  return static_cast<State*>(PyType_GetModuleState(Py_TYPE(self)));
}

bool add_errors(PyObject* module, State& state) {
  state.error = make(module, "Error", kErrorText, nullptr);
  if (state.error == nullptr || PyObject_SetAttrString(state.error, "where", Py_None) != 0) return false;
  state.corrupt =
      make_kind(module, state, "CorruptError", "The bytes contradict themselves.", PyExc_ValueError);
  state.truncated = make_kind(module, state, "TruncatedError", "The bytes end too early.", PyExc_EOFError);
  state.unsupported = make(
      module, "UnsupportedError",
      "The bytes are intact, but this version or build cannot read them; or there is no GPU.", state.error);
  state.limit = make_kind(module, state, "LimitError", "There is too little memory, or a limit was reached.",
                          PyExc_MemoryError);
  return state.corrupt != nullptr && state.truncated != nullptr && state.unsupported != nullptr &&
         state.limit != nullptr;
}

PyObject* raise(const State& state, tdz_status status, const tdz_error& error) {
  PyObject* type = type_for(state, status);
  const auto length = static_cast<Py_ssize_t>(std::string_view(error.message).size());
  const Ref message(PyUnicode_DecodeUTF8(error.message, length, "replace"));
  if (!message) return nullptr;
  const Ref made(PyObject_CallFunctionObjArgs(type, message.get(), nullptr));
  if (!made) return nullptr;
  if (type != PyExc_ValueError && type != PyExc_OSError && error.where != TDZ_NOWHERE) {
    const Ref where(PyLong_FromUnsignedLongLong(error.where));
    if (!where || PyObject_SetAttrString(made.get(), "where", where.get()) != 0) return nullptr;
  }
  PyErr_SetObject(type, made.get());
  return nullptr;
}

PyObject* raise_no_memory(const State& state, unsigned long long bytes) {
  return PyErr_Format(state.limit, "there is no memory for %llu bytes", bytes);
}

}  // namespace tdz::python
