// SPDX-License-Identifier: Apache-2.0
// From what was asked for to single files: FILEs, lists of names, and with -r the folders among them, entered
// one after the other. What it holds in memory is the names in the folders that lead to where it is, never
// those of all files.
//
// A folder is read as a whole before its first file is worked on, so that results made in it are not taken
// for sources. Symbolic links that are found are not followed; -r does not follow one that is named either.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/files/fd_io.hpp"
#include "app/files/input_file.hpp"
#include "app/files/name_filter.hpp"
#include "app/options/options.hpp"

namespace tdz::app {

/// Which of the files that are found in folders are meant. One that is named is always meant.
enum class Wanted : unsigned char {
  unpacked,  ///< names that do not end in .tdz, and nothing that a killed tdz left behind
  packed,    ///< names that do
};

/// What the list has to say of a name.
enum class JobKind : unsigned char {
  work,       ///< do it
  excluded,   ///< by --exclude; of a folder that is all there will be
  unwanted,   ///< found, but its suffix says that it is not meant
  remains,    ///< found, a hidden file that a killed tdz has left behind
  no_file,    ///< found, but a link, a pipe, a socket or a device
  unreadable  ///< see Job::error
};

struct Job {
  JobKind kind = JobKind::work;
  std::string file;
  Links links = Links::follow;
  std::optional<Error> error = {};
};

/// The names in a file or pipe, one after another.
class NameReader {
 public:
  /// "-" is standard input. Errors: usage, io.
  static Result<std::unique_ptr<NameReader>> open(const NameList& list, const Interrupts& interrupts);

  /// The next name that is not empty, or nothing at the end. Errors: usage (this is no such list), io,
  /// cancelled.
  Result<std::optional<std::string>> next();

 private:
  NameReader(InputFile input, char separator, const Interrupts& interrupts);
  /// False at the end.
  Result<bool> fill();

  InputFile input_;
  char separator_;
  FdSource source_;
  std::vector<std::byte> buffer_;
  std::size_t at_ = 0;
  std::size_t end_ = 0;
};

class JobList {
 public:
  /// `own` is what the run itself writes, the folder of its results and its log: where found, it is passed
  /// over. The references outlive this.
  JobList(const std::vector<std::string>& files, const FileSelection& selection, Wanted wanted,
          std::vector<FileIdentity> own, const Interrupts& interrupts);

  /// Nothing at the end.
  std::optional<Job> next();

 private:
  struct Folder {
    std::string path;
    std::vector<std::string> names;  ///< the next one is the last
  };

  std::optional<Job> next_found();
  std::optional<Job> next_listed();
  bool is_own(const struct stat& status) const;
  std::optional<Job> take_named(std::string name);
  std::optional<Job> take_found(std::string name);
  std::optional<Job> enter(std::string path);

  const std::vector<std::string>& files_;
  const FileSelection& selection_;
  const Interrupts& interrupts_;
  NameFilter filter_;
  Wanted wanted_;
  std::vector<FileIdentity> own_;
  std::size_t next_file_ = 0;
  std::size_t next_list_ = 0;
  std::unique_ptr<NameReader> reader_;
  std::vector<Folder> folders_;
};

}  // namespace tdz::app
