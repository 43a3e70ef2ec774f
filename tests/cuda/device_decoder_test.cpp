// SPDX-License-Identifier: Apache-2.0
// Does tdz::DeviceDecoder put the right values into device memory, and does it judge as the CPU's reader
// does?
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "kernels/cuda/packed/packed_plan.hpp"
#include "tdz/device_decoder.hpp"
#include "tests/codec/device_batch.hpp"
#include "tests/cuda/decode_on_device.hpp"
#include "tests/cuda/quick.hpp"

namespace tdz::test {
namespace {

/// A file of samples/, or the folder that TDZ_SAMPLES names.
Bytes sample(const char* name) {
  const char* folder = std::getenv("TDZ_SAMPLES");
  const std::string from = folder != nullptr ? folder : TDZ_SOURCE_DIR "/samples";
  std::ifstream file(from + "/" + name, std::ios::binary);
  REQUIRE(file.good());
  Bytes bytes(1u << 20);
  file.read(reinterpret_cast<char*>(bytes.data()), std::ssize(bytes));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

Column column_of(std::uint8_t width, std::uint16_t count, std::vector<PlanStep> steps,
                 TokenCode code = {4, 1}, std::uint32_t tuple = 1, std::uint32_t run = 1024) {
  steps.push_back(TokensStep{tuple, code, run});
  return {width, count, std::move(steps)};
}

PlanStep difference(std::uint32_t tuple, std::uint8_t order, std::uint32_t run = 0) {
  return DifferenceStep{tuple, order, run};
}
PlanStep zigzag() {
  return ZigzagStep{};
}

struct Case {
  const char* name;
  const char* file;
  Plan plan;
  bool swapped = false;  ///< the words of the file take the other byte order first
};

Bytes original_of(const Case& one) {
  Bytes bytes = sample(one.file);
  const std::size_t width = one.swapped ? one.plan.columns.front().width : 1;
  for (std::size_t i = 0; i + width <= bytes.size(); i += width)
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(i),
                 bytes.begin() + static_cast<std::ptrdiff_t>(i + width));
  return bytes;
}

/// Steps in registers, steps that are left, tuples, columns.
std::vector<Case> cases() {
  const LaneRule plain{1, true}, after_first{1, true, 0, 0, true};
  const LaneRule green{1, true}, red{0, true, 1}, blue{1, false, 0};  // red after green, blue after red
  const auto uniform = [](std::vector<Column> columns) { return Plan{Coding::uniform, std::move(columns)}; };
  const auto groups = [](Column column) { return Plan{Coding::zstd, {std::move(column)}}; };
  return {
      {"order 1", "audio_i16x1.bin", uniform({column_of(2, 1, {difference(1, 1, 1024), zigzag()})})},
      {"order 3", "relief_i16x1.bin",
       uniform({column_of(2, 1, {difference(1, 3, 2048), zigzag()}, {3, 1}, 1, 2048)})},
      {"a tuple", "stars_u32x3.bin",
       uniform({column_of(4, 3, {difference(3, 1, 1024), zigzag()}, {4, 1}, 3)})},
      {"two columns", "winds_f32x2.bin",
       uniform({column_of(4, 1, {difference(1, 1, 1024), zigzag()}),
                column_of(2, 2, {difference(2, 1, 1024), zigzag()}, {4, 2}, 2)})},
      {"bytes", "audio_i16x1.bin", uniform({column_of(1, 1, {}, {7, 7})})},
      {"words of 3 bytes", "relief_i16x1.bin",
       uniform({column_of(3, 1, {difference(1, 1, 1024), zigzag()})})},
      {"words of 8 bytes", "winds_f32x2.bin",
       uniform({column_of(8, 1, {difference(1, 2, 1024), zigzag()}, {3, 1})})},
      {"no run", "audio_i16x1.bin", uniform({column_of(2, 1, {difference(1, 5), zigzag()})})},
      {"rows", "relief_i16x1.bin",
       uniform({column_of(2, 1, {difference(720, 1), difference(1, 1, 1024), zigzag()})})},
      {"big-endian", "geoid_f32x1.bin",
       uniform({column_of(4, 1, {ByteswapStep{}, difference(1, 1, 1024), zigzag()})})},
      {"scale", "geoid_f32x1.bin",
       uniform({column_of(4, 1, {ScaleStep{1, ScaleKind::real}, difference(1, 1, 1024), zigzag()})})},
      {"lanes", "stars_u32x3.bin",
       uniform({column_of(4, 3, {LanesStep{{plain, after_first, plain}, 1024}}, {4, 1}, 3)})},
      {"lanes after lanes", "audio_i16x1.bin",
       uniform({column_of(1, 3, {LanesStep{{red, green, blue}, 1024}}, {7, 7}, 3)})},
      {"an image", "audio_i16x1.bin",
       uniform({column_of(1, 3, {difference(1200, 1), LanesStep{{red, green, blue}, 1024}}, {7, 7}, 3)})},
      {"an image of odd rows, big-endian", "relief_i16x1.bin",
       uniform({column_of(2, 3, {ByteswapStep{}, difference(999, 2), LanesStep{{red, green, blue}, 1024}},
                          {4, 1}, 3)})},
      {"bytes in many lanes", "stars_u32x3.bin", uniform({column_of(1, 1, {zigzag()}, {7, 7}, 12)})},
      {"many lanes and scale", "winds_f32x2.bin",
       uniform(
           {column_of(4, 1, {ScaleStep{7, ScaleKind::real}, difference(7, 1, 1024), zigzag()}, {4, 1}, 7)})},
      {"many lanes beside a column", "winds_f32x2.bin",
       uniform(
           {column_of(2, 2, {zigzag()}, {4, 1}, 6), column_of(4, 1, {difference(1, 1, 1024), zigzag()})})},
      {"predict", "audio_i16x1.bin", uniform({column_of(2, 1, {PredictStep{1, Sign::is_signed}, zigzag()})})},
      {"a column without blocks", "winds_f32x2.bin",
       uniform({column_of(4, 1, {difference(1, 1, 1024), zigzag()}),
                Column{4, 1, {difference(1, 1), PlanesStep{}}}})},
      {"general frames", "audio_i16x1.bin", plan_for("i16").value()},
      {"packed", "audio_i16x1.bin", groups({2, 1, {difference(1, 1), zigzag(), PackedStep{1}}})},
      {"packed, order 3", "relief_i16x1.bin", groups({2, 1, {difference(1, 3), zigzag(), PackedStep{1}}})},
      {"packed, rows", "relief_i16x1.bin",
       groups({2, 1, {difference(720, 1), difference(1, 1), zigzag(), PackedStep{1}}})},
      {"packed, a tuple", "stars_u32x3.bin", groups({4, 3, {difference(3, 1), zigzag(), PackedStep{3}}})},
      {"packed, big-endian", "geoid_f32x1.bin",
       groups({4, 1, {ByteswapStep{}, difference(1, 2), zigzag(), PackedStep{1}}}), true},
      {"packed, words of 8 bytes", "geoid_f32x1.bin",
       groups({8, 1, {difference(1, 1), zigzag(), PackedStep{1}}})},
      {"packed, bytes", "audio_i16x1.bin", groups({1, 1, {difference(2, 1), zigzag(), PackedStep{2}}})},
      {"packed alone", "audio_i16x1.bin", groups({2, 1, {zigzag(), PackedStep{1}}})},
  };
}

/// Streams of different plans, one behind the other.
struct Mixed {
  Bytes original, stored;

  void add(const Plan& plan, const Bytes& part) {
    original = original + part;
    stored = stored + packed(part, options_for(plan, 128u << 10));
  }
};

Mixed mixed() {
  Mixed all;
  for (const Case& one : cases()) all.add(one.plan, original_of(one));
  return all;
}

}  // namespace

TEST_CASE("every kind of plan") {
  for (const Case& one : cases()) {
    CAPTURE(std::string(one.name));
    const Bytes original = original_of(one);
    const Bytes stored = packed(original, options_for(one.plan, 256u << 10));
    const OnDevice outcome = decode_on_device(DeviceDecoder::open(stored));
    check_same(outcome.wanted, original);
    CHECK(outcome.refused == 0);
    // A last chunk that is shorter than a block has none.
    const std::uint64_t most = cuda::is_for_device(one.plan) ? 1 : outcome.sizes.chunks;
    CHECK(outcome.sizes.cpu_chunks <= most);
  }
}

TEST_CASE("one file with every kind of plan, on the host and on the device") {
  const Mixed all = mixed();
  const OnDevice from_host = decode_on_device(DeviceDecoder::open(all.stored));
  check_same(from_host.wanted, all.original);
  CHECK(from_host.refused == 0);
  const testing::DeviceBuffer stored(all.stored);
  const OnDevice from_device = decode_on_device(DeviceDecoder::open_on_device(stored.data(), stored.bytes()));
  check_same(from_device.wanted, all.original);
  CHECK(from_device.refused == 0);
  for (const std::uint64_t slice : {1u, 300'000u, 1'000'000u}) {
    CAPTURE(slice);
    check_same(decode_on_device(DeviceDecoder::open(all.stored, {.slice = slice})).wanted, all.original);
    check_same(
        decode_on_device(DeviceDecoder::open_on_device(stored.data(), stored.bytes(), {.slice = slice}))
            .wanted,
        all.original);
  }
}

TEST_CASE("a file in memory that is pinned already is copied from there") {
  using testing::PinnedBuffer;
  const Mixed all = mixed();
  const std::uint64_t usual = decode_on_device(DeviceDecoder::open(all.stored)).sizes.pinned;
  for (const auto way : {PinnedBuffer::Way::allocated, PinnedBuffer::Way::registered})
    for (const std::uint64_t slice : {0u, 300'000u}) {
      const PinnedBuffer stored(all.stored, way);
      const OnDevice outcome = decode_on_device(DeviceDecoder::open(stored.bytes(), {.slice = slice}));
      check_same(outcome.wanted, all.original);
      CHECK(outcome.refused == 0);
      CHECK(outcome.sizes.pinned < usual);
    }
}

TEST_CASE("a file of which only a part is pinned") {
  const Mixed all = mixed();
  Bytes stored = all.stored;
  testing::check(cudaHostRegister(stored.data(), stored.size() / 2, cudaHostRegisterDefault),
                 "cudaHostRegister");
  const OnDevice outcome = decode_on_device(DeviceDecoder::open(stored));
  check_same(outcome.wanted, all.original);
  CHECK(outcome.sizes.pinned == decode_on_device(DeviceDecoder::open(all.stored)).sizes.pinned);
  testing::check(cudaHostUnregister(stored.data()), "cudaHostUnregister");
}

TEST_CASE("ranges") {
  const Mixed all = mixed();
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    Chance chance(seed);
    const std::uint64_t begin = chance.below(all.original.size());
    const Range range{{begin}, Extent{chance.below(all.original.size() - begin + 1)}};
    DecompressOptions options = one_thread();
    options.range = range;
    check_same(decode_on_device(DeviceDecoder::open(all.stored), range).wanted,
               decompress(all.stored, options));
  }
}

TEST_CASE("plans by chance") {
  std::uint64_t on_device = 0, refused = 0;
  const std::uint64_t seeds = testing::quick() ? 5 : 150;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    CAPTURE(seed);
    Chance chance(seed);
    std::vector<Bytes> blocks;
    Bytes original;
    for (std::uint64_t count = 1 + chance.below(8); count > 0; --count) {
      const Plan plan = chance.once_in(5) ? random_plan(chance) : random_device_plan(chance);
      const Bytes part =
          pieces(chance, 1 + chance.below(200'000), 1 + chance.below(60'000), plan.columns[0].width);
      blocks.push_back(encode_block(plan, part).value());
      original = original + part;
    }
    const std::vector<std::span<const std::byte>> spans(blocks.begin(), blocks.end());
    const OnDevice outcome = decode_on_device(DeviceDecoder::open_blocks(spans, {.slice = seed % 2}));
    check_same(outcome.wanted, original);
    on_device += outcome.sizes.chunks - outcome.sizes.cpu_chunks;
    refused += outcome.refused;
  }
  std::printf("%llu chunks on the device, %llu refused\n", static_cast<unsigned long long>(on_device),
              static_cast<unsigned long long>(refused));
  CHECK(on_device > seeds * 4 / 3);
  CHECK(refused == 0);
}

TEST_CASE("packed groups: plans by chance, at any address") {
  std::uint64_t on_device = 0, refused = 0;
  const std::uint64_t seeds = testing::quick() ? 5 : 200;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    CAPTURE(seed);
    Chance chance(seed);
    Bytes original, stored;
    for (std::uint64_t count = 1 + chance.below(4); count > 0; --count) {
      const Plan plan = random_packed_plan(chance);
      const Bytes part =
          walk(1 + static_cast<std::size_t>(chance.below(chance.once_in(2) ? 30'000 : 3'000'000)),
               plan.columns[0].width, static_cast<std::uint32_t>(chance.bits()));
      stored = stored + packed(part, options_for(plan, 65536u << chance.below(5)));
      original = original + part;
    }
    const OnDevice outcome = decode_on_device(
        DeviceDecoder::open(stored, {.slice = chance.once_in(2) ? chance.below(1'000'000) : 0}));
    check_same(outcome.wanted, original);
    on_device += outcome.sizes.chunks - outcome.sizes.cpu_chunks;
    refused += outcome.refused;
  }
  std::printf("%llu chunks of packed groups on the device, %llu refused\n",
              static_cast<unsigned long long>(on_device), static_cast<unsigned long long>(refused));
  CHECK(on_device > seeds * 5);
  CHECK(refused == 0);
}

/// Decodes to an odd address. Returns how many chunks the device decoded.
std::uint64_t decoded_at_odd_address(const Plan& plan, const Bytes& original) {
  const Bytes stored = packed(original, options_for(plan));
  auto decoder = DeviceDecoder::open(stored);
  REQUIRE(decoder);
  const auto sizes = decoder->select();
  REQUIRE(sizes);
  CHECK(sizes->cpu_chunks == 0);
  REQUIRE(decoder->load());
  const testing::DeviceBuffer values(sizes->original + 1), scratch(sizes->scratch);
  REQUIRE(decoder->decode(values.data() + 1, scratch.data(), nullptr));
  REQUIRE(decoder->finish());
  const Bytes found = values.get();
  CHECK(std::equal(original.begin(), original.end(), found.begin() + 1));
  CHECK(sizes->chunks > 1);
  return sizes->chunks - decoder->refused_chunks();
}

/// One column without steps.
Plan plain_plan() {
  return {Coding::zstd, {{1, 1, {}}}};
}

TEST_CASE("plain chunks are copied, to any address") {
  for (const std::size_t bytes : {1u, 240u, 241u, 1'025u, 70'000u, 3'000'001u}) {
    CAPTURE(bytes);
    const Bytes original = noise(bytes);
    const Bytes stored = packed(original, options_for(plain_plan(), 1u << 20));
    const testing::DeviceBuffer there(stored);
    for (const bool on_device : {false, true}) {
      const OnDevice outcome =
          decode_on_device(on_device ? DeviceDecoder::open_on_device(there.data(), there.bytes())
                                     : DeviceDecoder::open(stored));
      check_same(outcome.wanted, original);
      CHECK(outcome.refused == 0);
      CHECK(outcome.sizes.cpu_chunks == 0);
    }
  }
  CHECK(decoded_at_odd_address(plain_plan(), noise(3'000'000)) > 0);
}

TEST_CASE("plain chunks: damaged files have the verdict of decompress") {
  std::uint64_t bad = 0;
  const std::uint64_t seeds = testing::quick() ? 5 : 200;
  const Bytes good = packed(noise(300'000), options_for(plain_plan(), 65536));
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    CAPTURE(seed);
    Chance chance(seed);
    Bytes stored = good;
    // Half of all in the records and in the headers of frames.
    const std::size_t near = chance.once_in(2) ? 400 : stored.size();
    stored[chance.below(near)] ^= static_cast<std::byte>(1u << chance.below(8));
    const Result<Bytes> wanted = decompress(stored);
    check_same(decode_on_device(DeviceDecoder::open(stored)).wanted, wanted);
    if (!wanted) ++bad;
  }
  CHECK(bad > seeds * 2 / 3);
}

TEST_CASE("packed groups: values at an odd address") {
  const DifferenceStep one{1, 1}, row{100, 1};
  const auto decoded = [](std::vector<PlanStep> steps) {
    return decoded_at_odd_address({Coding::zstd, {{2, 1, std::move(steps)}}}, sample("audio_i16x1.bin"));
  };
  CHECK(decoded({one, ZigzagStep{}, PackedStep{1}}) > 0);        // by the kernel of the groups
  CHECK(decoded({row, one, ZigzagStep{}, PackedStep{1}}) == 0);  // the scan kernels take none
}

TEST_CASE("rows of so many chunks that they are undone in order") {
  const std::vector<Plan> plans{
      {Coding::zstd, {{2, 1, {difference(4320, 1), difference(1, 1, 4096), zigzag(), PackedStep{1}}}}},
      {Coding::zstd, {{4, 1, {difference(777, 1), difference(1, 3), zigzag(), PackedStep{1}}}}},
      {Coding::uniform, {column_of(2, 1, {difference(4320, 1), difference(1, 1, 1024), zigzag()})}},
  };
  for (const Plan& plan : plans)
    for (const std::size_t bytes : {14'000'000u, 14'000'001u}) {
      CAPTURE(bytes);
      const Bytes original = walk(bytes, plan.columns[0].width, 5);
      const Bytes good = packed(original, options_for(plan, 65536));
      const testing::DeviceBuffer there(good);
      const OnDevice outcome = decode_on_device(DeviceDecoder::open_on_device(there.data(), there.bytes()));
      check_same(outcome.wanted, original);
      CHECK(outcome.refused == 0);
      CHECK(outcome.sizes.chunks > 200);
      CHECK(outcome.sizes.cpu_chunks <= 1);
      if (bytes % 2 == 0) CHECK(decoded_at_odd_address(plan, original) > 0);
      for (std::uint64_t seed = 0; seed < (testing::quick() ? 2u : 20u); ++seed) {
        CAPTURE(seed);
        Chance chance(seed);
        Bytes stored = good;
        stored[chance.below(stored.size())] ^= static_cast<std::byte>(1u << chance.below(8));
        check_same(decode_on_device(DeviceDecoder::open(stored)).wanted, decompress(stored));
      }
    }
}

TEST_CASE("packed groups: damaged files have the verdict of decompress") {
  std::uint64_t bad = 0;
  const std::uint64_t seeds = testing::quick() ? 5 : 300;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    CAPTURE(seed);
    Chance chance(seed);
    const Plan plan = random_packed_plan(chance);
    Bytes stored = packed(walk(1 + static_cast<std::size_t>(chance.below(400'000)), plan.columns[0].width,
                               static_cast<std::uint32_t>(seed)),
                          options_for(plan, 65536));
    for (std::uint64_t flips = 1 + chance.below(2); flips > 0; --flips)
      stored[chance.below(stored.size())] ^= static_cast<std::byte>(1u << chance.below(8));
    const Result<Bytes> wanted = decompress(stored);
    check_same(decode_on_device(DeviceDecoder::open(stored)).wanted, wanted);
    if (!wanted) ++bad;
  }
  CHECK(bad > seeds * 2 / 3);
}

TEST_CASE("damaged files have the verdict of decompress") {
  const Mixed all = mixed();
  std::uint64_t bad = 0;
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    CAPTURE(seed);
    Chance chance(seed);
    Bytes stored = all.stored;
    for (std::uint64_t flips = 1 + chance.below(2); flips > 0; --flips)
      stored[chance.below(stored.size())] ^= static_cast<std::byte>(1u << chance.below(8));
    const Result<Bytes> wanted = decompress(stored);
    check_same(decode_on_device(DeviceDecoder::open(stored)).wanted, wanted);
    if (!wanted) ++bad;
  }
  CHECK(bad > 80);
}

TEST_CASE("what comes behind on the stream sees the values") {
  const Bytes original = sample("audio_i16x1.bin");
  const Bytes stored = packed(original, options_for(cases()[0].plan));
  auto decoder = DeviceDecoder::open(stored);
  REQUIRE(decoder);
  const auto sizes = decoder->select();
  REQUIRE(sizes);
  REQUIRE(decoder->load());
  const testing::DeviceBuffer values(sizes->original), scratch(sizes->scratch);
  Bytes found(original.size());
  cudaStream_t stream = nullptr;
  testing::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
  for (int again = 0; again < 3; ++again) {
    testing::check(cudaMemsetAsync(values.data(), 0xA5, values.bytes(), stream), "memset");
    REQUIRE(decoder->decode(values.data(), scratch.data(), stream));
    testing::check(cudaMemcpyAsync(found.data(), values.data(), found.size(), cudaMemcpyDeviceToHost, stream),
                   "copy");
    testing::check(cudaStreamSynchronize(stream), "stream");
    CHECK(found == original);
    REQUIRE(decoder->finish());
    CHECK(decoder->refused_chunks() == 0);
  }
  testing::check(cudaStreamDestroy(stream), "stream");
}

}  // namespace tdz::test
