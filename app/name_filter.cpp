// SPDX-License-Identifier: Apache-2.0
#include "app/name_filter.hpp"

#include <fnmatch.h>

#include <algorithm>

#include "app/names.hpp"

namespace tdz::app {
namespace {

std::string_view without_leading_dots(std::string_view name) {
  while (name.starts_with("./")) {
    name.remove_prefix(2);
    name.remove_prefix(std::min(name.find_first_not_of('/'), name.size()));
  }
  return name;
}

std::string_view without_trailing_slashes(std::string_view name) {
  while (name.size() > 1 && name.ends_with('/')) name.remove_suffix(1);
  return name;
}

}  // namespace

bool NameFilter::excludes(std::string_view name) const {
  if (globs_.empty()) return false;
  const std::string whole(without_trailing_slashes(without_leading_dots(name)));
  const std::string last = last_part(whole);
  if (last.empty() || last == "." || last == "..") return false;
  return std::ranges::any_of(globs_, [&](const std::string& glob) {
    const std::string& held = glob.find('/') == std::string::npos ? last : whole;
    return fnmatch(glob.c_str(), held.c_str(), 0) == 0;
  });
}

}  // namespace tdz::app
