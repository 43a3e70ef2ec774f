// SPDX-License-Identifier: Apache-2.0
// Do the kernels of the encoder write what the CPU writes? They run on a simulated device, every thread of
// them.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include "tests/cuda/simulated_device.hpp"

#include "kernels/cuda/frames/encode_sequence.cuh"
#include "tests/cuda/encode_cases.hpp"

namespace {

using namespace tdz;
using namespace tdz::cuda::frames;

struct Launcher {
  template <class... Parameters, class... Arguments>
  void operator()(void (*kernel)(Parameters...), unsigned blocks, unsigned threads, unsigned shared_bytes,
                  const Arguments&... arguments) {
    REQUIRE(shared_bytes <= sizeof simulated::dynamic_shared);
    simulated::Device::one().run(blocks, threads, [&] { kernel(arguments...); });
  }
};

testing::EncodeOutput simulate(const testing::Bytes& words, const EncodeTables& tables, std::uint64_t room) {
  constexpr std::size_t kAround = 64;
  constexpr std::byte kUnwritten{0xA5};
  testing::EncodeOutput out;
  out.chunks.resize(tables.chunk_count);
  out.blocks.resize(tables.block_count);
  out.frame_bytes.resize(tables.frame_count);
  out.raw_bytes.resize(tables.column_count);
  const auto in_lines = [](std::size_t bytes) {
    return std::vector<uint4>(bytes / sizeof(uint4) + 2,
                              uint4{0xA5A5A5A5, 0xA5A5A5A5, 0xA5A5A5A5, 0xA5A5A5A5});
  };
  auto in = in_lines(words.size()), packed = in_lines(room + 2 * kAround),
       scratch = in_lines(scratch_bytes(tables));
  std::memcpy(in.data(), words.data(), words.size());
  auto* to = reinterpret_cast<std::byte*>(packed.data());
  std::fill_n(to, room + 2 * kAround, kUnwritten);
  const EncodeJob job{reinterpret_cast<const std::byte*>(in.data()),
                      to + kAround,
                      tables,
                      {out.chunks.data(), out.blocks.data(), out.frame_bytes.data(), out.raw_bytes.data()},
                      reinterpret_cast<std::byte*>(scratch.data())};
  Launcher launcher;
  EncodeSequence(job, launcher).run();
  CHECK(std::count(to, to + kAround, kUnwritten) == kAround);
  CHECK(std::count(to + kAround + room, to + 2 * kAround + room, kUnwritten) == kAround);
  out.packed.assign(to + kAround, to + kAround + room);
  return out;
}

}  // namespace

TEST_CASE("special alphabets") {
  testing::check_batch(testing::special_cases(), simulate);
}

TEST_CASE("random plans, chunk by chunk") {
  for (std::uint64_t seed = 0; seed < 60; ++seed)
    testing::check_batch({testing::random_case(seed, 12)}, simulate, seed % 3);
}

TEST_CASE("random plans in one batch, words at any address") {
  std::vector<testing::EncodeCase> cases;
  for (std::uint64_t seed = 100; seed < 116; ++seed) cases.push_back(testing::random_case(seed, 6));
  testing::check_batch(cases, simulate, 0);
  testing::check_batch(cases, simulate, 1);
}
