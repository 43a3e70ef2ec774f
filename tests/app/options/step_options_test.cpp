// SPDX-License-Identifier: Apache-2.0
// Do the options that are printed for steps mean the same steps?
#include "app/options/step_options.hpp"

#include <doctest/doctest.h>

#include <sstream>

#include "app/options/command_line.hpp"
#include "codec/search/request.hpp"
#include "formats/plan/made_plans.hpp"
#include "formats/plan/plan_name.hpp"

using namespace tdz;
using namespace tdz::app;

namespace {

/// The steps that the options fix.
Plan asked_for(const std::string& options) {
  std::istringstream text(options);
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  words.emplace_back("file");
  const auto command = parse_command_line(words).value();
  const SearchOptions said = *std::get<CompressCommand>(command).codec.search;
  return formats::plan_of(formats::transform_of(apply_request(said, {})));
}

}  // namespace

TEST_CASE("steps become options and steps again") {
  for (const std::uint8_t word : {std::uint8_t{1}, std::uint8_t{2}, std::uint8_t{8}}) {
    for (const std::uint32_t tuple : {1u, 3u}) {
      for (const std::uint8_t order : {std::uint8_t{1}, std::uint8_t{4}}) {
        for (const Layout layout :
             {Layout::interleaved, Layout::planes, Layout::tuple_planes, Layout::bit_planes}) {
          for (const std::uint32_t row : {0u, 640u}) {
            const Plan plan = formats::plan_of(
                formats::transform_of({word, tuple, order, layout != Layout::planes, layout, word == 8, row}));
            const std::string options = step_options(plan).value();
            INFO(formats::plan_name(plan), " as ", options);
            CHECK(asked_for(options) == plan);
          }
        }
      }
    }
  }
  CHECK(has_no_steps(asked_for(step_options(plain_plan()).value())));
}

TEST_CASE("plans that no options ask for have none") {
  CHECK_FALSE(step_options({Coding::zstd, {Column{}, Column{}}}));
  CHECK_FALSE(step_options({Coding::zstd, {{2, 1, {PredictStep{}}}}}));
}

TEST_CASE("a shell reads quoted words correctly") {
  CHECK(shell_word("a/b-c.raw") == "a/b-c.raw");
  CHECK(shell_word("my file") == "'my file'");
  CHECK(shell_word("it's") == "'it'\\''s'");
  CHECK(shell_word("").size() == 2);
}

TEST_CASE("a request becomes the options that make it") {
  CHECK(request_options({}).empty());
  SearchOptions request{.word = std::uint8_t{2}, .order = std::uint8_t{1}, .zigzag = false, .layout = Layout::planes,
                        .row = 640, .big_endian = true};
  CHECK(request_options(request) == "--word 2 --order 1 --zigzag off --layout planes --row 640 --big-endian");
  request = {.fields = {{'u', 8, 1}, {'f', 4, 5}}, .big_endian = true};
  CHECK(request_options(request) == "--type u64,f32x5 --big-endian");
}
