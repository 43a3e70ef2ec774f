// SPDX-License-Identifier: Apache-2.0
// Does a device undo steps as the oracles do, in all widths, rows and addresses? And does it refuse the
// chunks that the format calls corrupt, and no other one?
#include <doctest/doctest.h>

#include <algorithm>
#include <optional>

#include "formats/steps/scale.hpp"
#include "kernels/cuda/steps/prediction.hpp"
#include "kernels/cuda/steps/undo_steps.hpp"
#include "kernels/float_environment.hpp"
#include "kernels/uniform/places.hpp"
#include "tests/cuda/quick.hpp"
#include "tests/cuda/step_chunks.hpp"
#include "tests/oracle/scale.hpp"
#include "tests/oracle/steps.hpp"
#include "tests/random.hpp"

namespace {

using namespace tdz;
using namespace tdz::cuda;
using test::Random;
using testing::Bytes;
using testing::bytes_of;
using testing::check;
using testing::DeviceBuffer;
using testing::SideLayout;
using testing::StepChunks;

using Octets = std::vector<std::uint8_t>;

/// The seed of all data.
constexpr std::uint64_t kSeed = 20261122;

std::vector<unsigned> widths() {
  if (testing::quick()) return {2, 5, 8};
  return {1, 2, 3, 4, 5, 6, 7, 8};
}

/// How chunks lie in memory, in turn.
StepChunks chunks_like(unsigned variant, std::size_t width) {
  const auto w = static_cast<std::uint32_t>(width);
  switch (variant % 5) {
    case 0:
      return {width, {}, {}, false};
    case 1:
      return {width, {}, {}, true};
    case 2:
      return {width, {{}, 1}, {{3 * w + 5, 3}, 7}, false};
    case 3:
      return {width, {}, {{2 * w, 1}, width}, false};
    default:
      return {width, {{4 * w, 3}, 0}, {}, true};
  }
}

oracle::Column random_column(unsigned width, std::size_t tuple, std::size_t words, Random& random) {
  oracle::Column column{width, tuple, std::vector<std::uint64_t>(words)};
  for (std::uint64_t& x : column.x) {
    const std::uint64_t z = random();
    x = z >> (64 - 8 * width) >> (z >> 58) % (8 * width);
  }
  return column;
}

Bytes packed(const oracle::Column& column) {
  Bytes bytes;
  for (const std::uint64_t x : column.x) {
    for (unsigned b = 0; b < column.width; ++b) bytes.push_back(static_cast<std::byte>(x >> (8 * b)));
  }
  return bytes;
}

// ---- words

TEST_CASE("maps of words") {
  Random random(kSeed);
  for (const unsigned width : widths()) {
    for (unsigned variant = 0; variant < 5; ++variant) {
      for (const WordMap map : {WordMap::copy, WordMap::byteswap, WordMap::undo_zigzag}) {
        StepChunks steps = chunks_like(variant, width);
        std::vector<oracle::Column> columns;
        for (const std::size_t words : {1u, 1000u, 4096u, 20003u}) {
          columns.push_back(random_column(width, 1, words, random));
          steps.add(packed(columns.back()));
        }
        steps.add(Bytes(width * 5), 9);
        steps.run([&](const StepBatch& batch) { return launch_map_words(batch, map, nullptr); });
        CAPTURE(width);
        CAPTURE(variant);
        for (std::size_t k = 0; k < columns.size(); ++k) {
          for (std::uint64_t& x : columns[k].x) {
            std::uint64_t y = x;
            if (map == WordMap::undo_zigzag) y = x % 2 == 1 ? ~(x / 2) : x / 2;
            if (map == WordMap::byteswap) {
              y = 0;
              for (unsigned b = 0; b < width; ++b) y = y << 8 | (x >> (8 * b) & 0xFF);
            }
            x = y;
          }
          CHECK(steps.chunks()[k].result == packed(columns[k]));
          CHECK(steps.chunks()[k].status == 0);
        }
        CHECK(steps.chunks().back().status == 9);
      }
    }
  }
}

// ---- scale

/// A chunk of q with its side data, and what the oracle makes of it.
struct ScaleCase {
  Octets words, pairs, selectors, bitmap, hole_words;
  std::optional<Octets> wanted;
};

struct ScaleTraits {
  ScaleShape shape;
  std::size_t words;
  std::size_t pairs;
  unsigned holes;  ///< 0: none; 1: some, with their words; 2: some, with one word; 3: a bitmap without a bit
  bool corrupt;    ///< q that may be too large
};

ScalePair usual_pair(Random& random) {
  static constexpr ScalePair kPairs[] = {{1, 100}, {1, 1}, {0.1, 1},  {200000, 13107},
                                         {10, 1},  {3, 7}, {1, 24400}};
  return kPairs[random() % std::size(kPairs)];
}

std::uint64_t random_q(const ScaleTraits& traits, Random& random) {
  const auto q = static_cast<std::int64_t>(random()) >> 40;  // 24 bits with a sign
  return traits.corrupt ? random() : static_cast<std::uint64_t>(q);
}

ScaleCase scale_case(const ScaleTraits& traits, Random& random) {
  ScaleCase c;
  oracle::ScaleLists lists;
  for (std::size_t k = 0; k < traits.pairs; ++k) lists.pair.push_back(usual_pair(random));
  c.pairs.resize(lists.pair.size() * formats::kScalePairBytes);
  formats::write_scale_pairs(lists.pair, std::as_writable_bytes(std::span(c.pairs)));
  const std::size_t selectors = traits.pairs > 1 ? selector_count(traits.words, traits.shape.tuple) : 0;
  for (std::size_t k = 0; k < selectors; ++k)
    c.selectors.push_back(static_cast<std::uint8_t>(random() % traits.pairs));
  lists.selector = c.selectors;
  if (traits.holes != 0) c.bitmap.resize(bitmap_bytes(traits.words));
  const unsigned width = traits.shape.word, rare = random() % 2 == 0 ? 3 : 300;
  const auto put = [&](Octets& to, std::uint64_t word) {
    for (unsigned b = 0; b < width; ++b) to.push_back(static_cast<std::uint8_t>(word >> (8 * b)));
  };
  const std::uint64_t fill = random();
  for (std::size_t i = 0; i < traits.words; ++i) {
    const bool hole = traits.holes % 3 != 0 && random() % rare == 0;
    put(c.words, hole ? random() : random_q(traits, random));
    lists.hole.push_back(hole);
    if (!hole) continue;
    c.bitmap[i / 8] = static_cast<std::uint8_t>(c.bitmap[i / 8] | 1u << i % 8);
    const std::uint64_t word = traits.holes == 2 ? fill : random();
    lists.word.push_back(width == 8 ? word : word & ((std::uint64_t{1} << 8 * width) - 1));
    if (traits.holes == 1) put(c.hole_words, word);
  }
  if (traits.holes == 2) put(c.hole_words, fill);
  c.wanted = oracle::scale_inverse(traits.shape, lists, c.words);
  return c;
}

/// The side data of all chunks in device memory, at odd addresses.
class SidesOnDevice {
 public:
  explicit SidesOnDevice(const std::vector<ScaleCase>& cases) : memory_(join(cases)) {
    for (ScaleSubstreams& side : sides_) {
      for (DeviceBytes* part : {&side.pairs, &side.selectors, &side.bitmap, &side.hole_words}) {
        part->at = memory_.data() + reinterpret_cast<std::uintptr_t>(part->at);
      }
    }
  }
  const std::vector<ScaleSubstreams>& sides() const { return sides_; }

 private:
  Bytes join(const std::vector<ScaleCase>& cases) {
    Bytes all(1);
    const auto part = [&](const Octets& bytes) {
      const auto offset = static_cast<std::uintptr_t>(all.size());
      const Bytes more = bytes_of(bytes);
      all.insert(all.end(), more.begin(), more.end());
      return DeviceBytes{reinterpret_cast<const std::byte*>(offset),
                         static_cast<std::uint32_t>(bytes.size())};
    };
    for (const ScaleCase& c : cases)
      sides_.push_back({part(c.pairs), part(c.selectors), part(c.bitmap), part(c.hole_words)});
    return all;
  }

  std::vector<ScaleSubstreams> sides_;  // first: join() fills it
  DeviceBuffer memory_;
};

void run_scale(StepChunks& steps, const ScaleShape& shape, const std::vector<ScaleCase>& cases) {
  const SidesOnDevice sides(cases);
  const DeviceBuffer table(bytes_of(sides.sides()));
  const bool holes = std::ranges::any_of(cases, [](const ScaleCase& c) { return !c.bitmap.empty(); });
  for (const ScaleCase& c : cases) steps.add(bytes_of(c.words));
  steps.run([&](const StepBatch& batch) {
    DeviceBuffer scratch(undo_scale_scratch_bytes(batch.count, batch.most_words, holes));
    scratch.poison();
    const ScaleBatch all{batch, shape, reinterpret_cast<const ScaleSubstreams*>(table.data())};
    const cudaError_t launched = launch_undo_scale(all, holes, scratch.data(), nullptr);
    check(cudaDeviceSynchronize(), "scale");  // before the scratch goes
    return launched;
  });
}

void check_cases(StepChunks& steps, const std::vector<ScaleCase>& cases) {
  for (std::size_t k = 0; k < cases.size(); ++k) {
    CAPTURE(k);
    CHECK((steps.chunks()[k].status == 0) == cases[k].wanted.has_value());
    if (cases[k].wanted) CHECK(steps.chunks()[k].result == bytes_of(*cases[k].wanted));
  }
}

constexpr ScaleShape kShapes[] = {
    {4, ScaleKind::real, 1},    {8, ScaleKind::real, 3},      {1, ScaleKind::integer, 1},
    {2, ScaleKind::integer, 2}, {3, ScaleKind::integer, 1},   {4, ScaleKind::integer, 5},
    {5, ScaleKind::integer, 1}, {6, ScaleKind::integer, 256}, {7, ScaleKind::integer, 1},
    {8, ScaleKind::integer, 1}, {4, ScaleKind::real, 7},
};

TEST_CASE("scale, in all widths, with pairs, selectors and holes") {
  const FloatEnvironment usual;
  Random random(kSeed);
  unsigned variant = 0;
  for (const ScaleShape& shape : kShapes) {
    for (const std::size_t pairs : {0u, 1u, 2u, 16u}) {
      for (const bool corrupt : {false, true}) {
        StepChunks steps = chunks_like(variant++, shape.word);
        std::vector<ScaleCase> cases;
        for (const std::size_t words : {1u, 31u, 4096u, 4097u, 30001u}) {
          for (const unsigned holes : {0u, 1u, 2u, 3u}) {
            cases.push_back(scale_case({shape, words, pairs, holes, corrupt}, random));
          }
        }
        run_scale(steps, shape, cases);
        CAPTURE(int{shape.word});
        CAPTURE(shape.tuple);
        CAPTURE(pairs);
        check_cases(steps, cases);
      }
    }
  }
}

TEST_CASE("scale refuses side data as the reader does") {
  const FloatEnvironment usual;
  Random random(kSeed);
  const ScaleShape shape{4, ScaleKind::real, 2};
  std::vector<ScaleCase> cases;
  for (int k = 0; k < 14; ++k) cases.push_back(scale_case({shape, 9003, 3, 1, false}, random));
  cases[0].pairs.pop_back();
  cases[1].pairs[7] = 0x7F;
  cases[2].pairs.resize(17 * 16, 0x3F);
  cases[3].selectors.pop_back();
  cases[4].selectors.back() = 3;
  cases[5].bitmap.pop_back();
  cases[6].bitmap.back() |= 0x80;
  cases[7].hole_words.pop_back();
  cases[8].hole_words.resize(cases[8].hole_words.size() - 4);
  cases[9].hole_words.resize(cases[9].hole_words.size() + 4);
  cases[10].bitmap.clear();
  cases[11].hole_words.clear();
  cases[12].selectors.push_back(0);
  for (int k = 0; k < 13; ++k) cases[static_cast<std::size_t>(k)].wanted.reset();
  StepChunks steps(4, {}, {}, false);
  run_scale(steps, shape, cases);
  check_cases(steps, cases);
  for (std::size_t k = 0; k < 13; ++k) {
    const ScaleCase& c = cases[k];
    const auto view = [](const Octets& bytes) { return std::as_bytes(std::span(bytes)); };
    const formats::ScaleStreams streams{view(c.pairs), view(c.selectors), view(c.bitmap), view(c.hole_words)};
    CHECK_FALSE(bool(formats::read_scale_side(shape, 9003, streams)));
  }
}

// ---- lanes

LanesStep random_rules(std::size_t tuple, std::uint32_t run, Random& random) {
  LanesStep rules;
  rules.run = run;
  for (std::size_t l = 0; l < tuple; ++l) {
    LaneRule rule;
    rule.order = static_cast<std::uint8_t>(random() % 3 == 0 ? random() % 9 : random() % 3);
    rule.zigzag = random() % 2 == 0;
    if (l != 0 && random() % 2 == 0) {
      // Sources in a row: at most 8.
      rule.source = static_cast<std::uint16_t>(l < 8 ? random() % l : random() % 8);
      rule.lag = static_cast<std::uint8_t>(random() % 2);
      rule.after = random() % 2 == 0;
    }
    rules.lanes.push_back(rule);
  }
  return rules;
}

void check_lanes(unsigned width, std::size_t tuple, std::uint32_t run, unsigned variant, Random& random) {
  const LanesStep rules = random_rules(tuple, run, random);
  const auto table = device_rules(rules);
  const DeviceBuffer table_bytes(bytes_of(table));
  StepChunks steps = chunks_like(variant, width);
  std::vector<oracle::Column> columns;
  for (const std::size_t words : {1u, 2u, 300u, 1024u, 5000u, 40003u}) {
    columns.push_back(random_column(width, tuple, words, random));
    steps.add(packed(columns.back()));
  }
  steps.run([&](const StepBatch& batch) {
    LanesBatch lanes;
    lanes.steps = batch;
    lanes.tuple = static_cast<std::uint32_t>(tuple);
    lanes.run = run;
    lanes.depths = depths_of(table);
    lanes.rules = reinterpret_cast<const DeviceLaneRule*>(table_bytes.data());
    return launch_undo_lanes(lanes, nullptr);
  });
  CAPTURE(width);
  CAPTURE(tuple);
  CAPTURE(run);
  CAPTURE(variant);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    CAPTURE(columns[k].x.size());
    CHECK(steps.chunks()[k].result == packed(oracle::undo_lanes(columns[k], rules)));
    CHECK(steps.chunks()[k].status == 0);
  }
}

TEST_CASE("lanes, with every order, source, lag and run") {
  Random random(kSeed);
  unsigned variant = 0;
  for (const unsigned width : widths()) {
    for (const std::size_t tuple : {1u, 2u, 3u, 8u, 9u, 40u, 256u}) {
      for (const std::uint32_t run : {0u, 1024u, 4096u, 65536u})
        check_lanes(width, tuple, run, variant++, random);
    }
  }
}

TEST_CASE("differences that start anew, in tuples of any size") {
  Random random(kSeed);
  unsigned variant = 0;
  for (const unsigned width : widths()) {
    for (const std::size_t tuple : {1u, 3u, 700u, 100000u}) {
      for (const std::uint32_t run : {1024u, 32768u}) {
        StepChunks steps = chunks_like(variant++, width);
        const auto order = static_cast<std::uint8_t>(1 + random() % 8);
        const oracle::Column column = random_column(width, tuple, 50021, random);
        steps.add(packed(column));
        steps.run([&](const StepBatch& batch) {
          LanesBatch lanes;
          lanes.steps = batch;
          lanes.tuple = static_cast<std::uint32_t>(tuple);
          lanes.run = run;
          lanes.same.order = order;
          return launch_undo_lanes(lanes, nullptr);
        });
        CAPTURE(width);
        CAPTURE(tuple);
        CHECK(steps.chunks()[0].result == packed(oracle::undo_difference(column, order, run)));
      }
    }
  }
}

// ---- rows

/// Sources added, then the difference undone, as the oracle has them.
oracle::Column undone_rows(oracle::Column column, const RowsBatch& rows) {
  const oracle::Column before = column;
  for (std::size_t i = 0; i < column.x.size(); ++i)
    for (std::size_t other = 0; other < rows.sources.lanes; ++other) {
      const std::size_t lane = i % rows.sources.lanes, at = i - lane + other;
      if (at < before.x.size() &&
          rows.sources.adds(static_cast<std::uint32_t>(lane), static_cast<std::uint32_t>(other)))
        column.x[i] += before.x[at];
    }
  if (column.width < 8)
    for (std::uint64_t& x : column.x) x &= (std::uint64_t{1} << 8 * column.width) - 1;
  column.tuple = rows.tuple;
  return rows.order == 0 ? column : oracle::undo_difference(column, rows.order, 0);
}

TEST_CASE("differences of rows, and sources of lanes") {
  Random random(kSeed);
  unsigned variant = 0;
  for (const unsigned width : widths())
    for (const std::uint32_t lanes : {1u, 2u, 3u, 4u, 8u})
      for (const std::uint32_t points : {90u, 333u})
        for (std::uint8_t order = 0; order <= kHighestRowOrder; ++order) {
          RowsBatch rows;
          rows.tuple = lanes * points, rows.order = order, rows.sources.lanes = lanes;
          for (std::uint32_t l = 0; l < lanes; ++l)
            rows.sources.added[l] = static_cast<std::uint8_t>(random() % (1u << lanes) & ~(1u << l));
          unsigned how = variant++;
          while (lanes > 1 && (how % 5 == 1 || how % 5 == 4)) ++how;  // not in place
          StepChunks steps = chunks_like(how, width);
          std::vector<oracle::Column> columns;
          for (const std::size_t words : {1u, 2u, 300u, 5000u, 40003u}) {
            columns.push_back(random_column(width, 1, words, random));
            steps.add(packed(columns.back()));
          }
          steps.run([&](const StepBatch& batch) {
            rows.steps = batch;
            return launch_undo_rows(rows, nullptr);
          });
          CAPTURE(width);
          CAPTURE(rows.tuple);
          CAPTURE(how);
          for (std::size_t k = 0; k < columns.size(); ++k) {
            CHECK(steps.chunks()[k].result == packed(undone_rows(columns[k], rows)));
            CHECK(steps.chunks()[k].status == 0);
          }
        }
}

TEST_CASE("rows of many chunks, from their first byte to their last") {
  Random random(kSeed);
  for (const unsigned width : {1u, 2u, 4u, 8u})
    for (const std::uint32_t row : {1024u, 1100u, 4096u, 8640u})
      for (const unsigned how : {0u, 1u, 5u}) {
        RowsBatch rows;
        rows.tuple = (row + width - 1) / width, rows.order = 1;
        StepChunks steps =
            how == 5 ? StepChunks{width, {{}, width}, {{}, width + 2}, false} : chunks_like(how, width);
        std::vector<oracle::Column> columns;
        for (std::uint32_t k = 0; k < kFewChunksOfRows; ++k) {
          columns.push_back(random_column(width, 1, 1 + random() % (5 * rows.tuple), random));
          steps.add(packed(columns.back()));
        }
        steps.run([&](const StepBatch& batch) {
          rows.steps = batch;
          CHECK(undoes_in_order(rows));
          return launch_undo_rows(rows, nullptr);
        });
        CAPTURE(width);
        CAPTURE(row);
        CAPTURE(how);
        for (std::size_t k = 0; k < columns.size(); ++k) {
          CHECK(steps.chunks()[k].result == packed(undone_rows(columns[k], rows)));
          CHECK(steps.chunks()[k].status == 0);
        }
      }
}

// ---- many lanes

/// Lane by lane, as the decoder of blocks leaves them.
Bytes planar(const oracle::Column& column) {
  const auto tuple = static_cast<std::uint32_t>(column.tuple);
  const auto lane = uniform::planar_lane_bytes(column.x.size(), tuple, column.width);
  Bytes made(static_cast<std::size_t>(lane * tuple), std::byte{0xEE});
  for (std::size_t i = 0; i < column.x.size(); ++i)
    for (unsigned b = 0; b < column.width; ++b)
      made[static_cast<std::size_t>(i % tuple * lane + i / tuple * column.width + b)] =
          static_cast<std::byte>(column.x[i] >> (8 * b));
  return made;
}

TEST_CASE("many lanes come together") {
  Random random(kSeed);
  for (const unsigned width : {1u, 2u, 4u})
    for (const std::size_t tuple : {5u, 7u, 24u, 100u, 256u})
      for (const std::size_t skew : {0u, 1u})
        for (const std::size_t words : {std::size_t{1}, tuple * 40, tuple * 700 + 3, std::size_t{400'000}}) {
          const oracle::Column column = random_column(width, tuple, words, random);
          const DeviceBuffer in(planar(column));
          DeviceBuffer out(words * width + skew + 5);
          out.poison();
          const DeviceBuffer table(bytes_of(
              std::vector<StepChunk>{{in.data(), out.data() + skew, static_cast<std::uint32_t>(words), 0}}));
          const DeviceBuffer status(Bytes(4));
          GatherBatch batch;
          batch.tuple = static_cast<std::uint32_t>(tuple);
          batch.steps.chunks = reinterpret_cast<const StepChunk*>(table.data()), batch.steps.count = 1;
          batch.steps.most_words = static_cast<std::uint32_t>(words);
          batch.steps.width = static_cast<std::uint8_t>(width);
          batch.steps.status = reinterpret_cast<std::uint32_t*>(status.data());
          const Bytes before = out.get();
          check(launch_gather_lanes(batch, nullptr), "launch");
          check(cudaDeviceSynchronize(), "gather");
          Bytes wanted = before;
          std::ranges::copy(packed(column), wanted.begin() + static_cast<std::ptrdiff_t>(skew));
          CAPTURE(width);
          CAPTURE(tuple);
          CAPTURE(words);
          CHECK(out.get() == wanted);
          CHECK(status.get() == Bytes(4));
        }
}

// ---- predict

struct PredictCase {
  oracle::Column column;
  Octets side;
  std::optional<oracle::Column> wanted;
};

PredictCase predict_case(unsigned width, std::size_t tuple, std::size_t words, Sign sign, Random& random) {
  PredictCase c{random_column(width, tuple, words, random), {}, {}};
  const LaneMap map = LaneMap::of_width(width, static_cast<std::uint32_t>(tuple), words);
  std::vector<Predictor> predictors(predict_blocks(map));
  const unsigned most = random() % 2 == 0 ? 8 : 32;
  for (Predictor& p : predictors) {
    p.order = static_cast<std::uint8_t>(random() % (most + 1));
    p.shift = static_cast<std::uint8_t>(random() % 16);
    for (unsigned j = 0; j < p.order; ++j) p.coefficient[j] = static_cast<std::int16_t>(random());
  }
  c.side = write_predictors(predictors);
  c.wanted = oracle::undo_predict(c.column, sign, predictors);
  return c;
}

void run_predict(StepChunks& steps, std::vector<PredictCase>& cases, Sign sign) {
  Octets all(1);
  std::vector<DeviceBytes> sides;
  for (const PredictCase& c : cases) {
    sides.push_back({reinterpret_cast<const std::byte*>(static_cast<std::uintptr_t>(all.size())),
                     static_cast<std::uint32_t>(c.side.size())});
    all.insert(all.end(), c.side.begin(), c.side.end());
    steps.add(packed(c.column));
  }
  const DeviceBuffer memory(bytes_of(all));
  for (DeviceBytes& side : sides) side.at = memory.data() + reinterpret_cast<std::uintptr_t>(side.at);
  const DeviceBuffer table(bytes_of(sides));
  const auto tuple = static_cast<std::uint32_t>(cases[0].column.tuple);
  steps.run([&](const StepBatch& batch) {
    DeviceBuffer scratch(undo_predict_scratch_bytes(batch.count, batch.most_words, tuple));
    scratch.poison();
    const PredictBatch predict{batch, tuple, sign, reinterpret_cast<const DeviceBytes*>(table.data())};
    const cudaError_t launched = launch_undo_predict(predict, scratch.data(), nullptr);
    check(cudaDeviceSynchronize(), "predict");  // before the scratch goes
    return launched;
  });
  for (std::size_t k = 0; k < cases.size(); ++k) {
    CAPTURE(k);
    CHECK((steps.chunks()[k].status == 0) == cases[k].wanted.has_value());
    if (cases[k].wanted) CHECK(steps.chunks()[k].result == packed(*cases[k].wanted));
  }
}

TEST_CASE("predict, in all widths and both signs") {
  Random random(kSeed);
  unsigned variant = 0;
  for (const unsigned width : widths()) {
    for (const std::size_t tuple : {1u, 2u, 3u, 7u, 17u, 32u, 33u, 256u}) {
      for (const Sign sign : {Sign::is_unsigned, Sign::is_signed}) {
        StepChunks steps = chunks_like(variant++ + width, width);
        std::vector<PredictCase> cases;
        for (const std::size_t words : {1u, 33u, 4096u, 8195u, 40003u}) {
          cases.push_back(predict_case(width, tuple, words, sign, random));
        }
        CAPTURE(width);
        CAPTURE(tuple);
        run_predict(steps, cases, sign);
      }
    }
  }
}

TEST_CASE("predict refuses side data as the reader does") {
  Random random(kSeed);
  std::vector<PredictCase> cases;
  for (int k = 0; k < 7; ++k) cases.push_back(predict_case(2, 2, 20000, Sign::is_signed, random));
  cases[0].side.pop_back();
  cases[1].side.push_back(0);
  cases[2].side[0] = 33;
  cases[3].side[1] = 16;
  cases[4].side.resize(11);
  cases[5].side.clear();
  for (std::size_t k = 0; k < 6; ++k) cases[k].wanted.reset();
  StepChunks steps(2, {}, {}, true);
  run_predict(steps, cases, Sign::is_signed);
}

}  // namespace
