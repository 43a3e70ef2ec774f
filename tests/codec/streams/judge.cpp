// SPDX-License-Identifier: Apache-2.0
// Judges files by both readers of streams. Standard input: for each file its length, a u32, and its bytes.
// Standard output: for each file a line with both verdicts. An accepted file has the XXH3-128 of its original
// in the place of the verdict.
#include <iostream>

#include "formats/digest.hpp"
#include "tests/codec/streams/reading.hpp"

using namespace tdz;
using namespace tdz::test;

namespace {

std::string answer_of(const Result<Bytes>& result) {
  if (!result) return verdict_of(result);
  std::string hex;
  for (const std::byte b : formats::xxh3_128(*result)) {
    for (const std::byte half : {b >> 4, b & std::byte{15}})
      hex += "0123456789abcdef"[std::to_integer<int>(half)];
  }
  return hex;
}

bool read(void* into, std::size_t bytes) {
  return static_cast<bool>(std::cin.read(static_cast<char*>(into), static_cast<std::streamsize>(bytes)));
}

}  // namespace

int main() {
  std::uint32_t length = 0;
  while (read(&length, sizeof length)) {
    Bytes file(length);
    if (!read(file.data(), file.size())) return 1;
    std::cout << answer_of(decoded(file)) << ' ' << answer_of(through_index(file, 0)) << '\n';
  }
}
