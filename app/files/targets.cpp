// SPDX-License-Identifier: Apache-2.0
#include "app/files/targets.hpp"

#include <sys/stat.h>

namespace tdz::app {

Result<Targets> Targets::open(const OutputOptions& options, NameOfResult name_of_result) {
  std::optional<OutputTree> tree;
  if (options.tree) {
    auto opened = OutputTree::open(*options.tree);
    if (!opened) return opened.error();
    tree = *std::move(opened);
  }
  return Targets(options, std::move(name_of_result), std::move(tree));
}

Targets::Targets(const OutputOptions& options, NameOfResult name_of_result, std::optional<OutputTree> tree)
    : options_(options), name_of_result_(std::move(name_of_result)), tree_(std::move(tree)) {}

Result<std::optional<std::string>> Targets::target_for(const std::string& file) {
  if (options_.file) return options_.file;
  if (options_.to_stdout || file == kStandardInput) return std::optional<std::string>();
  auto name = name_of_result_(file);
  if (name && tree_) name = tree_->path_of(*name);
  if (!name) return name.error();
  return std::optional(*std::move(name));
}

/// Only a regular file counts. A folder, or a link to nothing, is not a result; opening the target reports
/// it.
bool Targets::exists(const std::string& file) {
  if (!options_.skip_existing) return false;
  const auto target = target_for(file);
  if (target && tree_) {
    const auto name = name_of_result_(file);
    return name && tree_->holds(*name);
  }
  struct stat status {};
  return target && *target && stat((*target)->c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace tdz::app
