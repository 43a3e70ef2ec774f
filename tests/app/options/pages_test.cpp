// SPDX-License-Identifier: Apache-2.0
// Does every option stand in the help, the man page, the completions of each shell, and the tables of
// docs/cli.md?
#include <doctest/doctest.h>

#include <set>

#include "app/options/pages/pages.hpp"

using namespace tdz;
using namespace tdz::app;

namespace {

/// Does `name` stand in the text as a whole word? "--word" does not stand in "--words".
bool has_word(const std::string& text, const std::string& name) {
  const auto ends = [](char c) { return std::string(" ,=+'`[\\|\n)").find(c) != std::string::npos; };
  for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos; at += name.size()) {
    const std::size_t end = at + name.size();
    if (end == text.size() || ends(text[end])) return true;
  }
  return false;
}

std::string without_escapes(std::string text) {
  std::erase(text, '\\');
  return text;
}

std::string fish_name(const std::string& name) {
  return name.starts_with("--") ? "-l " + name.substr(2) : "-s " + name.substr(1);
}

/// A page with every table, without its rows.
std::string empty_tables() {
  std::string page = "<!-- table verbs -->\n<!-- end -->\n<!-- table steps -->\n<!-- end -->\n";
  page += "<!-- table exit-codes -->\n<!-- end -->\n";
  for (const SectionRow& row : section_rows())
    page += "<!-- table " + std::string(row.name) + " -->\nof yesterday\n<!-- end -->\n";
  return page + "after\n";
}

template <class Check>
void for_each_name(Check check) {
  for (const OptionRow& row : option_rows()) {
    for (const std::string& name : split(row.names, ',')) {
      CAPTURE(name);
      check(row, name);
    }
  }
}

}  // namespace

TEST_CASE("an option has one row, a help line without a full stop, and a verb") {
  std::set<std::string> seen;
  for_each_name([&](const OptionRow& row, const std::string& name) {
    CHECK(seen.insert(name).second);
    CHECK_FALSE(row.help.empty());
    CHECK_FALSE(row.help.ends_with('.'));
    CHECK((row.more.empty() || row.more.ends_with('.')));
    CHECK_FALSE(verbs_of(row).empty());
  });
}

TEST_CASE("the rows of verbs and sections are in the order of their enumerators") {
  for (std::size_t i = 0; i < verb_rows().size(); ++i) CHECK(verb_rows()[i].verb == Verb(i));
  for (std::size_t i = 0; i < section_rows().size(); ++i) CHECK(section_rows()[i].section == Section(i));
}

TEST_CASE("help has every option of its verb, in lines of 80 columns") {
  std::vector<std::string> texts = {help_text(std::nullopt)};
  for (const VerbRow& verb : verb_rows()) {
    texts.push_back(help_text(verb.verb));
    for_each_name([&](const OptionRow& row, const std::string& name) {
      if (row.verbs.has(verb.verb)) CHECK(has_word(texts.back(), name));
      if (exists_without_verb(row)) CHECK(has_word(texts.front(), name));
    });
  }
  for (const std::string& text : texts) {
    for (const std::string& line : split(text, '\n')) CHECK_MESSAGE(line.size() <= 80, line);
  }
}

TEST_CASE("the man page has every option and every verb") {
  const std::string page = without_escapes(manual_page("2026-01-02"));
  for_each_name(
      [&](const OptionRow&, const std::string& name) { CHECK(page.find("fB" + name + "fR") != page.npos); });
  for (const VerbRow& verb : verb_rows()) CHECK(page.find("tdz " + std::string(verb.name)) != page.npos);
}

TEST_CASE("completions have every option and every verb") {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const std::string script = completions(shell).value();
    const bool fish = std::string(shell) == "fish";
    for_each_name([&](const OptionRow&, const std::string& name) {
      CHECK(has_word(script, fish ? fish_name(name) : name));
    });
    for (const VerbRow& verb : verb_rows()) CHECK(script.find(verb.name) != script.npos);
  }
  CHECK_FALSE(completions("csh"));
}

TEST_CASE("the tables of the docs have every option, and the text around them stays") {
  const std::string page = with_new_tables(empty_tables()).value();
  for_each_name([&](const OptionRow&, const std::string& name) { CHECK(has_word(page, "`" + name)); });
  CHECK(page.ends_with("<!-- end -->\nafter\n"));
  CHECK(page.find("of yesterday") == page.npos);
  CHECK(with_new_tables(page).value() == page);
}

TEST_CASE("a page without one of the tables is refused") {
  CHECK_FALSE(with_new_tables(""));
  CHECK_FALSE(with_new_tables(empty_tables() + "<!-- table nonsense -->\n<!-- end -->\n"));
  CHECK_FALSE(with_new_tables(empty_tables() + "<!-- table verbs -->\n"));
}

TEST_CASE("a line ends before the width, and a long word has a line of its own") {
  CHECK(wrapped("a bc def", 2, 0, 6) == "  a bc\n  def\n");
  CHECK(wrapped("abcdefgh i", 2, 0, 6) == "  abcdefgh\n  i\n");
  CHECK(wrapped("a", 4, 2, 6) == "  a\n");
}
