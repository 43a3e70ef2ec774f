// SPDX-License-Identifier: Apache-2.0
// The list of lengths at which a kernel may fail, each with its reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tdz::test {

struct EdgeLength {
  std::size_t bytes;
  const char* reason;
};

/// Lengths in bytes, for words of `word` bytes in tuples of `tuple` words. For each reason the shortest comes
/// first.
inline std::vector<EdgeLength> edge_lengths(std::size_t word, std::uint32_t tuple) {
  std::vector<EdgeLength> edges;
  for (std::size_t words = 0; words <= 8; ++words)
    edges.push_back({words * word, "few words: shorter than any order"});
  edges.push_back({word - 1, "no whole word"});
  edges.push_back({9 * word + word - 1, "trailing bytes"});
  const auto around = [&](std::size_t bytes, const char* reason) {
    for (std::size_t words : {bytes / word - 1, bytes / word, bytes / word + 1}) {
      edges.push_back({words * word, reason});
    }
  };
  around(16, "a block of 16 bytes");
  around(32, "a vector");
  around(512, "a group of the transposition, and a piece of zeros");
  around(8192, "a block of the sweep");
  around(2 * 8192, "two blocks: what passes from one to the next");
  edges.push_back({3 * 8192 + 1000 * word + word / 2, "three blocks, an incomplete one, trailing bytes"});
  if (tuple > 1 && tuple <= 1000) {
    around(std::size_t{tuple} * word, "one tuple");
    around(std::size_t{tuple} * word * 9, "more tuples than the highest order");
    around(std::size_t{tuple} * word * 32, "a group of tuples");
  }
  return edges;
}

}  // namespace tdz::test
