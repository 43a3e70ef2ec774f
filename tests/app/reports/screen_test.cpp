// SPDX-License-Identifier: Apache-2.0
// Does text fit the screen, whatever its characters, and does the screen follow the environment?
#include "app/reports/screen.hpp"

#include <doctest/doctest.h>

using namespace tdz::app;

TEST_CASE("columns are counted, not bytes: some characters take two, some none") {
  CHECK(shown_width("h\xC3\xA9") == 2);
  CHECK(shown_width("\xE6\xB8\xAC") == 2);  // U+6E2C, Chinese
  CHECK(shown_width("e\xCC\x81") == 1);     // e, and U+0301, an accent
}

TEST_CASE("text is cut between characters") {
  CHECK(clipped("h\xC3\xA9llo", 5, Letters::utf8) == "h\xC3\xA9llo");
  CHECK(clipped("h\xC3\xA9llo", 3, Letters::utf8) == "h\xC3\xA9…");
  CHECK(clipped("\xE6\xB8\xAC\xE6\xB8\xAC.raw", 4, Letters::utf8) == "\xE6\xB8\xAC…");
  CHECK(clipped("recording", 6, Letters::ascii) == "rec...");
  CHECK(clipped("recording", 2, Letters::ascii) == "..");
}

TEST_CASE("paragraphs break at blanks, and words that are too long break anywhere") {
  const std::string words = std::string(60, 'a') + " " + std::string(60, 'b') + " " + std::string(250, 'c');
  const std::string text = wrapped(words, 2, 110);
  CHECK(text.starts_with(std::string(60, 'a') + "\n  " + std::string(60, 'b') + "\n  ccc"));
  std::size_t letters = 0;
  for (const char c : text) letters += c == 'c' ? 1u : 0u;
  CHECK(letters == 250);
  CHECK(wrapped("", 2, 110).empty());
  CHECK(!wrapped(words, 8, 4).empty());
}

TEST_CASE("lines for other programs are not broken") {
  const std::string words = std::string(60, 'a') + " " + std::string(60, 'b');
  CHECK(folded(words, 2, Screen{}) == words + "\n");
  CHECK(folded(words, 2, Screen{.columns = 80}) ==
        std::string(60, 'a') + "\n  " + std::string(60, 'b') + "\n");
}

TEST_CASE("a table is as wide as the terminal, text no wider than a reader likes") {
  CHECK(Screen{.columns = 80}.table_width() == 80);
  CHECK(Screen{.columns = 200}.table_width() == 200);
  CHECK(Screen{.columns = 200}.text_width() == Screen{}.text_width());
}

TEST_CASE("there are colours only on a terminal that can and should show them") {
  CHECK(colours_of(true, nullptr, "xterm-256color") == Colours::heat);
  CHECK(colours_of(true, "", "xterm") == Colours::heat);
  CHECK(colours_of(true, "1", "xterm") == Colours::plain);
  CHECK(colours_of(true, nullptr, "dumb") == Colours::plain);
  CHECK(colours_of(true, nullptr, nullptr) == Colours::plain);
  CHECK(colours_of(false, nullptr, "xterm") == Colours::plain);
}

TEST_CASE("the first variable that is set names the characters") {
  CHECK(letters_of(nullptr, nullptr, "en_US.UTF-8") == Letters::utf8);
  CHECK(letters_of("", "C.utf8", "C") == Letters::utf8);
  CHECK(letters_of("C", nullptr, "en_US.UTF-8") == Letters::ascii);
  CHECK(letters_of(nullptr, nullptr, nullptr) == Letters::ascii);
}
