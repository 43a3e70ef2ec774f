// SPDX-License-Identifier: Apache-2.0
#include "app/files/name_filter.hpp"

#include <fnmatch.h>

#include <algorithm>

#include "app/options/names.hpp"

namespace tdz::app {
namespace {

std::string_view without_leading_dots(std::string_view name) {
  while (name.starts_with("./")) {
    name.remove_prefix(2);
    name.remove_prefix(std::min(name.find_first_not_of('/'), name.size()));
  }
  return name;
}

/// "././a//b/" -> "a/b".
std::string normal(std::string_view name) {
  std::string plain;
  for (const char letter : without_leading_dots(name)) {
    if (letter != '/' || !plain.ends_with('/')) plain += letter;
  }
  if (plain.size() > 1 && plain.ends_with('/')) plain.pop_back();
  return plain;
}

}  // namespace

NameFilter::NameFilter(const std::vector<std::string>& globs) {
  for (const std::string& glob : globs) globs_.push_back(normal(glob));
}

bool NameFilter::excludes(std::string_view name) const {
  if (globs_.empty()) return false;
  const std::string whole = normal(name);
  const std::string last = last_part(whole);
  if (last.empty() || last == "." || last == "..") return false;
  return std::ranges::any_of(globs_, [&](const std::string& glob) {
    const std::string& compared = glob.find('/') == std::string::npos ? last : whole;
    return fnmatch(glob.c_str(), compared.c_str(), 0) == 0;
  });
}

}  // namespace tdz::app
