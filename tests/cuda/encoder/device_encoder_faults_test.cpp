// SPDX-License-Identifier: Apache-2.0
// If any CUDA call of a device encoder fails, once or from then on: is there one clear error, and never a
// wrong byte?
#include "tests/cuda/device_buffer.hpp"
#include "tests/cuda/encoder/encoder_cases.hpp"
#include "tests/cuda/faulty_calls.hpp"

namespace {

using namespace tdz;
using testing::Bytes;
using testing::Fault;

constexpr unsigned kManyCalls = 400;  ///< more than the work below makes

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

/// Returns whether there was an n-th call.
bool survives(unsigned n, Fault fault, const Input& input, Buffers& buffers) {
  CAPTURE(n);
  buffers.packed.poison();
  testing::fail_call(n, fault);
  const auto encoded = work(input, buffers);
  const bool reached = testing::calls_made() >= n;
  testing::fail_call(0, fault);
  testing::check(cudaDeviceSynchronize(), "the device");
  if (encoded) {
    Bytes found = buffers.packed.get();
    found.resize(static_cast<std::size_t>(encoded->bytes));
    CHECK(found == input.wanted);
  } else {
    CHECK_FALSE(encoded.error().message.empty());
  }
  return reached;
}

}  // namespace

TEST_CASE("every call fails once, and from then on") {
  const Input input;
  Buffers buffers(input);
  testing::fail_call(0, Fault::once);
  REQUIRE(work(input, buffers));
  for (const Fault fault : {Fault::once, Fault::from_then_on}) {
    unsigned n = 1;
    while (n < kManyCalls && survives(n, fault, input, buffers)) ++n;
    MESSAGE("calls that failed: " << n - 1);
    CHECK(n > 20);
    CHECK(n < kManyCalls);
  }
}
