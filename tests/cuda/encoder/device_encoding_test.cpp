// SPDX-License-Identifier: Apache-2.0
// Does an encoder for devices give the bytes of encode_block and compress, and clear errors, whatever the
// device does? Host memory takes the place of the device's. Nothing here may link the kernels for a real
// device: they have the names of the simulated ones.
#include "tests/cuda/encoder/host_encode_queue.hpp"

#include "codec/device/encode_work.hpp"
#include "tests/cuda/encoder/encoder_cases.hpp"

namespace {

using namespace tdz;
using testing::BlocksCase;
using testing::Bytes;
using testing::HostDevice;

/// Memory as cudaMalloc gives it, with bytes around it that nobody may touch.
class Room {
 public:
  explicit Room(std::uint64_t bytes, std::size_t aside = 0)
      : bytes_(static_cast<std::size_t>(bytes)), aside_(aside), memory_(bytes_ + 4 * kAround, kUnwritten) {
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
    begin_ = memory_.data() + kAround + (kAround - address % kAround) % kAround + aside_;
  }
  ~Room() {
    CHECK(std::count(memory_.data(), begin_, kUnwritten) == begin_ - memory_.data());
    const std::byte* end = begin_ + bytes_;
    const std::byte* last = memory_.data() + memory_.size();
    CHECK(std::count(end, last, kUnwritten) == last - end);
  }
  std::byte* data() { return begin_; }
  std::span<const std::byte> bytes() const { return {begin_, bytes_}; }

 private:
  static constexpr std::size_t kAround = 256;
  static constexpr std::byte kUnwritten{0xA5};
  std::size_t bytes_, aside_;
  Bytes memory_;
  std::byte* begin_;
};

struct Outcome {
  DeviceEncoderSizes sizes;
  Result<DeviceEncoded> encoded = Error{};
  Bytes packed;
};

/// `aside`: how far values and packed bytes stand from an aligned address.
Outcome run(HostDevice& device, Result<EncodeRequest> request, const Bytes& original, std::size_t aside = 0) {
  Outcome outcome;
  REQUIRE(request);
  EncodeWork work(std::make_unique<testing::HostEncodeQueue>(device), *std::move(request), 2);
  outcome.sizes = work.sizes();
  REQUIRE(outcome.sizes.original == original.size());
  if (auto done = work.prepare(); !done) return outcome.encoded = done.error(), outcome;
  Bytes values(original.size() + 64);
  std::byte* begin = values.data() + (16 - reinterpret_cast<std::uintptr_t>(values.data()) % 16) + aside;
  std::ranges::copy(original, begin);
  Room packed(outcome.sizes.packed, aside), scratch(outcome.sizes.scratch);
  if (auto done = work.encode(begin, packed.data(), scratch.data(), nullptr); !done)
    return outcome.encoded = done.error(), outcome;
  outcome.encoded = work.finish();
  outcome.packed.assign(packed.bytes().begin(), packed.bytes().end());
  return outcome;
}

Outcome run_blocks(HostDevice& device, const BlocksCase& made, bool to_host = false, std::size_t aside = 0) {
  return run(device, request_of_blocks(made.plan, made.lengths, {.to_host = to_host}), made.original, aside);
}

void check_stream(const DeviceStreamOptions& stream, const Bytes& original, bool to_host,
                  std::uint64_t cpu_chunks) {
  HostDevice device;
  const Outcome outcome =
      run(device, request_of_stream(original.size(), stream, {.to_host = to_host}), original);
  REQUIRE(outcome.encoded);
  const Bytes wanted = testing::stream_of(original, stream);
  CHECK(outcome.sizes.cpu_chunks == cpu_chunks);
  CHECK(outcome.encoded->cpu_chunks == cpu_chunks);
  CHECK(outcome.encoded->blocks.empty());
  REQUIRE(outcome.encoded->bytes == wanted.size());
  CHECK(std::equal(wanted.begin(), wanted.end(), outcome.packed.begin()));
}

}  // namespace

TEST_CASE("lone blocks of random plans, on the device and on the CPU, at any address") {
  std::uint64_t on_device = 0, by_cpu = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    const BlocksCase made = testing::random_blocks(seed, 8);
    HostDevice device;
    const Outcome outcome = run_blocks(device, made, seed % 2 == 1, seed % 3);
    if (!outcome.encoded) FAIL(outcome.encoded.error().message);
    testing::check_blocks(made, outcome.packed, *outcome.encoded);
    CHECK(outcome.sizes.chunks == made.lengths.size());
    on_device += device.chunks, by_cpu += outcome.encoded->cpu_chunks;
  }
  CHECK(on_device > 60);
  CHECK(by_cpu > 10);
}

TEST_CASE("packed groups of random plans, at any address") {
  std::uint64_t on_device = 0, by_cpu = 0, stored = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    const BlocksCase made = testing::packed_blocks(seed, seed % 4 == 0 ? 10'000 : 900);
    HostDevice device;
    const Outcome outcome = run_blocks(device, made, seed % 2 == 1, seed % 5);
    if (!outcome.encoded) FAIL(outcome.encoded.error().message);
    testing::check_blocks(made, outcome.packed, *outcome.encoded);
    on_device += device.chunks, by_cpu += outcome.encoded->cpu_chunks;
    for (std::size_t i = 0; i < made.lengths.size(); ++i)
      stored += outcome.encoded->blocks[i].bytes > made.lengths[i];
  }
  CHECK(on_device > 100);
  CHECK(by_cpu > 5);
  CHECK(stored > 10);
}

TEST_CASE("rows before groups and frames, at any address") {
  testing::for_rows([](const BlocksCase& made) {
    for (const std::size_t aside : {0u, 1u, 8u}) {
      CAPTURE(aside);
      HostDevice device;
      const Outcome outcome = run_blocks(device, made, aside == 1, aside);
      if (!outcome.encoded) FAIL(outcome.encoded.error().message);
      CHECK(device.chunks == made.lengths.size());
      CHECK(outcome.sizes.cpu_chunks == 0);
      testing::check_rows(made, outcome.packed, *outcome.encoded);
    }
  });
}

TEST_CASE("streams of rows, with chunks of noise and a short one") {
  for (const Coding coding : {Coding::zstd, Coding::uniform})
    for (const bool to_host : {false, true})
      check_stream(testing::rows_stream(coding), testing::rows_original(), to_host, 0);
}

TEST_CASE("chunks that lie side by side share a batch of the scan kernels, and the output has room for it") {
  testing::for_rows([](const BlocksCase& made) {
    const EncodeLayout layout = layout_of(*request_of_blocks(made.plan, made.lengths, {}));
    std::vector<std::uint64_t> chunks;
    std::uint64_t values = 0, work = 0;
    for (const cuda::ScanRun& run : layout.job.scans) {
      CHECK(run.values == values);
      CHECK(run.work >= work);
      CHECK(run.work % cuda::kScanAlignment == 0);
      values = run.values + run.bytes, work = run.work + run.bytes;
      chunks.push_back((run.bytes - 1) / run.chunk_bytes + 1);
      CHECK(run.bytes <= layout.output_bound());
    }
    CHECK(values == layout.original);
    CHECK(layout.job.work + work <= layout.scratch_bytes);
    const bool uniform = made.plan.coding == Coding::uniform;
    CHECK(chunks == (uniform ? std::vector<std::uint64_t>{4, 1} : std::vector<std::uint64_t>{4, 2, 3}));
  });
}

TEST_CASE("a stream of packed groups, with chunks that are stored as they are") {
  test::Chance chance(5);
  Bytes original = testing::original_of(5, 10 * 65536 + 3);
  for (const std::size_t chunk : {2u, 3u, 7u})
    for (std::size_t i = 0; i < 65536; ++i)
      original[chunk * 65536 + i] = static_cast<std::byte>(chance.bits());
  DeviceStreamOptions stream;
  stream.plan = Plan{Coding::zstd, {Column{2, 1, {DifferenceStep{1, 2, 4096}, ZigzagStep{}, PackedStep{1}}}}};
  stream.chunk_bytes = 65536;
  for (const std::uint32_t frame : {0u, 4096u})
    for (const bool to_host : {false, true}) {
      stream.frame_bytes = frame;
      check_stream(stream, original, to_host, 1);
    }
}

TEST_CASE("a block that is shorter as plain bytes") {
  test::Chance chance(3);
  constexpr std::uint32_t kBlock = 64 * 4096;  // a tree for each of 64 lanes
  Bytes noise(3 * kBlock);
  for (std::byte& byte : noise) byte = static_cast<std::byte>(chance.bits());
  std::fill_n(noise.begin() + kBlock, kBlock, std::byte{7});
  const BlocksCase made{testing::fused_plan(1, {5, 2}, 0, false, 1024, 64), {kBlock, kBlock, kBlock}, noise};
  for (const bool to_host : {false, true}) {
    HostDevice device;
    const Outcome outcome = run_blocks(device, made, to_host);
    REQUIRE(outcome.encoded);
    CHECK(device.chunks == 3);
    CHECK(outcome.encoded->cpu_chunks == 2);
    testing::check_blocks(made, outcome.packed, *outcome.encoded);
  }
}

TEST_CASE("plans that a device cannot do are the CPU's") {
  const Bytes original = testing::original_of(1, 100'000);
  for (const char* type : {"i16", "u8", "i16x3", "f32"}) {
    CAPTURE(type);
    const BlocksCase made{plan_for(type).value(), {40'000, 60'000}, original};
    HostDevice device;
    const Outcome outcome = run_blocks(device, made, type[0] == 'u');
    REQUIRE(outcome.encoded);
    CHECK(device.chunks == 0);
    CHECK(outcome.sizes.scratch == 0);
    CHECK(outcome.encoded->cpu_chunks == 2);
    testing::check_blocks(made, outcome.packed, *outcome.encoded);
    DeviceStreamOptions stream;
    stream.plan = made.plan, stream.chunk_bytes = 65536;
    check_stream(stream, original, type[0] == 'i', 2);
    stream.plan.packing.planes = {Packing::entropy, Packing::quick};
    check_stream(stream, original, type[0] == 'i', 2);
  }
}

TEST_CASE("streams: whole chunks, a remainder, less than a block, nothing") {
  const auto stream = testing::usual_stream();
  for (const std::size_t bytes : {4u * 65536, 2u * 65536 + 8192, 3u * 65536 + 777, 1000u, 0u}) {
    CAPTURE(bytes);
    const std::size_t rest = bytes % 65536;
    const std::uint64_t cpu_chunks = rest == 0 || rest == 8192 ? 0 : 1;
    for (const bool to_host : {false, true})
      check_stream(stream, testing::original_of(bytes, bytes), to_host, cpu_chunks);
  }
}

TEST_CASE("streams of random plans, with short frames and other levels") {
  for (std::uint64_t seed = 100; seed < 112; ++seed) {
    CAPTURE(seed);
    const testing::EncodeCase made = testing::random_case(seed, 6);
    test::Chance chance(seed);
    DeviceStreamOptions stream;
    stream.plan = made.plan;
    stream.level = static_cast<int>(chance.below(4));
    stream.chunk_bytes = static_cast<std::uint32_t>(65536 + chance.below(300'000));
    if (chance.once_in(2)) stream.frame_bytes = 4096 + static_cast<std::uint32_t>(chance.below(60'000));
    HostDevice device;
    const Outcome outcome =
        run(device, request_of_stream(made.words.size(), stream, {.to_host = seed % 2 == 0}), made.words);
    REQUIRE(outcome.encoded);
    const Bytes wanted = testing::stream_of(made.words, stream);
    REQUIRE(outcome.encoded->bytes == wanted.size());
    CHECK(std::equal(wanted.begin(), wanted.end(), outcome.packed.begin()));
  }
}

TEST_CASE("room for a full part of the index stands between chunks") {
  // So many chunks are too many to encode here: only their places are made.
  auto request = request_of_stream(65'540ull * 65536, testing::usual_stream(), {});
  REQUIRE(request);
  const EncodeLayout layout = layout_of(*request);
  REQUIRE(layout.device.size() == 65'540);
  CHECK(layout.device[65'535].before_record == 0);
  CHECK(layout.device[65'536].before_record > 65'536 * 40);
  CHECK(layout.device[65'537].before_record == 0);
  CHECK(layout.tables.chunks[65'536].room ==
        layout.tables.chunks[0].room + layout.device[65'536].before_record);
}

TEST_CASE("calls out of order are refused, and calls may be repeated") {
  const Bytes original = testing::original_of(5, 65536), other = testing::original_of(6, 65536);
  const std::uint32_t lengths[] = {65536};
  const BlocksCase made{testing::usual_stream().plan, {65536}, original},
      second{made.plan, made.lengths, other};
  HostDevice device;
  EncodeWork work(std::make_unique<testing::HostEncodeQueue>(device),
                  request_of_blocks(made.plan, lengths, {}).value(), 1);
  const auto is_usage = [](const auto& result) { return !result && result.error().kind == ErrorKind::usage; };
  const auto sizes = work.sizes();
  Room packed(sizes.packed), scratch(sizes.scratch);
  const std::byte* values = original.data();
  CHECK(is_usage(work.encode(values, packed.data(), scratch.data(), nullptr)));
  CHECK(is_usage(work.finish()));
  REQUIRE(work.prepare());
  CHECK(is_usage(work.prepare()));
  CHECK(is_usage(work.finish()));
  CHECK(is_usage(work.encode(nullptr, packed.data(), scratch.data(), nullptr)));
  CHECK(is_usage(work.encode(values, nullptr, scratch.data(), nullptr)));
  CHECK(is_usage(work.encode(values, packed.data(), nullptr, nullptr)));
  CHECK(is_usage(work.encode(values, packed.data(), scratch.data() + 16, nullptr)));
  for (const BlocksCase& one : {made, second, made}) {
    REQUIRE(work.encode(one.original.data(), packed.data(), scratch.data(), nullptr));
    CHECK(is_usage(work.encode(one.original.data(), packed.data(), scratch.data(), nullptr)));
    const auto encoded = work.finish();
    REQUIRE(encoded);
    testing::check_blocks(one, packed.bytes(), *encoded);
  }
}

TEST_CASE("any call of the device may fail") {
  const Bytes original = testing::original_of(7, 65536 + 777);
  const auto request = [&](bool to_host) {
    return request_of_stream(original.size(), testing::usual_stream(), {.to_host = to_host});
  };
  for (const bool to_host : {false, true}) {
    HostDevice device;
    REQUIRE(run(device, request(to_host), original).encoded);
    const unsigned calls = device.calls;
    CHECK(calls >= 5);
    for (unsigned n = 1; n <= calls; ++n) {
      HostDevice failing{.fails_at = n};
      const Outcome outcome = run(failing, request(to_host), original);
      REQUIRE_FALSE(outcome.encoded);
      CHECK(outcome.encoded.error().message == "call " + std::to_string(n) + " failed");
    }
  }
}

TEST_CASE("results that contradict one another are an error") {
  const Bytes original = testing::original_of(8, 2 * 65536);
  for (const bool to_host : {false, true}) {
    HostDevice device{.lies = true};
    const Outcome outcome = run(
        device, request_of_stream(original.size(), testing::usual_stream(), {.to_host = to_host}), original);
    REQUIRE_FALSE(outcome.encoded);
    CHECK(outcome.encoded.error().kind == ErrorKind::io);
  }
}

TEST_CASE("requests have the errors of encode_block and compress") {
  const std::uint32_t none[] = {0}, usual[] = {65536}, long_one[] = {(1u << 30) + 1};
  const Plan plan = testing::usual_stream().plan;
  const auto kind = [](const auto& result) { return result ? ErrorKind::cancelled : result.error().kind; };
  CHECK(kind(request_of_blocks(plan, none, {})) == ErrorKind::usage);
  CHECK(kind(request_of_blocks(plan, long_one, {})) == ErrorKind::usage);
  CHECK(kind(request_of_blocks({}, usual, {})) == ErrorKind::usage);
  Plan limited = plan;
  limited.packing.block_bytes = 4096;
  CHECK(kind(request_of_blocks(limited, usual, {})) == ErrorKind::unsupported);
  CHECK(request_of_blocks(plan, {}, {}));
  DeviceStreamOptions stream = testing::usual_stream(1000);
  CHECK(kind(request_of_stream(65536, stream, {})) == ErrorKind::usage);
  stream = testing::usual_stream();
  stream.level = 23;
  CHECK(kind(request_of_stream(65536, stream, {})) == ErrorKind::usage);
}
