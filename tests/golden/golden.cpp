// SPDX-License-Identifier: Apache-2.0
// Do the streams that earlier builds wrote still decode to the same bytes, through the same steps?
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "codec/memory_io.hpp"
#include "tests/golden/cases.hpp"

using namespace tdz;
using namespace tdz::test;

namespace {

Bytes read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE_MESSAGE(file, "cannot open ", path.string(), "; tests/golden/README.md says how it is made");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

}  // namespace

TEST_CASE("every golden stream decodes to its original, strictly, with one thread and with several") {
  for (const auto& golden : golden_cases()) {
    INFO("golden stream ", golden.name);
    const Bytes stored = read_file(std::filesystem::path(TDZ_GOLDEN_DIR) / (golden.name + ".tdz"));
    for (const unsigned threads : {1u, 3u}) {
      DecompressOptions options;
      options.strict = true;
      options.threads = threads;
      const auto restored = decompress(stored, options);
      REQUIRE(restored);
      CHECK(*restored == golden.original);
    }
  }
}

TEST_CASE("every golden stream has the structure that today's writer gives it") {
  for (const auto& golden : golden_cases()) {
    INFO("golden stream ", golden.name);
    const Bytes stored = read_file(std::filesystem::path(TDZ_GOLDEN_DIR) / (golden.name + ".tdz"));
    const Bytes today = packed(golden.original, golden.options);
    MemoryRandomAccess then_file(stored);
    MemoryRandomAccess today_file(today);
    const auto then_info = inspect(then_file).value().front();
    const auto today_info = inspect(today_file).value().front();
    CHECK(then_info.chunks == today_info.chunks);
    CHECK(then_info.transforms == today_info.transforms);
    CHECK(then_info.nominal == today_info.nominal);
    CHECK(then_info.digest == today_info.digest);
  }
}
