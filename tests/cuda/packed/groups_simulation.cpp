// SPDX-License-Identifier: Apache-2.0
#include "tests/cuda/simulated_device.hpp"

#include <utility>

#include "kernels/cuda/packed/integrate_groups.cuh"
#include "tests/cuda/packed/groups_simulation.hpp"

namespace tdz::test {
namespace {

/// Memory that begins at a line.
class Lines {
 public:
  Lines(std::size_t bytes, std::byte fill) : bytes_(bytes), lines_(bytes / sizeof(uint4) + 1) {
    std::fill_n(data(), sizeof(uint4) * lines_.size(), fill);
  }
  std::byte* data() { return reinterpret_cast<std::byte*>(lines_.data()); }
  Bytes get() { return {data(), data() + bytes_}; }

 private:
  std::size_t bytes_;
  std::vector<uint4> lines_;
};

template <class Word, unsigned Order, bool OneLane>
void simulate(const cuda::GroupBatch& batch) {
  using Total = cuda::Sum<Word>;
  constexpr unsigned kOrder = Order > 0 ? Order : 1;
  auto& device = simulated::Device::one();
  const cuda::GroupSpaceLayout layout(sizeof(Word), batch);
  REQUIRE(cuda::kGroupWarps * cuda::GroupPiece{sizeof(Word), batch.steps.tuple}.memory_bytes() <=
          sizeof simulated::dynamic_shared);
  Lines carries(layout.bytes, std::byte{0x77});
  cuda::Stretches<Total, kOrder> space{layout.stretches, layout.groups};
  const unsigned blocks = (layout.stretches * batch.count - 1) / cuda::kGroupWarps + 1;
  constexpr unsigned kThreads = cuda::kGroupWarps * cuda::kWarp;
  if (layout.has_carries) {
    space.carries = reinterpret_cast<Polynomial<Total, kOrder>*>(carries.data());
    device.run(blocks, kThreads,
               [&] { cuda::walk_groups<Word, Order, OneLane, cuda::GroupTask::sum>(batch, space); });
    device.run(batch.count * batch.steps.tuple, cuda::kWarp,
               [&] { cuda::join_stretches<Total, kOrder>(space, batch.steps.tuple); });
  }
  device.run(blocks, kThreads,
             [&] { cuda::walk_groups<Word, Order, OneLane, cuda::GroupTask::write>(batch, space); });
}

template <class Word, unsigned Order = 0>
void simulate_order(const cuda::GroupBatch& batch) {
  if (batch.steps.order == Order)
    return batch.steps.tuple == 1 ? simulate<Word, Order, true>(batch) : simulate<Word, Order, false>(batch);
  if constexpr (Order < kMaxOrder) simulate_order<Word, Order + 1>(batch);
}

}  // namespace

SimulatedGroups simulated_groups(const PackedBatch& batch) {
  Lines packed(batch.packed.size() + 2 * PackedBatch::kSlack, std::byte{0xEE}),
      values(static_cast<std::size_t>(batch.values), PackedBatch::kUnwritten);
  std::ranges::copy(batch.packed, packed.data() + PackedBatch::kSlack);
  SimulatedGroups made{{}, std::vector<std::uint32_t>(batch.cases.size()), batch.digest_rows()};
  bool first = true;
  for (PackedBatch::Launch& launch : batch.launches()) {
    if (std::exchange(first, false)) {
      launch.batch.checks = batch.tables.checks.data();
      launch.batch.check_count = static_cast<std::uint32_t>(batch.tables.checks.size());
    }
    launch.batch.chunks = launch.chunks.data(), launch.batch.packed = packed.data() + PackedBatch::kSlack;
    launch.batch.out = values.data(), launch.batch.status = made.status.data();
    launch.batch.digest_rows = made.digest_rows.data();
    if (launch.width == 1) simulate_order<std::uint8_t>(launch.batch);
    if (launch.width == 2) simulate_order<std::uint16_t>(launch.batch);
    if (launch.width == 4) simulate_order<std::uint32_t>(launch.batch);
    if (launch.width == 8) simulate_order<std::uint64_t>(launch.batch);
  }
  made.values = values.get();
  return made;
}

}  // namespace tdz::test
