// SPDX-License-Identifier: Apache-2.0
// Where the results of a run go.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "app/files/output_tree.hpp"
#include "app/options/options.hpp"

namespace tdz::app {

/// From the name of a source to that of its result.
using NameOfResult = std::function<Result<std::string>(std::string_view)>;

class Targets {
 public:
  /// `options` outlive this. Error io: there is no such folder as --output-dir, and it cannot be made.
  static Result<Targets> open(const OutputOptions& options, NameOfResult name_of_result);

  /// -o, standard output (nothing), or the name made of the source's. Error usage: none can be.
  Result<std::optional<std::string>> target_for(const std::string& file);
  /// Is there nothing to do, because of --skip-existing?
  bool is_present(const std::string& file);

  const OutputTree* tree() const { return tree_ ? &*tree_ : nullptr; }
  /// The top of the tree.
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
