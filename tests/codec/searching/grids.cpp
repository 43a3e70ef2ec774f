// SPDX-License-Identifier: Apache-2.0
// Are pictures and volumes predicted from their neighbours, where nobody asks for something else?
#include <doctest/doctest.h>

#include <random>

#include "codec/chunk/frame_plan.hpp"
#include "codec/stream/memory_io.hpp"
#include "codec/stream/options.hpp"
#include "formats/names.hpp"
#include "tests/codec/support.hpp"

using namespace tdz;
using namespace tdz::test;

namespace {

/// Things before a slope, with noise: integers, the same everywhere.
class Scene {
 public:
  Scene(std::size_t lanes, std::size_t points, std::size_t lines, bool of_stuff = false)
      : lanes_(lanes), points_(points), lines_(lines), of_stuff_(of_stuff) {}

  Bytes slices(std::size_t count) {
    Bytes bytes;
    for (std::size_t z = 0; z < count; ++z)
      for (std::size_t y = 0; y < lines_; ++y)
        for (std::size_t x = 0; x < points_; ++x) put_point(bytes, x, y, z);
    return bytes;
  }

 private:
  /// A triangle wave from 0 to `height`.
  static std::size_t wave(std::size_t t, std::size_t height) {
    const std::size_t place = t % (2 * height);
    return place < height ? place : 2 * height - place;
  }
  /// A number below 2^bits that belongs to a place.
  static std::size_t chance_of(std::size_t x, std::size_t y, std::size_t z, unsigned bits) {
    std::uint64_t h = (x * 7919 + y * 104729 + z * 1299709 + 1) * 0x9E3779B97F4A7C15u;
    h = (h ^ (h >> 29)) * 0xBF58476D1CE4E5B9u;
    return static_cast<std::size_t>(h >> (64 - bits));
  }
  /// Things of 23 by 31 points, as bright as chance says; in 9 slices they are the same. Stuff is rough.
  void put_point(Bytes& bytes, std::size_t x, std::size_t y, std::size_t z) {
    const std::size_t light = wave(x + y + 5 * z, 601) / 8 + chance_of(x / 23, y / 31, z / 9, 6);
    const std::size_t stuff = random_() % 3 + (of_stuff_ ? 2 * chance_of(x, y, z / 9, 1) : 0);
    for (std::size_t lane = 0; lane < lanes_; ++lane)
      bytes.push_back(static_cast<std::byte>(20 + light * (lane + 2) / 3 + stuff + random_() % 2));
  }

  std::size_t lanes_, points_, lines_;
  bool of_stuff_;
  std::mt19937 random_{7};
};

CompressOptions options_of(Effort effort, bool gpu = false) {
  CompressOptions options;
  options.search = SearchOptions{.effort = effort};
  options.gpu = gpu;
  options.level = kDefaultLevel;
  options.threads = 1;
  return options;
}

std::vector<Plan> plans_of(const Bytes& original, const CompressOptions& options) {
  const Bytes bytes = packed(original, options);
  CHECK(decompress(bytes, one_thread()).value() == original);
  MemoryRandomAccess file(bytes);
  return inspect(file).value().front().plans;
}

/// The grid of the first column of the plan; null: it has none.
const GridStep* grid_of(const Plan& plan) {
  for (const PlanStep& step : plan.columns.front().steps)
    if (const auto* grid = std::get_if<GridStep>(&step)) return grid;
  return nullptr;
}

}  // namespace

TEST_CASE(
    "a picture of three colours is predicted from its neighbours; for a GPU and with --fast it is not") {
  const Bytes original = Scene(3, 700, 900).slices(1);
  const auto plans = plans_of(original, options_of(Effort::normal));
  INFO(formats::plan_name(plans.front()));
  const GridStep* grid = grid_of(plans.front());
  REQUIRE(grid != nullptr);
  CHECK(grid->tuple == 3);
  CHECK(grid->line == 700);
  CHECK(grid->height == 0);
  for (const Plan& plan : plans_of(original, options_of(Effort::fast))) CHECK(grid_of(plan) == nullptr);
  for (const Plan& plan : plans_of(original, options_of(Effort::normal, true)))
    CHECK(grid_of(plan) == nullptr);
}

TEST_CASE("a volume is predicted from the slice before, too") {
  const Bytes original = Scene(1, 120, 90, true).slices(150);
  const auto plans = plans_of(original, options_of(Effort::normal));
  INFO(formats::plan_name(plans.front()));
  const GridStep* grid = grid_of(plans.front());
  REQUIRE(grid != nullptr);
  CHECK(grid->line == 120);
  CHECK(grid->height == 90);
}

TEST_CASE("what the caller says of order, row or layout keeps a grid away") {
  const Bytes original = Scene(1, 300, 1000).slices(1);
  CompressOptions options = options_of(Effort::normal);
  options.search->row = 300;
  for (const Plan& plan : plans_of(original, options)) CHECK(grid_of(plan) == nullptr);
  options = options_of(Effort::normal);
  options.search->layout = Layout::planes;
  for (const Plan& plan : plans_of(original, options)) CHECK(grid_of(plan) == nullptr);
}

TEST_CASE("a stream has the minor version of its newest step, whichever recipe has it") {
  Recipe with_grid;
  with_grid.plan.columns.front().steps = {GridStep{.tuple = 1, .line = 100, .neighbours = 1}};
  const CompressOptions usual;
  CHECK(stream_header(usual, 1000, std::vector<Recipe>{Recipe{}, Recipe{}}).minor == 0);
  CHECK(stream_header(usual, 1000, std::vector<Recipe>{Recipe{}, with_grid}).minor == 1);
}
