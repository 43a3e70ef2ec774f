// SPDX-License-Identifier: Apache-2.0
// Does every instruction set write the same bytes, with every step and with what the search chooses?
#include <doctest/doctest.h>

#include <bit>
#include <optional>

#include "kernels/cpu/targets.hpp"
#include "tests/codec/law.hpp"
#include "tests/golden/cases.hpp"

namespace tdz::test {
namespace {

/// Compresses on each target; the first one is the measure.
void must_be_equal(const Bytes& original, const CompressOptions& options) {
  std::optional<Bytes> first;
  for (const cpu::Target& target : cpu::supported_targets()) {
    cpu::force_target(target);
    INFO(target.name);
    const Bytes stored = packed(original, options);
    if (!first) first = stored;
    CHECK(stored == *first);
  }
  cpu::unforce_target();
}

/// A time, a level with two decimals or none at all, and a wave: each by itself, and as records.
struct Measured {
  Bytes times, levels, waves, records;
};

Measured measured(std::uint32_t count) {
  std::mt19937 random(5);
  Measured m;
  std::uint64_t time = 1000000;
  double a = 1, b = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    time += 3 + random() % 50;
    b += a * 0.21, a -= b * 0.21;  // a rotation
    const double cents = static_cast<double>(2000 + i * i % 997);
    const float level = i % 50 == 7 ? -999.9F : static_cast<float>(cents / 100);
    const auto wave = static_cast<std::int32_t>(a * 9000) + static_cast<std::int32_t>(random() % 9);
    formats::put_le(m.times, time);
    formats::put_le(m.levels, std::bit_cast<std::uint32_t>(level));
    formats::put_le(m.waves, static_cast<std::uint16_t>(wave));
    formats::put_le(m.records, time);
    formats::put_le(m.records, std::bit_cast<std::uint32_t>(level));
    formats::put_le(m.records, static_cast<std::uint16_t>(wave));
  }
  return m;
}

}  // namespace

TEST_CASE("every instruction set writes the same golden streams" * law) {
  for (const GoldenCase& golden : golden_cases()) {
    INFO("golden stream ", golden.name);
    must_be_equal(golden.original, golden.options);
  }
}

TEST_CASE("every instruction set chooses the same steps and writes the same bytes" * law) {
  const Measured m = measured(12000);
  for (const Bytes& original : {m.times, m.levels, m.waves, m.records, walk(1 << 16, 3, 8), noise(1 << 15)}) {
    for (const Effort effort : {Effort::fastest, Effort::fast, Effort::normal, Effort::best}) {
      INFO(original.size(), " bytes, effort ", static_cast<int>(effort));
      CompressOptions options;
      options.search = SearchOptions{.effort = effort};
      options.threads = 1;
      must_be_equal(original, options);
    }
  }
}

}  // namespace tdz::test
