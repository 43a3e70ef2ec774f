// SPDX-License-Identifier: Apache-2.0
#include "bindings/python/core/arguments.hpp"

#include <cstring>
#include <string_view>

namespace tdz::python {

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
