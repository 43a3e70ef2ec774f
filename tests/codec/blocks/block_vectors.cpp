// SPDX-License-Identifier: Apache-2.0
// Are lone blocks judged as a reader judges them that was made from FORMAT.md alone? block_vectors.py made
// the vectors.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "tdz/block.hpp"
#include "tests/hex.hpp"
#include "tests/verdict.hpp"

namespace tdz::test {

using Bytes = std::vector<std::byte>;

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
