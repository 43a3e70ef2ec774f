// SPDX-License-Identifier: Apache-2.0
// Does tdz::DeviceEncoder write the bytes of encode_block and compress, into device memory and into pinned
// host memory? Does tdz::DeviceDecoder read them there?
#include <cstdio>
#include <cstring>

#include "tdz/device_decoder.hpp"
#include "tests/cuda/device_buffer.hpp"
#include "tests/cuda/encoder/encoder_cases.hpp"
#include "tests/cuda/quick.hpp"

namespace {

using namespace tdz;
using testing::BlocksCase;
using testing::Bytes;
using testing::check;
using testing::DeviceBuffer;
using testing::PinnedBuffer;

/// The bytes behind some others, so that they stand at another address.
Bytes behind(std::size_t others, const Bytes& bytes) {
  Bytes all(others);
  all.insert(all.end(), bytes.begin(), bytes.end());
  return all;
}

struct Outcome {
  DeviceEncoderSizes sizes;
  DeviceEncoded encoded;
  Bytes packed;
};

template <class Memory>
Outcome encode_into(DeviceEncoder& encoder, const Bytes& original, std::size_t aside) {
  Outcome outcome;
  outcome.sizes = encoder.sizes();
  REQUIRE(outcome.sizes.original == original.size());
  REQUIRE(encoder.prepare());
  DeviceBuffer values(behind(aside, original)), scratch(static_cast<std::size_t>(outcome.sizes.scratch));
  Memory packed(static_cast<std::size_t>(outcome.sizes.packed));
  packed.poison();
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
  for (int again = 0; again < 2; ++again) {
    scratch.poison();
    check(cudaDeviceSynchronize(), "values and poison");  // the stream does not wait for them
    const Status begun = encoder.encode(values.data() + aside, packed.data(), scratch.data(), stream);
    if (!begun) FAIL(begun.error().message);
    auto encoded = encoder.finish();
    if (!encoded) FAIL(encoded.error().message);
    outcome.encoded = *std::move(encoded);
  }
  outcome.packed = packed.get();
  check(cudaStreamDestroy(stream), "stream");
  return outcome;
}

Outcome run(Result<DeviceEncoder> encoder, const Bytes& original, bool to_host, std::size_t aside = 0) {
  if (!encoder) FAIL(encoder.error().message);
  if (!to_host) return encode_into<DeviceBuffer>(*encoder, original, aside);
  if (aside % 2 != 0)
    return encode_into<testing::Pinned<PinnedBuffer::Way::registered>>(*encoder, original, aside);
  return encode_into<testing::Pinned<PinnedBuffer::Way::allocated>>(*encoder, original, aside);
}

void check_stream(const DeviceStreamOptions& stream, const Bytes& original, bool to_host) {
  const Outcome outcome =
      run(DeviceEncoder::open_stream(original.size(), stream, {.to_host = to_host}), original, to_host);
  const Bytes wanted = testing::stream_of(original, stream);
  REQUIRE(outcome.encoded.bytes == wanted.size());
  CHECK(std::equal(wanted.begin(), wanted.end(), outcome.packed.begin()));
}

/// A decoder of what the encoder has left in device memory.
Result<DeviceDecoder> decoder_of(const DeviceEncoded& encoded, const DeviceBuffer& packed) {
  if (encoded.blocks.empty()) return DeviceDecoder::open_on_device(packed.data(), encoded.bytes);
  return DeviceDecoder::open_blocks_on_device(packed.data(), encoded.blocks);
}

void check_decoding(Result<DeviceEncoder> encoder, const Bytes& original) {
  REQUIRE(encoder);
  const auto sizes = encoder->sizes();
  REQUIRE(encoder->prepare());
  const DeviceBuffer values(original), packed(sizes.packed), scratch(sizes.scratch);
  REQUIRE(encoder->encode(values.data(), packed.data(), scratch.data(), nullptr));
  const auto encoded = encoder->finish();
  REQUIRE(encoded);
  auto decoder = decoder_of(*encoded, packed);
  REQUIRE(decoder);
  const auto selected = decoder->select();
  if (!selected) FAIL(selected.error().message);
  REQUIRE(decoder->load());
  const DeviceBuffer restored(selected->original), space(selected->scratch);
  REQUIRE(decoder->decode(restored.data(), space.data(), nullptr));
  const auto done = decoder->finish();
  if (!done) FAIL(done.error().message);
  CHECK(decoder->refused_chunks() == 0);
  CHECK(restored.get() == original);
}

}  // namespace

TEST_CASE("lone blocks of random plans, on the device and on the CPU, at any address") {
  std::uint64_t chunks = 0, by_cpu = 0;
  for (std::uint64_t seed = 0; seed < (testing::quick() ? 6 : 120); ++seed) {
    CAPTURE(seed);
    const BlocksCase made = testing::random_blocks(seed, testing::quick() ? 8 : 40);
    const bool to_host = seed % 2 == 1;
    const Outcome outcome = run(DeviceEncoder::open_blocks(made.plan, made.lengths, {.to_host = to_host}),
                                made.original, to_host, seed % 3);
    testing::check_blocks(made, outcome.packed, outcome.encoded);
    chunks += outcome.sizes.chunks, by_cpu += outcome.encoded.cpu_chunks;
  }
  std::printf("%llu blocks, %llu by the CPU\n", static_cast<unsigned long long>(chunks),
              static_cast<unsigned long long>(by_cpu));
  CHECK(by_cpu < chunks);
}

TEST_CASE("packed groups of random plans, at any address") {
  std::uint64_t chunks = 0, by_cpu = 0;
  for (std::uint64_t seed = 0; seed < (testing::quick() ? 20 : 400); ++seed) {
    CAPTURE(seed);
    const BlocksCase made = testing::packed_blocks(seed, testing::quick() ? 5000 : 60'000);
    const bool to_host = seed % 2 == 1;
    const Outcome outcome = run(DeviceEncoder::open_blocks(made.plan, made.lengths, {.to_host = to_host}),
                                made.original, to_host, seed % 5);
    testing::check_blocks(made, outcome.packed, outcome.encoded);
    chunks += outcome.sizes.chunks, by_cpu += outcome.encoded.cpu_chunks;
  }
  CHECK(by_cpu < chunks);
}

TEST_CASE("rows before groups and frames, at any address, and decoded again") {
  testing::for_rows([](const BlocksCase& made) {
    for (const std::size_t aside : {0u, 1u, 8u}) {
      CAPTURE(aside);
      const bool to_host = aside == 1;
      const Outcome outcome = run(DeviceEncoder::open_blocks(made.plan, made.lengths, {.to_host = to_host}),
                                  made.original, to_host, aside);
      CHECK(outcome.sizes.cpu_chunks == 0);
      testing::check_rows(made, outcome.packed, outcome.encoded);
    }
    check_decoding(DeviceEncoder::open_blocks(made.plan, made.lengths), made.original);
  });
}

TEST_CASE("streams of rows, with chunks of noise and a short one") {
  for (const Coding coding : {Coding::zstd, Coding::uniform}) {
    const auto stream = testing::rows_stream(coding);
    const Bytes original = testing::rows_original();
    for (const bool to_host : {false, true}) check_stream(stream, original, to_host);
    check_decoding(DeviceEncoder::open_stream(original.size(), stream), original);
  }
}

TEST_CASE("a block that is shorter as plain bytes") {
  test::Chance chance(3);
  Bytes noise(3 * 262144);
  for (std::byte& byte : noise) byte = static_cast<std::byte>(chance.bits());
  std::fill_n(noise.begin() + 262144, 262144, std::byte{7});
  const BlocksCase made{testing::fused_plan(1, {5, 2}, 0, false, 1024, 64), {262144, 262144, 262144}, noise};
  for (const bool to_host : {false, true}) {
    const Outcome outcome = run(DeviceEncoder::open_blocks(made.plan, made.lengths, {.to_host = to_host}),
                                made.original, to_host);
    CHECK(outcome.encoded.cpu_chunks == 2);
    testing::check_blocks(made, outcome.packed, outcome.encoded);
  }
}

TEST_CASE("streams: whole chunks, a remainder, less than a block, nothing") {
  for (const std::size_t bytes : {4u * 65536, 9u * 65536 + 8192, 3u * 65536 + 777, 1000u, 0u})
    for (const bool to_host : {false, true}) {
      CAPTURE(bytes);
      check_stream(testing::usual_stream(), testing::original_of(bytes, bytes), to_host);
    }
}

TEST_CASE("streams of plans that the CPU encodes") {
  const Bytes original = testing::original_of(9, 300'001);
  DeviceStreamOptions stream;
  stream.plan = plan_for("i16").value(), stream.chunk_bytes = 65536;
  for (const bool to_host : {false, true}) check_stream(stream, original, to_host);
}

TEST_CASE("a stream with several parts of the index") {
  if (testing::quick()) return;
  const auto stream = testing::usual_stream();
  const Bytes piece = testing::original_of(11, 16u << 20);
  const std::uint64_t bytes = 65'600ull * 65536;
  std::size_t free = 0, all = 0;
  check(cudaMemGetInfo(&free, &all), "memory");
  auto encoder = DeviceEncoder::open_stream(bytes, stream, {});
  REQUIRE(encoder);
  const auto sizes = encoder->sizes();
  const std::uint64_t needed = sizes.original + sizes.packed + sizes.scratch + (1u << 30);
  if (needed > free)
    return void(std::printf("too little memory for %llu bytes\n", static_cast<unsigned long long>(needed)));
  REQUIRE(encoder->prepare());
  DeviceBuffer values(bytes), packed(sizes.packed), scratch(sizes.scratch);
  for (std::uint64_t at = 0; at < bytes; at += piece.size())
    check(cudaMemcpy(values.data() + at, piece.data(), std::min<std::uint64_t>(piece.size(), bytes - at),
                     cudaMemcpyHostToDevice),
          "values");
  REQUIRE(encoder->encode(values.data(), packed.data(), scratch.data(), nullptr));
  const auto encoded = encoder->finish();
  if (!encoded) FAIL(encoded.error().message);
  // The CPU reads all records, and a range behind the first part.
  Bytes stored(static_cast<std::size_t>(encoded->bytes));
  check(cudaMemcpy(stored.data(), packed.data(), stored.size(), cudaMemcpyDeviceToHost), "stream");
  const std::uint64_t begin = 65'530ull * 65536 + 5, length = 20 * 65536;
  DecompressOptions options;
  options.range = Range{{begin}, Extent{length}};
  const auto found = decompress(stored, options);
  if (!found) FAIL(found.error().message);
  Bytes wanted(static_cast<std::size_t>(length));
  for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = piece[(begin + i) % piece.size()];
  CHECK(*found == wanted);
  // All digests, on the device.
  auto decoder = DeviceDecoder::open_on_device(packed.data(), encoded->bytes);
  REQUIRE(decoder);
  const auto selected = decoder->select();
  if (!selected) FAIL(selected.error().message);
  REQUIRE(selected->original == bytes);
}

TEST_CASE("a decoder reads lone blocks where the encoder left them") {
  for (std::uint64_t seed = 300; seed < (testing::quick() ? 303 : 340); ++seed) {
    CAPTURE(seed);
    const BlocksCase made = testing::random_blocks(seed, testing::quick() ? 8 : 40);
    check_decoding(DeviceEncoder::open_blocks(made.plan, made.lengths), made.original);
  }
}

TEST_CASE("a decoder reads packed groups where the encoder left them") {
  for (std::uint64_t seed = 500; seed < (testing::quick() ? 505 : 560); ++seed) {
    CAPTURE(seed);
    const BlocksCase made = testing::packed_blocks(seed, testing::quick() ? 5000 : 60'000);
    check_decoding(DeviceEncoder::open_blocks(made.plan, made.lengths), made.original);
  }
}

TEST_CASE("a decoder reads the stream where the encoder left it") {
  const Bytes original = testing::original_of(12, (testing::quick() ? 2u << 20 : 8u << 20) + 4321);
  check_decoding(DeviceEncoder::open_stream(original.size(), testing::usual_stream(1u << 20)), original);
}
