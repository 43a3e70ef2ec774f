// SPDX-License-Identifier: Apache-2.0
// Does a decoder for devices give the values and the verdicts of the CPU's reader, whatever the device does?
// Host memory takes the place of the device's.
#include <doctest/doctest.h>

#include <array>

#include "codec/device/decode_work.hpp"
#include "tests/codec/check_same.hpp"
#include "tests/codec/devices/host_queue.hpp"
#include "tests/rounds.hpp"

namespace tdz::test {
namespace {

/// Memory as cudaMalloc gives it.
class AlignedBytes {
 public:
  explicit AlignedBytes(std::size_t bytes) : memory_(bytes + kDeviceAlignment) {}
  std::byte* data() {
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
    return memory_.data() + (kDeviceAlignment - address % kDeviceAlignment) % kDeviceAlignment;
  }

 private:
  Bytes memory_;
};

struct Outcome {
  DeviceSizes sizes;
  Result<Bytes> wanted = Error{};
  std::uint64_t refused = 0;
};

Outcome run(DecodeWork& work, const std::optional<Range>& range = {}) {
  Outcome outcome;
  const auto sizes = work.select(range);
  if (!sizes) return outcome.wanted = sizes.error(), outcome;
  outcome.sizes = *sizes;
  if (auto done = work.load(); !done) return outcome.wanted = done.error(), outcome;
  Bytes values(static_cast<std::size_t>(sizes->original), std::byte{0x77});
  AlignedBytes scratch(static_cast<std::size_t>(sizes->scratch));
  if (auto done = work.decode(values.data(), scratch.data(), nullptr); !done)
    return outcome.wanted = done.error(), outcome;
  const auto done = work.finish();
  outcome.refused = work.refused_chunks();
  if (!done) return outcome.wanted = done.error(), outcome;
  const auto first = values.begin() + static_cast<std::ptrdiff_t>(sizes->skip);
  outcome.wanted = Bytes(first, first + static_cast<std::ptrdiff_t>(sizes->wanted));
  return outcome;
}

DecodeWork work_on(HostDevice& device, const DeviceDecoderOptions& options = {.threads = 2}) {
  return DecodeWork(std::make_unique<HostQueue>(device), options);
}

Outcome run_stream(const Bytes& stored, HostDevice& device, const std::optional<Range>& range = {},
                   const DeviceDecoderOptions& options = {.threads = 2}) {
  DecodeWork work = work_on(device, options);
  work.take_stream(stored);
  return run(work, range);
}

Outcome run_blocks(std::span<const std::span<const std::byte>> blocks, HostDevice& device) {
  DecodeWork work = work_on(device);
  work.take_blocks(blocks);
  return run(work);
}

/// i16 in one lane: difference, zigzag, tokens.
Plan usual_plan(std::uint32_t tuple = 1) {
  return {Coding::uniform,
          {{2,
            static_cast<std::uint16_t>(tuple),
            {DifferenceStep{tuple, 1, 1024}, ZigzagStep{}, TokensStep{tuple, {3, 1}, 1024}}}}};
}

Bytes stream_of(const Plan& plan, const Bytes& original) {
  return packed(original, options_for(plan));
}

/// Chunks for the device, chunks for the CPU, chunks for the device, in three streams.
struct Mixed {
  Bytes original = walk(300'000, 2, 1) + walk(200'000, 2, 2) + walk(150'001, 2, 3);
  Bytes stored = stream_of(usual_plan(), part(0, 300'000)) +
                 packed(part(300'000, 200'000), options_for("i16")) +
                 stream_of(usual_plan(2), part(500'000, 150'001));

  Bytes part(std::size_t at, std::size_t bytes) const {
    const auto first = original.begin() + static_cast<std::ptrdiff_t>(at);
    return {first, first + static_cast<std::ptrdiff_t>(bytes)};
  }
};

}  // namespace

TEST_CASE("a device and the CPU share the chunks of a file") {
  const Mixed mixed;
  HostDevice device;
  const Outcome outcome = run_stream(mixed.stored, device);
  check_same(outcome.wanted, mixed.original);
  CHECK(outcome.refused == 0);
  CHECK(outcome.sizes.cpu_chunks == 4);
  CHECK(device.chunks == outcome.sizes.chunks - outcome.sizes.cpu_chunks);
  CHECK(outcome.sizes.original == mixed.original.size());
}

TEST_CASE("slices of any length give the same values") {
  const Mixed mixed;
  for (const std::uint64_t slice : {1u, 100'000u, 1'000'000u}) {
    HostDevice device;
    check_same(run_stream(mixed.stored, device, {}, {.threads = 1, .slice = slice}).wanted, mixed.original);
    CHECK(device.slices == (slice == 1 ? 8 : slice == 100'000 ? 4 : 1));
  }
}

TEST_CASE("what the device refuses, the CPU decodes") {
  const Mixed mixed;
  HostDevice device;
  device.refused = {0, 3, 6};
  const Outcome outcome = run_stream(mixed.stored, device);
  check_same(outcome.wanted, mixed.original);
  CHECK(outcome.refused == 3);
}

TEST_CASE("a file whose bytes are on the device") {
  const Mixed mixed;
  HostDevice device{mixed.stored};
  DecodeWork work = work_on(device);
  work.take_stream_on_device(mixed.stored.data(), mixed.stored.size());
  const Outcome outcome = run(work);
  check_same(outcome.wanted, mixed.original);
  CHECK(outcome.refused == 0);
  CHECK(outcome.sizes.cpu_chunks == 4);
}

TEST_CASE("the records of a file on the device come many at a time") {
  const Bytes stored = stream_of(usual_plan(), walk(200 * 65'536, 2, 3));
  HostDevice device{stored};
  DecodeWork work = work_on(device);
  work.take_stream_on_device(stored.data(), stored.size());
  const auto sizes = work.select({});
  REQUIRE(sizes);
  REQUIRE(sizes->chunks > 100);
  CHECK(device.calls < 20);
}

TEST_CASE("long records of a file on the device come many at a time") {
  // 192 blocks a chunk, and 12 bytes for each.
  const Plan plan{Coding::uniform, {{1, 1, {TokensStep{1, {7, 7}, 1024}}}}};
  const Bytes original = noise(40 * 786'432);
  const Bytes stored = packed(original, options_for(plan, 786'432));
  HostDevice device{stored};
  DecodeWork work = work_on(device);
  work.take_stream_on_device(stored.data(), stored.size());
  const auto sizes = work.select({});
  REQUIRE(sizes);
  REQUIRE(sizes->chunks == 40);
  CHECK(device.calls < 20);
}

/// Predict has side data in each chunk.
Plan plan_with_sides() {
  return {Coding::uniform, {{2, 1, {PredictStep{1}, ZigzagStep{}, TokensStep{1, {3, 1}, 1024}}}}};
}

TEST_CASE("side data of a file on the device come many at a time") {
  const Bytes original = walk(100 * 65'536, 2, 3);
  const Bytes stored = stream_of(plan_with_sides(), original);
  HostDevice device{stored};
  DecodeWork work = work_on(device);
  work.take_stream_on_device(stored.data(), stored.size());
  REQUIRE(work.select({}));
  const unsigned of_select = device.calls;
  REQUIRE(work.load());
  CHECK(device.calls < of_select + 10);
  // The call that brings them may fail for lack of memory: then they come one after another.
  unsigned succeeded = 0;
  for (unsigned n = of_select + 1; n <= of_select + 4; ++n) {
    HostDevice failing{stored};
    failing.fails_at = n, failing.kind = ErrorKind::limit;
    DecodeWork again = work_on(failing);
    again.take_stream_on_device(stored.data(), stored.size());
    const Outcome outcome = run(again);
    if (outcome.wanted) ++succeeded, check_same(outcome.wanted, original);
  }
  CHECK(succeeded > 0);
}

TEST_CASE("side data of a file on the device come in several copies where they are long") {
  // The second column is noise in ordinary frames: 20 MiB in all.
  Plan plan = usual_plan();
  plan.columns.push_back({8, 1, {}});
  const Bytes original = noise(25u << 20);
  const Bytes stored = packed(original, options_for(plan, 1u << 20));
  HostDevice device{stored};
  DecodeWork work = work_on(device);
  work.take_stream_on_device(stored.data(), stored.size());
  const Outcome outcome = run(work);
  check_same(outcome.wanted, original);
  CHECK(outcome.sizes.cpu_chunks == 0);
  CHECK(outcome.refused == 0);
  // A copy that fails for another reason than memory ends it.
  for (unsigned n = 1; n <= device.calls; ++n) {
    HostDevice failing{stored};
    failing.fails_at = n, failing.kind = ErrorKind::io;
    DecodeWork again = work_on(failing);
    again.take_stream_on_device(stored.data(), stored.size());
    const auto selected = again.select({});
    const Status loaded = selected ? again.load() : Status(selected.error());
    if (!loaded) CHECK(loaded.error().kind == ErrorKind::io);
  }
}

TEST_CASE("packed bytes in pinned memory are copied from there") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    Chance chance(seed);
    const Plan plan = seed == 0 ? usual_plan() : random_device_plan(chance);
    const Bytes original = pieces(chance, 200'000, 20'000, plan.columns[0].width);
    const Bytes stored =
        stream_of(plan, original) + packed(original, options_for("i16")) + stream_of(usual_plan(), original);
    for (const std::uint64_t slice : {0u, 100'000u}) {
      const DeviceDecoderOptions options{.threads = 2, .slice = slice};
      HostDevice usual, device;
      device.pinned = true, device.refused = {1};
      const Outcome outcome = run_stream(stored, device, {}, options);
      check_same(outcome.wanted, original + original + original);
      CHECK(outcome.sizes.pinned < run_stream(stored, usual, {}, options).sizes.pinned);
      CHECK(device.chunks == usual.chunks);
      Bytes damaged = stored;
      damaged[chance.below(damaged.size())] ^= std::byte{4};
      check_same(run_stream(damaged, device, {}, options).wanted, decompress(damaged, one_thread()));
    }
  }
}

TEST_CASE("plans by chance, also with steps that are left, several columns and bytes behind the last row") {
  const std::uint64_t rounds = rounds_by_chance(200);
  std::size_t on_device = 0, with_steps = 0, joined = 0;
  for (std::uint64_t seed = 0; seed < rounds; ++seed) {
    CAPTURE(seed);
    Chance chance(seed);
    std::vector<Bytes> blocks;
    std::vector<std::span<const std::byte>> spans;
    Bytes original;
    for (std::uint64_t count = 1 + chance.below(3); count > 0; --count) {
      const Plan plan = chance.once_in(5) ? random_plan(chance) : random_device_plan(chance);
      const Bytes part =
          pieces(chance, 1 + chance.below(200'000), 1 + chance.below(60'000), plan.columns[0].width);
      blocks.push_back(encode_block(plan, part).value());
      original = original + part;
    }
    for (const Bytes& block : blocks) spans.push_back(block);
    HostDevice device;
    const Outcome outcome = run_blocks(spans, device);
    check_same(outcome.wanted, original);
    CHECK(outcome.refused == 0);
    on_device += device.chunks;
    with_steps += device.runs, joined += device.joined;
  }
  CHECK(on_device * 2 > rounds);
  CHECK(with_steps * 2 > rounds);
  if (rounds >= 200) CHECK(joined > 2);  // fewer rounds may have none
}

/// Columns of many lanes, and lanes with sources, before each of these steps or none.
std::vector<Plan> plans_of_lanes(Chance& chance) {
  std::vector<Plan> plans;
  for (const auto width : std::to_array<std::uint8_t>({1, 2, 3, 4}))
    for (const std::uint32_t tuple : {2u, 3u, 5u, 9u}) {
      LanesStep lanes{std::vector<LaneRule>(tuple), 1024};
      for (LaneRule& rule : lanes.lanes)
        rule = {static_cast<std::uint8_t>(chance.below(3)), chance.once_in(2), LaneRule::kNoSource, 0, false};
      // Each lane after another one, in both directions; at most 8 in a row.
      for (std::uint32_t l = 0; l + 1 < tuple && l < 8; ++l)
        lanes.lanes[l].source = static_cast<std::uint16_t>(l + 1);
      if (tuple > 2) std::swap(lanes.lanes[tuple - 2].source, lanes.lanes[tuple - 1].source);
      if (tuple > 2) lanes.lanes[tuple - 1].source = 0, lanes.lanes[0].source = LaneRule::kNoSource;
      const PlanStep tokens = TokensStep{tuple, width == 1 ? TokenCode{7, 7} : TokenCode{3, 1}, 1024};
      const auto rows = [&](std::uint32_t row, std::uint8_t order) { return DifferenceStep{row, order}; };
      const auto add = [&](std::vector<PlanStep> steps) {
        steps.push_back(tokens);
        plans.push_back({Coding::uniform, {{width, 1, std::move(steps)}}});
      };
      add({ZigzagStep{}});
      add({lanes});
      add({rows(400 * tuple, 1), lanes});
      add({rows(300 * tuple, 2), rows(500 * tuple, 1), lanes});
      add({ByteswapStep{}, rows(257, 1), lanes});
      add({ScaleStep{tuple, ScaleKind::integer}, ZigzagStep{}});
    }
  return plans;
}

TEST_CASE("many lanes, sources of lanes, and rows") {
  std::size_t gathered = 0, joined = 0, on_device = 0;
  Chance chance(11);
  for (const Plan& plan : plans_of_lanes(chance)) {
    CAPTURE(formats::plan_name(plan));
    const unsigned width = plan.columns[0].width;
    const Bytes original = walk(width * 9 * 4096 + chance.below(100), width, 5);
    const Bytes block = encode_block(plan, original).value();
    const std::vector<std::span<const std::byte>> twice{block, block};
    HostDevice device;
    const Outcome outcome = run_blocks(twice, device);
    check_same(outcome.wanted, original + original);
    CHECK(outcome.refused == 0);
    gathered += device.gathered, joined += device.joined, on_device += device.chunks;
  }
  CHECK(on_device > 150);
  CHECK(gathered > 30);
  CHECK(joined > 30);
}

TEST_CASE("where the last row lacks a source, the source behind it is not added") {
  // Lane 0 after lane 2, which is after lane 1: the last row has lanes 0 and 1 only.
  for (const auto width : std::to_array<std::uint8_t>({1, 3, 4})) {
    LanesStep lanes{std::vector<LaneRule>(3), 1024};
    for (LaneRule& rule : lanes.lanes) rule = {1, true, LaneRule::kNoSource, 0, false};
    lanes.lanes[0].source = 2, lanes.lanes[2].source = 1;
    const TokensStep tokens{3, width == 1 ? TokenCode{7, 7} : TokenCode{3, 1}, 1024};
    const Plan plan{Coding::uniform, {{width, 1, {DifferenceStep{300, 1}, lanes, tokens}}}};
    const Bytes original = walk(width * (9 * 4096 + 2), width, 5);
    const Bytes block = encode_block(plan, original).value();
    const std::vector<std::span<const std::byte>> one{block};
    HostDevice device;
    const Outcome outcome = run_blocks(one, device);
    check_same(outcome.wanted, original);
    CHECK(outcome.refused == 0);
    CHECK(device.joined == 0);
    CHECK(device.chunks == 1);
  }
}

TEST_CASE("a column with few words and many lanes takes no place for lanes that it lacks") {
  Plan plan{Coding::uniform, {{1, 4096, {TokensStep{1, {7, 7}, 1024}}}}};
  for (int c = 0; c < 63; ++c) plan.columns.push_back({1, 1, {TokensStep{256, {7, 7}, 1024}}});
  const Bytes block = encode_block(plan, walk(4096 + 63, 1, 5)).value();
  const std::vector<std::span<const std::byte>> blocks(100, block);
  HostDevice device;
  const Outcome outcome = run_blocks(blocks, device);
  CHECK(outcome.refused == 0);
  CHECK(outcome.sizes.scratch < 100 * std::uint64_t{4} * (4096 + 63));
}

/// One column without steps, of bytes that zstd leaves as they are.
Plan plain_plan(unsigned width = 1, unsigned count = 1) {
  return {Coding::zstd, {{static_cast<std::uint8_t>(width), static_cast<std::uint16_t>(count), {}}}};
}

TEST_CASE("plain chunks are copied on the device, beside others") {
  for (const std::uint64_t slice : {0u, 1u, 150'000u}) {
    // Whole rows, and no chunk that is shorter than a block of tokens.
    const Bytes one = noise(300'000), two = walk(3 * 65'536, 2, 2), all = one + two + one;
    const Bytes stored =
        stream_of(plain_plan(), one) + stream_of(usual_plan(), two) + stream_of(plain_plan(2, 3), one);
    HostDevice device, pinned;
    pinned.pinned = true;
    const DeviceDecoderOptions options{.threads = 2, .slice = slice};
    const Outcome outcome = run_stream(stored, device, {}, options);
    check_same(outcome.wanted, all);
    CHECK(outcome.refused == 0);
    CHECK(outcome.sizes.cpu_chunks == 0);
    CHECK(device.plain >= 10);
    check_same(run_stream(stored, pinned, {}, options).wanted, all);
    CHECK(pinned.plain == device.plain);
  }
}

TEST_CASE("plain chunks that zstd has packed are the CPU's") {
  const Bytes original(300'000, std::byte{7});
  HostDevice device;
  const Outcome outcome = run_stream(stream_of(plain_plan(2), original), device);
  check_same(outcome.wanted, original);
  CHECK(outcome.sizes.cpu_chunks == outcome.sizes.chunks);
}

TEST_CASE("plain chunks: damaged files have the verdict of decompress") {
  const std::uint64_t rounds = rounds_by_chance(200);
  std::size_t bad = 0;
  const Bytes good = stream_of(plain_plan(), noise(200'000));
  for (std::uint64_t seed = 0; seed < rounds; ++seed) {
    CAPTURE(seed);
    Chance chance(seed);
    Bytes stored = good;
    // Half of all in the records and in the headers of frames.
    const std::size_t near = chance.once_in(2) ? 400 : stored.size();
    stored[static_cast<std::size_t>(chance.below(near))] ^= static_cast<std::byte>(1u << chance.below(8));
    const Result<Bytes> wanted = decompress(stored, one_thread());
    HostDevice device;
    check_same(run_stream(stored, device).wanted, wanted);
    if (!wanted) ++bad;
  }
  CHECK(bad * 4 > rounds * 3);
}

/// Numbers that packed groups make smaller.
Bytes smooth(Chance& chance, const Plan& plan, std::size_t most) {
  return walk(1 + static_cast<std::size_t>(chance.below(most)), plan.columns[0].width,
              static_cast<std::uint32_t>(chance.bits()));
}

TEST_CASE("packed groups: plans by chance, in blocks and streams") {
  std::uint64_t on_device = 0, of_all = 0, runs = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    CAPTURE(seed);
    Chance chance(seed);
    std::vector<Bytes> blocks;
    std::vector<std::span<const std::byte>> spans;
    Bytes original, stored;
    for (std::uint64_t count = 1 + chance.below(3); count > 0; --count) {
      const Plan plan = chance.once_in(5) ? random_device_plan(chance) : random_packed_plan(chance);
      const Bytes part = smooth(chance, plan, 300'000);
      blocks.push_back(encode_block(plan, part).value());
      stored = stored + stream_of(plan, part);
      original = original + part;
    }
    for (const Bytes& block : blocks) spans.push_back(block);
    HostDevice device, of_stream;
    DecodeWork work = work_on(device, {.threads = 2, .slice = seed % 3 == 0 ? 1u : 0u});
    work.take_blocks(spans);
    const Outcome outcome = run(work);
    check_same(outcome.wanted, original);
    CHECK(outcome.refused == 0);
    const Outcome streamed = run_stream(stored, of_stream, {}, {.threads = 2, .slice = seed % 2 * 150'000});
    check_same(streamed.wanted, original);
    CHECK(streamed.refused == 0);
    on_device += of_stream.chunks, of_all += streamed.sizes.chunks, runs += of_stream.packed_runs;
  }
  CHECK(on_device > 300);
  CHECK(on_device > of_all / 3);    // of the others many are longer in groups than plain
  CHECK(runs < on_device * 2 / 3);  // chunks share launches
}

TEST_CASE("packed groups: a whole file in one launch, and its last bytes on the CPU") {
  const Plan plan{Coding::zstd, {{2, 1, {DifferenceStep{1, 1}, ZigzagStep{}, PackedStep{1}}}}};
  for (const std::size_t bytes : {400'000u, 400'001u}) {
    const Bytes original = walk(bytes);
    const Bytes stored = stream_of(plan, original);
    HostDevice device;
    const Outcome outcome = run_stream(stored, device);
    check_same(outcome.wanted, original);
    CHECK(device.packed_runs == 1);
    CHECK(outcome.sizes.cpu_chunks == bytes % 2);
  }
}

TEST_CASE("packed groups: damaged files have the verdict of decompress") {
  const std::uint64_t rounds = rounds_by_chance(200);
  std::size_t bad = 0;
  for (std::uint64_t seed = 0; seed < rounds; ++seed) {
    CAPTURE(seed);
    Chance chance(seed);
    const Plan plan = random_packed_plan(chance);
    Bytes stored = stream_of(plan, smooth(chance, plan, 200'000));
    for (std::uint64_t flips = 1 + chance.below(2); flips > 0; --flips)
      stored[chance.below(stored.size())] ^= static_cast<std::byte>(1u << chance.below(8));
    if (chance.once_in(10)) stored.resize(static_cast<std::size_t>(chance.below(stored.size())));
    const Result<Bytes> wanted = decompress(stored, one_thread());
    HostDevice device, pinned;
    pinned.pinned = true;
    check_same(run_stream(stored, device).wanted, wanted);
    check_same(run_stream(stored, pinned).wanted, wanted);
    if (!wanted) ++bad;
  }
  CHECK(bad * 4 > rounds * 3);
}

TEST_CASE("ranges are rounded to whole chunks") {
  const Mixed mixed;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    Chance chance(seed);
    const std::uint64_t begin = chance.below(mixed.original.size() + 20);
    Range range{{begin}, {}};
    if (!chance.once_in(4))
      range.length = Extent{chance.below(2 * (mixed.original.size() + 10 - begin % 1000))};
    DecompressOptions options = one_thread();
    options.range = range;
    HostDevice device;
    const Outcome outcome = run_stream(mixed.stored, device, range);
    check_same(outcome.wanted, decompress(mixed.stored, options));
    CHECK(outcome.sizes.original <= outcome.sizes.wanted + 2 * 65536);
  }
}

TEST_CASE("damaged files have the verdict of decompress") {
  const Mixed mixed;
  const std::uint64_t rounds = rounds_by_chance(250);
  std::size_t bad = 0;
  for (std::uint64_t seed = 0; seed < rounds; ++seed) {
    CAPTURE(seed);
    Chance chance(seed);
    Bytes stored = mixed.stored;
    for (std::uint64_t flips = 1 + chance.below(2); flips > 0; --flips)
      stored[chance.below(stored.size())] ^= static_cast<std::byte>(1u << chance.below(8));
    if (chance.once_in(10)) stored.resize(static_cast<std::size_t>(chance.below(stored.size())));
    const Result<Bytes> wanted = decompress(stored, one_thread());
    HostDevice device;
    check_same(run_stream(stored, device).wanted, wanted);
    if (!wanted) ++bad;
  }
  CHECK(bad * 5 > rounds * 3);
}

TEST_CASE("where there is no device, opening says so") {
  const Mixed mixed;
  const auto decoder = DeviceDecoder::open(mixed.stored);
  if (!decoder) CHECK(decoder.error().kind == ErrorKind::unsupported);
}

TEST_CASE("a damaged block is named") {
  const Bytes original = walk(100'000);
  Bytes good = encode_block(usual_plan(), original).value(), bad = good;
  bad[bad.size() - 20] ^= std::byte{4};
  const std::vector<std::span<const std::byte>> blocks{good, bad, good};
  HostDevice device;
  const Outcome outcome = run_blocks(blocks, device);
  const auto alone = decode_block(bad, original.size());
  REQUIRE_FALSE(alone);
  REQUIRE_FALSE(outcome.wanted);
  CHECK(outcome.wanted.error().kind == alone.error().kind);
  CHECK(outcome.wanted.error().message == "block 1: " + alone.error().message);
  CHECK(outcome.refused == 1);
}

TEST_CASE("lone blocks that are on the device, also damaged ones, have the verdict of those on the host") {
  std::size_t bad = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    CAPTURE(seed);
    Chance chance(seed);
    Bytes stored(static_cast<std::size_t>(chance.below(100)));
    std::vector<PackedBlock> places;
    for (std::uint64_t count = 1 + chance.below(3); count > 0; --count) {
      const Plan plan = chance.once_in(3) ? plan_for("i16").value() : usual_plan();
      const Bytes block =
          encode_block(plan, walk(1 + static_cast<std::size_t>(chance.below(40'000)))).value();
      places.push_back({stored.size(), block.size()});
      stored = stored + block + Bytes(static_cast<std::size_t>(chance.below(20)));
    }
    std::reverse(places.begin(), places.end());
    if (chance.once_in(2))
      stored[chance.below(stored.size())] ^= static_cast<std::byte>(1u << chance.below(8));
    if (chance.once_in(6)) places[0].bytes = chance.below(places[0].bytes);
    std::vector<std::span<const std::byte>> spans;
    for (const PackedBlock& place : places)
      spans.push_back(std::span(stored).subspan(static_cast<std::size_t>(place.offset),
                                                static_cast<std::size_t>(place.bytes)));
    HostDevice on_host;
    DecodeWork host = work_on(on_host);
    host.take_blocks(spans);
    const Outcome wanted = run(host);
    HostDevice on_device{stored};
    DecodeWork work = work_on(on_device);
    work.take_blocks_on_device(stored.data(), places);
    const Outcome found = run(work);
    check_same(found.wanted, wanted.wanted);
    CHECK(found.sizes.cpu_chunks == wanted.sizes.cpu_chunks);
    if (!wanted.wanted) ++bad;
  }
  CHECK(bad > 40);
}

TEST_CASE("of many records the first wrong one decides, whichever thread judges it") {
  const Bytes one = encode_block(usual_plan(), walk(3000)).value();
  const Bytes other = encode_block(usual_plan(2), walk(4000, 4, 2)).value();
  Bytes stored;
  std::vector<PackedBlock> places;
  std::vector<std::uint64_t> ends;  // of originals
  for (std::size_t i = 0; i < 900; ++i) {
    const Bytes& block = i % 7 < 3 ? one : other;
    places.push_back({stored.size(), block.size()});
    stored = stored + block;
    ends.push_back((ends.empty() ? 0 : ends.back()) + (i % 7 < 3 ? 3000 : 4000));
  }
  constexpr std::size_t kFirstWrong = 300;
  for (const std::size_t wrong : {kFirstWrong, std::size_t{301}, std::size_t{520}, std::size_t{880}})
    stored[static_cast<std::size_t>(places[wrong].offset) + 50] ^= std::byte{1};
  std::vector<std::span<const std::byte>> spans;
  for (const PackedBlock& place : places)
    spans.push_back(std::span(stored).subspan(static_cast<std::size_t>(place.offset),
                                              static_cast<std::size_t>(place.bytes)));
  for (const bool on_device : {false, true}) {
    CAPTURE(on_device);
    HostDevice device{stored};
    DecodeWork work = work_on(device, {.threads = 4});
    on_device ? work.take_blocks_on_device(stored.data(), places) : work.take_blocks(spans);
    const auto all = work.select({});
    REQUIRE_FALSE(all);
    CHECK(all.error().kind == ErrorKind::corrupt);
    CHECK(all.error().message.starts_with("block 300: "));
    const auto before = work.select(Range{{}, Extent{ends[kFirstWrong - 1]}});
    REQUIRE(before);
    CHECK(before->chunks == kFirstWrong);
    CHECK(before->original == ends[kFirstWrong - 1]);
    CHECK_FALSE(work.select(Range{{}, Extent{ends[kFirstWrong - 1] + 1}}));
  }
}

TEST_CASE("the records of a file with many chunks are judged by threads") {
  const Bytes original = walk(600 * 65'536, 2, 3);
  Bytes stored = packed(original, options_for(usual_plan(), 65'536));
  HostDevice device{stored};
  DecodeWork work = work_on(device, {.threads = 4});
  work.take_stream_on_device(stored.data(), stored.size());
  const auto sizes = work.select({});
  REQUIRE(sizes);
  CHECK(sizes->chunks == 600);
  CHECK(sizes->original == original.size());
  CHECK(device.calls < 20);
  const auto part = work.select(Range{{300 * 65'536 + 1}, Extent{65'536}});
  REQUIRE(part);
  CHECK(part->chunks == 2);
  CHECK(part->skip == 1);
}

TEST_CASE("an empty file and an empty list") {
  HostDevice device;
  const Outcome outcome = run_stream(packed({}, {}), device);
  check_same(outcome.wanted, Bytes{});
  check_same(run_blocks({}, device).wanted, Bytes{});
}

TEST_CASE("calls out of order are refused") {
  const Mixed mixed;
  HostDevice device;
  DecodeWork work = work_on(device);
  work.take_stream(mixed.stored);
  const auto is_usage = [](const Status& status) {
    return !status && status.error().kind == ErrorKind::usage;
  };
  Bytes values(mixed.original.size());
  CHECK(is_usage(work.load()));
  CHECK(is_usage(work.finish()));
  const auto sizes = work.select({});
  REQUIRE(sizes);
  AlignedBytes scratch(static_cast<std::size_t>(sizes->scratch));
  CHECK(is_usage(work.decode(values.data(), scratch.data(), nullptr)));
  REQUIRE(work.load());
  CHECK(is_usage(work.decode(nullptr, scratch.data(), nullptr)));
  CHECK(is_usage(work.decode(values.data(), nullptr, nullptr)));
  CHECK(is_usage(work.decode(values.data(), scratch.data() + 1, nullptr)));
  for (int again = 0; again < 2; ++again) {
    std::ranges::fill(values, std::byte{0});
    REQUIRE(work.decode(values.data(), scratch.data(), nullptr));
    CHECK(is_usage(work.decode(values.data(), scratch.data(), nullptr)));
    REQUIRE(work.finish());
    CHECK(values == mixed.original);
  }
}

TEST_CASE("any call of the device may fail") {
  const Mixed mixed;
  HostDevice device;
  device.refused = {1};
  REQUIRE(run_stream(mixed.stored, device).wanted);
  const unsigned calls = device.calls;
  CHECK(calls >= 5);
  for (unsigned n = 1; n <= calls; ++n) {
    HostDevice failing;
    failing.refused = {1};
    failing.fails_at = n;
    const Outcome outcome = run_stream(mixed.stored, failing);
    REQUIRE_FALSE(outcome.wanted);
    CHECK(outcome.wanted.error().message == "call " + std::to_string(n) + " failed");
  }
}

TEST_CASE("chunks of the CPU need no pinned memory") {
  const Mixed mixed;
  const std::size_t before = stream_of(usual_plan(), mixed.part(0, 300'000)).size();
  HostDevice usual, device, other;
  device.pinned = true, device.except = std::span(mixed.stored).subspan(before, 1000);
  const Outcome outcome = run_stream(mixed.stored, device);
  check_same(outcome.wanted, mixed.original);
  const std::uint64_t all = run_stream(mixed.stored, usual).sizes.pinned;
  CHECK(outcome.sizes.pinned < all);
  other.pinned = true, other.except = std::span(mixed.stored).first(before);
  CHECK(run_stream(mixed.stored, other).sizes.pinned == all);
}

TEST_CASE("too much pinned memory is an error before it is asked for") {
  const Mixed mixed;
  HostDevice device;
  const Outcome outcome = run_stream(mixed.stored, device, {}, {.threads = 1, .pinned = 1000});
  REQUIRE_FALSE(outcome.wanted);
  CHECK(outcome.wanted.error().kind == ErrorKind::limit);
  CHECK(device.calls == 0);
}

}  // namespace tdz::test
