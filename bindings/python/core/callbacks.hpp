// SPDX-License-Identifier: Apache-2.0
// The library's inputs and outputs over Python functions. The library calls them from threads of its own.
#pragma once

#include <chrono>
#include <cstdint>
#include <thread>

#include "bindings/python/core/python.hpp"

namespace tdz::python {

/// An exception that is kept for later, as that of a callback until the call of the library is over. The
/// first one counts. Used while the thread holds the GIL.
class Raised {
 public:
  Raised() = default;
  ~Raised();
  Raised(const Raised&) = delete;
  Raised& operator=(const Raised&) = delete;

  /// Takes the exception that is set now. Returns TDZ_IO, for the callback to return.
  int take();
  /// Sets it again; false if there is none.
  bool restore();

 private:
  PyObject *type_ = nullptr, *value_ = nullptr, *traceback_ = nullptr;
};

/// Ends a call where a signal handler of Python raises, as Ctrl-C does. Python runs handlers only in the main
/// thread; the thread that calls the library works on the call too, so now and then it can ask.
class Signals {
 public:
  explicit Signals(Raised& raised) : raised_(raised) {}

  /// `options` of tdz_compress or tdz_decompress.
  template <class Options>
  void watch(Options& options) {
    options.progress = progress;
    options.progress_user = this;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kPause{100};  // the GIL may be slow to get

  static int progress(void* self, std::uint64_t original_bytes, std::uint64_t stored_bytes);

  Raised& raised_;
  const std::thread::id caller_ = std::this_thread::get_id();
  Clock::time_point asked_ = Clock::now();
};

/// Bytes that a Python function reads.
class PythonInput {
 public:
  /// `read(most)` returns bytes; b"" is the end.
  static tdz_input in_order(PythonInput& self);
  /// `read_at(offset, bytes)` returns exactly `bytes` bytes of a file that has `size` bytes.
  static tdz_input at_offsets(PythonInput& self, std::uint64_t size);

  PythonInput(PyObject* function, Raised& raised) : function_(Ref::shared(function)), raised_(raised) {}

 private:
  static int read(void* self, void* into, std::size_t most, std::size_t* got);
  static int read_at(void* self, std::uint64_t offset, void* into, std::size_t bytes);
  /// Copies the bytes of `answer` and returns their number; -1 with an exception.
  Py_ssize_t copy(PyObject* answer, void* into, std::size_t least, std::size_t most);

  Ref function_;
  Raised& raised_;
};

/// `write(bytes)`: returns the number of bytes that it took, or None if it took all.
class PythonOutput {
 public:
  static tdz_output in_order(PythonOutput& self);

  PythonOutput(PyObject* function, Raised& raised) : function_(Ref::shared(function)), raised_(raised) {}

 private:
  static int write(void* self, const void* bytes, std::size_t count);
  /// The number of bytes taken; -1 with an exception.
  Py_ssize_t write_some(const char* bytes, std::size_t count);

  Ref function_;
  Raised& raised_;
};

/// A file in memory.
struct MemoryInput {
  const char* data;
  std::size_t size;
  static tdz_input over(MemoryInput& self);
};

/// A descriptor of a file. It is not closed.
struct FileInput {
  int fd;
  std::uint64_t size;
  static tdz_input over(FileInput& self);
};

}  // namespace tdz::python
