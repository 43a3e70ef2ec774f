// SPDX-License-Identifier: Apache-2.0
// If any CUDA call of a device decoder fails, once or from then on: is there one clear error, and never a
// wrong value?
#include <string>

#include "tests/codec/device_batch.hpp"
#include "tests/cuda/decode_on_device.hpp"
#include "tests/cuda/faulty_calls.hpp"

namespace tdz::test {
namespace {

/// Blocks for the device with steps that are left, and a block for the CPU.
struct Input {
  Bytes original = walk(300'000);
  Bytes by_device = encode_block({Coding::uniform,
                                  {{2,
                                    1,
                                    {DifferenceStep{7, 1, 0}, DifferenceStep{1, 1, 1024}, ZigzagStep{},
                                     TokensStep{1, {3, 1}, 1024}}}}},
                                 original)
                        .value();
  Bytes in_groups =
      encode_block({Coding::zstd,
                    {{2, 1, {DifferenceStep{100, 1}, DifferenceStep{1, 1}, ZigzagStep{}, PackedStep{1}}}}},
                   original)
          .value();
  Bytes by_cpu = encode_block(plan_for("i16").value(), original).value();
  std::vector<std::span<const std::byte>> blocks{by_device, by_cpu, in_groups, by_device};
};

/// The buffers are there before: only calls of the decoder may fail.
struct Buffers {
  testing::DeviceBuffer values{1'200'000}, scratch{8u << 20};
};

Status work(const Input& input, const Buffers& buffers) {
  auto decoder = DeviceDecoder::open_blocks(input.blocks, {.threads = 1, .slice = 1});
  if (!decoder) return decoder.error();
  const auto sizes = decoder->select();
  if (!sizes) return sizes.error();
  REQUIRE(sizes->original == buffers.values.bytes());
  REQUIRE(sizes->scratch <= buffers.scratch.bytes());
  if (auto done = decoder->load(); !done) return done;
  if (auto done = decoder->decode(buffers.values.data(), buffers.scratch.data(), nullptr); !done) return done;
  return decoder->finish();
}

}  // namespace

TEST_CASE("every call fails once, and from then on") {
  const Input input;
  Buffers buffers;
  testing::fail_everywhere([&] {
    buffers.values.poison();
    const Status done = work(input, buffers);
    testing::check(cudaDeviceSynchronize(), "the device");
    if (done)
      CHECK(buffers.values.get() == input.original + input.original + input.original + input.original);
    else
      CHECK_FALSE(done.error().message.empty());
    return bool(done);
  });
}

}  // namespace tdz::test
