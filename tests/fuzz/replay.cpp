// SPDX-License-Identifier: Apache-2.0
// Do all fuzz targets pass with their seeds, a few thousand mutations of them, and every input that once
// failed? Without libFuzzer, so that every compiler and sanitizer can run them.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "tests/fuzz/seeds.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/rounds.hpp"

using namespace tdz;
using test::Bytes;

namespace {

constexpr std::uint32_t kSeed = 20261121;
constexpr std::uint64_t kMutations = 100;  // of each seed

/// Changes a few bytes, or removes, doubles or cuts off a piece.
Bytes mutated(Bytes bytes, std::mt19937& random) {
  const auto place = [&] { return static_cast<std::ptrdiff_t>(random() % (bytes.size() + 1)); };
  for (std::size_t change = random() % 4 + 1; change > 0 && !bytes.empty(); --change) {
    auto first = place(), last = place();
    if (first > last) std::swap(first, last);
    const auto begin = bytes.begin() + first, end = bytes.begin() + last;
    const Bytes piece(begin, begin + std::min<std::ptrdiff_t>(last - first, 64));
    switch (random() % 5) {
      case 0:
        bytes.erase(begin, begin + std::min<std::ptrdiff_t>(last - first, 16));
        break;
      case 1:
        bytes.insert(end, piece.begin(), piece.end());
        break;
      case 2:
        bytes.resize(static_cast<std::size_t>(last));
        break;
      default:
        bytes[random() % bytes.size()] = static_cast<std::byte>(random() % 3 == 0 ? 0xFF : random());
    }
  }
  return bytes;
}

Bytes read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

}  // namespace

TEST_CASE("seeds and their mutations") {
  for (const auto& [name, target] : fuzz::targets()) {
    INFO("target ", name, ", seed ", kSeed);
    std::mt19937 random(kSeed);
    const auto seeds = fuzz::seeds_for(name);
    REQUIRE_FALSE(seeds.empty());
    for (const Bytes& seed : seeds) {
      target(seed);
      for (std::uint64_t i = 0; i < test::rounds_by_chance(kMutations); ++i) target(mutated(seed, random));
    }
  }
}

TEST_CASE("inputs that once made a target fail") {
  for (const auto& entry : std::filesystem::directory_iterator(TDZ_FUZZ_REGRESSIONS)) {
    const std::string file = entry.path().filename();
    INFO("regression ", file);
    const std::string name = file.substr(0, file.find('-'));
#ifdef TDZ_WITHOUT_COMMAND_LINE
    if (name == "command_line") continue;
#endif
    const auto target = fuzz::targets().find(name);
    REQUIRE(target != fuzz::targets().end());
    target->second(read_file(entry.path()));
  }
}
