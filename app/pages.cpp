// SPDX-License-Identifier: Apache-2.0
// Makes pages from the table of options. A tool of the build; it is not installed.
//     tdz_pages man DATE              the manual page tdz(1)
//     tdz_pages bash|zsh|fish         completions
//     tdz_pages tables < docs/cli.md  the same page with its tables renewed
#include <iostream>
#include <iterator>
#include <span>

#include "app/options/pages/pages.hpp"

namespace {

tdz::Result<std::string> page(std::span<char*> words) {
  const std::string name = words.empty() ? "" : words[0];
  if (name == "man" && words.size() == 2) return tdz::app::manual_page(words[1]);
  if (name == "tables" && words.size() == 1)
    return tdz::app::with_new_tables(std::string(std::istreambuf_iterator<char>(std::cin), {}));
  if (auto script = tdz::app::completions(name)) return *script;
  return tdz::usage("tdz_pages man DATE | bash | zsh | fish | tables < docs/cli.md");
}

}  // namespace

int main(int count, char** words) {
  const auto text = page(std::span(words, static_cast<std::size_t>(count)).subspan(1));
  if (!text) {
    std::cerr << text.error().message << '\n';
    return 1;
  }
  std::cout << *text << std::flush;
  return std::cout ? 0 : 1;
}
