// SPDX-License-Identifier: Apache-2.0
// A file descriptor that closes itself, and errno as an Error.
#pragma once

#include <cerrno>
#include <string>
#include <string_view>
#include <utility>

#include "formats/error.hpp"

namespace tdz::app {

/// Owns a descriptor and closes it at the end, or owns none (-1).
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
  /// Gives the descriptor away: this object does not close it any more.
  int release() { return std::exchange(fd_, -1); }
  /// The result of close(2). Some file systems report a failed write only here.
  int close();

 private:
  int fd_ = -1;
};

/// Makes sure that the descriptors 0, 1 and 2 are open. If one was closed at the start, the next file that
/// the program opens would get its number, and messages would be written into data. The opened descriptor
/// fails when it is used, as a closed one does.
void occupy_standard_descriptors();

/// A folder for names in it. It need not be a folder that may be listed. `flags` are more flags of openat(2).
/// An error leaves errno.
Fd open_folder(int parent, const std::string& name, int flags = 0);

/// Waits until the names in the folder are on disk. `inside` is open and on the same file system: where the
/// folder cannot be listed, and so not synced, the whole file system is synced by it. Returns 0 or an errno;
/// some folders cannot be synced at all, and that is no error.
int sync_folder(int folder, int inside);

/// "Permission denied"; the caller adds the name of the file. `cause` is an errno.
Error io_error(int cause = errno);
/// "writing x: No space left on device".
Error io_error(std::string_view doing, std::string_view name, int cause = errno);

}  // namespace tdz::app
