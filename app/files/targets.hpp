// SPDX-License-Identifier: Apache-2.0
// The targets of a run: where its results go.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "app/files/output_tree.hpp"
#include "app/options/options.hpp"

namespace tdz::app {

/// From the name of a source to the name of its result.
using NameOfResult = std::function<Result<std::string>(std::string_view)>;

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
