// SPDX-License-Identifier: Apache-2.0
// The ways from a lone block to its original.
#include "codec/chunk/open_block.hpp"
#include "tdz/block.hpp"
#include "tdz/tdz.h"
#include "tests/cuda/packed/groups_simulation.hpp"
#include "tests/model/judge/on_device.hpp"

namespace tdz::test {
namespace {

std::string decoded(const Question& asked) {
  return answer_of(decode_block(asked.bytes, kMaxBlockOriginal));
}

/// Into as much memory as the block says that it needs.
std::string by_c(const Question& asked) {
  const auto& block = asked.bytes;
  std::uint64_t original = 0;
  auto status = tdz_block_original_bytes(block.data(), block.size(), &original, nullptr);
  if (status != TDZ_OK) return tdz_status_name(status);
  const auto room = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(original));
  std::size_t length = 0;
  status = tdz_decode_block(nullptr, block.data(), block.size(), room.get(),
                            static_cast<std::size_t>(original), &length, nullptr);
  return status == TDZ_OK ? name_of_bytes({room.get(), length}) : tdz_status_name(status);
}

/// The plan, in its bytes.
std::string plan(const Question& asked) {
  tdz_plan* found = nullptr;
  const auto status = tdz_block_plan(asked.bytes.data(), asked.bytes.size(), &found, nullptr);
  if (status != TDZ_OK) return tdz_status_name(status);
  std::size_t length = 0;
  const void* bytes = tdz_plan_bytes(found, &length);
  const std::string answer = name_of_bytes({static_cast<const std::byte*>(bytes), length});
  tdz_plan_free(found);
  return answer;
}

std::string on_device(const Question& asked) {
  HostDevice device;
  DecodeWork work(std::make_unique<HostQueue>(device), {.threads = 1});
  const std::vector<std::span<const std::byte>> blocks{asked.bytes};
  work.take_blocks(blocks);
  return device_answer(work);
}

/// By the kernel of packed groups, every thread of it. "none": no verdict, so the CPU has to decode.
std::string by_kernel(const Question& asked) {
  const auto opened = open_block(asked.bytes, kMostRoom);
  if (!opened || !cuda::is_packed_for_device(opened->chunk.plan)) return "none";
  if (cuda::packed_tail(opened->chunk.plan.columns[0]).before != 0) return "none";
  PackedBatch batch;
  const auto packed = opened->after_record;
  if (!batch.add({opened->chunk, Bytes(packed.begin(), packed.end())}, 8)) return "none";
  const SimulatedGroups found = simulated_groups(batch);
  const auto words = std::span(found.values).subspan(8);
  const bool good = found.status[0] == 0 && formats::xxh3_64(words) == opened->chunk.record.digest;
  return good ? name_of_bytes(words) : "none";
}

}  // namespace

const std::vector<Way>& ways_of_blocks() {
  static const std::vector<Way> all = {
      {"block", decoded}, {"c", by_c}, {"plan", plan}, {"device", on_device}, {"kernel", by_kernel}};
  return all;
}

}  // namespace tdz::test
