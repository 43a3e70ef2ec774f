// SPDX-License-Identifier: Apache-2.0
// A device that is none: host memory takes the place of device memory, everything happens at once, and the
// kernels of the encoder run on the simulated device. Include it first.
#pragma once

#include "tests/cuda/simulated_device.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <mutex>
#include <string>

#include "formats/digest.hpp"
#include "kernels/cuda/frames/encode_sequence.cuh"
#include "kernels/cuda/host/encode_queue.hpp"

namespace tdz::testing {

/// What happens to a HostEncodeQueue besides its work; it lives longer than the queue.
struct HostDevice {
  unsigned fails_at = 0;  ///< the n-th call fails; 0: none
  std::atomic<unsigned> calls = 0;
  bool lies = false;         ///< the length of the last chunk comes back wrong
  bool flips = false;        ///< a bit of what is copied up before the work changes on the way
  std::uint32_t chunks = 0;  ///< of the last task

  Status call() {
    const unsigned number = ++calls;
    return number != fails_at ? ok()
                              : Status(Error{ErrorKind::io, "call " + std::to_string(number) + " failed"});
  }
};

class HostEncodeQueue final : public cuda::EncodeQueue {
 public:
  explicit HostEncodeQueue(HostDevice& device) : device_(device) {}

  Result<std::span<std::byte>> pinned(std::size_t bytes) override {
    if (auto fails = call(); !fails) return fails.error();
    lines_.assign(bytes / sizeof(uint4) + 1, uint4{0xEEEEEEEE, 0xEEEEEEEE, 0xEEEEEEEE, 0xEEEEEEEE});
    return std::span(reinterpret_cast<std::byte*>(lines_.data()), bytes);
  }

  Status enqueue(const cuda::EncodeTask& task, const cuda::EncodeMemory& memory, CUstream_st*) override {
    if (auto fails = call(); !fails) return fails;
    static std::mutex one_at_a_time;  // the simulated device is a single one
    const std::lock_guard lock(one_at_a_time);
    device_.chunks = task.tables.chunk_count;
    if (device_.chunks == 0) return ok();
    std::memcpy(memory.scratch, memory.image, task.head_bytes);
    digest(task, memory);
    encode(task, memory);
    std::memcpy(memory.image + task.results, memory.scratch + task.results, task.results_bytes);
    auto* chunks = reinterpret_cast<cuda::frames::EncodedChunk*>(memory.image + task.out_chunks);
    if (device_.lies) chunks[device_.chunks - 1].bytes += 8;
    return ok();
  }
  Status wait_for_results() override { return call(); }

  Status put_records(const cuda::EncodeTask& task, const cuda::EncodeMemory& memory,
                     std::uint64_t end) override {
    if (auto fails = call(); !fails) return fails;
    std::memcpy(memory.scratch + task.pieces, memory.image + task.pieces, end - task.pieces);
    const auto* pieces = table<cuda::PutPiece>(task.pieces, memory);
    for (std::uint32_t i = 0; i < task.tables.chunk_count; ++i)
      std::memcpy(memory.packed + pieces[i].to, memory.scratch + pieces[i].from, pieces[i].bytes);
    return ok();
  }
  Status wait() override { return call(); }
  Status copy_down(std::span<std::byte> to, const std::byte* from) override {
    if (!to.empty()) std::memcpy(to.data(), from, to.size());
    return call();
  }
  Status copy_up(std::byte* to, std::span<const std::byte> from) override {
    if (!from.empty()) std::memcpy(to, from.data(), from.size());
    return call();
  }

 private:
  struct Launcher {
    template <class... Parameters, class... Arguments>
    void operator()(void (*kernel)(Parameters...), unsigned blocks, unsigned threads, unsigned shared_bytes,
                    const Arguments&... arguments) {
      REQUIRE(shared_bytes <= sizeof simulated::dynamic_shared);
      simulated::Device::one().run(blocks, threads, [&] { kernel(arguments...); });
    }
  };

  Status call() { return device_.call(); }

  template <class T>
  static T* table(std::uint64_t at, const cuda::EncodeMemory& memory) {
    return reinterpret_cast<T*>(memory.scratch + at);
  }

  static void digest(const cuda::EncodeTask& task, const cuda::EncodeMemory& memory) {
    const auto* places = table<cuda::ChunkPlace>(task.places, memory);
    for (std::uint32_t i = 0; i < task.tables.chunk_count; ++i) {
      CHECK(places[i].offset + places[i].bytes <= task.values_bytes);
      CHECK(places[i].bytes <= task.longest);
      table<std::uint64_t>(task.digests, memory)[i] = formats::xxh3_64(
          std::span(memory.values + places[i].offset, static_cast<std::size_t>(places[i].bytes)));
    }
  }

  static void encode(const cuda::EncodeTask& task, const cuda::EncodeMemory& memory) {
    using namespace cuda::frames;
    EncodeJob job{
        memory.values, memory.packed + task.first, task.tables, {}, memory.scratch + task.encode_scratch};
    job.tables.chunks = table<EncodeChunk>(task.chunks, memory);
    job.tables.columns = table<EncodeColumn>(task.columns, memory);
    job.tables.frames = table<EncodeFrame>(task.frames, memory);
    job.tables.groups = table<EncodeGroup>(task.groups, memory);
    job.tables.raw_frames = table<EncodeRawFrame>(task.raw_frames, memory);
    job.results = {table<EncodedChunk>(task.out_chunks, memory), table<EncodedBlock>(task.out_blocks, memory),
                   table<std::uint32_t>(task.frame_bytes, memory),
                   table<std::uint32_t>(task.raw_bytes, memory)};
    Launcher launcher;
    EncodeSequence sequence(job, launcher);
    sequence.results();
    sequence.frames();
  }

  HostDevice& device_;
  std::vector<uint4> lines_;
};

}  // namespace tdz::testing
