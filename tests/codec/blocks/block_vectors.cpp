// SPDX-License-Identifier: Apache-2.0
// Are lone blocks judged as a reader judges them that was made from FORMAT.md alone? block_vectors.py made
// the vectors.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "tdz/block.hpp"
#include "tests/verdict.hpp"

namespace tdz::test {
namespace {

using Bytes = std::vector<std::byte>;

/// Hex; (NNN*HH) stands for NNN bytes HH; - is nothing.
Bytes from_hex(const std::string& text) {
  Bytes bytes;
  if (text == "-") return bytes;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t times = 1;
    const bool is_run = text[at] == '(';
    if (is_run) {
      times = std::stoul(text.substr(at + 1));
      at = text.find('*', at) + 1;
    }
    bytes.insert(bytes.end(), times, static_cast<std::byte>(std::stoul(text.substr(at, 2), nullptr, 16)));
    at += is_run ? 3 : 2;
  }
  return bytes;
}

}  // namespace

TEST_CASE("lone blocks, one for each rule: the reference gives the verdict") {
  std::ifstream file(TDZ_SOURCE_DIR "/tests/codec/blocks/block_vectors.txt");
  BlockDecoder decoder;
  std::string verdict, original, block, name;
  std::size_t count = 0, good = 0;
  while (file >> verdict >> original >> block && std::getline(file, name)) {
    CAPTURE(name);
    const Bytes bytes = from_hex(block);
    const auto restored = decoder.decode(bytes, std::size_t{16} << 20);
    CHECK(verdict_of(restored) == (verdict == "good" ? "accepted" : verdict));
    if (restored) CHECK(*restored == from_hex(original));
    if (restored) CHECK(block_original_bytes(bytes).value() == restored->size());
    ++count;
    if (restored) ++good;
  }
  CHECK(count > 130);
  CHECK(good > 20);
}

}  // namespace tdz::test
