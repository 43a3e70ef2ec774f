// SPDX-License-Identifier: Apache-2.0
// Do the options that are printed for steps mean the same steps?
#include "app/options/step_options.hpp"

#include <doctest/doctest.h>

#include <sstream>

#include "app/options/command_line.hpp"
#include "codec/search/request.hpp"
#include "formats/type_name.hpp"

using namespace tdz;
using namespace tdz::app;

namespace {

/// The steps that the options fix.
Transform asked_for(const std::string& options) {
  std::istringstream text(options);
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  words.emplace_back("file");
  const auto command = parse_command_line(words).value();
  const SearchOptions said = *std::get<CompressCommand>(command).codec.search;
  return formats::transform_of(apply_request(said, {}));
}

}  // namespace

TEST_CASE("steps become options and steps again") {
  for (const std::uint8_t word : {std::uint8_t{1}, std::uint8_t{2}, std::uint8_t{8}}) {
    for (const std::uint32_t tuple : {1u, 3u}) {
      for (const std::uint8_t order : {std::uint8_t{1}, std::uint8_t{4}}) {
        for (const Layout layout :
             {Layout::interleaved, Layout::planes, Layout::tuple_planes, Layout::bit_planes}) {
          for (const std::uint32_t row : {0u, 640u}) {
            const Transform transform =
                formats::transform_of({word, tuple, order, layout != Layout::planes, layout, word == 8, row});
            INFO(formats::transform_name(transform), " as ", step_options(transform));
            CHECK(asked_for(step_options(transform)) == transform);
          }
        }
      }
    }
  }
  CHECK(asked_for(step_options(Transform{})).steps().empty());
}

TEST_CASE("a shell reads quoted words correctly") {
  CHECK(shell_word("a/b-c.raw") == "a/b-c.raw");
  CHECK(shell_word("my file") == "'my file'");
  CHECK(shell_word("it's") == "'it'\\''s'");
  CHECK(shell_word("").size() == 2);
}
