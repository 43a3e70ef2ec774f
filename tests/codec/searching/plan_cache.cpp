// SPDX-License-Identifier: Apache-2.0
// PlanCache: do inputs of one kind share a plan, does another kind get a search of its own, and does all
// come back?
#include <doctest/doctest.h>

#include <cmath>

#include "codec/decompress.hpp"
#include "codec/search/known_kinds.hpp"
#include "codec/stream/memory_io.hpp"
#include "formats/bytes.hpp"
#include "tests/codec/law.hpp"
#include "tests/codec/support.hpp"

using namespace tdz;
using namespace tdz::test;

namespace {

constexpr std::size_t kWords = 100000;

CompressOptions searching(PlanCache* plans, Effort effort = Effort::normal) {
  CompressOptions options;
  options.search.emplace().effort = effort;
  options.plans = plans;
  options.threads = 1;
  return options;
}

std::int64_t below(std::int64_t most, std::mt19937& random) {
  return static_cast<std::int64_t>(random()) % most;
}

Bytes words_of(const std::vector<std::int64_t>& values, unsigned word) {
  Bytes bytes(values.size() * word);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::byte>(values[i / word] >> (8 * (i % word)));
  return bytes;
}

/// A swing with noise, in 16-bit words. Loud is its height, from 1 to 100.
Bytes recording(std::uint32_t seed, int loud = 40) {
  std::mt19937 random(seed);
  std::vector<std::int64_t> values(kWords);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double swing = std::sin(0.011 * static_cast<double>(i) + seed) * 170.0 * loud;
    values[i] = static_cast<std::int64_t>(swing) + below(8 * loud, random);
  }
  return words_of(values, 2);
}

/// Points that walk in three directions, in 32-bit words.
Bytes track(std::uint32_t seed) {
  std::mt19937 random(seed);
  std::int64_t place[3] = {1000000, 2000000, 77};
  std::vector<std::int64_t> values(kWords / 2);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = place[i % 3] += below(20 << (3 * (i % 3)), random) - 9;
  return words_of(values, 4);
}

/// Rows of a picture, each like the one above; a row has 3000 words.
Bytes relief(std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<std::int64_t> values(kWords);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = (i < 3000 ? below(30000, random) : values[i - 3000]) + below(5, random);
  return words_of(values, 2);
}

void check_restored(const Bytes& stored, const Bytes& original) {
  CHECK(decompress(stored, one_thread()).value() == original);
}

}  // namespace

TEST_CASE("inputs of one kind are searched once" * law) {
  for (const Effort effort : {Effort::fast, Effort::normal, Effort::best}) {
    PlanCache plans;
    std::size_t alone = 0, together = 0;
    for (std::uint32_t seed = 1; seed <= 6; ++seed) {
      const Bytes original = recording(seed);
      const Bytes stored = packed(original, searching(&plans, effort));
      check_restored(stored, original);
      together += stored.size();
      alone += packed(original, searching(nullptr, effort)).size();
    }
    CHECK(plans.taken() == 5);
    CHECK(together <= alone + alone / 50);
  }
}

TEST_CASE("another kind of numbers is searched, and the first kind is known after it") {
  PlanCache plans;
  CHECK(packed(recording(1), searching(&plans)) == packed(recording(1), searching(nullptr)));
  CHECK(packed(track(1), searching(&plans)) == packed(track(1), searching(nullptr)));
  CHECK(packed(relief(1), searching(&plans)) == packed(relief(1), searching(nullptr)));
  CHECK(packed(noise(2 * kWords), searching(&plans)) == packed(noise(2 * kWords), searching(nullptr)));
  CHECK(plans.taken() == 0);
  for (const Bytes& original : {recording(2), track(2), relief(2)})
    check_restored(packed(original, searching(&plans)), original);
  CHECK(plans.taken() == 3);
}

TEST_CASE("a plan that no search beats is taken where inputs shrink less, and for what lies between") {
  PlanCache plans;
  packed(recording(1, 20), searching(&plans));
  packed(recording(2, 60), searching(&plans));
  CHECK(plans.taken() == 0);
  CHECK(plans.entries().size() == 1);
  for (const int loud : {60, 30, 20}) {
    const Bytes original = recording(static_cast<std::uint32_t>(loud), loud);
    const Bytes stored = packed(original, searching(&plans));
    check_restored(stored, original);
    const std::size_t alone = packed(original, searching(nullptr)).size();
    CHECK(stored.size() <= alone + alone / 50);
  }
  CHECK(plans.taken() == 3);
}

TEST_CASE("of the plans that keep their promise the one that suits the input is taken") {
  PlanCache plans;
  packed(recording(1), searching(&plans));
  // Poor steps, which keep what they promised for as poor a result.
  const Bytes other = recording(2);
  MemoryRandomAccess file(other);
  Prepared poor;
  poor.options = searching(nullptr);
  poor.options.level = 3;
  poor.found.recipes = {Recipe{plan_for("u16", 0).value()}};
  poor.options.plan = poor.found.recipes.front().plan;
  auto kind = KindOfInput::of(file, std::nullopt, poor.options);
  REQUIRE(kind);
  REQUIRE(kind->remember(plans.entries(), poor));
  CHECK(plans.entries().size() == 2);
  const Bytes original = recording(3);
  const Bytes stored = packed(original, searching(&plans));
  check_restored(stored, original);
  CHECK(plans.taken() == 1);
  const std::size_t alone = packed(original, searching(nullptr)).size();
  CHECK(stored.size() <= alone + alone / 50);
}

TEST_CASE("one order of calls writes one sequence of streams") {
  PlanCache first, second;
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    auto threads = searching(&second);
    threads.threads = 3;
    CHECK(packed(recording(seed, 10), searching(&first)) == packed(recording(seed, 10), threads));
    CHECK(packed(track(seed), searching(&first)) == packed(track(seed), threads));
  }
}

TEST_CASE("what the caller asks for is part of the kind") {
  PlanCache plans;
  packed(recording(1), searching(&plans));
  auto asked = searching(&plans);
  asked.search->order = std::uint8_t{3};
  packed(recording(2), asked);
  auto other_level = searching(&plans);
  other_level.level = 9;
  packed(recording(3), other_level);
  packed(recording(4), searching(&plans, Effort::fast));
  CHECK(plans.taken() == 0);
  packed(recording(5), asked);
  CHECK(plans.taken() == 1);
}

TEST_CASE("a length of another size is another kind") {
  PlanCache plans;
  Bytes longer = recording(1);
  for (std::uint32_t seed = 2; seed <= 12; ++seed) {
    const Bytes more = recording(seed);
    longer.insert(longer.end(), more.begin(), more.end());
  }
  packed(recording(1), searching(&plans));
  check_restored(packed(longer, searching(&plans)), longer);
  CHECK(plans.taken() == 0);
}

TEST_CASE("inputs that cannot be looked at twice are not remembered") {
  PlanCache plans;
  for (std::uint32_t seed = 1; seed <= 2; ++seed) {
    const Bytes original = recording(seed);
    PieceSource pipe(original, seed, 5000);
    CollectingSink sink;
    REQUIRE(compress(pipe, sink, searching(&plans)));
    check_restored(sink.collected, original);
  }
  for (const std::size_t length : std::initializer_list<std::size_t>{0, 1, 100, 5000}) {
    const Bytes tiny = walk(length);
    check_restored(packed(tiny, searching(&plans)), tiny);
    check_restored(packed(tiny, searching(&plans)), tiny);
  }
  CHECK(plans.entries().size() <= 1);
}

TEST_CASE("a cache holds 64 plans at most") {
  PlanCache plans;
  for (std::uint8_t i = 0; i < 70; ++i) {
    auto options = searching(&plans, Effort::fast);
    options.search->word = std::uint8_t{2};
    options.search->order = std::uint8_t{1};
    options.level = 1 + i % 20;
    options.chunk_bytes = formats::kMinChunk + 4096u * (i / 20u);
    const Bytes original = walk(20000, 2, i);
    check_restored(packed(original, options), original);
  }
  CHECK(plans.entries().size() == 64);
}

TEST_CASE("inputs that repeat themselves are searched, whatever is known") {
  const auto walked = [](std::size_t bytes, std::uint32_t seed, std::size_t times) {
    Bytes all;
    for (std::size_t i = 0; i < times; ++i) all = all + walk(bytes, 4, seed);
    return all;
  };
  for (const std::size_t bytes : {std::size_t{30000}, std::size_t{1} << 20}) {
    PlanCache plans;
    packed(walked(4 * bytes, 1, 1), searching(&plans));
    const Bytes repeated = walked(bytes, 2, 4);
    const std::size_t alone = packed(repeated, searching(nullptr)).size();
    CHECK(packed(repeated, searching(&plans)).size() <= alone + alone / 20);
  }
}

TEST_CASE("the bytes before the numbers are not coded to look at them") {
  /// Counts what is read.
  class Counted final : public RandomAccess {
   public:
    explicit Counted(const Bytes& bytes) : bytes_(bytes) {}
    std::uint64_t size() const override { return bytes_.size(); }
    Status read_at(std::uint64_t offset, std::span<std::byte> into) override {
      longest = std::max(longest, into.size());
      std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), into.size(), into.begin());
      return ok();
    }
    std::size_t longest = 0;

   private:
    const Bytes& bytes_;
  };
  const Bytes file = noise(5 << 20) + recording(1);
  Counted counted(file);
  auto options = searching(nullptr);
  options.raw_prefix = 5 << 20;
  options.level = 3;
  const auto kind = KindOfInput::of(counted, std::nullopt, options);
  REQUIRE(kind);
  CHECK(counted.longest <= 2 * kWords);
}

TEST_CASE("a header is another kind, and its length is not") {
  const auto with_header = [](std::string_view text, std::uint32_t seed) {
    Bytes file = recording(seed);
    const auto* begin = reinterpret_cast<const std::byte*>(text.data());
    file.insert(file.begin(), begin, begin + text.size());
    return file;
  };
  using namespace std::string_view_literals;
  const auto wide = "P5 500 200 65535\n"sv, with_note = "P5\n# a note\n500 200\n65535\n"sv;
  PlanCache plans;
  packed(recording(1), searching(&plans));
  packed(with_header(wide, 2), searching(&plans));
  CHECK(plans.taken() == 0);
  const Bytes file = with_header(with_note, 3);
  check_restored(packed(file, searching(&plans)), file);
  CHECK(plans.taken() == 1);
}
