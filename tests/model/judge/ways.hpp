// SPDX-License-Identifier: Apache-2.0
// The ways into tdz, as compare_decoders.py asks for them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "formats/digest.hpp"
#include "tests/codec/support.hpp"

namespace tdz::test {

/// A file or a lone block, and a part of its original.
struct Question {
  Bytes bytes;
  std::uint64_t offset = 0;
  std::uint64_t count = 0;  ///< kNone: to the end
};

/// A way is a function from a question to a word without blanks: the kind of an error, or what came out.
struct Way {
  const char* name;
  std::string (*answer)(const Question&);
};
const std::vector<Way>& ways_of_files();
const std::vector<Way>& ways_of_blocks();

/// The longest original that a way makes room for. Others are "limit": the streams of the generator are
/// short.
inline constexpr std::size_t kMostRoom = 64u << 20;

inline std::string hex_of(std::span<const std::byte> bytes) {
  std::string made;
  for (const std::byte b : bytes)
    for (const std::byte half : {b >> 4, b & std::byte{15}})
      made += "0123456789abcdef"[std::to_integer<int>(half)];
  return made;
}

/// "LENGTH:XXH3-128".
inline std::string name_of_bytes(std::span<const std::byte> bytes) {
  return std::to_string(bytes.size()) + ':' + hex_of(formats::xxh3_128(bytes));
}

inline std::string answer_of(const Result<Bytes>& result) {
  return result ? name_of_bytes(*result) : std::string(name_of(result.error().kind));
}

}  // namespace tdz::test
