// SPDX-License-Identifier: Apache-2.0
// Does the search find the shape of the numbers, keep the caller's request, and always choose the same?
#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "codec/chunk/frame_plan.hpp"
#include "codec/search/column/kinds.hpp"
#include "codec/search/repeats.hpp"
#include "codec/search/samples.hpp"
#include "codec/stream/memory_io.hpp"
#include "formats/bytes.hpp"
#include "kernels/passes.hpp"
#include "tests/codec/law.hpp"
#include "tests/codec/support.hpp"
#include "tests/random.hpp"

using namespace tdz;
using namespace tdz::test;

namespace {

CompressOptions searching(SearchOptions search = {}) {
  CompressOptions options;
  options.search = search;
  options.threads = 1;
  return options;
}

Analysis analysis_of(const Bytes& original, const CompressOptions& options = searching()) {
  MemorySource from(original);
  return analyze(from, options).value();
}

Bytes compressed(const Bytes& original, const CompressOptions& options) {
  MemorySource from(original);
  CollectingSink to;
  REQUIRE(compress(from, to, options));
  CHECK(decompress(to.collected, one_thread()).value() == original);
  return to.collected;
}

bool has_difference(const Plan& plan, std::uint32_t tuple) {
  return std::ranges::any_of(plan.columns.front().steps, [&](const PlanStep& step) {
    const auto* difference = std::get_if<DifferenceStep>(&step);
    return difference != nullptr && difference->tuple == tuple;
  });
}

Bytes text(std::size_t bytes) {
  std::mt19937 random(7);
  const std::vector<std::string> words{"the ", "sea ",   "was ",    "calm ",
                                       "and ", "grey, ", "nobody ", "spoke.\n"};
  std::string out;
  while (out.size() < bytes) out += words[random() % words.size()];
  const auto view = std::as_bytes(std::span(out)).first(bytes);
  return {view.begin(), view.end()};
}

}  // namespace

TEST_CASE("the search finds the record's length") {
  const Bytes pairs = walk(1 << 20, 4, 3);
  const Analysis analysis = analysis_of(pairs);
  REQUIRE_FALSE(analysis.chosen.empty());
  const Plan& chosen = analysis.chosen.front();
  INFO("chosen ", formats::plan_name(chosen));
  CHECK(has_difference(chosen, 4u / chosen.columns.front().width));
  CHECK(analysis.candidates.size() > 5);
}

TEST_CASE("the chosen steps give less than half the size of plain bytes") {
  const Bytes original = walk(1 << 20, 4, 3);
  CHECK(compressed(original, searching()).size() * 2 < packed(original, options_for(Column{})).size());
}

TEST_CASE("text gets no steps, and long chunks") {
  const Analysis analysis = analysis_of(text(1 << 20));
  CHECK(analysis.chosen == std::vector{plain_plan()});
  CHECK(analysis.chunk_bytes == 8u << 20);
}

TEST_CASE("noise is restored, and its stream is less than 0.2 % longer") {
  const Bytes original = noise(1 << 20);
  CHECK(compressed(original, searching()).size() < original.size() + original.size() / 500);
}

TEST_CASE("short and empty inputs are restored, with every effort") {
  for (const Effort effort : {Effort::fastest, Effort::fast, Effort::normal, Effort::best}) {
    for (std::size_t length = 0; length < 70; ++length) {
      INFO("length ", length, ", effort ", static_cast<int>(effort));
      compressed(walk(length, 2, 5), searching({.effort = effort}));
    }
    compressed(walk(4097, 2, 5), searching({.effort = effort}));
  }
}

TEST_CASE("the search keeps the values that the caller set") {
  const Bytes original = walk(1 << 19, 4, 3);
  SearchOptions request;
  request.word = 2;
  request.tuple = 3;
  request.order = 2;
  for (const Candidate& candidate : analysis_of(original, searching(request)).candidates) {
    const Plan& tried = candidate.plan;
    INFO("tried ", formats::plan_name(tried));
    CHECK(tried.columns.front().width == 2);
    const auto& steps = tried.columns.front().steps;
    CHECK(std::ranges::count(steps, PlanStep(DifferenceStep{3, 2})) == 1);
  }
  request = {};
  request.layout = Layout::interleaved;
  request.zigzag = false;
  for (const Candidate& candidate : analysis_of(original, searching(request)).candidates) {
    for (const PlanStep& step : candidate.plan.columns.front().steps) {
      const bool allowed = !std::holds_alternative<ZigzagStep>(step) && !is_layout(step);
      CHECK(allowed);
    }
  }
}

TEST_CASE("a known header becomes the raw prefix") {
  Bytes header;
  for (const char c : std::string("P5\n512 512\n255\n")) header.push_back(static_cast<std::byte>(c));
  const Analysis analysis = analysis_of(header + walk(512 * 512, 1, 9));
  CHECK(analysis.raw_prefix == header.size());
  CHECK_FALSE(analysis.sniffed.empty());
}

TEST_CASE("the bytes depend neither on threads nor on the run") {
  const Bytes original = walk(3 << 20, 2, 41);
  auto options = searching();
  const Bytes expected = compressed(original, options);
  CHECK(compressed(original, options) == expected);
  for (const unsigned threads : {2u, 5u}) {
    options.threads = threads;
    CHECK(compressed(original, options) == expected);
  }
}

TEST_CASE("two halves of different kinds need no more than 2 % more together than apart" * law) {
  auto options = searching();
  options.chunk_bytes = 1 << 20;                          // otherwise text alone gets longer chunks
  const Bytes numbers = walk((4 << 20) / 12 * 12, 4, 3);  // words of 3 bytes begin at a multiple of 3
  for (const Bytes& other : {text(4 << 20), walk(4 << 20, 3, 8)}) {
    const std::size_t together = compressed(numbers + other, options).size();
    const std::size_t apart = compressed(numbers, options).size() + compressed(other, options).size();
    CHECK(analysis_of(numbers + other, options).chosen.size() >= 2);
    CHECK(together < apart + apart / 50);
  }
}

TEST_CASE("fields that the caller names become columns, also behind a header of odd length") {
  const Bytes times = walk(4 * 30'000, 4, 5), heights = walk(2 * 30'000, 2, 6), marks = text(30'000);
  Bytes records;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    records.insert(records.end(), &times[4 * i], &times[4 * i] + 4);
    records.insert(records.end(), &heights[2 * i], &heights[2 * i] + 2);
    records.push_back(marks[i]);
  }
  auto options = searching({.fields = {{'u', 4, 1}, {'i', 2, 1}, {'u', 1, 1}}});
  const Analysis found = analysis_of(records, options);
  const auto& columns = found.chosen.front().columns;
  REQUIRE(columns.size() == 3);
  CHECK(columns[0].width == 4);
  CHECK(columns[1].width == 2);
  CHECK(columns[2].width == 1);
  const std::size_t apart = compressed(times, searching({.word = 4})).size() +
                            compressed(heights, searching({.word = 2})).size() +
                            compressed(marks, searching()).size();
  CHECK(compressed(records, options).size() < apart);
}

TEST_CASE("numbers behind a header of odd length are coded from the first one on") {
  const Bytes cents = walk(8 * 40'000, 8, 12);
  Bytes prices;
  for (std::size_t i = 0; i < cents.size(); i += 8) {
    const auto cent = static_cast<std::int64_t>(formats::get_le<std::uint64_t>(std::span(cents).subspan(i)));
    formats::put_le(prices, std::bit_cast<std::uint64_t>(static_cast<double>(cent) / 100));
  }
  const Bytes file = text(13) + prices;
  CHECK(analysis_of(file).raw_prefix % 8 == 5);
  const std::size_t alone = compressed(prices, searching()).size();
  CHECK(compressed(file, searching()).size() < alone + alone / 100 + 64);
}

TEST_CASE("the search keeps a row length that the caller set") {
  SearchOptions request{.word = 1, .row = 300};
  for (const Candidate& candidate : analysis_of(walk(1 << 18, 1, 3), searching(request)).candidates)
    CHECK(has_difference(candidate.plan, 300));
}

TEST_CASE("parameters made from a column give the same column again") {
  for (const Candidate& candidate : analysis_of(walk(1 << 19, 4, 3)).candidates) {
    const Column& column = candidate.plan.columns.front();
    const bool is_said = candidate.plan.columns.size() == 1 && column.count == 1 &&
                         is_word_size(column.width) && std::ranges::all_of(column.steps, is_of_passes);
    if (is_said) CHECK(formats::column_of(formats::parameters_of(column)) == column);
  }
  for (const std::uint8_t order : {std::uint8_t{0}, std::uint8_t{1}, std::uint8_t{2}}) {
    for (const std::uint32_t row : {0u, 3u, 300u}) {
      const formats::Parameters said{
          .word = 1, .tuple = 3, .order = order, .zigzag = true, .layout = Layout::tuple_planes, .row = row};
      const Column column = formats::column_of(said);
      CHECK(formats::column_of(formats::parameters_of(column)) == column);
    }
  }
}

TEST_CASE("a pipe is searched by its beginning and restored completely") {
  const Bytes original = walk(9 << 20, 4, 3);
  PieceSource from(original, 3, 100000);
  CollectingSink to;
  REQUIRE(compress(from, to, searching()));
  CHECK(decompress(to.collected, one_thread()).value() == original);
  CHECK(to.collected.size() * 2 < original.size());
}

// ---- steps beside differences

namespace {

template <class Word>
Bytes bytes_of(const std::vector<Word>& words) {
  Bytes bytes;
  for (const Word& word : words) {
    const auto raw = std::as_bytes(std::span(&word, 1));
    bytes.insert(bytes.end(), raw.begin(), raw.end());
  }
  if constexpr (std::endian::native == std::endian::big) {
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(Word))
      std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                   bytes.begin() + static_cast<std::ptrdiff_t>(at + sizeof(Word)));
  }
  return bytes;
}

template <class Step>
bool has_step(const Plan& plan) {
  return std::ranges::any_of(plan.columns.front().steps,
                             [](const PlanStep& s) { return std::holds_alternative<Step>(s); });
}

Plan chosen_for(const Bytes& original, Effort effort = Effort::normal) {
  return analysis_of(original, searching({.effort = effort})).chosen.front();
}

/// Prices with two decimals.
template <class Word>
Bytes prices(std::size_t count) {
  std::mt19937 random(3);
  std::int64_t cents = 10000;
  std::vector<Word> words;
  for (std::size_t i = 0; i < count; ++i) {
    cents += static_cast<std::int64_t>(random() % 41) - 20;
    words.push_back(static_cast<Word>(static_cast<double>(cents) / 100.0));
  }
  return bytes_of(words);
}

/// Three integers that walk apart. Of their bytes only differences over a row of 12 show it.
Bytes walk_of_triples(std::size_t count) {
  std::mt19937 random(7);
  std::array<double, 3> at{};
  std::vector<std::int32_t> words;
  for (std::size_t i = 0; i < count; ++i) {
    for (double& x : at)
      words.push_back(static_cast<std::int32_t>(x += static_cast<double>(random() % 120) - 59.5));
  }
  return bytes_of(words);
}

/// A sum of two waves and a little noise, in words that `store` makes.
std::vector<std::int32_t> sound(std::size_t count, std::int32_t loud) {
  std::mt19937 random(9);
  double a = 1, b = 0, c = 0.7, d = 0;
  std::vector<std::int32_t> samples;
  for (std::size_t i = 0; i < count; ++i) {
    b += a * 0.21, a -= b * 0.21;  // rotations
    d += c * 0.067, c -= d * 0.067;
    samples.push_back(static_cast<std::int32_t>((a + c) * loud) + static_cast<std::int32_t>(random() % 9));
  }
  return samples;
}

Bytes sound_of_16_bits(std::size_t count) {
  std::vector<std::int16_t> words;
  for (const std::int32_t x : sound(count, 9000)) words.push_back(static_cast<std::int16_t>(x));
  return bytes_of(words);
}

Bytes sound_of_24_bits(std::size_t count) {
  Bytes bytes;
  for (const std::int32_t x : sound(count, 2000000)) {
    for (unsigned b = 0; b < 3; ++b) bytes.push_back(static_cast<std::byte>(x >> (8 * b)));
  }
  return bytes;
}

/// Events that begin where the one before ended.
Bytes events(std::size_t count) {
  std::mt19937 random(4);
  std::vector<std::int64_t> words;
  std::int64_t start = 1000;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t length = 3 + static_cast<std::int64_t>(random() % 500);
    words.push_back(start);
    words.push_back(length);
    start += length;
  }
  return bytes_of(words);
}

}  // namespace

TEST_CASE("decimals are scaled, with every effort and width" * law) {
  for (const Effort effort : {Effort::fast, Effort::normal, Effort::best}) {
    CHECK(has_step<ScaleStep>(chosen_for(prices<double>(1 << 17), effort)));
    CHECK(has_step<ScaleStep>(chosen_for(prices<float>(1 << 18), effort)));
  }
  const Bytes original = prices<double>(1 << 17);
  CHECK(compressed(original, searching()).size() * 6 < original.size());
}

/// Walks in columns of f64. Column c has multiples of 1 / parts[c]; numbers that are none where that is 0.
Bytes table(std::size_t rows, std::span<const double> parts) {
  std::mt19937 random(5);
  std::vector<double> numbers(rows * parts.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double step = static_cast<double>(random() % 1001) - 500, part = parts[i % parts.size()];
    const double before = i < parts.size() ? 0 : numbers[i - parts.size()];
    numbers[i] = part == 0 ? before + step * 0.7713 : std::round(before * part + step) / part;
  }
  return bytes_of(numbers);
}

TEST_CASE("a table of decimals is scaled column by column, with every effort" * law) {
  const std::array<double, 6> parts{3600, 1e6, 100, 100, 1000, 8};
  for (const std::size_t columns : {2u, 4u, 6u}) {
    const Bytes original = table((std::size_t{1} << 17) / columns, std::span(parts).first(columns));
    for (const Effort effort : {Effort::fast, Effort::normal, Effort::best}) {
      INFO("columns ", columns, " effort ", static_cast<int>(effort));
      CHECK(compressed(original, searching({.effort = effort})).size() < original.size() / 6);
    }
  }
}

TEST_CASE("where only some columns of real numbers can be scaled, each gets steps of its own") {
  const std::array<double, 3> parts{1000, 0, 0};
  const Bytes original = table(std::size_t{1} << 15, parts);
  CHECK(analysis_of(original).chosen.front().columns.size() > 1);
  const Bytes alone = table(std::size_t{1} << 15, std::span(parts).first(1)),
              others = table(std::size_t{1} << 15, std::span(parts).last(1));
  const std::size_t apart =
      compressed(alone, searching()).size() + 2 * compressed(others, searching()).size();
  CHECK(compressed(original, searching()).size() < apart + apart / 50);
}

TEST_CASE("times in steps of microseconds are scaled behind a difference; nanoseconds are too long for it") {
  std::mt19937 random(5);
  std::vector<std::int64_t> times;
  std::int64_t time = 1'700'000'000'123'456'789;
  for (std::size_t i = 0; i < 1 << 16; ++i)
    times.push_back(time += 1000 * (900 + static_cast<int>(random() % 200)));
  const Bytes original = bytes_of(times);
  for (const bool gpu : {false, true}) {
    CompressOptions options = searching();
    options.gpu = gpu;
    CHECK(has_step<ScaleStep>(analysis_of(original, options).chosen.front()));
    CHECK(compressed(original, options).size() * 7 < original.size());
  }
}

/// Words in the other order of bytes.
Bytes swapped(Bytes numbers, std::size_t word) {
  for (std::size_t at = 0; at + word <= numbers.size(); at += word)
    std::reverse(numbers.data() + at, numbers.data() + at + word);
  return numbers;
}

TEST_CASE("big-endian numbers are packed as little-endian ones are") {
  const auto check = [](const Bytes& numbers, std::size_t word) {
    const std::size_t little = compressed(numbers, searching()).size();
    CHECK(compressed(swapped(numbers, word), searching()).size() * 100 < little * 101);
  };
  check(sound_of_16_bits(1 << 19), 2);
  check(prices<float>(1 << 17), 4);
  check(prices<double>(1 << 16), 8);
  check(walk_of_triples(1 << 16), 4);
}

/// A wide grid of which a mask takes three fifths. Its other numbers are `size` times multiples of 1/100.
Bytes masked_grid(float mask, double size, bool big_endian) {
  constexpr int kRows = 360, kColumns = 720;
  std::mt19937 random(3);
  Bytes bytes;
  for (int i = 0; i < kRows * kColumns; ++i) {
    const double x = i % kColumns, y = i / kColumns;  // NOLINT(bugprone-integer-division): the row
    const double number =
        15 + 10 * std::sin(y / 90) + 5 * std::cos(x / 70) + static_cast<double>(random() % 256) / 256;
    const bool masked = std::sin(x / 23) + std::cos(y / 17) > -0.2;
    const float value = masked ? mask : static_cast<float>(std::round(number * 100) / 100 * size);
    formats::put_le(bytes, std::bit_cast<std::uint32_t>(value));
  }
  return big_endian ? swapped(std::move(bytes), sizeof(float)) : bytes;
}

TEST_CASE("masked grids are multiples, whatever their mask, byte order and size" * law) {
  for (const float mask : {1e34f, -9999.0f, std::numeric_limits<float>::quiet_NaN()}) {
    for (const double size : {1.0, 1e-18}) {
      for (const bool big_endian : {false, true}) {
        const Bytes original = masked_grid(mask, size, big_endian);
        for (const Effort effort : {Effort::fast, Effort::normal}) {
          INFO("mask ", mask, " size ", size, " big-endian ", big_endian, " effort ",
               static_cast<int>(effort));
          CHECK(compressed(original, searching({.effort = effort})).size() * 8 < original.size());
        }
      }
    }
  }
}

TEST_CASE("a mask in front of a short input does not hide what stands behind it") {
  const std::vector<float> mask(10000, 1e34f);
  std::vector<float> decimals;
  std::mt19937 random(5);
  for (int cents = 2000; decimals.size() < 40000; cents += static_cast<int>(random() % 61) - 30)
    decimals.push_back(static_cast<float>(cents / 100.0));
  for (const Effort effort : {Effort::fast, Effort::normal}) {
    const auto size_of = [&](const Bytes& original) {
      return compressed(original, searching({.effort = effort})).size();
    };
    const std::size_t alone = size_of(bytes_of(decimals));
    CHECK(size_of(bytes_of(mask) + bytes_of(decimals)) < alone + alone / 20);
  }
}

TEST_CASE("decimals are scaled in front of other numbers of the same width" * law) {
  constexpr std::size_t kNumbers = 1 << 21;
  for (const std::size_t count : {kNumbers / 8, kNumbers / 4}) {
    INFO("decimals ", count);
    std::mt19937 random(5);
    std::vector<float> decimals, others;
    for (int cents = 2000; decimals.size() < count; cents += static_cast<int>(random() % 21) - 10)
      decimals.push_back(static_cast<float>(cents / 100.0));
    for (double x = 0; others.size() < kNumbers - count;
         x += (static_cast<double>(random()) / 0x1p32 - 0.5) * 0.035)
      others.push_back(static_cast<float>(x));
    const auto size_of = [](const Bytes& original) { return compressed(original, searching()).size(); };
    const std::size_t apart = size_of(bytes_of(decimals)) + size_of(bytes_of(others));
    CHECK(size_of(bytes_of(decimals) + bytes_of(others)) < apart + apart / 33);
  }
}

/// Temperatures in hundredths at several depths: single words are noisy, and a depth is like the one above
/// it.
Bytes temperatures(std::size_t depths, std::size_t in_depth, bool is_noise) {
  std::mt19937 random(4);
  std::vector<int> cents;
  for (int level = 1500; cents.size() < in_depth;) {
    level += static_cast<int>(random() % 41) - 20;
    cents.push_back(level);
  }
  std::vector<float> values;
  for (std::size_t depth = 0; depth < depths; ++depth) {
    if (is_noise) std::ranges::shuffle(cents, random);
    for (int& value : cents)
      values.push_back(static_cast<float>(value += static_cast<int>(random() % 5) - 2) / 100.0f);
  }
  return bytes_of(values);
}

TEST_CASE("the planes of a grid leave one another, also where they are longer than what steps are tried on" *
          law) {
  constexpr std::size_t kDepths = 40;
  for (const std::size_t in_depth : {std::size_t{360}, std::size_t{16200}}) {
    INFO("numbers in a plane ", in_depth);
    const Bytes original = temperatures(kDepths * 16200 / in_depth, in_depth, false);
    const Bytes shuffled = temperatures(kDepths * 16200 / in_depth, in_depth, true);
    for (const Effort effort : {Effort::fast, Effort::normal}) {
      const std::size_t size = compressed(original, searching({.effort = effort})).size();
      CHECK(size * 3 < compressed(shuffled, searching({.effort = effort})).size());
    }
  }
}

TEST_CASE("rows are found in a short grid that ends inside a word") {
  const Bytes original = temperatures(100, 250, false);
  const Bytes with_tail = original + Bytes(3, std::byte{7});
  for (const Effort effort : {Effort::fast, Effort::normal}) {
    const std::size_t size = compressed(original, searching({.effort = effort})).size();
    CHECK(size * 5 < original.size());
    CHECK(compressed(with_tail, searching({.effort = effort})).size() < size + size / 50);
  }
}

TEST_CASE("a plane that is worth more than an order is kept, although single samples do not show it") {
  constexpr int kInPlane = 16200, kPlanes = 40;
  std::mt19937 random(6);
  std::vector<std::int32_t> plane, values;
  for (std::int32_t slope = 0, value = 0; plane.size() < kInPlane; value += slope) {
    slope += static_cast<std::int32_t>(random() % 41) - 20;
    plane.push_back(value);
  }
  for (int i = 0; i < kPlanes; ++i)
    for (std::int32_t& value : plane) values.push_back(value += static_cast<std::int32_t>(random() % 5) - 2);
  const Bytes original = bytes_of(values);
  for (const Effort effort : {Effort::fast, Effort::normal})
    CHECK(compressed(original, searching({.effort = effort})).size() * 8 < original.size());
}

TEST_CASE("words whose first differences are no smaller than those of others get higher orders") {
  std::vector<float> waves;
  for (int i = 0; i < 1 << 18; ++i) {
    waves.push_back(static_cast<float>(std::cos(i * 0.01) * std::exp(-i / 1e5)));
    waves.push_back(static_cast<float>(std::sin(i * 0.01)));
  }
  const Bytes original = bytes_of(waves);
  for (const Effort effort : {Effort::fast, Effort::normal})
    CHECK(compressed(original, searching({.effort = effort})).size() * 5 < original.size());
}

/// A picture as a .bmp file of 24 bits: waves, and noise that all three colours share.
Bytes bitmap(std::uint32_t columns, std::uint32_t rows) {
  Bytes bytes;
  const auto put = [&](std::uint32_t word) { formats::put_le(bytes, word); };
  formats::put_le(bytes, std::uint16_t{0x4D42});
  for (const std::uint32_t word : {54 + 3 * columns * rows, 0u, 54u, 40u, columns, rows, 0x180001u})
    put(word);
  for (int i = 0; i < 6; ++i) put(0);
  std::mt19937 random(5);
  for (std::uint32_t i = 0; i < columns * rows; ++i) {
    const double x = i % columns, y = i / columns;  // NOLINT(bugprone-integer-division): the row
    double noise = -6;
    for (int n = 0; n < 12; ++n) noise += static_cast<double>(random() % 1000) / 1000;
    for (const double colour : {50 * std::sin((x + y) / 60), 60 * std::cos(x / 33), 60 * std::sin(y / 40)})
      bytes.push_back(static_cast<std::byte>(static_cast<int>(128 + colour + 3 * noise)));
  }
  return bytes;
}

TEST_CASE("colours leave one another, also where a row of pixels looks like a tuple") {
  const Bytes original = bitmap(800, 600);
  CHECK(compressed(original, searching()).size() * 8 < original.size() * 3);
}

TEST_CASE("numbers that take few steps are packed with Huffman codes, hardly more than their entropy") {
  std::mt19937 random(6);
  constexpr std::array<int, 10> steps{-5, -1, 0, 0, 0, 0, 0, 0, 1, 5};  // 1.77 bits
  std::vector<std::int32_t> prices{100000};
  while (prices.size() < 1 << 18) prices.push_back(prices.back() + steps[random() % steps.size()]);
  const Bytes original = bytes_of(prices);
  CHECK(compressed(original, searching()).size() * 16 < original.size());
}

TEST_CASE("start times that follow from lengths get rules for lanes") {
  const Plan chosen = chosen_for(events(1 << 16));
  REQUIRE(has_step<LanesStep>(chosen));
  compressed(events(1 << 16), searching());
}

TEST_CASE("tokens of lanes that are alike stand behind one another") {
  constexpr std::size_t kLanes = 64, kRows = 1500;
  Random random(3);
  std::array<std::uint32_t, kLanes> row{};
  Bytes original;
  for (std::size_t i = 0; i < kRows; ++i)
    for (std::uint32_t& x : row) {
      const std::uint64_t step = random() >> (64 - random() % 14 - 1);
      x += static_cast<std::uint32_t>(random() % 2 != 0 ? step : 0 - step);
      formats::put_le(original, x);
    }
  const Plan plan = analysis_of(original).chosen.front();
  REQUIRE(plan.columns.size() == 1);
  const auto* tokens = std::get_if<TokensStep>(&plan.columns.front().steps.back());
  REQUIRE(tokens != nullptr);
  CHECK(tokens->tuple == 1);
  CHECK(has_difference(plan, kLanes));
}

TEST_CASE("waves are predicted; fast does without") {
  const Bytes original = sound_of_16_bits(1 << 19);
  const Plan chosen = chosen_for(original);  // a wave whose periods are as long as one another is a grid
  CHECK((has_step<PredictStep>(chosen) || has_step<GridStep>(chosen)));
  CHECK_FALSE(has_step<PredictStep>(chosen_for(original, Effort::fast)));
  compressed(original, searching());
}

TEST_CASE("samples of 24 bits are words of 3 bytes") {
  const Bytes original = sound_of_24_bits(1 << 18);
  CHECK(chosen_for(original).columns.front().width == 3);
  compressed(original, searching());
}

TEST_CASE("noise and text get none of these steps" * law) {
  for (const Bytes& original : {noise(1 << 20), text(1 << 20)}) {
    for (const Effort effort : {Effort::fast, Effort::normal, Effort::best}) {
      Plan chosen = chosen_for(original, effort);
      chosen.packing.planes.clear();  // how zstd packs them is no step
      INFO(formats::plan_name(chosen), ", effort ", static_cast<int>(effort));
      CHECK(chosen == plain_plan());
    }
  }
}

TEST_CASE("what the caller sets is not replaced; scale may stand before it") {
  const Bytes original = sound_of_16_bits(1 << 18);
  CHECK(chosen_for(original).columns.front().steps != std::vector<PlanStep>{});
  const Plan chosen = analysis_of(original, searching({.order = 1, .layout = Layout::planes})).chosen.front();
  CHECK_FALSE(has_step<LanesStep>(chosen));
  CHECK_FALSE(has_step<PredictStep>(chosen));
  CHECK_FALSE(has_step<TokensStep>(chosen));
  CHECK(has_step<ScaleStep>(
      analysis_of(prices<double>(1 << 16), searching({.word = 8, .order = 1})).chosen.front()));
}

TEST_CASE("an input that stands twice takes little more than once") {
  const Bytes once = noise(3 << 19), numbers = walk(3 << 19, 4, 3);
  CHECK(compressed(once + once, searching()).size() < once.size() + once.size() / 50);
  CHECK(compressed(numbers + numbers, searching()).size() * 4 < compressed(numbers, searching()).size() * 5);
}

/// Two prices that are multiples of 1/100000: the second is a little higher than the first.
Bytes exchange_rates(std::size_t rows) {
  std::mt19937 random(5);
  std::vector<double> rates;
  for (std::size_t i = 0, bid = 108000; i < rows; ++i) {
    bid += random() % 5;
    bid -= 2;
    rates.push_back(static_cast<double>(bid) / 1e5);
    rates.push_back(static_cast<double>(bid + 1 + random() % 3) / 1e5);
  }
  const auto view = std::as_bytes(std::span(rates));
  return {view.begin(), view.end()};
}

TEST_CASE("prediction that saves little on samples does not make the default larger than fast") {
  const Bytes original = exchange_rates(1 << 17);
  const std::size_t fast = compressed(original, searching({.effort = Effort::fast})).size();
  CHECK(compressed(original, searching()).size() < fast + fast / 200);
}

/// Samples of 8 bits, two in turn: a carrier of 100 samples with much noise, scaled so that some values never
/// come.
Bytes carrier(std::size_t bytes) {
  std::mt19937 random(3);
  Bytes samples;
  for (std::size_t i = 0; samples.size() < bytes; ++i) {
    const double angle = 2 * 3.14159265358979 * .11 * static_cast<double>(i / 2 % 100);
    int sample = static_cast<int>(std::lround(60 * (i % 2 == 0 ? std::cos(angle) : std::sin(angle))) - 102);
    for (int k = 0; k < 6; ++k) sample += static_cast<int>(random() % 35);
    samples.push_back(static_cast<std::byte>(std::clamp(127 + sample * 10 / 12, 0, 255)));
  }
  return samples;
}

/// Words of 32 bits with the numbers 0 to 8, in no order.
Bytes digits(std::size_t words) {
  std::mt19937 random(4);
  Bytes numbers;
  for (std::size_t i = 0; i < words; ++i) formats::put_le(numbers, static_cast<std::uint32_t>(random() % 9));
  return numbers;
}

TEST_CASE("a larger effort is never more than 0.5 % larger" * law) {
  for (const Bytes& original :
       {prices<double>(1 << 16), events(1 << 15), sound_of_16_bits(1 << 18), walk(1 << 19, 4, 3),
        // Two kinds: in one chunk, and in several. Text comes last, so that it is in no first half.
        walk(5 << 15, 4, 3) + text(5 << 15), walk(3 << 20, 4, 3) + text(1 << 20),
        // Frames for a GPU of other steps than the best ones of general frames.
        carrier(7 << 18),
        // Planes or tokens: the best ones of general frames are no frames for a GPU.
        digits(3 << 18),
        // Numbers that begin inside of a word, so that efforts may differ about it.
        Bytes(20, std::byte{'H'}) + table(1 << 15, std::array<double, 3>{100, 1000, 10})}) {
    std::size_t before = SIZE_MAX / 2;
    for (const Effort effort : {Effort::fast, Effort::normal, Effort::best}) {
      const std::size_t size = compressed(original, searching({.effort = effort})).size();
      CHECK(size < before + before / 200);
      before = size;
    }
  }
}

/// Rows of a multiplication table, `rows` times so many columns of 32 bits: a few bytes say all of it.
Bytes multiplication_table(std::uint32_t rows) {
  Bytes table;
  for (std::uint32_t i = 0; i < rows; ++i)
    for (std::uint32_t k = 0; k < rows; ++k) formats::put_le(table, i * k);
  return table;
}

TEST_CASE("the default is never more than 0.5 % larger than fast where little decides") {
  for (const Bytes& original : {multiplication_table(300), multiplication_table(40), events(300)}) {
    const std::size_t fast = compressed(original, searching({.effort = Effort::fast})).size();
    const std::size_t size = compressed(original, searching()).size();
    CHECK(size <= fast + fast / 200);
  }
}

/// Of 1500 short words of noise.
Bytes short_repeats(std::size_t bytes) {
  std::mt19937 random(11);
  std::vector<Bytes> words;
  for (unsigned i = 0; i < 1500; ++i) {
    Bytes& word = words.emplace_back(3 + random() % 3);
    for (std::byte& b : word) b = static_cast<std::byte>(random() % 128);
  }
  Bytes out;
  while (out.size() < bytes) formats::put_bytes(out, words[random() % words.size()]);
  return out;
}

TEST_CASE("repeats that only a search finds are found") {
  const Bytes original = short_repeats(1 << 18);
  CompressOptions plain = options_for(Column{}, 1u << 20);
  plain.level = 1;
  const std::size_t quick = packed(original, plain).size();
  for (const Effort effort : {Effort::fast, Effort::normal})
    CHECK(compressed(original, searching({.effort = effort})).size() < quick - quick / 8);
}

TEST_CASE("plain bytes keep long chunks where numbers are shorter than a chunk") {
  Bytes original = short_repeats(2 << 20);
  const Bytes numbers = walk(5 << 15, 4, 3);
  std::ranges::copy(numbers, original.begin() + (3 << 18));
  CHECK(analysis_of(original).chunk_bytes == 8u << 20);
}

TEST_CASE("long chunks of the best effort do not reach from one kind of numbers into another" * law) {
  const auto options = searching({.effort = Effort::best});
  CHECK(analysis_of(walk(3 << 19, 4, 3), options).chunk_bytes > 1u << 20);
  CHECK(analysis_of(sound_of_16_bits(1 << 19) + prices<double>(1 << 16), options).chunk_bytes == 1u << 20);
}

TEST_CASE("every effort is restored") {
  const Bytes original = walk(1 << 20, 2, 11);
  for (const Effort effort : {Effort::fastest, Effort::fast, Effort::normal, Effort::best}) {
    compressed(original, searching({.effort = effort}));
  }
}

TEST_CASE("a tuple longer than the input is restored") {
  const Bytes original = walk(1 << 18, 2, 11);
  for (const Effort effort : {Effort::fastest, Effort::fast, Effort::normal, Effort::best}) {
    for (const std::uint32_t tuple : {0x20000000u, 0xFFFFFFFFu}) {
      compressed(original, searching({.effort = effort, .word = 2, .tuple = tuple}));
    }
  }
}

TEST_CASE("frames cover a chunk exactly, with every plan") {
  std::mt19937 random(1);
  for (const char* type : {"u8", "i16x2", "f32x3", "i64x2", "u32x1000", "u64x3758096384"}) {
    for (const std::size_t bytes : {1u, 4095u, 4096u, 65536u, 100001u, 1000003u}) {
      const Plan plan = plan_for(type).value();
      std::vector<std::uint32_t> lengths;
      for (const auto& part : formats::substreams(plan, bytes))
        lengths.push_back(static_cast<std::uint32_t>(part.most));
      FramePlan frames;
      for (auto& packing : frames.packing) packing = static_cast<Packing>(random() % kPackings);
      std::size_t sum = 0;
      for (const FramePiece& piece : cut_frames(frames, plane_lengths(plan, lengths), 1 << 16)) {
        CHECK(piece.bytes > 0);
        CHECK(piece.bytes <= 1 << 16);
        sum += piece.bytes;
      }
      INFO("type ", type, " bytes ", bytes);
      CHECK(sum == bytes);
    }
  }
}

TEST_CASE("an input whose second half repeats its first takes half the room, with every effort" * law) {
  const Bytes half = noise(2 << 20, 9);
  for (const Effort effort : {Effort::fast, Effort::normal, Effort::best}) {
    const std::size_t size = compressed(half + half, searching({.effort = effort})).size();
    CHECK(size < half.size() + half.size() / 100);
  }
}

TEST_CASE("samples do not hold the same bytes where an input repeats itself after a distance between them") {
  constexpr std::size_t kPieces = 8, kPiece = 64 << 10, kBytes = 8 << 20;
  constexpr std::size_t kApart = (kBytes - kPiece) / (kPieces - 1) / 8 * 8;
  Bytes original = noise(2 * kApart - 4096, 5);
  while (original.size() < kBytes) original = original + original;
  original.resize(kBytes);
  MemoryRandomAccess input(original);
  const auto repeats = [](Result<Samples> samples) {
    MemoryRandomAccess joined(samples.value().memory);
    return repeat_distance(joined, 0).value() != 0;
  };
  CHECK(repeats(take_samples(input, 0, kPieces, kPiece)));
  CHECK_FALSE(repeats(take_different_samples(input, 0, kPieces, kPiece)));
}

TEST_CASE("smooth bytes that stand again are found, although eight of them often stand elsewhere by chance") {
  Bytes once;
  std::mt19937 random(8);
  for (int level = 0; once.size() < 700'000; level += static_cast<int>(random() % 3) - 1)
    once.insert(once.end(), 6, static_cast<std::byte>(level / 4));
  Bytes original;
  for (int i = 0; i < 20; ++i) original.insert(original.end(), once.begin(), once.end());
  MemoryRandomAccess input(original);
  CHECK(repeat_distance(input, 0).value() == once.size());
}

TEST_CASE("repeats that begin behind 8 MiB are found") {
  const Bytes once = noise(2 << 20, 9);
  const Bytes original = noise(9 << 20, 8) + once + once + once + once;
  MemoryRandomAccess input(original);
  CHECK(repeat_distance(input, 0).value() == once.size());
}

TEST_CASE("a short input has several recipes if the caller wants short chunks") {
  const Bytes original = walk(1 << 16, 4, 3) + text(1 << 19);
  CompressOptions options = searching();
  options.chunk_bytes = 1 << 16;
  CHECK(analysis_of(original, options).chosen.size() > 1);
  CHECK(analysis_of(original).chosen.size() == 1);
}

TEST_CASE("numbers that stand again at another place of a word take little more than once") {
  Bytes once = prices<float>(200'000);
  once.push_back(std::byte{7});
  Bytes original;
  for (int i = 0; i < 8; ++i) original.insert(original.end(), once.begin(), once.end());
  CHECK(compressed(original, searching()).size() < packed(once, options_for(Column{})).size() * 11 / 10);
}

TEST_CASE("records that stand again are found, although parts of them are the same everywhere") {
  constexpr std::size_t kRecords = 50000;
  std::mt19937 random(3);
  Bytes once;
  for (std::uint64_t i = 0; i < kRecords; ++i) {
    for (const std::uint64_t field :
         {0x4000 + 8 * i, std::uint64_t{8}, std::uint64_t{random() % (1u << 20)}}) {
      std::array<std::byte, 8> bytes;
      formats::set_le<std::uint64_t>(bytes, field);
      once.insert(once.end(), bytes.begin(), bytes.end());
    }
  }
  const Bytes twice = once + once + once;
  MemoryRandomAccess input(twice), alone(once);
  CHECK(repeat_distance(input, 0).value() == once.size());
  CHECK(repeat_distance(alone, 0).value() == 0);
}

TEST_CASE("a stretch that one value fills is no repeat") {
  const Bytes numbers = walk(1 << 20, 4, 3);
  const Bytes zeros(1 << 20), ones = bytes_of(std::vector<double>(1 << 17, 1.0));
  for (const Bytes& original : {numbers + zeros, numbers + ones}) {
    MemoryRandomAccess input(original);
    CHECK(repeat_distance(input, 0).value() == 0);
  }
  CHECK(compressed(numbers + zeros, searching()).size() < compressed(numbers, searching()).size() * 11 / 10);
}

TEST_CASE("numbers of which most are zero get tokens, whatever their width") {
  const auto check = [](auto zero) {
    std::mt19937 random(6);
    std::vector<decltype(zero)> words(1 << 17);
    for (auto& word : words)
      if (random() % 10 == 0) word = static_cast<decltype(zero)>(static_cast<double>(random()) / 1.5e9);
    const Bytes original = bytes_of(words);
    for (const Effort effort : {Effort::fast, Effort::normal})
      CHECK(has_step<TokensStep>(chosen_for(original, effort)));
    CHECK(compressed(original, searching()).size() * 11 <
          packed(original, options_for(Column{})).size() * 10);
  };
  check(float{});
  check(double{});
}

TEST_CASE("words that do not follow from one another may need no more than planes") {
  std::mt19937 random(6);
  std::vector<std::uint16_t> words;
  for (std::size_t i = 0; i < 1 << 18; ++i)
    words.push_back(static_cast<std::uint16_t>(random() % 200 * (1 + random() % 3)));
  const Bytes original = bytes_of(words);
  CHECK(chosen_for(original).columns.front().width == 2);
  CHECK(compressed(original, searching()).size() * 11 < packed(original, options_for(Column{})).size() * 10);
}

TEST_CASE("the plan of a short input does not take more than it saves") {
  for (const std::size_t bytes : {1000u, 10000u, 30000u})
    CHECK(compressed(noise(bytes), searching()).size() < bytes + 600);
}
