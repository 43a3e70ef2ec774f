// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "bindings/python/core/buffer.hpp"
#include "bindings/python/core/callbacks.hpp"
#include "bindings/python/core/module.hpp"
#include "bindings/python/core/python.hpp"

namespace tdz::python {
namespace {

/// False with an exception. None: 0, which suits the numbers.
bool chunk_of(PyObject* given, std::uint32_t& bytes) {
  bytes = 0;
  if (given == nullptr || given == Py_None) return true;
  constexpr long kLeast = 64 << 10, kMost = 1 << 30;
  const long value = PyLong_AsLong(given);
  if (value == -1 && PyErr_Occurred() != nullptr && !PyErr_ExceptionMatches(PyExc_OverflowError))
    return false;
  bytes = static_cast<std::uint32_t>(value);
  if (value >= kLeast && value <= kMost) return true;
  PyErr_SetString(PyExc_ValueError, "`chunk` must be 65536 (64 KiB) to 1073741824 bytes (1 GiB), or None");
  return false;
}

/// False with an exception.
bool protect_of(int given, std::uint64_t& percent) {
  percent = static_cast<std::uint64_t>(given);
  const bool good = given >= 0 && given <= 100;
  if (!good) PyErr_SetString(PyExc_ValueError, "`protect` must be 0 to 100 percent");
  return good;
}

/// What compress and compress_stream share: type=None, plan=None, level=None, effort='normal', threads=0,
/// protect=0. The chunk is that of compress_stream alone.
struct Choice {
  PyObject *type = nullptr, *plan = nullptr, *level = nullptr, *chunk = nullptr;
  const char* effort = "normal";
  int threads = 0, protect = 0;

  bool fill(const State& state, tdz_compress_options& options) const {
    options = {};
    options.size = sizeof options;
    if (!threads_of(threads, options.threads) || !level_of(level, options.level) ||
        !effort_of(effort, options.effort) || !type_of(type, options.type) ||
        !chunk_of(chunk, options.chunk_bytes) || !protect_of(protect, options.protect))
      return false;
    if (plan == nullptr || plan == Py_None) return true;
    if (options.level != 0 || options.effort != TDZ_EFFORT_NORMAL) {
      PyErr_SetString(
          PyExc_ValueError,
          options.level != 0
              ? "`level` does not go with `plan`; use plan.with_level()"
              : "`effort` does not go with `plan`: the plan was searched before, so give it to tdz.plan()");
      return false;
    }
    options.plan = plan_in(state, plan);
    return options.plan != nullptr;
  }
};

PyObject* bytes_and_free(void* stored, std::size_t length) {
  PyObject* bytes = PyBytes_FromStringAndSize(static_cast<char*>(stored), static_cast<Py_ssize_t>(length));
  tdz_free(stored);
  return bytes;
}

/// Raises what a callback or a signal handler raised, or else the error.
PyObject* raise_after(const State& state, Raised& raised, tdz_status status, const tdz_error& error) {
  return raised.restore() ? nullptr : raise(state, status, error);
}

/// Restores into this memory; returns the number of bytes, or -1 with an exception.
Py_ssize_t restore(const State& state, const Buffer& stored, unsigned threads, char* to, std::size_t room) {
  tdz_decompress_options options{};
  options.size = sizeof options;
  options.threads = threads;
  Raised raised;
  Signals signals(raised);
  signals.watch(options);
  std::size_t length = 0;
  tdz_error error;
  const tdz_status status = without_gil([&] {
    return tdz_decompress_bytes(stored.data(), stored.size(), &options, to, room, &length, &error);
  });
  if (status == TDZ_OK) return static_cast<Py_ssize_t>(length);
  raise_after(state, raised, status, error);
  return -1;
}

/// False with an exception: the original is longer than `most`, or than the memory if `most` is 0.
bool may_restore(const State& state, std::uint64_t original, std::uint64_t most) {
  if (most == 0) return has_memory_for(state, original, "max_output");
  if (original <= most) return true;
  PyErr_Format(state.limit, "the original is longer than the limit of %llu bytes",
               static_cast<unsigned long long>(most));
  return false;
}

PyObject* restore_to_bytes(const State& state, const Buffer& stored, unsigned threads, std::uint64_t most) {
  std::uint64_t original = 0;
  tdz_error error;
  const auto status = tdz_original_bytes(stored.data(), stored.size(), &original, &error);
  if (status != TDZ_OK) return raise(state, status, error);
  if (!may_restore(state, original, most)) return nullptr;
  if (original > static_cast<std::uint64_t>(PY_SSIZE_T_MAX)) return raise_no_memory(state, original);
  // Nothing of this memory is touched before bytes were restored and proved.
  Ref bytes(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(original)));
  if (!bytes) return raise_no_memory(state, original);
  const Py_ssize_t length =
      restore(state, stored, threads, PyBytes_AsString(bytes.get()), static_cast<std::size_t>(original));
  if (length < 0) return nullptr;
  // Shorter only if another thread changed the data meanwhile.
  return static_cast<std::uint64_t>(length) == original
             ? bytes.give()
             : PyBytes_FromStringAndSize(PyBytes_AsString(bytes.get()), length);
}

}  // namespace

PyObject* compress(PyObject* module, PyObject* args, PyObject* kwargs) {
  const State* state = state_of(module);
  static const char* names[] = {"",        "type",  "plan",    "level", "effort",
                                "threads", "plans", "protect", nullptr};
  PyObject *given = nullptr, *plans = Py_None;
  Choice choice;
  tdz_compress_options options;
  Buffer data;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|$OOOsiOi:compress", const_cast<char**>(names), &given,
                                   &choice.type, &choice.plan, &choice.level, &choice.effort, &choice.threads,
                                   &plans, &choice.protect) ||
      !choice.fill(*state, options) || !data.open(given))
    return nullptr;
  if (plans != Py_None) {
    options.plans = plan_cache_in(*state, plans);
    if (options.plans == nullptr) return nullptr;
  }
  const NumberTypes found =
      options.type == nullptr ? types_of(data.format(), data.item_bytes()) : NumberTypes();
  if (!found.types.empty()) options.type = found.types.c_str();
  if (options.plan == nullptr) options.big_endian = found.big_endian ? 1 : 0;
  Raised raised;
  Signals signals(raised);
  signals.watch(options);
  void* stored = nullptr;
  std::size_t length = 0;
  tdz_error error;
  const tdz_status status = without_gil(
      [&] { return tdz_compress_bytes(data.data(), data.size(), &options, &stored, &length, &error); });
  return status == TDZ_OK ? bytes_and_free(stored, length) : raise_after(*state, raised, status, error);
}

PyObject* decompress(PyObject* module, PyObject* args, PyObject* kwargs) {
  const State* state = state_of(module);
  static const char* names[] = {"", "out", "max_output", "threads", nullptr};
  PyObject *given = nullptr, *out = Py_None, *given_most = nullptr;
  int given_threads = 0;
  unsigned threads = 0;
  std::uint64_t most = 0;
  Buffer stored, to;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|$OOi:decompress", const_cast<char**>(names), &given, &out,
                                   &given_most, &given_threads) ||
      !threads_of(given_threads, threads) || !max_output_of(given_most, most) || !stored.open(given))
    return nullptr;
  if (out == Py_None) return restore_to_bytes(*state, stored, threads, most);
  if (!to.open_output_beside(out, stored)) return nullptr;
  const std::uint64_t room = most != 0 ? std::min<std::uint64_t>(most, to.size()) : to.size();
  const Py_ssize_t length = restore(*state, stored, threads, to.data(), static_cast<std::size_t>(room));
  return length < 0 ? nullptr : PyLong_FromSsize_t(length);
}

/// Runs tdz_compress or tdz_decompress over two callables; None for `write`: nothing is written. Returns the
/// lengths of original and stored bytes.
template <class Options>
PyObject* coded(const State& state, PyObject* read, PyObject* write, Options& options,
                tdz_status (*call)(const tdz_input*, const tdz_output*, const Options*, tdz_totals*,
                                   tdz_error*)) {
  Raised raised;
  Signals signals(raised);
  signals.watch(options);
  PythonInput from(read, raised);
  PythonOutput to(write, raised);
  const tdz_input input = PythonInput::in_order(from);
  const tdz_output output = PythonOutput::in_order(to);
  tdz_totals totals{};
  totals.size = sizeof totals;
  tdz_error error;
  const tdz_status status = without_gil(
      [&] { return call(&input, write == Py_None ? nullptr : &output, &options, &totals, &error); });
  if (status != TDZ_OK) return raise_after(state, raised, status, error);
  return Py_BuildValue("KK", static_cast<unsigned long long>(totals.original_bytes),
                       static_cast<unsigned long long>(totals.stored_bytes));
}

PyObject* compress_stream(PyObject* module, PyObject* args, PyObject* kwargs) {
  const State* state = state_of(module);
  static const char* names[] = {"",           "",        "type",  "plan",    "level", "effort",
                                "big_endian", "threads", "chunk", "protect", nullptr};
  PyObject *read = nullptr, *write = nullptr;
  Choice choice;
  int big_endian = 0;
  tdz_compress_options options;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO|$OOOspiOi:compress_stream", const_cast<char**>(names),
                                   &read, &write, &choice.type, &choice.plan, &choice.level, &choice.effort,
                                   &big_endian, &choice.threads, &choice.chunk, &choice.protect) ||
      !choice.fill(*state, options))
    return nullptr;
  if (options.plan == nullptr) options.big_endian = big_endian;
  return coded(*state, read, write, options, tdz_compress);
}

PyObject* decompress_stream(PyObject* module, PyObject* args, PyObject* kwargs) {
  const State* state = state_of(module);
  static const char* names[] = {"", "", "max_output", "threads", nullptr};
  PyObject *read = nullptr, *write = nullptr, *most = nullptr;
  int threads = 0;
  tdz_decompress_options options{};
  options.size = sizeof options;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO|$Oi:decompress_stream", const_cast<char**>(names), &read,
                                   &write, &most, &threads) ||
      !threads_of(threads, options.threads) || !max_output_of(most, options.max_output))
    return nullptr;
  return coded(*state, read, write, options, tdz_decompress);
}

PyObject* default_threads(PyObject*, PyObject*) {
  return PyLong_FromUnsignedLong(tdz_default_threads());
}

PyObject* check_options(PyObject* module, PyObject* args, PyObject* kwargs) {
  const State* state = state_of(module);
  static const char* names[] = {"type", "plan", "level", "effort", "threads", "chunk", "protect", nullptr};
  Choice choice;
  tdz_compress_options options;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|$OOOsiOi:open", const_cast<char**>(names), &choice.type,
                                   &choice.plan, &choice.level, &choice.effort, &choice.threads,
                                   &choice.chunk, &choice.protect) ||
      !choice.fill(*state, options))
    return nullptr;
  tdz_plan* plan = nullptr;
  tdz_error error;
  const auto status = options.type != nullptr ? tdz_plan_for(options.type, 0, 0, &plan, &error) : TDZ_OK;
  tdz_plan_free(plan);
  return status == TDZ_OK ? Py_BuildValue("") : raise(*state, status, error);
}

PyObject* available_memory(PyObject*, PyObject*) {
  return PyLong_FromUnsignedLongLong(tdz_available_memory());
}

PyObject* nbytes(PyObject*, PyObject* object) {
  Buffer data;
  return data.open(object) ? PyLong_FromSize_t(data.size()) : nullptr;
}

PyObject* piece(PyObject*, PyObject* args) {
  PyObject* object = nullptr;
  Py_ssize_t at = 0, most = 0;
  Buffer data;
  if (!PyArg_ParseTuple(args, "Onn:piece", &object, &at, &most) || !data.open(object)) return nullptr;
  const auto size = static_cast<Py_ssize_t>(data.size());
  if (at < 0 || at > size || most < 0)
    return PyErr_Format(PyExc_ValueError, "the buffer has changed its size");
  return PyBytes_FromStringAndSize(data.data() + at, std::min(most, size - at));
}

PyObject* type_of_buffer(PyObject*, PyObject* object) {
  Buffer data;
  if (!data.open(object)) return nullptr;
  const NumberTypes found = types_of(data.format(), data.item_bytes());
  return Py_BuildValue("zN", found.types.empty() ? nullptr : found.types.c_str(),
                       PyBool_FromLong(found.big_endian));
}

}  // namespace tdz::python
