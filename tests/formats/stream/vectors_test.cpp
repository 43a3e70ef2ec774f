// SPDX-License-Identifier: Apache-2.0
// Do the records get the verdicts of the model, in crafted files and behind hostile edits? vectors.py writes
// the table and describes its lines.
#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

#include "formats/stream/chunk.hpp"
#include "formats/stream/stream_state.hpp"
#include "walk.hpp"

#include "../support/samples.hpp"

namespace tdz::test {
namespace {

using namespace tdz::formats;

struct Vector {
  bool lone = false;
  Bytes bytes;
};

std::byte octet(const std::string& text, std::size_t at) {
  return static_cast<std::byte>(std::stoul(text.substr(at, 2), nullptr, 16));
}

Bytes plain_hex(const std::string& text) {
  Bytes out;
  for (std::size_t at = 0; at + 2 <= text.size(); at += 2) out.push_back(octet(text, at));
  return out;
}

Bytes packed_hex(const std::string& text, const Bytes& before) {
  Bytes out;
  for (std::size_t at = 0; at + 1 < text.size();) {
    if (text[at] != '(' && text[at] != '[') {
      out.push_back(octet(text, at));
      at += 2;
      continue;
    }
    const std::size_t count = std::stoul(text.substr(at + 1));
    if (text[at] == '(') out.resize(out.size() + count);
    if (text[at] == '[')
      out.insert(out.end(), before.begin(), before.begin() + static_cast<std::ptrdiff_t>(count));
    at = text.find_first_of(")]", at) + 1;
  }
  return out;
}

/// Begin and length of each record of a good file; frames are stepped over.
std::vector<std::pair<std::size_t, std::size_t>> records_of(const Bytes& file) {
  std::vector<std::pair<std::size_t, std::size_t>> found;
  for (std::size_t at = 0; at < file.size();) {
    const auto left = std::span(file).subspan(at);
    const auto prefix = parse_prefix(left, {true, true, true, true, true}, at);
    REQUIRE(prefix);
    const auto length = static_cast<std::size_t>(prefix->total_bytes);
    found.emplace_back(at, length);
    at += length;
    if (prefix->kind != RecordKind::chunk) continue;
    const auto chunk = parse_chunk(left.first(length), {}, 0);
    REQUIRE(chunk);
    at += static_cast<std::size_t>(packed_bytes(*chunk));
  }
  return found;
}

Bytes edited(const Bytes& base, std::istringstream& edits) {
  Bytes out = base;
  for (std::string edit; edits >> edit;) {
    const std::size_t at = std::stoul(edit);
    std::ranges::copy(plain_hex(edit.substr(edit.find('=') + 1)),
                      out.begin() + static_cast<std::ptrdiff_t>(at));
  }
  for (const auto& [begin, length] : records_of(base)) {
    const auto record = std::span(out).subspan(begin, length);
    set_le(record.subspan(24), xxh3_64(record.first(24)));
    set_le(record.last(8), xxh3_64(record.first(length - 8)));
  }
  return out;
}

std::string verdict_of(const Vector& vector) {
  return vector.lone ? verdict_of_lone_block(vector.bytes) : verdict_of_file(vector.bytes);
}

}  // namespace

TEST_CASE("records of format 1.0 get the verdicts of the model") {
  std::ifstream table(TDZ_SOURCE_DIR "/tests/formats/stream/vectors.txt");
  Vector base;
  std::size_t judged = 0;
  for (std::string line; std::getline(table, line); ++judged) {
    CAPTURE(line.substr(0, 20) + " .. " + line.substr(line.size() > 60 ? line.size() - 60 : 0));
    std::istringstream words(line);
    std::string kind, verdict;
    words >> kind >> verdict;
    if (kind == "edit") {
      CHECK(verdict_of({base.lone, edited(base.bytes, words)}) == verdict);
      continue;
    }
    std::string hex;
    words >> hex;
    base = {kind == "lone", packed_hex(hex, base.bytes)};
    CHECK(verdict_of(base) == verdict);
  }
  CHECK(judged > 900);
}

}  // namespace tdz::test
