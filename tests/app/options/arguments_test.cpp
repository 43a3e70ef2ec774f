// SPDX-License-Identifier: Apache-2.0
// Which words of a command line are options, values, operands, or the verb?
#include "app/options/command_line.hpp"

#include <doctest/doctest.h>

#include "app/options/table/verb_rows.hpp"

#include <set>

using namespace tdz::app;
using Words = std::vector<std::string>;

namespace {

SplitArguments split(const Words& words) {
  static const std::set<std::string_view> with_value = {"-T", "-o", "--chunk", "--order", "--level"};
  return split_arguments(words, [](std::string_view name) { return with_value.contains(name); });
}

}  // namespace

TEST_CASE("only the four verbs are verbs") {
  CHECK(verb_named("compress") == Verb::compress);
  CHECK(verb_named("decompress") == Verb::decompress);
  CHECK(verb_named("verify") == Verb::verify);
  CHECK(verb_named("info") == Verb::info);
  CHECK(verb_named("devices") == Verb::devices);
  for (const auto* word : {"", "Info", "./info", "inf", "infos", "-d", "--"})
    CHECK(verb_named(word) == std::nullopt);
}

TEST_CASE("operands keep their order, wherever options stand") {
  const auto found = split({"a", "-f", "b", "--json", "-"});
  CHECK(found.operands == Words{"a", "b", "-"});
  CHECK(found.options == Words{"-f", "--json"});
}

TEST_CASE("after -- everything is an operand") {
  const auto found = split({"-f", "--", "-k", "--", "--rm"});
  CHECK(found.operands == Words{"-k", "--", "--rm"});
  CHECK(found.options == Words{"-f"});
}

TEST_CASE("a value is the rest of the word, or the next word, even if it looks like an option") {
  CHECK(split({"-T4"}).options == Words{"-T", "4"});
  CHECK(split({"-T", "4"}).options == Words{"-T", "4"});
  CHECK(split({"-T-1", "x"}).options == Words{"-T", "-1"});
  CHECK(split({"--order", "-3", "x"}).options == Words{"--order", "-3"});
  CHECK(split({"-o", "--", "x"}).options == Words{"-o", "--"});
  CHECK(split({"-o", "--rm", "x"}).operands == Words{"x"});
  CHECK(split({"--chunk=1M=2"}).options == Words{"--chunk", "1M=2"});
  CHECK(split({"--chunk=", "x"}).options == Words{"--chunk", ""});
  CHECK(split({"--chunk"}).options == Words{"--chunk"});
}

TEST_CASE("letters and levels may be joined in one word") {
  CHECK(split({"-19"}).options == Words{"--level", "19"});
  CHECK(split({"-k9f"}).options == Words{"-k", "--level", "9", "-f"});
  CHECK(split({"-9k"}).options == Words{"--level", "9", "-k"});
  CHECK(split({"-dfT2"}).options == Words{"-d", "-f", "-T", "2"});
  CHECK(split({"-dofile9"}).options == Words{"-d", "-o", "file9"});
}
