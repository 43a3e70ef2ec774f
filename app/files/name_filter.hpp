// SPDX-License-Identifier: Apache-2.0
// The names that --exclude leaves out. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tdz::app {

/// Shell patterns as in fnmatch(3): *, ?, [a-z], and \ before one of these; * also matches slashes and
/// leading dots. A pattern without a slash is compared with the last part of a name, a pattern with a slash
/// with the whole name. "./" at the beginning, slashes at the end and repeated slashes do not count, in both.
class NameFilter {
 public:
  explicit NameFilter(const std::vector<std::string>& globs);

  /// Always false for "." and "..", because they are other names of a folder.
  bool excludes(std::string_view name) const;

 private:
  std::vector<std::string> globs_;
};

}  // namespace tdz::app
