// SPDX-License-Identifier: Apache-2.0
// Does file(1) recognize a tdz file with formats/tdz.magic?
#include <doctest/doctest.h>

#include "formats/stream/stream_records.hpp"
#include "support/tools.hpp"

namespace tdz::test {

using namespace tdz::formats;

namespace {

std::string described(std::span<const std::byte> bytes, const std::string& options) {
  const TemporaryFolder folder;
  write_file(folder / "x", bytes);
  return output_of("file -b " + options + " -m '" TDZ_SOURCE_DIR "/formats/tdz.magic' " +
                   quoted(folder / "x"));
}

}  // namespace

TEST_SUITE("needs file") {
  TEST_CASE("a header is described with version and original size") {
    if (!have_command("file --version")) return skip("no file command");
    CHECK(described(serialize(StreamHeader{.original_bytes = 12}), "") ==
          "tdz compressed numbers, version 1.0, original size 12\n");
    CHECK(described(serialize(StreamHeader{.minor = 7}), "") == "tdz compressed numbers, version 1.7\n");
    CHECK(described(serialize(StreamHeader{}), "--mime-type") == "application/x-tdz\n");
  }

  TEST_CASE("other records are not described as tdz files") {
    if (!have_command("file --version")) return skip("no file command");
    CHECK(described(serialize(EndRecord{}), "").find("tdz") == std::string::npos);
  }
}

}  // namespace tdz::test
