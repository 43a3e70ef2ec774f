// SPDX-License-Identifier: Apache-2.0
// Opening what is to be read, and refusing what is not meant to be.
#pragma once

#include <sys/stat.h>

#include <string>

#include "app/files/fd.hpp"

namespace tdz::app {

/// Do both name one file, whatever its contents?
bool same_file(const struct stat& a, const struct stat& b);

/// A file or folder by what it is, not by what it is called.
struct FileIdentity {
  dev_t device = 0;
  ino_t inode = 0;
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};
inline FileIdentity identity_of(const struct stat& status) {
  return {status.st_dev, status.st_ino};
}

enum class UnusualInput : unsigned char { refuse, allow };

/// What to do where the system does not say whether a file is safe to remove.
enum class Unknown : unsigned char { refuse, allow };

/// What to do where a name is that of a symbolic link.
enum class Links : unsigned char { follow, refuse };

/// Standard input, or an open file.
class InputFile {
 public:
  /// "-" is standard input. Regular files and pipes are read; directories and sockets never; terminals and
  /// devices only if `unusual` allows them. Errors: usage, io.
  static Result<InputFile> open(const std::string& name, UnusualInput unusual, Links links = Links::follow);

  int fd() const { return file_ ? file_.get() : 0; }
  bool is_standard_input() const { return !file_; }
  const std::string& shown() const { return shown_; }    ///< for messages
  const struct stat& status() const { return status_; }  ///< when it was opened

  /// Could it be removed when all is done? Not standard input, not a link (the data would stay), not a pipe.
  /// Error usage.
  Status check_removable() const;
  /// Has its content changed since it was opened? What is no regular file is not asked.
  bool has_changed() const;
  /// Removes the file, if it is still the one that was opened, as it was then, and nobody has it open for
  /// writing. Error io.
  Status remove(Unknown unknown) const;

 private:
  std::string name_;
  std::string shown_;
  Fd file_;
  struct stat status_ {};
};

}  // namespace tdz::app
