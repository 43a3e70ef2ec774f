// SPDX-License-Identifier: Apache-2.0
// Do streams of earlier builds still decode to the same bytes, with the same steps?
#include <doctest/doctest.h>

#include "codec/stream/memory_io.hpp"
#include "tests/formats/support/document.hpp"
#include "tests/golden/cases.hpp"
#include "tests/golden/stored.hpp"

using namespace tdz;
using namespace tdz::test;

TEST_CASE("every golden stream decodes to its original, with one thread and with several") {
  for (const auto& golden : golden_cases()) {
    INFO("golden stream ", golden.name);
    const Bytes stored = stored_golden(golden.name);
    for (const unsigned threads : {1u, 3u}) {
      DecompressOptions options;
      options.compare_digest = true;
      options.threads = threads;
      const auto restored = decompress(stored, options);
      REQUIRE(restored);
      CHECK(*restored == golden.original);
    }
  }
}

TEST_CASE("today's writer gives every golden stream the same structure") {
  for (const auto& golden : golden_cases()) {
    INFO("golden stream ", golden.name);
    const Bytes stored = stored_golden(golden.name);
    const Bytes today = packed(golden.original, golden.options);
    MemoryRandomAccess then_file(stored);
    MemoryRandomAccess today_file(today);
    const auto then_info = inspect(then_file).value().front();
    const auto today_info = inspect(today_file).value().front();
    CHECK(then_info.chunks == today_info.chunks);
    CHECK(then_info.plans == today_info.plans);
    CHECK(then_info.type == today_info.type);
    CHECK(then_info.digest == today_info.digest);
  }
}

TEST_CASE("the example of FORMAT.md decodes to six numbers and a byte") {
  Bytes original;
  for (const int number : {100, -3, 101, -5, 103, -6})
    formats::put_le(original, static_cast<std::uint16_t>(number));
  original.push_back(std::byte{0x2A});
  CHECK(decompress(dump_bytes()).value() == original);
}

TEST_CASE("the golden streams of packed have packed groups, and are of version 1.1") {
  for (const auto& golden : packed_cases()) {
    INFO("golden stream ", golden.name);
    const Bytes stored = stored_golden(golden.name);
    MemoryRandomAccess file(stored);
    const auto info = inspect(file).value().front();
    CHECK(info.version_minor == 1);
    CHECK(info.plans.front().columns == golden.options.plan.columns);
  }
}
