// SPDX-License-Identifier: Apache-2.0
// Do the kernels that copy plain chunks, undo rows and gather lanes give what naive loops give, at every
// address and length? They run on a simulated device, every thread of them.
#include <doctest/doctest.h>

#include "tests/cuda/simulated_device.hpp"

#include "kernels/cuda/packed/copy_plain.cuh"
#include "kernels/cuda/packed/packed_plan.hpp"
#include "kernels/cuda/steps/gather_lanes.cuh"
#include "kernels/cuda/steps/predict_tiles.cuh"
#include "kernels/cuda/steps/undo_rows.cuh"
#include "kernels/cuda/steps/undo_rows_in_order.cuh"
#include "kernels/uniform/frame.hpp"
#include "tests/codec/device_batch.hpp"
#include "tests/cuda/digest_rows.hpp"

namespace tdz::test {
namespace {

using cuda::StepChunk;

/// Memory that begins at a line.
class Lines {
 public:
  explicit Lines(std::size_t bytes) : bytes_(bytes), lines_(bytes / sizeof(uint4) + 2) {
    std::fill_n(data(), lines_.size() * sizeof(uint4), kUnwritten);
  }
  static constexpr std::byte kUnwritten{0xA5};
  std::byte* data() { return reinterpret_cast<std::byte*>(lines_.data()); }
  Bytes get() { return {data(), data() + bytes_}; }

 private:
  std::size_t bytes_;
  std::vector<uint4> lines_;
};

Bytes random_bytes(Chance& chance, std::size_t bytes) {
  Bytes made(bytes);
  for (std::byte& byte : made) byte = static_cast<std::byte>(chance.below(256));
  return made;
}

// ---- Plain chunks

struct PlainCase {
  Bytes original;
  cuda::PlainChunk entry;
};

/// Chunks side by side, or with gaps, in frames of every kind that a device takes.
struct PlainCases {
  std::vector<PlainCase> cases;
  Bytes packed;
  std::uint64_t values = 0;
  uniform::DecodeTables tables;

  void add(Chance& chance, std::size_t bytes, std::uint32_t segment, std::size_t apart) {
    PlainCase one{random_bytes(chance, bytes), {}};
    packed = packed + Bytes(chance.below(40), std::byte{0xEE});
    formats::ChunkRecord record;
    record.original_bytes = static_cast<std::uint32_t>(bytes);
    record.substreams = {record.original_bytes};
    const auto sum = chance.once_in(2) ? uniform::Checksum::none : uniform::Checksum::written;
    const std::uint64_t begin = packed.size();
    for (std::size_t at = 0; at < bytes; at += segment) {
      const auto part = std::span(one.original).subspan(at, std::min<std::size_t>(segment, bytes - at));
      Bytes frame(part.size() + 100 + part.size() / 1000);
      frame.resize(uniform::write_raw_frame(part, frame.data(), sum));
      record.frames.push_back(
          {static_cast<std::uint32_t>(frame.size()), static_cast<std::uint32_t>(part.size())});
      packed = packed + frame;
    }
    values += apart;
    const uniform::ChunkBase base{static_cast<std::uint32_t>(cases.size()), begin, values};
    REQUIRE(cuda::add_plain_chunk({Coding::zstd, {{1, 1, {}}}}, record, base, tables, one.entry));
    values += bytes;
    cases.push_back(std::move(one));
  }

  /// Do all checks of headers fit?
  bool headers_fit() const {
    return std::ranges::all_of(tables.checks, [&](const uniform::ByteCheck& check) {
      const auto* found = reinterpret_cast<const std::uint8_t*>(packed.data()) + check.at;
      return std::equal(found, found + check.count, check.bytes);
    });
  }
};

void check_copied(const PlainCases& plain, std::size_t skew) {
  Lines packed(plain.packed.size() + 64), values(static_cast<std::size_t>(plain.values) + skew);
  std::ranges::copy(plain.packed, packed.data() + 32);
  std::vector<cuda::PlainChunk> entries;
  std::vector<std::uint32_t> status(plain.cases.size());
  std::vector<std::uint64_t> rows(static_cast<std::size_t>(cuda::digest_row_bytes(plain.values)) / 8);
  cuda::PlainBatch batch;
  for (const PlainCase& one : plain.cases) {
    entries.push_back(one.entry);
    batch.longest = std::max(batch.longest, one.entry.bytes());
  }
  status.back() = 7;  // is left alone
  batch.chunks = entries.data(), batch.count = static_cast<std::uint32_t>(entries.size());
  batch.packed = packed.data() + 32, batch.values = values.data() + skew, batch.status = status.data();
  batch.digest_rows = rows.data();
  const std::uint32_t blocks = cuda::plain_blocks(batch.longest);
  simulated::Device::one().run(batch.count * blocks, 32 * cuda::kPlainWarps,
                               [&] { cuda::copy_plain(batch, blocks); });
  const Bytes found = values.get();
  std::size_t end = 0;
  for (std::size_t i = 0; i + 1 < plain.cases.size(); ++i) {
    CAPTURE(i);
    const PlainCase& one = plain.cases[i];
    const auto begin = static_cast<std::size_t>(one.entry.values) + skew;
    for (; end < begin; ++end) CHECK(found[end] == Lines::kUnwritten);
    CHECK(std::equal(one.original.begin(), one.original.end(),
                     found.begin() + static_cast<std::ptrdiff_t>(begin)));
    end = begin + one.original.size();
    check_digest_rows(one.original, one.entry.values, rows);
  }
  CHECK(std::all_of(found.begin() + static_cast<std::ptrdiff_t>(end), found.end(),
                    [](std::byte byte) { return byte == Lines::kUnwritten; }));
}

TEST_CASE("plain chunks of every length, in one frame or several") {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    CAPTURE(seed);
    Chance chance(seed);
    PlainCases plain;
    for (int i = 0; i < 6; ++i) {
      constexpr std::uint32_t kSegments[] = {131'072, 131'073, 140'001, 1u << 20};
      const std::size_t bytes = 1 + chance.below(chance.once_in(2) ? 3'000 : 300'000);
      plain.add(chance, bytes, chance.one_of(kSegments), chance.once_in(2) ? 0 : chance.below(70));
    }
    CHECK(plain.headers_fit());
    check_copied(plain, seed % 3 == 0 ? 1 : 0);
  }
}

TEST_CASE("which frames hold a plain chunk is seen from their lengths") {
  const Plan plan{Coding::zstd, {{1, 1, {}}}};
  const auto taken = [&](const Plan& of, std::vector<formats::FrameLengths> frames, std::uint32_t bytes) {
    formats::ChunkRecord record;
    record.original_bytes = 1000, record.substreams = {bytes}, record.frames = std::move(frames);
    uniform::DecodeTables tables;
    cuda::PlainChunk made;
    const bool is_taken = cuda::add_plain_chunk(of, record, {}, tables, made);
    CHECK(tables.checks.empty() != is_taken);
    return is_taken;
  };
  CHECK(taken(plan, {{1010, 1000}}, 1000));
  CHECK(taken(plan, {{1014, 1000}}, 1000));  // with a checksum
  CHECK_FALSE(taken(plan, {{1011, 1000}}, 1000));
  CHECK_FALSE(taken(plan, {{1009, 1000}}, 1000));
  CHECK_FALSE(taken(plan, {{510, 500}, {510, 500}}, 1000));  // cut too often
  CHECK_FALSE(taken(plan, {{1010, 1000}}, 999));
  CHECK_FALSE(taken(plan, {}, 1000));
  CHECK_FALSE(taken({Coding::uniform, {{1, 1, {}}}}, {{1010, 1000}}, 1000));
  CHECK_FALSE(taken({Coding::zstd, {{1, 1, {ZigzagStep{}}}}}, {{1010, 1000}}, 1000));
  CHECK_FALSE(taken({Coding::zstd, {{1, 1, {}}, {1, 1, {}}}}, {{1010, 1000}}, 1000));
}

// ---- Steps

/// How chunks lie in memory.
struct Places {
  std::size_t in = 0, out = 0;  ///< added to addresses that are multiples of 16
  cuda::RowShape rows = {};     ///< of the output
};

/// A launch over chunks of these words; `launch` gets a batch whose pointers are set. `in` makes the input of
/// a chunk from its words.
template <class Input, class Launch>
void check_steps(unsigned width, const std::vector<Bytes>& words, const std::vector<Bytes>& wanted,
                 const Places& places, const Input& input, const Launch& launch) {
  const cuda::Rows rows(places.rows, width);
  std::vector<Lines> in, out;
  std::vector<StepChunk> chunks;
  std::vector<std::uint32_t> status(words.size() + 1);
  cuda::StepBatch batch;
  for (std::size_t k = 0; k < words.size(); ++k) {
    const Bytes from = input(words[k]);
    const auto count = static_cast<std::uint32_t>(words[k].size() / width);
    in.emplace_back(from.size() + places.in);
    out.emplace_back(static_cast<std::size_t>(count == 0 ? 0 : rows.place(count - 1) + width) + places.out +
                     9);
    std::ranges::copy(from, in[k].data() + places.in);
    chunks.push_back({in[k].data() + places.in, out[k].data() + places.out, count,
                      static_cast<std::uint32_t>(words.size() - k)});
    batch.most_words = std::max(batch.most_words, count);
  }
  batch.chunks = chunks.data(), batch.count = static_cast<std::uint32_t>(chunks.size());
  batch.width = static_cast<std::uint8_t>(width), batch.out = places.rows, batch.status = status.data();
  launch(batch);
  for (std::size_t k = 0; k < words.size(); ++k) {
    CAPTURE(k);
    CAPTURE(words[k].size());
    CHECK(status[words.size() - k] == 0);
    Bytes found = out[k].get(), gathered(words[k].size());
    for (std::uint32_t i = 0; i < words[k].size() / width; ++i) {
      const auto at = static_cast<std::ptrdiff_t>(rows.place(i) + places.out);
      std::copy_n(found.begin() + at, width, gathered.begin() + std::ptrdiff_t{i} * width);
      std::fill_n(found.begin() + at, width, Lines::kUnwritten);
    }
    CHECK(gathered == wanted[k]);
    CHECK(std::ranges::count(found, Lines::kUnwritten) == std::ssize(found));  // the gaps
  }
}

/// The law, word by word: sources first, then the sums down the columns.
Bytes with_rows_undone(const Bytes& words, unsigned width, const cuda::RowsBatch& rows) {
  Bytes made = words;
  const std::size_t count = words.size() / width, lanes = rows.sources.lanes;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t sum = word_at(words, i, width);
    for (std::uint32_t other = 0; other < lanes; ++other) {
      const std::size_t at = i - i % lanes + other;
      if (rows.sources.adds(static_cast<std::uint32_t>(i % lanes), other) && at < count)
        sum += word_at(words, at, width);
    }
    put_word(made, i, width, sum);
  }
  for (unsigned k = 0; k < rows.order; ++k)
    for (std::size_t i = rows.tuple; i < count; ++i)
      put_word(made, i, width, word_at(made, i, width) + word_at(made, i - rows.tuple, width));
  return made;
}

template <unsigned Width>
void run_rows(cuda::RowsBatch rows, const cuda::StepBatch& steps) {
  rows.steps = steps;
  const std::uint32_t columns = cuda::columns_of_thread<Width>(rows);
  const std::uint32_t blocks = cuda::row_blocks(steps.most_words, rows.tuple, columns);
  simulated::Device::one().run(steps.count * blocks, cuda::kRowThreads, [&] {
    if (rows.order == 0) return cuda::undo_rows<Width, 0>(rows, blocks, columns);
    if (rows.order == 1) return cuda::undo_rows<Width, 1>(rows, blocks, columns);
    cuda::undo_rows<Width, 2>(rows, blocks, columns);
  });
}

template <unsigned Width>
void check_row_cases(Chance& chance) {
  for (const std::uint32_t lanes : {1u, 2u, 3u, 4u, 5u, 8u})
    for (std::uint8_t order = 0; order <= 2; ++order)
      for (unsigned variant = 0; variant < 4; ++variant) {
        cuda::RowsBatch rows;
        rows.order = order;
        rows.tuple = lanes * static_cast<std::uint32_t>(variant % 2 == 0 ? 60 : 1 + chance.below(150));
        rows.sources.lanes = lanes;
        for (std::uint32_t l = 0; l < lanes; ++l)
          rows.sources.added[l] =
              static_cast<std::uint8_t>(chance.below(std::uint64_t{1} << lanes) & ~(1u << l));
        const std::vector<std::size_t> lengths{
            1, 3, 59, 2'000 + chance.below(400), 40 * rows.tuple, 17 * rows.tuple + chance.below(rows.tuple)};
        std::vector<Bytes> words, wanted;
        for (const std::size_t length : lengths) {
          words.push_back(random_bytes(chance, length * Width));
          wanted.push_back(with_rows_undone(words.back(), Width, rows));
        }
        Places places;
        if (variant == 2) places = {1, 0, {}};
        if (variant == 3) places = {0, 3, {5 * Width + 2, 3}};
        CAPTURE(Width);
        CAPTURE(lanes);
        CAPTURE(variant);
        CAPTURE(unsigned{order});
        CAPTURE(rows.tuple);
        check_steps(
            Width, words, wanted, places, [](const Bytes& bytes) { return bytes; },
            [&](const cuda::StepBatch& batch) { run_rows<Width>(rows, batch); });
      }
}

/// Chunks side by side, of rows of `row` bytes at least. `skew`: of the first one's address.
template <unsigned Width>
void check_rows_in_order(Chance& chance, std::uint32_t row, std::size_t skew) {
  cuda::RowsBatch rows;
  rows.order = 1, rows.tuple = (row + Width - 1) / Width;
  const cuda::RowOrder order{rows.tuple * Width};
  REQUIRE(order.ring() <= sizeof simulated::dynamic_shared);
  const std::vector<std::size_t> lengths{1,
                                         rows.tuple,
                                         1 + chance.below(rows.tuple),
                                         5 * rows.tuple,
                                         3 * rows.tuple + chance.below(rows.tuple),
                                         std::size_t{order.ring()} * 3 / Width};
  std::vector<Bytes> wanted;
  std::vector<std::size_t> places;
  Bytes words;
  for (const std::size_t length : lengths) {
    const Bytes own = random_bytes(chance, length * Width);
    places.push_back(words.size());
    wanted.push_back(with_rows_undone(own, Width, rows));
    words = words + own;
  }
  Lines in(words.size() + skew), out(words.size() + skew);
  std::ranges::copy(words, in.data() + skew);
  std::vector<StepChunk> chunks;
  for (std::size_t k = 0; k < lengths.size(); ++k)
    chunks.push_back({in.data() + skew + places[k], out.data() + skew + places[k],
                      static_cast<std::uint32_t>(lengths[k]), static_cast<std::uint32_t>(k)});
  std::vector<std::uint32_t> status(lengths.size() + 1);
  status[2] = 7;  // is left alone
  std::vector<std::uint64_t> sums(static_cast<std::size_t>(cuda::digest_row_bytes(words.size())) / 8);
  rows.steps.chunks = chunks.data(), rows.steps.count = static_cast<std::uint32_t>(chunks.size());
  rows.steps.most_words = static_cast<std::uint32_t>(std::ranges::max(lengths)), rows.steps.width = Width;
  rows.steps.status = status.data();
  rows.digest_rows = sums.data(), rows.digest_data = out.data() + skew;
  simulated::Device::one().run(rows.steps.count, 32 * order.warps(),
                               [&] { cuda::undo_rows_in_order<Width>(rows); });
  const Bytes found = out.get();
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    CAPTURE(k);
    const auto at = found.begin() + static_cast<std::ptrdiff_t>(skew + places[k]);
    const auto end = at + std::ssize(wanted[k]);
    if (k == 2) {
      CHECK(std::all_of(at, end, [](std::byte byte) { return byte == Lines::kUnwritten; }));
      continue;
    }
    CHECK(std::equal(at, end, wanted[k].begin()));
    check_digest_rows(wanted[k], places[k], sums);
  }
}

TEST_CASE("rows from the first byte to the last, with the sums of digests") {
  Chance chance(77);
  for (const std::uint32_t row : {1024u, 1025u, 1032u, 2050u, 4095u, 4096u, 4097u, 5760u, 8640u, 20'003u})
    for (const std::size_t skew : {0u, 3u, 8u}) {
      CAPTURE(row);
      CAPTURE(skew);
      check_rows_in_order<1>(chance, row, skew);
      check_rows_in_order<2>(chance, row, skew);
      check_rows_in_order<4>(chance, row, skew);
      check_rows_in_order<8>(chance, row, skew);
    }
}

TEST_CASE("which rows are undone in order") {
  const auto taken = [](std::uint32_t tuple, std::uint8_t width, std::uint32_t chunks, std::uint8_t order = 1,
                        std::uint32_t lanes = 1, std::uint32_t record = 0) {
    cuda::RowsBatch rows;
    rows.tuple = tuple, rows.order = order, rows.sources.lanes = lanes;
    rows.steps.width = width, rows.steps.count = chunks, rows.steps.out.bytes = record;
    return cuda::undoes_in_order(rows);
  };
  CHECK(taken(4320, 2, 1024));
  CHECK(taken(1024, 1, 192));
  CHECK_FALSE(taken(1023, 1, 1024));
  CHECK_FALSE(taken(4320, 2, 191));
  CHECK_FALSE(taken(4320, 2, 1024, 2));
  CHECK_FALSE(taken(4320, 2, 1024, 1, 3));
  CHECK_FALSE(taken(4320, 2, 1024, 1, 1, 12));
  CHECK_FALSE(taken(4320, 3, 1024));
  CHECK(taken(44 << 10, 1, 1024));  // with the ring's step 48 KiB
  CHECK_FALSE(taken((44 << 10) + 1, 1, 1024));
  CHECK_FALSE(taken(1u << 24, 8, 1024));
}

TEST_CASE("rows, with and without sources of lanes") {
  Chance chance(31);
  check_row_cases<1>(chance);
  check_row_cases<2>(chance);
  check_row_cases<3>(chance);
  check_row_cases<4>(chance);
  check_row_cases<8>(chance);
}

template <unsigned Width>
void check_gathered(Chance& chance, std::uint32_t tuple, const Places& places) {
  std::vector<Bytes> words;
  for (const std::size_t length : {std::size_t{1}, std::size_t{tuple - 1}, std::size_t{tuple} * 33,
                                   std::size_t{tuple} * 700 + 3, 1 + chance.below(9'000)})
    words.push_back(random_bytes(chance, length * Width));
  const auto planar = [&](const Bytes& bytes) {
    const std::size_t count = bytes.size() / Width;
    const auto lane = static_cast<std::size_t>(uniform::planar_lane_bytes(count, tuple, Width));
    Bytes made(lane * tuple);
    for (std::size_t i = 0; i < count; ++i)
      put_word(made, (i % tuple * lane + i / tuple * Width) / Width, Width, word_at(bytes, i, Width));
    return made;
  };
  CAPTURE(Width);
  CAPTURE(tuple);
  check_steps(Width, words, words, places, planar, [&](const cuda::StepBatch& batch) {
    const cuda::GatherTile tile(tuple);
    REQUIRE(tile.bytes(tuple) <= 48u << 10);
    const std::uint32_t tiles = tile.tiles(batch.most_words, tuple, Width);
    simulated::Device::one().run(batch.count * tiles, cuda::kGatherThreads, [&] {
      cuda::gather_lanes<Width>({batch, tuple}, tile, tiles);
    });
  });
}

TEST_CASE("many lanes come together") {
  Chance chance(32);
  for (const std::uint32_t tuple : {5u, 7u, 24u, 100u, 256u}) {
    check_gathered<1>(chance, tuple, {});
    check_gathered<2>(chance, tuple, {});
    check_gathered<4>(chance, tuple, {});
  }
  check_gathered<1>(chance, 24, {0, 3, {}});
  check_gathered<2>(chance, 10, {0, 1, {}});
  check_gathered<4>(chance, 7, {0, 2, {31, 7}});
  check_gathered<2>(chance, 6, {0, 0, {40, 3}});
}

// ---- Prediction

/// A strip of rows, with the predictor of each lane's block.
struct PredictStrip {
  std::vector<Predictor> predictors;
  std::vector<Bytes> sides;
  Bytes words;
};

/// By the walk itself, word by word.
template <unsigned Width>
Bytes walked(const PredictStrip& strip, Sign sign) {
  const std::size_t tuple = strip.predictors.size();
  Bytes made = strip.words;
  for (std::size_t lane = 0; lane < tuple; ++lane) {
    const Predictor& predictor = strip.predictors[lane];
    cuda::BlockWalk<Width, kMostCoefficients> walk(
        predictor.order, predictor.shift, sign,
        reinterpret_cast<const cuda::Byte*>(strip.sides[lane].data()));
    std::uint32_t row = 0;
    for (std::size_t i = lane; i < strip.words.size() / Width; i += tuple)
      put_word(made, i, Width, walk.step(row++, word_at(strip.words, i, Width)));
  }
  return made;
}

/// Most strips have all rows or a few, so that the simulation takes no minutes.
PredictStrip strip_by_chance(Chance& chance, std::uint32_t tuple, unsigned width, unsigned most_terms) {
  PredictStrip strip{std::vector<Predictor>(tuple), std::vector<Bytes>(tuple), {}};
  for (std::uint32_t lane = 0; lane < tuple; ++lane) {
    strip.predictors[lane].order = static_cast<std::uint8_t>(chance.below(most_terms + 1));
    strip.predictors[lane].shift = static_cast<std::uint8_t>(chance.below(16));
    strip.sides[lane] = random_bytes(chance, 64);
  }
  const std::uint64_t rows = chance.once_in(8) ? cuda::kPredictRows : chance.below(500);
  strip.words = random_bytes(chance, (rows * tuple + chance.below(rows == 0 ? 1 : tuple)) * width);
  if (strip.words.size() > std::size_t{cuda::kPredictRows} * tuple * width)
    strip.words.resize(std::size_t{cuda::kPredictRows} * tuple * width);
  return strip;
}

template <unsigned Width>
void check_tiles(Chance& chance, std::uint32_t tuple, unsigned most_terms, Sign sign) {
  std::vector<PredictStrip> strips(32 / tuple);
  std::vector<Lines> in, out;
  for (PredictStrip& strip : strips) {
    strip = strip_by_chance(chance, tuple, Width, most_terms);
    in.emplace_back(strip.words.size()), out.emplace_back(strip.words.size());
    std::ranges::copy(strip.words, in.back().data());
  }
  static cuda::PredictTiles<Width> tiles;
  simulated::Device::one().run(1, 32, [&] {
    const cuda::WarpStrips warp{tuple};
    const auto walk = [&](const cuda::PredictPlace& place, const cuda::BlockPredictor& own) {
      cuda::walk_by_tiles<Width, cuda::TermCount::few>(tiles, warp, place, own, sign);
      cuda::walk_by_tiles<Width, cuda::TermCount::many>(tiles, warp, place, own, sign);
    };
    if (!warp.has_strip()) return walk({}, {});
    const PredictStrip& strip = strips[warp.strip()];
    const Predictor& predictor = strip.predictors[warp.lane()];
    const cuda::PredictPlace place{reinterpret_cast<const cuda::Byte*>(in[warp.strip()].data()),
                                   reinterpret_cast<cuda::Byte*>(out[warp.strip()].data()),
                                   static_cast<std::uint32_t>(strip.words.size())};
    const auto* side = reinterpret_cast<const cuda::Byte*>(strip.sides[warp.lane()].data());
    walk(place, {predictor.order, predictor.shift, side});
  });
  CAPTURE(Width);
  CAPTURE(tuple);
  CAPTURE(most_terms);
  for (std::size_t k = 0; k < strips.size(); ++k) {
    CAPTURE(k);
    CHECK(out[k].get() == walked<Width>(strips[k], sign));
    const std::byte* end = out[k].data() + strips[k].words.size();
    CHECK(std::all_of(end, end + 16, [](std::byte byte) { return byte == Lines::kUnwritten; }));
  }
}

TEST_CASE("prediction by tiles, of strips of every length") {
  Chance chance(33);
  for (const std::uint32_t tuple : {1u, 2u, 3u, 7u, 17u, 32u}) {
    const unsigned terms = chance.once_in(3) ? 8 : chance.once_in(2) ? 16 : 32;
    for (const Sign sign : {Sign::is_unsigned, Sign::is_signed}) {
      check_tiles<1>(chance, tuple, terms, sign);
      check_tiles<2>(chance, tuple, terms, sign);
      check_tiles<3>(chance, tuple, terms, sign);
      check_tiles<4>(chance, tuple, terms, sign);
      check_tiles<5>(chance, tuple, terms, sign);
      check_tiles<6>(chance, tuple, terms, sign);
      check_tiles<7>(chance, tuple, terms, sign);
      check_tiles<8>(chance, tuple, terms, sign);
    }
  }
  for (const unsigned terms : {8u, 16u, 32u}) check_tiles<2>(chance, 1, terms, Sign::is_signed);
}

}  // namespace
}  // namespace tdz::test
