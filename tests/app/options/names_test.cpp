// SPDX-License-Identifier: Apache-2.0
// Which names do results get, and how are names shown?
#include "app/options/names.hpp"

#include <doctest/doctest.h>

#include <string_view>

using namespace tdz::app;

TEST_CASE("a name gets a suffix, and loses it") {
  CHECK(packed_name("a/b") == "a/b.tdz");
  CHECK(packed_name("a.tdz") == "a.tdz.tdz");
  CHECK(*restored_name("a/b.tdz") == "a/b");
  CHECK(*restored_name("a.tdz.tdz") == "a.tdz");
  for (const auto* name : {"", "a", "tdz", ".tdz", "a/.tdz", "a.tdz/", "a.TDZ", "a.tdz.zst"}) {
    CAPTURE(name);
    CHECK_FALSE(restored_name(name));
  }
}

TEST_CASE("a path has a folder and a last part") {
  CHECK(folder_of("x") == ".");
  CHECK(folder_of("/x") == "/");
  CHECK(folder_of("a/b/x") == "a/b");
  CHECK(last_part("x") == "x");
  CHECK(last_part("/x") == "x");
  CHECK(last_part("a/b/x") == "x");
}

TEST_CASE("harmless names are shown as they are") {
  for (const auto* name : {"", "a b'\"\\", "Größe", "測定", "\U0001F30D", "\u00A0"})
    CHECK(printable(name) == name);
}

TEST_CASE("control characters and bytes that are not UTF-8 are escaped") {
  CHECK(printable("a\nb\x1B[2J\x7F") == "a\\x0ab\\x1b[2J\\x7f");
  CHECK(printable("\xC2\x9B"
                  "1m") == "\\xc2\\x9b1m");               // CSI in one character
  CHECK(printable("\xFF\xC3") == "\\xff\\xc3");           // not valid anywhere, and a cut character
  CHECK(printable("\xC0\xAF") == "\\xc0\\xaf");           // overlong
  CHECK(printable("\xED\xA0\x80") == "\\xed\\xa0\\x80");  // surrogate
  CHECK(printable("\xE2\x82"
                  "x") == "\\xe2\\x82x");                          // cut off by another character
  CHECK(printable("\xF4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");  // beyond U+10FFFF
}

TEST_CASE("characters that change the text direction or break lines are escaped") {
  CHECK(printable("a\u202Egpj.exe") == "a\\xe2\\x80\\xaegpj.exe");
  for (const auto* one : {"\u2028", "\u2029", "\u202A", "\u2066", "\u2069"})
    CHECK(printable(one).size() == 12);
  for (const auto* one : {"\u2027", "\u202F"}) CHECK(printable(one) == one);
}

TEST_CASE("characters that show nothing are escaped") {
  CHECK(printable("w\u200B\uFEFF\U000E0041.bin") ==
        "w\\xe2\\x80\\x8b\\xef\\xbb\\xbf\\xf3\\xa0\\x81\\x81.bin");
  for (const auto* one :
       {"\u00AD",     "\u061C",     "\u034F",     "\u115F",     "\u17B4",     "\u180E",     "\u200D",
        "\u2060",     "\u2065",     "\u206A",     "\u2800",     "\u3164",     "\uE000",     "\uFDD0",
        "\uFE0F",     "\uFFA0",     "\uFFF0",     "\uFFFE",     "\U0001BCA0", "\U0001FFFF", "\U000E0000",
        "\U000E007F", "\U000E01EF", "\U000E0FFF", "\U000F0000", "\U0010FFFF"}) {
    CAPTURE(one);
    CHECK(printable(one).size() == 4 * std::string_view(one).size());
  }
}

TEST_CASE("the neighbours of hidden characters are shown") {
  for (const auto* one :
       {"\u00AC", "\u00AE", "\u061B",     "\u061D",     "\u115E",     "\u1161",     "\u200A",
        "\u2010", "\u2070", "\u2801",     "\uD7FF",     "\uF900",     "\uFE10",     "\uFEFC",
        "\uFFFC", "\uFFFD", "\U00010000", "\U0001D172", "\U0001D17B", "\U0001F600", "\U000DFFFD"})
    CHECK(printable(one) == one);
}

TEST_CASE("standard input has a name") {
  CHECK(shown_name("-") == "(stdin)");
  CHECK(shown_name("x") == "x");
}

TEST_CASE("files that a killed run may leave are recognized by their names") {
  CHECK(is_temporary_name(".x-AbCd12.tdz.tmp"));
  CHECK_FALSE(is_temporary_name("x-AbCd12.tdz.tmp"));
  CHECK_FALSE(is_temporary_name(".x.tdz"));
  CHECK(is_hidden_source_name(".x-AbCd12.tdz.rm"));
  CHECK_FALSE(is_hidden_source_name(".x-AbCd12.tdz.tmp"));
}

TEST_CASE("a hidden name comes from the name, and says whose it is") {
  const std::string name = "x-AbCd12.tdz", first = hidden_name(name, kHiddenSourceSuffix, 0, 255);
  CHECK(first == hidden_name(name, kHiddenSourceSuffix, 0, 255));
  CHECK(first != hidden_name(name, kHiddenSourceSuffix, 1, 255));
  CHECK(is_temporary_name(hidden_name(name, kTemporarySuffix, 0, 255)));
  for (unsigned number = 0; number < kLastingNames; ++number)
    CHECK(path_of_hidden_source("a/" + hidden_name(name, kHiddenSourceSuffix, number, 255)) == "a/" + name);
  CHECK_FALSE(path_of_hidden_source(hidden_name(name, kHiddenSourceSuffix, kLastingNames, 255)));
  CHECK_FALSE(path_of_hidden_source(hidden_name(name, kTemporarySuffix, 0, 255)));
  CHECK_FALSE(path_of_hidden_source(name));
  CHECK_FALSE(path_of_hidden_source(".-AbCd12.tdz.rm"));
}

TEST_CASE("a hidden name fits, with whole characters, and then does not say whose it is") {
  const std::string letters(255, 'x');
  std::string umlauts;
  for (int i = 0; i < 127; ++i) umlauts += "\u00FC";
  for (const auto& name : {letters, umlauts}) {
    for (const std::size_t longest : {std::size_t{143}, std::size_t{254}, std::size_t{255}}) {
      const std::string hidden = hidden_name(name, kHiddenSourceSuffix, 0, longest);
      CHECK(hidden.size() <= longest);
      CHECK(hidden.size() + 1 >= longest);
      CHECK(printable(hidden) == hidden);
      CHECK(hidden != hidden_name(name + "y", kHiddenSourceSuffix, 0, longest));
      CHECK_FALSE(path_of_hidden_source(hidden));
    }
  }
  CHECK(hidden_name("x", kTemporarySuffix, 0, 5).starts_with(".-"));
}

TEST_CASE("a shell reads quoted words correctly") {
  CHECK(shell_word("a/b-c.raw") == "a/b-c.raw");
  CHECK(shell_word("my file") == "'my file'");
  CHECK(shell_word("it's") == "'it'\\''s'");
  CHECK(shell_word("").size() == 2);
}
