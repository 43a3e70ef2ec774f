// SPDX-License-Identifier: Apache-2.0
#include "bindings/python/core/python.hpp"

#include <cstring>
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

// ---- Arguments

bool threads_of(int given, unsigned& threads) {
  threads = static_cast<unsigned>(given);
  if (given < 0) PyErr_SetString(PyExc_ValueError, "`threads` must be 0 or more");
  return given >= 0;
}

bool max_output_of(PyObject* given, std::uint64_t& most) {
  most = 0;
  if (given == nullptr || given == Py_None) return true;
  const Ref number(PyNumber_Index(given));
  if (!number) return false;
  most = PyLong_AsUnsignedLongLong(number.get());
  const bool is_too_large = PyErr_Occurred() != nullptr;
  if (is_too_large && !PyErr_ExceptionMatches(PyExc_OverflowError)) return false;
  if (!is_too_large && most != 0) return true;
  PyErr_SetString(PyExc_ValueError, "`max_output` must be 1 to 2**64 - 1 bytes, or None");
  return false;
}

bool has_memory_for(const State& state, std::uint64_t bytes, const char* option) {
  // Asking costs as much as restoring a few hundred kilobytes.
  constexpr std::uint64_t kNeverAsked = std::uint64_t{64} << 20;
  const std::uint64_t most = bytes > kNeverAsked ? tdz_available_memory() : bytes;
  if (bytes <= most) return true;
  PyErr_Format(
      state.limit,
      "%llu bytes are to be restored, but this machine has %llu bytes of free memory; `%s` allows more",
      static_cast<unsigned long long>(bytes), static_cast<unsigned long long>(most), option);
  return false;
}

bool level_of(PyObject* given, int& level) {
  level = 0;
  if (given == nullptr || given == Py_None) return true;
  const long value = PyLong_AsLong(given);
  if (value == -1 && PyErr_Occurred() != nullptr && !PyErr_ExceptionMatches(PyExc_OverflowError))
    return false;
  level = static_cast<int>(value);
  if (value >= 1 && value <= 22) return true;
  PyErr_SetString(PyExc_ValueError, "`level` must be 1 to 22");
  return false;
}

bool effort_of(const char* given, unsigned& effort) {
  const std::string_view name = given;
  effort = name == "fastest" ? TDZ_EFFORT_FASTEST
           : name == "fast"  ? TDZ_EFFORT_FAST
           : name == "best"  ? TDZ_EFFORT_BEST
                             : TDZ_EFFORT_NORMAL;
  if (effort != TDZ_EFFORT_NORMAL || name == "normal") return true;
  PyErr_SetString(PyExc_ValueError, "`effort` must be 'fastest', 'fast', 'normal' or 'best'");
  return false;
}

bool type_of(PyObject* given, const char*& type) {
  type = nullptr;
  if (given == nullptr || given == Py_None) return true;
  if (!PyUnicode_Check(given)) {
    PyErr_SetString(PyExc_TypeError, "`type` must be a text such as 'f32' or 'u64,f32x5'");
    return false;
  }
  Py_ssize_t length = 0;
  type = PyUnicode_AsUTF8AndSize(given, &length);
  if (type == nullptr) return false;
  if (std::strlen(type) == static_cast<std::size_t>(length)) return true;
  PyErr_SetString(PyExc_ValueError, "`type` has a zero byte");
  return false;
}

}  // namespace tdz::python
