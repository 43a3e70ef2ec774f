// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <mutex>
#include <optional>

#include "bindings/python/core/buffer.hpp"
#include "bindings/python/core/callbacks.hpp"
#include "bindings/python/core/module.hpp"
#include "bindings/python/core/python.hpp"

namespace tdz::python {
namespace {

/// A file of one of three kinds. It stays where it is, because the library holds its address.
class File {
 public:
  /// False with an exception.
  bool open(PyObject* given, unsigned long long size) {
    if (PyLong_Check(given)) {
      const long fd = PyLong_AsLong(given);
      if (fd == -1 && PyErr_Occurred() != nullptr) return false;
      input_ = FileInput::over(descriptor_.emplace(FileInput{static_cast<int>(fd), size}));
    } else if (PyObject_CheckBuffer(given)) {
      if (!buffer_.open(given)) return false;
      input_ = MemoryInput::over(memory_.emplace(MemoryInput{buffer_.data(), buffer_.size()}));
    } else {
      input_ = PythonInput::at_offsets(function_.emplace(given, raised_), size);
    }
    return true;
  }
  const tdz_input& input() const { return input_; }
  Raised& raised() { return raised_; }
  /// The exception of the function, or that of the error.
  PyObject* raise(const State& state, tdz_status status, const tdz_error& error) {
    return raised_.restore() ? nullptr : python::raise(state, status, error);
  }

 private:
  Raised raised_;
  Buffer buffer_;
  std::optional<FileInput> descriptor_;
  std::optional<MemoryInput> memory_;
  std::optional<PythonInput> function_;
  tdz_input input_{};
};

struct Opened {
  File file;
  bool has_own_limit = false;  ///< the caller named one: whatever is shorter may be read at once
  std::mutex mutex;            ///< a reader is used by one thread at a time; taken without the GIL
  tdz_reader* reader = nullptr;

  ~Opened() { tdz_reader_free(reader); }
};

using ReaderObject = Owner<Opened>;

/// Returns the number of restored bytes, or -1 with an exception.
Py_ssize_t restore(PyObject* self, unsigned long long offset, char* to, std::size_t bytes) {
  Opened& opened = ReaderObject::of(self);
  std::size_t got = 0;
  tdz_error error;
  const tdz_status status = without_gil([&] {
    const std::lock_guard lock(opened.mutex);
    return tdz_reader_read(opened.reader, offset, to, bytes, &got, &error);
  });
  if (status == TDZ_OK) return static_cast<Py_ssize_t>(got);
  opened.file.raise(*state_of_instance(self), status, error);
  return -1;
}

PyObject* read_into(PyObject* self, PyObject* args) {
  unsigned long long offset = 0;
  PyObject* given = nullptr;
  Buffer to;
  if (!PyArg_ParseTuple(args, "KO:read_into", &offset, &given) || !to.open_output(given)) return nullptr;
  const Py_ssize_t got = restore(self, offset, to.data(), to.size());
  return got < 0 ? nullptr : PyLong_FromSsize_t(got);
}

PyObject* read(PyObject* self, PyObject* args) {
  unsigned long long offset = 0;
  Py_ssize_t most = 0;
  if (!PyArg_ParseTuple(args, "Kn:read", &offset, &most)) return nullptr;
  const std::uint64_t size = tdz_reader_size(ReaderObject::of(self).reader);
  const std::uint64_t bytes = std::min(size - std::min<std::uint64_t>(offset, size),
                                       static_cast<std::uint64_t>(std::max<Py_ssize_t>(most, 0)));
  const State& state = *state_of_instance(self);
  if (!ReaderObject::of(self).has_own_limit && !has_memory_for(state, bytes, "max_output")) return nullptr;
  Ref made(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(bytes)));
  if (!made) return raise_no_memory(state, bytes);
  const Py_ssize_t got = restore(self, offset, PyBytes_AsString(made.get()), static_cast<std::size_t>(bytes));
  if (got < 0 || static_cast<std::uint64_t>(got) == bytes) return got < 0 ? nullptr : made.give();
  return PyBytes_FromStringAndSize(PyBytes_AsString(made.get()), got);
}

PyObject* size(PyObject* self, void*) {
  return PyLong_FromUnsignedLongLong(tdz_reader_size(ReaderObject::of(self).reader));
}

PyObject* type(PyObject* self, void*) {
  return PyUnicode_FromString(tdz_reader_type(ReaderObject::of(self).reader));
}

PyMethodDef kMethods[] = {
    {"read_into", read_into, METH_VARARGS,
     "read_into($self, offset, out, /)\n--\n\nRestores the bytes from this offset on into `out`; "
     "fewer at the end. Returns their number."},
    {"read", read, METH_VARARGS,
     "read($self, offset, most, /)\n--\n\nRestores at most `most` bytes from this offset on."},
    {}};

PyGetSetDef kProperties[] = {
    {"size", size, nullptr, "The number of original bytes.", nullptr},
    {"type", type, nullptr, "What the file says of its numbers, or an empty text.", nullptr},
    {}};

constexpr const char* kText =
    "Reads the original of a file at any offset. Threads may share it; they wait for one another.";

PyType_Slot kSlots[] = {{Py_tp_doc, const_cast<char*>(kText)},
                        {Py_tp_dealloc, reinterpret_cast<void*>(ReaderObject::dealloc)},
                        {Py_tp_methods, kMethods},
                        {Py_tp_getset, kProperties},
                        {0, nullptr}};

}  // namespace

bool add_reader(PyObject* module, State& state) {
  return add_type(module, "tdz._core.Reader", sizeof(ReaderObject), kSlots, state.reader);
}

namespace {

/// (file, size, /, *, max_output=None, threads=0)
struct ReadArguments {
  PyObject* given = nullptr;
  unsigned long long bytes = 0;
  tdz_decompress_options options{};

  /// `format` ends with the name of the function. False with an exception.
  bool parse(PyObject* args, PyObject* kwargs, const char* format) {
    static const char* names[] = {"", "", "max_output", "threads", nullptr};
    PyObject* most = nullptr;
    int threads = 0;
    options.size = sizeof options;
    return PyArg_ParseTupleAndKeywords(args, kwargs, format, const_cast<char**>(names), &given, &bytes, &most,
                                       &threads) &&
           threads_of(threads, options.threads) && max_output_of(most, options.max_output);
  }
};

}  // namespace

PyObject* open_reader(PyObject* module, PyObject* args, PyObject* kwargs) {
  const State* state = state_of(module);
  ReadArguments asked;
  if (!asked.parse(args, kwargs, "OK|$Oi:reader")) return nullptr;
  Ref object(ReaderObject::make(state->reader, *state));
  if (!object || !ReaderObject::of(object.get()).file.open(asked.given, asked.bytes)) return nullptr;
  Opened& opened = ReaderObject::of(object.get());
  opened.has_own_limit = asked.options.max_output != 0;
  tdz_error error;
  const tdz_status status = without_gil(
      [&] { return tdz_reader_open(&opened.file.input(), &asked.options, &opened.reader, &error); });
  return status == TDZ_OK ? object.give() : opened.file.raise(*state, status, error);
}

PyObject* info_json(PyObject* module, PyObject* args, PyObject* kwargs) {
  const State* state = state_of(module);
  static const char* names[] = {"", "", "chunks", nullptr};
  PyObject* given = nullptr;
  unsigned long long bytes = 0;
  int chunks = 0;
  File file;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OK|$p:info_json", const_cast<char**>(names), &given, &bytes,
                                   &chunks) ||
      !file.open(given, bytes))
    return nullptr;
  char* json = nullptr;
  std::size_t length = 0;
  tdz_error error;
  const tdz_status status = without_gil(
      [&] { return tdz_info(&file.input(), chunks != 0 ? TDZ_INFO_CHUNKS : 0u, &json, &length, &error); });
  if (status != TDZ_OK) return file.raise(*state, status, error);
  PyObject* text = PyUnicode_DecodeUTF8(json, static_cast<Py_ssize_t>(length), "replace");
  tdz_free(json);
  return text;
}

PyObject* check_file(PyObject* module, PyObject* args, PyObject* kwargs) {
  const State* state = state_of(module);
  ReadArguments asked;
  asked.options.compare_digest = 1;
  File file;
  if (!asked.parse(args, kwargs, "OK|$Oi:check_file") || !file.open(asked.given, asked.bytes)) return nullptr;
  Signals signals(file.raised());
  signals.watch(asked.options);
  tdz_totals totals{};
  totals.size = sizeof totals;
  tdz_error error;
  const tdz_status status =
      without_gil([&] { return tdz_decompress(&file.input(), nullptr, &asked.options, &totals, &error); });
  if (status != TDZ_OK) return file.raise(*state, status, error);
  return PyLong_FromUnsignedLongLong(totals.original_bytes);
}

}  // namespace tdz::python
