// SPDX-License-Identifier: Apache-2.0
// If any CUDA call of a device encoder fails, once or from then on: is there one clear error, and never a
// wrong byte?
#include "tests/cuda/device_buffer.hpp"
#include "tests/cuda/encoder/encoder_cases.hpp"
#include "tests/cuda/faulty_calls.hpp"

namespace {

using namespace tdz;
using testing::Bytes;

/// Chunks for the device, and one for the CPU.
struct Input {
  DeviceStreamOptions stream = testing::usual_stream();
  Bytes original = testing::original_of(1, 3 * 65536 + 777);
  Bytes wanted = testing::stream_of(original, stream);
};

/// The buffers are there before: only calls of the encoder may fail.
struct Buffers {
  explicit Buffers(const Input& input) : values(input.original) {}
  testing::DeviceBuffer values, packed{4u << 20}, scratch{8u << 20};
};

Result<DeviceEncoded> work(const Input& input, const Buffers& buffers) {
  auto encoder = DeviceEncoder::open_stream(input.original.size(), input.stream, {.threads = 1});
  if (!encoder) return encoder.error();
  REQUIRE(encoder->sizes().packed <= buffers.packed.bytes());
  REQUIRE(encoder->sizes().scratch <= buffers.scratch.bytes());
  if (auto done = encoder->prepare(); !done) return done.error();
  const auto begun =
      encoder->encode(buffers.values.data(), buffers.packed.data(), buffers.scratch.data(), nullptr);
  if (!begun) return begun.error();
  return encoder->finish();
}

void check_every_call(const Input& input) {
  Buffers buffers(input);
  testing::fail_everywhere([&] {
    buffers.packed.poison();
    const auto encoded = work(input, buffers);
    testing::check(cudaDeviceSynchronize(), "the device");
    if (encoded) {
      Bytes found = buffers.packed.get();
      found.resize(static_cast<std::size_t>(encoded->bytes));
      CHECK(found == input.wanted);
    } else {
      CHECK_FALSE(encoded.error().message.empty());
    }
    return bool(encoded);
  });
}

}  // namespace

TEST_CASE("every call fails once, and from then on") {
  check_every_call({});
}

TEST_CASE("every call fails once, and from then on: rows before packed groups") {
  check_every_call({testing::rows_stream(Coding::zstd), testing::rows_original()});
}
