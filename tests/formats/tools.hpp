// SPDX-License-Identifier: Apache-2.0
// Other programs that some tests need. A test without its program calls skip(), which CTest reports as
// Skipped.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "samples.hpp"

namespace tdz::test {

/// Prints the line that CMakeLists.txt looks for.
void skip(const std::string& reason);

bool have_command(const std::string& command);
/// What a shell command printed, both streams together.
std::string output_of(const std::string& command);
std::string quoted(const std::filesystem::path& path);
/// A python3 that can import numpy, or "". Looked for once.
const std::string& python_with_numpy();

void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes);
Bytes read_file(const std::filesystem::path& path);

/// A folder that goes when the test ends.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::filesystem::path operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace tdz::test
