// SPDX-License-Identifier: Apache-2.0
// Other programs that some tests need. If its program is missing, a test calls skip(), and CTest reports it
// as Skipped.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "samples.hpp"

namespace tdz::test {

/// Prints the line that CMakeLists.txt searches for.
void skip(const std::string& reason);

bool have_command(const std::string& command);
/// The output of a shell command, both streams together.
std::string output_of(const std::string& command);
std::string quoted(const std::filesystem::path& path);

void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes);
Bytes read_file(const std::filesystem::path& path);

/// A folder that is removed when the test ends.
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
