// SPDX-License-Identifier: Apache-2.0
// Opens the files to read, and refuses what is probably a mistake; for --rm, removes them.
#pragma once

#include <sys/stat.h>

#include <string>

#include "app/files/fd.hpp"

namespace tdz::app {

/// Are both the same file?
bool same_file(const struct stat& a, const struct stat& b);
bool same_time(const timespec& a, const timespec& b);
/// The same file, of the same length and modification time.
bool same_content(const struct stat& a, const struct stat& b);

/// Identifies a file or folder, whatever its name is.
struct FileIdentity {
  dev_t device = 0;
  ino_t inode = 0;
  friend auto operator<=>(const FileIdentity&, const FileIdentity&) = default;
};
inline FileIdentity identity_of(const struct stat& status) {
  return {status.st_dev, status.st_ino};
}

enum class UnusualInput : unsigned char { refuse, allow };

/// What to do if the system cannot tell whether a file is safe to remove.
enum class Unknown : unsigned char { refuse, allow };

/// What to do if a name is a symbolic link.
enum class Links : unsigned char { follow, refuse };

/// Standard input, or an open file.
class InputFile {
 public:
  /// "-" is standard input. Regular files and pipes are always opened; terminals and devices only if
  /// `unusual` allows them; folders and sockets never. Errors: usage, io.
  static Result<InputFile> open(const std::string& name, UnusualInput unusual, Links links = Links::follow);

  int fd() const { return file_ ? file_.get() : 0; }
  bool is_standard_input() const { return !file_; }
  const std::string& shown() const { return shown_; }    ///< for messages
  const struct stat& status() const { return status_; }  ///< as it was at opening

  /// May it be removed at the end? Not standard input, not a link (the data would stay), not a pipe. Error
  /// usage.
  Status check_removable() const;
  /// Has its content changed since it was opened? Always false for anything except a regular file.
  bool has_changed() const;
  /// Removes the file if it is still the file that was opened, is unchanged, and no program has it open for
  /// writing: input_file.cpp says in which steps. Error io: the file is kept, and why.
  Status remove(Unknown unknown) const;

 private:
  std::string name_;
  std::string shown_;
  Fd file_;
  struct stat status_ {};
};

}  // namespace tdz::app
