// SPDX-License-Identifier: Apache-2.0
#include "document.hpp"

#include <sstream>
#include <stdexcept>

#include "tools.hpp"

namespace tdz::test {
namespace {

// "0018  17 6E  what it is": four digits, two blanks, bytes one blank apart, two blanks, words.
void append_dump_line(const std::string& line, Bytes& bytes) {
  if (std::stoul(line.substr(0, 4), nullptr, 16) != bytes.size())
    throw std::runtime_error("wrong offset: " + line);
  for (std::size_t at = 6; at + 2 <= line.size() && line[at] != ' '; at += 3) {
    bytes.push_back(static_cast<std::byte>(std::stoul(line.substr(at, 2), nullptr, 16)));
  }
}

}  // namespace

std::string format_document() {
  const Bytes bytes = read_file(TDZ_SOURCE_DIR "/formats/FORMAT.md");
  std::string text;
  for (const std::byte byte : bytes) text += static_cast<char>(byte);
  return text;
}

std::vector<std::string> fenced_block(const std::string& document, std::string_view language) {
  const std::string opening = "```" + std::string(language);
  std::vector<std::string> lines;
  std::istringstream in(document);
  int blocks = 0;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (inside && line == "```") {
      inside = false;
    } else if (inside) {
      lines.push_back(line);
    } else if (line == opening) {
      inside = true;
      ++blocks;
    }
  }
  if (blocks != 1 || inside) throw std::runtime_error("FORMAT.md must have one whole block " + opening);
  return lines;
}

Bytes dump_bytes() {
  Bytes bytes;
  for (const std::string& line : fenced_block(format_document(), "hex")) {
    if (!line.starts_with("--")) append_dump_line(line, bytes);
  }
  return bytes;
}

}  // namespace tdz::test
