// SPDX-License-Identifier: Apache-2.0
// Are records of mixed fields found, as well as if somebody had named the fields, and nothing where there are
// none?
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <string>

#include "codec/search/column/proposals.hpp"
#include "codec/search/records/fields.hpp"
#include "codec/search/records/record_search.hpp"
#include "codec/stream/memory_io.hpp"
#include "formats/names.hpp"
#include "formats/plan/plan_rules.hpp"
#include "kernels/cpu/sweep.hpp"
#include "kernels/cpu/targets.hpp"
#include "kernels/steps/column_decoder.hpp"

namespace tdz {
namespace {

using Bytes = std::vector<std::byte>;

/// Fields one behind the other.
class Writer {
 public:
  template <class T>
  Writer& put(T x) {
    append(x, false);
    return *this;
  }
  template <class T>
  Writer& put_big(T x) {
    append(x, true);
    return *this;
  }
  Writer& put_text(const std::string& text) {
    for (const char c : text) bytes_.push_back(static_cast<std::byte>(c));
    return *this;
  }
  Bytes take() { return std::move(bytes_); }

 private:
  template <class T>
  void append(T x, bool big) {
    std::array<std::byte, sizeof(T)> raw;
    std::memcpy(raw.data(), &x, sizeof(T));
    if (big != (std::endian::native == std::endian::big)) std::ranges::reverse(raw);
    bytes_.insert(bytes_.end(), raw.begin(), raw.end());
  }

  Bytes bytes_;
};

class Chance {
 public:
  explicit Chance(std::uint64_t seed) : random_(seed) {}
  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  std::int64_t around(std::int64_t reach) {
    return static_cast<std::int64_t>(below(2 * static_cast<std::uint64_t>(reach) + 1)) - reach;
  }
  std::uint64_t bits() { return random_(); }

 private:
  std::mt19937_64 random_;
};

/// {u64 time, f32 x 5 with two decimals, u32 flags}
Bytes sensor_log(std::size_t records) {
  Chance chance(1);
  Writer writer;
  std::uint64_t time = 1'700'000'000'000;
  std::array<std::int64_t, 5> values{2000, 101300, 5500, 10, 330};
  for (std::size_t i = 0; i < records; ++i) {
    writer.put(time += 98 + chance.below(5));
    for (auto& v : values) writer.put(static_cast<float>(static_cast<double>(v += chance.around(4)) / 100));
    writer.put(static_cast<std::uint32_t>(1 + i / 700 % 4));
  }
  return writer.take();
}

/// {u32 id, u16 level, f32, u8, u8, u16 noise}, 14 bytes
Bytes packed_structs(std::size_t records) {
  Chance chance(2);
  Writer writer;
  std::uint32_t id = 1;
  std::uint16_t level = 2000;
  float value = 300;
  for (std::size_t i = 0; i < records; ++i) {
    id += chance.below(50) == 0 ? 2u : 1u;
    level = static_cast<std::uint16_t>(level + chance.around(30));
    value += static_cast<float>(chance.around(1000)) * 1e-5f;
    writer.put(id).put(level).put(value).put(static_cast<std::uint8_t>(i / 977 % 5));
    writer.put(static_cast<std::uint8_t>(chance.below(3))).put(static_cast<std::uint16_t>(chance.bits()));
  }
  return writer.take();
}

/// {f32 x 3, u8 x 3, u16}, 17 bytes
Bytes point_cloud(std::size_t records) {
  Chance chance(3);
  Writer writer;
  std::array<float, 3> place{};
  for (std::size_t i = 0; i < records; ++i) {
    for (float& p : place) writer.put(p += static_cast<float>(chance.around(5000)) * 1e-5f);
    const auto colour = static_cast<std::int64_t>(128 + 60 * (i / 500 % 2));
    for (int c = 0; c < 3; ++c) writer.put(static_cast<std::uint8_t>(colour + chance.around(6)));
    writer.put(static_cast<std::uint16_t>(500 + chance.around(150)));
  }
  return writer.take();
}

/// {i32 x 3, u16, u8 x 4, u16}, 20 bytes, as LAS has points
Bytes survey_points(std::size_t records) {
  Chance chance(4);
  Writer writer;
  std::array<std::int32_t, 3> place{10'000'000, 50'000'000, 10'000};
  for (std::size_t i = 0; i < records; ++i) {
    for (auto& p : place) writer.put(p += static_cast<std::int32_t>(chance.around(60)));
    writer.put(static_cast<std::uint16_t>(800 + chance.around(300)));
    writer.put(static_cast<std::uint8_t>(chance.below(8) == 0 ? 17 : 9));
    writer.put(static_cast<std::uint8_t>(chance.below(10) < 7 ? 2 : 5));
    writer.put(static_cast<std::int8_t>(i % 3000 / 100)).put(std::uint8_t{0}).put(std::uint16_t{17});
  }
  return writer.take();
}

/// {u32 time, i16 x 3, u16 flags}, big-endian, 12 bytes
Bytes big_endian_log(std::size_t records) {
  Chance chance(5);
  Writer writer;
  std::uint32_t time = 1000;
  std::array<std::int16_t, 3> values{0, 0, 1000};
  for (std::size_t i = 0; i < records; ++i) {
    writer.put_big(time += 10);
    for (auto& v : values) writer.put_big(v = static_cast<std::int16_t>(v + chance.around(20)));
    writer.put_big(static_cast<std::uint16_t>(chance.below(100) == 0));
  }
  return writer.take();
}

/// {u64 time, f64 price with two decimals, f64 size, u32 id, u8 side}, 29 bytes
Bytes trades(std::size_t records) {
  Chance chance(6);
  Writer writer;
  std::uint64_t time = 1'700'000'000'000'000'000;
  std::int64_t price = 10125;
  for (std::size_t i = 0; i < records; ++i) {
    time += 1000 * chance.below(20000);
    if (chance.below(3) == 0) price += chance.around(2);
    writer.put(time)
        .put(static_cast<double>(price) / 100)
        .put(static_cast<double>(100 * (1 + chance.below(20))));
    writer.put(static_cast<std::uint32_t>(1'000'000 + i))
        .put(static_cast<std::uint8_t>("BS"[chance.below(2)]));
  }
  return writer.take();
}

Bytes noise(std::size_t bytes) {
  Chance chance(7);
  Writer writer;
  for (std::size_t i = 0; i < bytes; i += 8) writer.put(chance.bits());
  return writer.take();
}

template <class T>
Bytes walk(std::size_t words, std::int64_t step) {
  Chance chance(8);
  Writer writer;
  std::int64_t x = 0;
  for (std::size_t i = 0; i < words; ++i) writer.put(static_cast<T>(x += chance.around(step)));
  return writer.take();
}

Bytes with_header(std::size_t header, const Bytes& records) {
  Bytes bytes(header, std::byte{'.'});
  bytes.insert(bytes.end(), records.begin(), records.end());
  return bytes;
}

/// The samples of a file, as the search takes them.
class File {
 public:
  explicit File(Bytes bytes) : bytes_(std::move(bytes)), input_(bytes_) {
    samples_ = take_samples(input_, 0, 8, std::size_t{32} << 10).value();
  }
  std::optional<RecordChoice> search(std::uint64_t single, const SearchOptions& request = {},
                                     const std::vector<NumberType>& said = {}) const {
    Trial trial(3);
    const SearchLimits limits = limits_of(request.effort);
    const auto single_column = [single] { return Result<SingleColumn>({single, single}); };
    return search_record(samples_, samples_.pieces, said, request, limits, single_column, trial).value();
  }
  /// What somebody finds who knows the fields.
  RecordChoice told(std::string_view types, bool big_endian = false) const {
    SearchOptions request;
    request.big_endian = big_endian;
    return search(UINT64_MAX, request, formats::parse_types(types).value()).value();
  }
  std::uint64_t plain() const {
    Trial trial(3);
    return trial.packed_together(plain_plan(), samples_.pieces).value();
  }
  /// With words of this many bytes as planes of a tuple, which the search for one column tries first.
  std::uint64_t as_tuple(std::uint8_t word, std::uint32_t tuple) const {
    Trial trial(3);
    Plan plan{Coding::zstd, {{word, 1, {DifferenceStep{tuple, 1}, ZigzagStep{}}}}};
    if (word * tuple > 1) plan.columns[0].steps.push_back(TuplePlanesStep{tuple});
    const Pieces pieces = aligned(samples_, samples_.pieces, std::size_t{word} * tuple);
    return trial.packed_together(plan, pieces).value();
  }

 private:
  Bytes bytes_;
  MemoryRandomAccess input_;
  Samples samples_;
};

bool comes_back(const RecordChoice& choice, std::span<const std::byte> records) {
  ColumnEncoder encoder;
  ColumnDecoder decoder;
  const auto coded = encoder.encode(choice.plan, choice.hints, records).value();
  Bytes back(records.size());
  return decoder.decode(choice.plan, coded.lengths, coded.bytes, back) && std::ranges::equal(back, records);
}

/// Found without a word, at most 2 % larger than with the fields named, and valid.
void check_found(const Bytes& bytes, std::string_view types, bool big_endian = false) {
  INFO(types);
  const File file(bytes);
  const RecordChoice told = file.told(types, big_endian);
  const auto found = file.search(file.as_tuple(1, static_cast<std::uint32_t>(row_bytes(told.plan))));
  REQUIRE(found);
  CHECK(row_bytes(found->plan) == row_bytes(told.plan));
  CHECK(found->phase == 0);
  CHECK(found->packed_bytes * 100 <= told.packed_bytes * 102);
  CHECK(formats::check(found->plan));
  CHECK(found->hints.size() == found->plan.columns.size());
  CHECK(comes_back(*found, bytes));
}

}  // namespace

TEST_CASE("structs are found as well as if their fields were named") {
  check_found(sensor_log(12000), "u64,f32x5,u32");
  check_found(packed_structs(25000), "u32,u16,f32,u8,u8,u16");
  check_found(point_cloud(20000), "f32x3,u8x3,u16");
  check_found(survey_points(20000), "i32x3,u16,u8x4,u16");
  check_found(trades(14000), "u64,f64,f64,u32,u8");
}

TEST_CASE("big-endian structs are found") {
  check_found(big_endian_log(30000), "u32,i16x3,u16", true);
}

TEST_CASE("fields are cut where they were put") {
  const auto widths = [](const Bytes& bytes, std::size_t record) {
    std::string text;
    for (const RecordField& field : guess_fields({bytes}, record, std::size_t{64} << 10).fields)
      text += std::string(field.real ? "f" : "w") + std::to_string(8 * field.width) +
              (field.big_endian ? "b " : " ");
    return text;
  };
  CHECK(widths(sensor_log(6000), 32) == "w64 f32 f32 f32 f32 f32 w32 ");
  CHECK(widths(trades(6000), 29) == "w64 f64 f64 w32 w8 ");
  CHECK(widths(big_endian_log(9000), 12) == "w32b w16b w16b w16b w16b ");
}

TEST_CASE("a record that begins behind a header of unknown length is found") {
  for (const std::size_t header : {101u, 13u, 3u}) {
    CAPTURE(header);
    const Bytes bytes = with_header(header, sensor_log(12000));
    const File file(bytes);
    const File without(sensor_log(12000));
    const auto found = file.search(file.as_tuple(1, 32));
    REQUIRE(found);
    CHECK(found->phase < 8);
    CHECK(found->packed_bytes * 100 <= without.told("u64,f32x5,u32").packed_bytes * 103);
    CHECK(comes_back(*found, std::span(bytes).subspan(found->phase)));
  }
}

TEST_CASE("numbers of one kind behind a header of odd length begin where the first one does") {
  Chance chance(10);
  Writer writer;
  std::int64_t cents = 0;
  for (int i = 0; i < 40'000; ++i) writer.put(static_cast<double>(cents += chance.around(150)) / 100);
  const File file(with_header(13, writer.take()));
  const auto found = file.search(file.as_tuple(1, 8));
  REQUIRE(found);
  CHECK(found->phase == 5);
  REQUIRE(found->plan.columns.size() == 1);
  CHECK(found->plan.columns[0].width == 8);
}

TEST_CASE("lengths of records are proposed up to 1024 bytes, odd ones too") {
  for (const std::size_t record : {7u, 13u, 24u, 333u, 1000u, 1021u}) {
    CAPTURE(record);
    Chance chance(record);
    Bytes fixed(record);
    for (auto& byte : fixed) byte = static_cast<std::byte>(chance.bits());
    Bytes bytes;
    while (bytes.size() < 300'000) {
      for (std::size_t i = 0; i < record; ++i)
        bytes.push_back(i % 3 == 0 ? static_cast<std::byte>(chance.bits()) : fixed[i]);
    }
    const File file(bytes);
    MemoryRandomAccess input(bytes);
    const auto lengths =
        propose_mixed_records(take_samples(input, 0, 8, std::size_t{32} << 10).value().pieces);
    REQUIRE_FALSE(lengths.empty());
    CHECK(lengths.front() == record);
  }
}

TEST_CASE("noise, text and arrays of one kind hold no records") {
  const auto finds = [](const Bytes& bytes, std::uint8_t word, std::uint32_t tuple) {
    const File file(bytes);
    return file.search(word == 0 ? file.plain() : file.as_tuple(word, tuple)).has_value();
  };
  CHECK_FALSE(finds(noise(300'000), 0, 0));
  CHECK_FALSE(finds(walk<std::int16_t>(150'000, 100), 2, 1));
  CHECK_FALSE(finds(walk<std::uint8_t>(300'000, 3), 1, 1));
  CHECK_FALSE(finds(walk<std::int64_t>(40'000, 100'000), 8, 1));
  CHECK_FALSE(finds(walk<float>(80'000, 100'000), 4, 1));
  CHECK_FALSE(finds(Bytes(300'000), 0, 0));
  const std::array<std::string, 8> words{"the ", "sea ",   "was ",    "calm ",
                                         "and ", "grey, ", "nobody ", "spoke.\n"};
  Chance chance(9);
  Writer text;
  for (int i = 0; i < 60'000; ++i) text.put_text(words[chance.below(words.size())]);
  CHECK_FALSE(finds(text.take(), 0, 0));
}

TEST_CASE("columns must be clearly smaller than one column") {
  const File file(packed_structs(25000));
  const std::uint64_t found = file.told("u32,u16,f32,u8,u8,u16").packed_bytes;
  CHECK(file.search(found * 110 / 100));
  CHECK_FALSE(file.search(found * 101 / 100));
}

TEST_CASE("named fields that are wrong do not hinder") {
  const File file(packed_structs(25000));
  const std::uint64_t single = file.as_tuple(1, 14);
  const auto found = file.search(single, {}, formats::parse_types("u16,f64,u32,u8").value());
  REQUIRE(found);
  CHECK(row_bytes(found->plan) == 14);
}

TEST_CASE("what the caller set stays") {
  const File file(sensor_log(12000));
  SearchOptions request;
  request.layout = Layout::bit_planes;
  request.order = std::uint8_t{2};
  const auto found = file.search(file.as_tuple(1, 32), request);
  REQUIRE(found);
  for (const Column& column : found->plan.columns) {
    REQUIRE(has_layout(column));
    if (column.width == 1) continue;
    CHECK(std::holds_alternative<BitPlanesStep>(column.steps.back()));
  }
  request = {};
  request.word = std::uint8_t{4};
  CHECK_FALSE(file.search(UINT64_MAX, request));
  request = {};
  request.tuple = 8;
  CHECK_FALSE(file.search(UINT64_MAX, request));
}

TEST_CASE("inputs that are too short hold no records") {
  const Bytes log = sensor_log(200);
  for (const std::size_t bytes : {0u, 1u, 31u, 32u, 100u, 1000u, 1500u}) {
    CAPTURE(bytes);
    const File file(Bytes(log.begin(), log.begin() + static_cast<std::ptrdiff_t>(bytes)));
    CHECK_FALSE(file.search(UINT64_MAX));
    CHECK_FALSE(file.search(UINT64_MAX, {}, formats::parse_types("u64,f32x5,u32").value()));
  }
}

TEST_CASE("every target finds the same columns") {
  const File file(packed_structs(12000));
  const auto once = file.search(UINT64_MAX);
  REQUIRE(once);
  for (const cpu::Target& target : cpu::supported_targets()) {
    cpu::force_target(target);
    INFO(target.name);
    const auto again = file.search(UINT64_MAX);
    REQUIRE(again);
    CHECK(again->plan == once->plan);
    CHECK(again->packed_bytes == once->packed_bytes);
  }
  cpu::unforce_target();
}

}  // namespace tdz
