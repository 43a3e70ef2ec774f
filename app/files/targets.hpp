// SPDX-License-Identifier: Apache-2.0
// The targets of a run: where its results go.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "app/files/fd.hpp"
#include "app/files/job_list.hpp"
#include "app/options/options.hpp"

namespace tdz::app {

/// --output-dir: a folder that gets results in the same folders as their sources: out/a/b/x.tdz for a/b/x,
/// and out/data/x.tdz for /data/x.
///
/// Nothing is written outside of it: a name with a part ".." is refused, and symbolic links below the folder
/// are not followed.
class OutputTree {
 public:
  /// Creates the folder if it is missing, but not its parent. Error io.
  static Result<OutputTree> open(std::string folder);

  FileIdentity identity() const { return identity_; }

  /// The path of the result `name`; its folders are those of the source. Two sources never get the same path,
  /// because absolute and relative names are not allowed together. Error usage.
  Result<std::string> path_of(std::string_view name);

  /// The open folder for the result of `source`. Missing folders are created with the permissions of the
  /// source's folders. Their names are on disk when this returns. Errors: usage (a part of it is a link, or
  /// not a folder), io. One thread at a time.
  Result<Fd> folder_for(std::string_view source) const;

  /// Does the result `name` exist, as a regular file and without links in its path? Creates nothing.
  bool holds(std::string_view name) const;

 private:
  OutputTree(std::string folder, Fd fd, FileIdentity identity);
  Status keep_name_once(int parent, int folder, const std::string& path, bool is_new) const;

  std::string folder_;
  Fd fd_;
  FileIdentity identity_;
  std::optional<bool> absolute_;         ///< whether the names of this run are
  mutable std::set<FileIdentity> kept_;  ///< some of the folders whose names are on disk
};

/// From the name of a source to the name of its result.
using NameOfResult = std::function<Result<std::string>(std::string_view)>;

/// The target of each source of a run.
class Targets {
 public:
  /// `options` outlive this. Error io: the folder of --output-dir cannot be opened or created.
  static Result<Targets> open(const OutputOptions& options, NameOfResult name_of_result);

  /// The name of -o, nothing for standard output, or the name made from the source's name. Error usage: the
  /// source's name gives no result.
  Result<std::optional<std::string>> target_for(const std::string& file);
  /// With --skip-existing: does the target exist?
  bool exists(const std::string& file);

  const OutputTree* tree() const { return tree_ ? &*tree_ : nullptr; }
  /// The folder of --output-dir.
  std::optional<FileIdentity> folder() const {
    return tree_ ? std::optional(tree_->identity()) : std::nullopt;
  }

 private:
  Targets(const OutputOptions& options, NameOfResult name_of_result, std::optional<OutputTree> tree);

  const OutputOptions& options_;
  NameOfResult name_of_result_;
  std::optional<OutputTree> tree_;
};

}  // namespace tdz::app
