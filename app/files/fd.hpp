// SPDX-License-Identifier: Apache-2.0
// A file descriptor with an owner, and errno as an Error.
#pragma once

#include <cerrno>
#include <string_view>
#include <utility>

#include "formats/error.hpp"

namespace tdz::app {

/// Closes its descriptor. -1 is none.
class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Fd() { close(); }

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  /// Nobody closes it any more.
  int release() { return std::exchange(fd_, -1); }
  /// What close(2) says; some file systems report a failed write only here.
  int close();

 private:
  int fd_ = -1;
};

/// Makes sure that 0, 1 and 2 are open: a program started with one of them closed must not open a file there,
/// or messages end in data. What was closed then fails as it would have.
void occupy_standard_descriptors();

/// "Permission denied", for a file that whoever reports it names. `cause` is an errno.
Error io_error(int cause = errno);
/// "writing x: No space left on device".
Error io_error(std::string_view doing, std::string_view name, int cause = errno);

}  // namespace tdz::app
