// SPDX-License-Identifier: Apache-2.0
#include "bindings/python/core/callbacks.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "bindings/python/core/buffer.hpp"

namespace tdz::python {
namespace {

/// The most bytes that a callback copies at once into a bytes object.
constexpr std::size_t kPiece = std::size_t{4} << 20;

}  // namespace

// ---- The exception of a callback

Raised::~Raised() {
  Py_XDECREF(type_);
  Py_XDECREF(value_);
  Py_XDECREF(traceback_);
}

int Raised::take() {
  if (type_ == nullptr)
    PyErr_Fetch(&type_, &value_, &traceback_);
  else
    PyErr_Clear();
  return TDZ_IO;
}

bool Raised::restore() {
  if (type_ == nullptr) return false;
  PyErr_Restore(std::exchange(type_, nullptr), std::exchange(value_, nullptr),
                std::exchange(traceback_, nullptr));
  return true;
}

int Signals::progress(void* user, std::uint64_t, std::uint64_t) {
  auto& self = *static_cast<Signals*>(user);
  if (std::this_thread::get_id() != self.caller_ || Clock::now() - self.asked_ < kPause) return 0;
  const WithGil gil;
  self.asked_ = Clock::now();
  return PyErr_CheckSignals() == 0 ? 0 : self.raised_.take();
}

// ---- Python functions

tdz_input PythonInput::in_order(PythonInput& self) {
  tdz_input input{};
  input.size = sizeof input;
  input.user = &self;
  input.read = read;
  return input;
}

tdz_input PythonInput::at_offsets(PythonInput& self, std::uint64_t size) {
  tdz_input input{};
  input.size = sizeof input;
  input.user = &self;
  input.read_at = read_at;
  input.bytes = size;
  return input;
}

Py_ssize_t PythonInput::copy(PyObject* answer, void* into, std::size_t least, std::size_t most) {
  Buffer bytes;
  if (!bytes.open(answer)) return -1;
  if (bytes.size() < least) {
    PyErr_SetString(PyExc_OSError, "the file ends earlier than its size says");
    return -1;
  }
  if (bytes.size() > most) {
    PyErr_SetString(PyExc_ValueError, "read() returned more bytes than were asked for");
    return -1;
  }
  if (bytes.size() != 0) std::memcpy(into, bytes.data(), bytes.size());
  return static_cast<Py_ssize_t>(bytes.size());
}

int PythonInput::read(void* user, void* into, std::size_t most, std::size_t* got) {
  auto& self = *static_cast<PythonInput*>(user);
  const WithGil gil;
  most = std::min(most, kPiece);
  const Ref answer(PyObject_CallFunction(self.function_.get(), "n", static_cast<Py_ssize_t>(most)));
  const Py_ssize_t count = answer ? self.copy(answer.get(), into, 0, most) : -1;
  *got = count < 0 ? 0 : static_cast<std::size_t>(count);
  return count < 0 ? self.raised_.take() : 0;
}

int PythonInput::read_at(void* user, std::uint64_t offset, void* into, std::size_t bytes) {
  auto& self = *static_cast<PythonInput*>(user);
  const WithGil gil;
  for (std::size_t done = 0; done < bytes;) {
    const std::size_t piece = std::min(bytes - done, kPiece);
    const Ref answer(PyObject_CallFunction(self.function_.get(), "Kn",
                                           static_cast<unsigned long long>(offset + done),
                                           static_cast<Py_ssize_t>(piece)));
    if (!answer || self.copy(answer.get(), static_cast<char*>(into) + done, piece, piece) < 0)
      return self.raised_.take();
    done += piece;
  }
  return 0;
}

tdz_output PythonOutput::in_order(PythonOutput& self) {
  tdz_output output{};
  output.size = sizeof output;
  output.user = &self;
  output.write = write;
  return output;
}

Py_ssize_t PythonOutput::write_some(const char* bytes, std::size_t count) {
  const auto length = static_cast<Py_ssize_t>(count);
  const Ref piece(PyBytes_FromStringAndSize(bytes, length));
  const Ref answer(piece ? PyObject_CallFunctionObjArgs(function_.get(), piece.get(), nullptr) : nullptr);
  if (!answer) return -1;
  if (answer.get() == Py_None) return length;
  const Py_ssize_t taken = PyNumber_AsSsize_t(answer.get(), PyExc_OverflowError);
  if (taken == -1 && PyErr_Occurred() != nullptr) return -1;
  if (taken > 0 && taken <= length) return taken;
  PyErr_SetString(PyExc_OSError, "write() took no bytes");
  return -1;
}

int PythonOutput::write(void* user, const void* bytes, std::size_t count) {
  auto& self = *static_cast<PythonOutput*>(user);
  const WithGil gil;
  const char* from = static_cast<const char*>(bytes);
  for (std::size_t done = 0; done < count;) {
    const Py_ssize_t taken = self.write_some(from + done, std::min(count - done, kPiece));
    if (taken < 0) return self.raised_.take();
    done += static_cast<std::size_t>(taken);
  }
  return 0;
}

// ---- Memory and files: without Python

tdz_input MemoryInput::over(MemoryInput& self) {
  tdz_input input{};
  input.size = sizeof input;
  input.user = &self;
  input.bytes = self.size;
  input.read_at = [](void* user, std::uint64_t offset, void* into, std::size_t bytes) -> int {
    const auto& file = *static_cast<MemoryInput*>(user);
    if (offset > file.size || bytes > file.size - offset) return TDZ_IO;
    if (bytes != 0) std::memcpy(into, file.data + offset, bytes);
    return 0;
  };
  return input;
}

tdz_input FileInput::over(FileInput& self) {
  tdz_input input{};
  input.size = sizeof input;
  input.user = &self;
  input.bytes = self.size;
  input.read_at = [](void* user, std::uint64_t offset, void* into, std::size_t bytes) -> int {
    const int fd = static_cast<FileInput*>(user)->fd;
    for (std::size_t done = 0; done < bytes;) {
      const ssize_t got =
          pread(fd, static_cast<char*>(into) + done, bytes - done, static_cast<off_t>(offset + done));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return TDZ_IO;
      done += static_cast<std::size_t>(got);
    }
    return 0;
  };
  return input;
}

}  // namespace tdz::python
