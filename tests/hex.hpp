// SPDX-License-Identifier: Apache-2.0
// Bytes as hexadecimal digits, for files of vectors and for messages.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace tdz::test {

/// (NNN*HH) stands for NNN bytes HH; - is nothing.
inline std::vector<std::byte> from_hex(const std::string& text) {
  std::vector<std::byte> bytes;
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

inline std::string hex(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte byte : bytes) {
    text += "0123456789abcdef"[std::to_integer<unsigned>(byte) >> 4];
    text += "0123456789abcdef"[std::to_integer<unsigned>(byte) & 15];
  }
  return text;
}

}  // namespace tdz::test
