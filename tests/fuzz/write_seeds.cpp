// SPDX-License-Identifier: Apache-2.0
// Writes the seed corpus of every target: tdz_fuzz_seeds DIR makes DIR/TARGET/NUMBER.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "tests/fuzz/seeds.hpp"
#include "tests/fuzz/targets.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return std::fputs("usage: tdz_fuzz_seeds DIR\n", stderr), 1;
  for (const auto& [name, target] : tdz::fuzz::targets()) {
    const auto folder = std::filesystem::path(argv[1]) / name;
    std::filesystem::create_directories(folder);
    std::size_t number = 0;
    for (const auto& seed : tdz::fuzz::seeds_for(name)) {
      std::ofstream file(folder / std::to_string(number++), std::ios::binary);
      file.write(reinterpret_cast<const char*>(seed.data()), static_cast<std::streamsize>(seed.size()));
      if (!file.flush()) return std::fprintf(stderr, "cannot write to %s\n", folder.c_str()), 1;
    }
  }
  return 0;
}
