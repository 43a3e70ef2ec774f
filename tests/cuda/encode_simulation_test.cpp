// SPDX-License-Identifier: Apache-2.0
// Do the kernels of the encoder write what the CPU writes? They run on a simulated device, every thread of
// them.
#include "tests/cuda/simulated_device.hpp"

#include "kernels/cuda/frames/encode_sequence.cuh"
#include "tests/cuda/encode_cases.hpp"

namespace {

using namespace tdz;
using namespace tdz::cuda::frames;

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
  const EncodeBuffers job{
      reinterpret_cast<const std::byte*>(in.data()),
      to + kAround,
      tables,
      {out.chunks.data(), out.blocks.data(), out.frame_bytes.data(), out.raw_bytes.data()},
      reinterpret_cast<std::byte*>(scratch.data())};
  simulated::Launcher launcher;
  EncodeSequence sequence(job, launcher);
  sequence.results();
  sequence.frames();
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

TEST_CASE("the steps that come before those of the frames") {
  const auto before = [](std::vector<PlanStep> steps) {
    steps.push_back(TokensStep{3, {3, 1}, 1024});
    return steps_before({2, 3, steps});
  };
  CHECK(before({}) == 0);
  CHECK(before({DifferenceStep{3, 2, 1024}, ZigzagStep{}}) == 0);
  CHECK(before({DifferenceStep{640, 1}, DifferenceStep{3, 3}, ZigzagStep{}}) == 1);
  CHECK(before({DifferenceStep{3, 4}, ZigzagStep{}}) == 1);  // of a higher order
  CHECK(before({DifferenceStep{2, 1}}) == 1);                // other lanes
  CHECK(before({ByteswapStep{}, DifferenceStep{640, 1}, ZigzagStep{}, ZigzagStep{}}) == 3);
  CHECK(before({DifferenceStep{640, 1}, PredictStep{3, Sign::is_signed}}) == 0);  // for the CPU
}

TEST_CASE("a chunk that a device cannot do is refused, and leaves no trace") {
  EncodeBatch batch;
  const auto refused = [&](const Plan& plan, std::uint32_t bytes, std::uint32_t frame = 1u << 20) {
    return !batch.add(plan, 0, bytes, frame);
  };
  const TokenCode code{3, 1};
  const Plan good = testing::fused_plan(2, code, 1, true);
  CHECK(refused(good, 4 * 1024 * 2 + 2));  // a remainder
  CHECK(refused(good, 4 * 1024 * 2 + 1));  // bytes behind the rows
  CHECK(refused(good, 0));
  CHECK(refused(testing::fused_plan(2, code, 1, true, 1024, 3), 4 * 1024 * 2));  // lanes of less than a block
  CHECK(refused(testing::fused_plan(3, code, 1, true), 4 * 1024 * 3));
  CHECK(refused(testing::fused_plan(2, code, 4, true, 1024, 1, 1024), 4 * 1024 * 2));
  CHECK(refused(testing::fused_plan(2, code, 1, true, 512), 4 * 512 * 2));
  CHECK(refused(good, 16 * 4 * 1024 * 2, 4 * 1024 * 7));  // frames have no room for 8 blocks
  Plan other = good;
  other.coding = Coding::zstd;
  CHECK(refused(other, 4 * 1024 * 2));
  other = good;
  other.columns[0].steps.insert(other.columns[0].steps.begin(), PredictStep{1, Sign::is_signed});
  CHECK(refused(other, 4 * 1024 * 2));
  other = good;  // the difference goes by other lanes than the tokens, and has runs
  other.columns[0].steps[0] = DifferenceStep{2, 1, 1024};
  CHECK(refused(other, 4 * 1024 * 2));
  other = good;  // a second column has steps that come before
  other.columns[0].steps.insert(other.columns[0].steps.begin(), DifferenceStep{2, 1});
  other.columns.insert(other.columns.begin(), good.columns[0]);
  CHECK(refused(other, 4 * 1024 * 4));
  other = good;
  other.columns.push_back(testing::fused_plan(3, code, 0, false).columns[0]);
  CHECK(refused(other, 4 * 1024 * 5));  // the second column
  CHECK(batch.tables().chunk_count == 0);
  CHECK(batch.tables().block_count == 0);
  CHECK(batch.output_bound() == 0);
  CHECK(batch.add(good, 0, 4 * 1024 * 2, 1u << 20));
  CHECK(batch.tables().block_count == 1);
}
