// SPDX-License-Identifier: Apache-2.0
// Which names --exclude leaves out. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tdz::app {

/// Shell patterns, as fnmatch(3) has them: *, ?, [a-z], and \ before one of these; * also stands for slashes
/// and leading dots. One without a slash is held against the last part of a name, one with a slash against
/// all of it. In both, "./" at the beginning, slashes at the end and repeated slashes do not count.
class NameFilter {
 public:
  explicit NameFilter(const std::vector<std::string>& globs);

  /// Never "." and "..", which stand for a folder that has another name.
  bool excludes(std::string_view name) const;

 private:
  std::vector<std::string> globs_;
};

}  // namespace tdz::app
