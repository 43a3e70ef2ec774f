// SPDX-License-Identifier: Apache-2.0
// A file that gets its name when it is complete and on disk, or never.
//
//     create       makes an unnamed file (open_unnamed_file) in the target's folder, mode 0600; if the system
//                  has no unnamed files there, a hidden file, .NAME-XXXXXX.tdz.tmp
//     fd           is for writing, and for reading back
//     publish      sets the metadata, syncs the file, gives it its name, and syncs the folder
//
// Without publish nothing stays after an error, an exception or a signal. After SIGKILL or a power cut a
// hidden file can stay if there are no unnamed files, or if a complete file was just replacing its
// target. The next run with this target removes it.
#pragma once

#include <sys/stat.h>

#include <memory>
#include <optional>
#include <string>

#include "app/files/fd.hpp"

namespace tdz::app {

/// What a result inherits from its source: mode and times; owner and extended attributes where permitted.
/// `fd` is a regular file that is open for reading; it outlives this.
struct FileMetadata {
  int fd = -1;
  struct stat status {};
};

/// Nothing for a pipe, a device or a terminal: a result made from them gets the metadata of a new file.
std::optional<FileMetadata> metadata_of(int fd);

enum class ExistingTarget : unsigned char { refuse, replace };

/// One at a time in a program, because there is one HiddenName.
class OutputFile {
 public:
  /// `path` names the target. Errors: usage (it exists and must not be replaced), io.
  static Result<std::unique_ptr<OutputFile>> create(std::string path, ExistingTarget existing);
  /// The same in a folder that is already open, even if its name now leads to another folder. Only the last
  /// part of `path` is used.
  static Result<std::unique_ptr<OutputFile>> create_in(Fd folder, std::string path, ExistingTarget existing);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Open for reading and writing.
  int fd() const { return file_.get(); }

  /// Gives the file its name, and the metadata of `like`, if any. Errors: usage (the target has appeared
  /// meanwhile), io.
  Status publish(const std::optional<FileMetadata>& like);

 private:
  OutputFile(std::string path, ExistingTarget existing);

  Status open_folder();
  Status begin();
  Status open_unnamed_or_hidden();
  Status open_hidden();
  Status give_name();
  Status name_unnamed();
  Status name_hidden();
  Status replace_target();
  Status sync_folder();

  std::string path_;
  std::string name_;  // the last part of path_
  ExistingTarget existing_;
  Fd folder_;
  Fd file_;
  bool unnamed_ = false;
  bool replaced_ = false;
};

/// The error for a target that exists.
Error target_exists(std::string_view path);

}  // namespace tdz::app
