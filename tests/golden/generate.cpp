// SPDX-License-Identifier: Apache-2.0
// Writes every golden case into a folder: NAME.tdz, and NAME.bin, its original.
//     tdz_golden_generate DIR
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "tests/golden/cases.hpp"

namespace {

bool write(const std::filesystem::path& path, const tdz::test::Bytes& bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return static_cast<bool>(file.flush());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fputs("usage: tdz_golden_generate DIR\n", stderr), 1;
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  for (const auto& made : tdz::test::golden_cases()) {
    const auto stored = tdz::compress(made.original, made.options);
    if (!stored || !write(folder / (made.name + ".tdz"), *stored) ||
        !write(folder / (made.name + ".bin"), made.original)) {
      return std::fprintf(stderr, "cannot write %s\n", made.name.c_str()), 1;
    }
  }
  return 0;
}
