// SPDX-License-Identifier: Apache-2.0
// Lists the files of a run one by one: FILEs, names from lists, and with -r the files in folders. It holds
// the names of the folders on the path to the current file in memory, never the names of all files.
//
// A name on the command line is a job once, however often it is given, in a list or found in a folder too.
//
// The names in a folder are read before its first file is processed, so that results in it are not taken for
// sources. Symbolic links in folders are not followed; with -r, a link that is named is not followed either.
#pragma once

#include <sys/types.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/files/fd_io.hpp"
#include "app/files/input_file.hpp"
#include "app/options/options.hpp"

namespace tdz::app {

/// Which of the files found in folders to process. A file that is named is always processed.
enum class Wanted : unsigned char {
  unpacked,  ///< names that do not end in .tdz, except temporary files of a killed tdz
  packed,    ///< names that end in .tdz
};

/// What to do with a name. From `target_exists` on the kinds are reasons to skip it, which is no error.
enum class JobKind : unsigned char {
  work,           ///< process it
  unreadable,     ///< see Job::error
  target_exists,  ///< with --skip-existing; a JobList does not know it, because it knows no targets
  excluded,       ///< left out by --exclude; a folder with all that is in it
  wrong_suffix,   ///< found in a folder; see Wanted
  leftover,       ///< found in a folder: a temporary file of a killed tdz
  hidden_source,  ///< found in a folder: what a killed --rm left under a hidden name
  not_regular     ///< found in a folder: a link, a pipe, a socket or a device
};
inline constexpr std::size_t kJobKinds = static_cast<std::size_t>(JobKind::not_regular) + 1;

constexpr bool is_skipped(JobKind kind) {
  return kind >= JobKind::target_exists;
}

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

  /// The next name that is not empty, or nothing at the end. Errors: usage (this is not a list of names), io,
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

/// The names that --exclude leaves out. Shell patterns as in fnmatch(3): *, ?, [a-z], and \ before one of
/// these; * also matches slashes and leading dots. A pattern without a slash is compared with the last part
/// of a name, a pattern with a slash with the whole name. "./" at the beginning, slashes at the end and
/// repeated slashes do not count, in both.
class NameFilter {
 public:
  explicit NameFilter(const std::vector<std::string>& globs);

  /// Always false for "." and "..", because they are other names of a folder.
  bool excludes(std::string_view name) const;

 private:
  std::vector<std::string> globs_;
};

class JobList {
 public:
  /// `own` are the folder of the results and the log of this run; they are skipped if they are found. The
  /// references outlive this.
  JobList(const std::vector<std::string>& files, const FileSelection& selection, Wanted wanted,
          std::vector<FileIdentity> own, const Interrupts& interrupts);

  /// Nothing at the end.
  std::optional<Job> next();
  /// The job of a name in a folder. Nothing if it is one of `own`, a name on the command line, or a folder:
  /// then next() goes through it.
  std::optional<Job> take_found(std::string name);

 private:
  struct Folder {
    std::string path;
    std::vector<std::string> names;  ///< in reverse: the next name is the last
  };

  std::optional<Job> next_found();
  std::optional<Job> next_listed();
  bool is_own(const struct stat& status) const;
  std::optional<Job> take_next_file();
  std::optional<Job> take_named(std::string name);
  std::optional<Job> enter(std::string path);

  const std::vector<std::string>& files_;
  const FileSelection& selection_;
  const Interrupts& interrupts_;
  NameFilter filter_;
  Wanted wanted_;
  std::vector<FileIdentity> own_;
  std::map<std::string, bool> named_;  ///< on the command line, with one spelling; was it taken?
  std::size_t next_file_ = 0;
  std::size_t next_list_ = 0;
  std::unique_ptr<NameReader> reader_;
  std::vector<Folder> folders_;
};

}  // namespace tdz::app
