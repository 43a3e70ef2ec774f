// SPDX-License-Identifier: Apache-2.0
// --output-dir: a folder in which results lie as their sources do, out/a/b/x.tdz for a/b/x and out/data/x.tdz
// for /data/x.
//
// Nothing is written outside of it: a name with a part ".." is refused, and below the folder no symbolic link
// is followed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/files/fd.hpp"
#include "app/files/job_list.hpp"

namespace tdz::app {

class OutputTree {
 public:
  /// Makes the folder if it is missing, but not the one that it lies in. Error io.
  static Result<OutputTree> open(std::string folder);

  FileIdentity identity() const { return identity_; }

  /// The path of the result `name`, whose folders are its source's. Two sources never have one path: absolute
  /// and relative names are not taken together. Error usage.
  Result<std::string> path_of(std::string_view name);

  /// The open folder for the result of `source`. What is missing is made, as open as the folders of the
  /// source are and no more. Errors: usage (a part of it is a link, or no folder), io.
  Result<Fd> folder_for(std::string_view source) const;

  /// Is the result `name` there, a regular file to which no link leads? Makes nothing.
  bool holds(std::string_view name) const;

 private:
  OutputTree(std::string folder, Fd fd, FileIdentity identity);

  std::string folder_;
  Fd fd_;
  FileIdentity identity_;
  std::optional<bool> absolute_;  ///< are the names of this run?
};

}  // namespace tdz::app
