// SPDX-License-Identifier: Apache-2.0
// Does the page of Python in FORMAT.md restore data without tdz, and does zstd accept the files?
#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

#include "support/document.hpp"
#include "support/raw_stream.hpp"
#include "support/tools.hpp"

namespace tdz::test {

using namespace tdz::formats;

namespace {

Bytes joined(std::initializer_list<std::span<const std::byte>> parts) {
  Bytes all;
  for (const auto part : parts) put_bytes(all, part);
  return all;
}

Bytes original_of(std::span<const Piece> pieces) {
  Bytes all;
  for (const Piece& piece : pieces) put_bytes(all, piece.original);
  return all;
}

class Page {
 public:
  Page() {
    Bytes text;
    for (const std::string& line : fenced_block(format_document(), "python")) {
      put_bytes(text, std::as_bytes(std::span(line)));
      text.push_back(std::byte{'\n'});
    }
    write_file(folder_ / "page.py", text);
  }

  std::string run(std::span<const std::byte> file) const {
    write_file(folder_ / "in.tdz", file);
    return output_of(python_with_numpy() + " " + quoted(folder_ / "page.py") + " " +
                     quoted(folder_ / "in.tdz") + " " + quoted(folder_ / "out"));
  }
  Bytes output() const { return read_file(folder_ / "out"); }

 private:
  TemporaryFolder folder_;
};

bool cannot_run() {
  if (python_with_numpy().empty()) return skip("no python3 with numpy"), true;
  if (!have_command("zstd --version")) return skip("no zstd command"), true;
  return false;
}

// Every step alone, then lists in unusual orders.
std::vector<Transform> transforms(std::uint8_t word) {
  std::vector<Transform> all = {{.word = word}};
  const auto add = [&](std::initializer_list<Step> steps) {
    all.push_back({.word = word});
    for (const Step& step : steps) all.back().append(step);
  };
  for (const Step step : {Step::byteswap(), Step::zigzag(), Step::planes(), Step::bit_planes()}) add({step});
  for (const std::uint32_t tuple : {1u, 3u, 25u, 1000u, 0xFFFFFFFFu}) {
    add({Step::tuple_planes(tuple)});
    for (const std::uint8_t order : std::array<std::uint8_t, 3>{1, 2, 8})
      add({Step::difference(tuple, order)});
  }
  add({Step::byteswap(), Step::difference(2, 3), Step::zigzag(), Step::bit_planes()});
  add({Step::difference(1, 1), Step::difference(20, 1), Step::zigzag(), Step::tuple_planes(3)});
  add({Step::planes(), Step::zigzag(), Step::difference(5, 8), Step::tuple_planes(7), Step::byteswap(),
       Step::bit_planes(), Step::difference(3, 2), Step::planes()});
  return all;
}

}  // namespace

TEST_SUITE("needs python") {
  TEST_CASE("the page decodes the dump") {
    if (cannot_run()) return;
    const Page page;
    CHECK(page.run(dump_bytes()) == "");
    Bytes expected;
    for (const int number : {100, -3, 101, -5, 103, -6}) put_le(expected, static_cast<std::uint16_t>(number));
    CHECK(page.output() == expected);
  }

  TEST_CASE("the page undoes every step for every word, with and without trailing bytes") {
    if (cannot_run()) return;
    const Page page;
    const std::uint64_t seed = 71;
    CAPTURE(seed);
    Random random(seed);
    for (const std::uint8_t word : std::array<std::uint8_t, 4>{1, 2, 4, 8}) {
      std::vector<Piece> pieces;
      for (const Transform& transform : transforms(word)) {
        for (const std::size_t words : {random.length_between(0, 9), random.length_between(90, 110)}) {
          const std::size_t length = words * word + random.length_between(0, word - 1u);
          if (length > 0) pieces.push_back({random.bytes(length), transform, 50});
        }
      }
      CAPTURE(word);
      CHECK(page.run(raw_stream({}, pieces)) == "");
      CHECK(page.output() == original_of(pieces));
    }
  }

  TEST_CASE("the page decodes concatenated streams and skips zeros after them") {
    if (cannot_run()) return;
    const Page page;
    Random random(72);
    const std::vector<Piece> pieces = {
        {random.bytes(1001), Transform{.word = 4}.append(Step::difference(2, 2))}};
    const Bytes stream = raw_stream({.original_bytes = 1001}, pieces);
    const Bytes empty = raw_stream({.original_bytes = 0}, {});
    const Bytes zeros(13);
    CHECK(page.run(joined({stream, empty, stream, zeros, stream, zeros})) == "");
    const Bytes original = original_of(pieces);
    CHECK(page.output() == joined({original, original, original}));
  }

  TEST_CASE("a file cut at the end of any record or frame is truncated for the page") {
    if (cannot_run()) return;
    const Page page;
    const Bytes dump = dump_bytes();
    for (const std::size_t length : {0u, 1u, 0xA8u, 0x118u, 0x131u, 0x1C1u, 0x231u, 0x269u}) {
      CAPTURE(length);
      CHECK(page.run(std::span(dump).first(length)).starts_with("truncated"));
    }
  }

  TEST_CASE("swapped, missing and doubled chunks are corrupt for the page") {
    if (cannot_run()) return;
    const Page page;
    const Bytes dump = dump_bytes();
    const std::span bytes(dump);
    CHECK(page.run(joined({bytes.first(0x131), bytes.subspan(0xA8)})).starts_with("corrupt"));
    CHECK(page.run(joined({bytes.first(0xA8), bytes.subspan(0x131)})).starts_with("corrupt"));
    CHECK(page.run(joined({bytes.first(0x131), bytes})).starts_with("corrupt"));
  }
}

TEST_SUITE("needs zstd") {
  TEST_CASE("zstd finds every byte of a file in order") {
    if (!have_command("zstd --version")) return skip("no zstd command");
    const TemporaryFolder folder;
    Random random(73);
    const std::vector<Piece> pieces = {{random.bytes(5000), {}, 999}, {random.bytes(7), {}}};
    write_file(folder / "a.tdz", raw_stream({}, pieces));
    write_file(folder / "b.tdz", dump_bytes());
    CHECK(have_command("zstd -t " + quoted(folder / "a.tdz")));
    CHECK(have_command("zstd -t " + quoted(folder / "b.tdz")));
    CHECK(have_command("zstd -l " + quoted(folder / "a.tdz")));
    REQUIRE(have_command("zstd -d -o " + quoted(folder / "residuals") + " " + quoted(folder / "a.tdz")));
    CHECK(read_file(folder / "residuals") == original_of(pieces));
  }
}

}  // namespace tdz::test
