// SPDX-License-Identifier: Apache-2.0
#include "tools.hpp"

#include <stdlib.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace tdz::test {

void skip(const std::string& reason) {
  std::printf("Skipped: %s\n", reason.c_str());
}

bool have_command(const std::string& command) {
  // NOLINTNEXTLINE(cert-env33-c): the tests' own constant commands
  return std::system((command + " >/dev/null 2>&1").c_str()) == 0;
}

std::string output_of(const std::string& command) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return "";
  std::string text;
  std::array<char, 4096> buffer{};
  for (std::size_t got; (got = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    text.append(buffer.data(), got);
  pclose(pipe);
  return text;
}

std::string quoted(const std::filesystem::path& path) {
  std::string text = path.string();
  text.insert(text.begin(), '\'');
  text += '\'';
  return text;
}

void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  std::ofstream file(path, std::ios::binary);
  for (const std::byte byte : bytes) file.put(static_cast<char>(byte));
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

Bytes read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  Bytes bytes;
  for (std::istreambuf_iterator<char> at(file), end; at != end; ++at)
    bytes.push_back(static_cast<std::byte>(*at));
  return bytes;
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "tdz_formats_XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a temporary folder");
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace tdz::test
