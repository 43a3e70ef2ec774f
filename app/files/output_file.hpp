// SPDX-License-Identifier: Apache-2.0
// A file that appears under its name complete and on disk, or not at all.
//
//     create       an unnamed file (O_TMPFILE) in the target's folder, mode 0600; where the file system
//                  knows none, a hidden one, .NAME-XXXXXX.tdz.tmp
//     fd           is written to, perhaps read back
//     publish      metadata, fsync, the name, fsync of the folder
//
// Without publish nothing remains, whether by an error, an exception or a signal. Of a program killed by
// SIGKILL, or by a power cut, at most a hidden file remains, and only where O_TMPFILE is not known.
#pragma once

#include <memory>
#include <string>

#include "app/files/fd.hpp"
#include "app/files/file_metadata.hpp"

namespace tdz::app {

enum class ExistingTarget : unsigned char { refuse, replace };

/// One at a time in a program: there is one hidden name to remove when a signal comes.
class OutputFile {
 public:
  /// `path` names the target. Errors: usage (it exists and is not to be replaced), io.
  static Result<std::unique_ptr<OutputFile>> create(std::string path, ExistingTarget existing);
  /// The same in a folder that is open already, whatever its name leads to by now; `path` ends in the file's
  /// name.
  static Result<std::unique_ptr<OutputFile>> create_in(Fd folder, std::string path, ExistingTarget existing);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Open for reading and writing.
  int fd() const { return file_.get(); }

  /// Gives the file its name; `like`, if any, its metadata. Errors: usage (the target has come to exist
  /// meanwhile), io.
  Status publish(const std::optional<FileMetadata>& like);

  /// Removes the hidden name in use, if any. For the last moment of a program that a signal ends; any thread.
  static void remove_hidden_name();

 private:
  OutputFile(std::string path, ExistingTarget existing);

  Status open_folder();
  Status begin();
  Status open_unnamed_or_hidden();
  bool open_unnamed();
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

/// What is said of a target that is there already.
Error target_exists(std::string_view path);

}  // namespace tdz::app
