// SPDX-License-Identifier: Apache-2.0
// Do the columns agree with a coder that was made from FORMAT.md alone? column_vectors.py made the vectors.
#include <doctest/doctest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "formats/plan/plan_bytes.hpp"
#include "formats/plan/plan_rules.hpp"
#include "kernels/cpu/targets.hpp"
#include "kernels/steps/column_decoder.hpp"
#include "kernels/steps/column_encoder.hpp"
#include "tests/hex.hpp"

namespace tdz::test {
namespace {

using Bytes = std::vector<std::byte>;

struct Vector {
  std::string name;
  bool exact = false;
  Bytes plan, chunk, substreams;
  std::vector<std::uint32_t> lengths;
};

std::vector<Vector> vectors() {
  std::ifstream file(TDZ_SOURCE_DIR "/tests/codec/columns/column_vectors.txt");
  std::vector<Vector> all;
  std::string name, kind, plan, chunk, substreams;
  while (file >> name >> kind >> plan >> chunk >> substreams) {
    Vector v{name, kind == "exact", from_hex(plan), from_hex(chunk), {}, {}};
    std::istringstream parts(substreams);
    for (std::string part; std::getline(parts, part, ',');) {
      const Bytes bytes = from_hex(part);
      v.substreams.insert(v.substreams.end(), bytes.begin(), bytes.end());
      v.lengths.push_back(static_cast<std::uint32_t>(bytes.size()));
    }
    all.push_back(std::move(v));
  }
  return all;
}

}  // namespace

TEST_CASE("substreams that the reference made are restored, by every instruction set") {
  const auto all = vectors();
  REQUIRE(all.size() > 100);
  for (const cpu::Target& target : cpu::supported_targets()) {
    cpu::force_target(target);
    for (const Vector& v : all) {
      CAPTURE(target.name);
      CAPTURE(v.name);
      const auto plan = formats::parse_plan(v.plan);
      REQUIRE(plan);
      Bytes out(v.chunk.size(), std::byte{0xC5});
      ColumnDecoder decoder;
      REQUIRE(decoder.decode(*plan, v.lengths, v.substreams, out));
      CHECK(out == v.chunk);
    }
  }
  cpu::unforce_target();
}

TEST_CASE("a plan that leaves no choice gives the substreams of the reference") {
  for (const Vector& v : vectors()) {
    if (!v.exact) continue;
    CAPTURE(v.name);
    const auto plan = formats::parse_plan(v.plan);
    REQUIRE(plan);
    ColumnEncoder encoder;
    const auto coded = encoder.encode(*plan, {}, v.chunk);
    REQUIRE(coded);
    CHECK(Bytes(coded->bytes.begin(), coded->bytes.end()) == v.substreams);
    CHECK(coded->lengths == v.lengths);
  }
}

TEST_CASE("plans of the reference are serialized as it did") {
  for (const Vector& v : vectors()) {
    const auto plan = formats::parse_plan(v.plan);
    REQUIRE(plan);
    CHECK(formats::check(*plan));
    CHECK(formats::serialize(*plan) == v.plan);
  }
}

}  // namespace tdz::test
