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
#include "kernels/cuda/packed/pack_groups.cuh"
#include "kernels/oracle.hpp"
#include "tests/cuda/digest_rows.hpp"

namespace tdz::testing {

/// What happens to a HostEncodeQueue besides its work; it lives longer than the queue.
struct HostDevice {
  unsigned fails_at = 0;  ///< the n-th call fails; 0: none
  std::atomic<unsigned> calls = 0;
  bool lies = false;         ///< the length of the last chunk comes back wrong
  bool flips = false;        ///< a bit of what is copied up before the work changes on the way
  std::uint32_t chunks = 0;  ///< of the last job

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

  Status enqueue(const cuda::EncodeJob& job, const cuda::EncodeMemory& memory, CUstream_st*) override {
    if (auto fails = call(); !fails) return fails;
    static std::mutex one_at_a_time;  // the simulated device is a single one
    const std::lock_guard lock(one_at_a_time);
    device_.chunks = job.chunk_count();
    if (device_.chunks == 0) return ok();
    std::memcpy(memory.scratch, memory.image, job.head_bytes);
    digest(job, memory);
    for (const cuda::ScanRun& run : job.scans) apply(run, job, memory);
    if (job.pack.chunk_count != 0)
      pack(job, memory);
    else
      encode(job, memory);
    std::memcpy(memory.image + job.results, memory.scratch + job.results, job.results_bytes);
    auto* chunks = reinterpret_cast<cuda::frames::FramesPlace*>(memory.image + job.out_chunks);
    if (device_.lies) chunks[device_.chunks - 1].bytes += 8;
    return ok();
  }
  Status wait_for_results() override { return call(); }

  Status put_records(const cuda::EncodeJob& job, const cuda::EncodeMemory& memory,
                     std::uint64_t end) override {
    if (auto fails = call(); !fails) return fails;
    std::memcpy(memory.scratch + job.pieces, memory.image + job.pieces, end - job.pieces);
    const auto* pieces = table<cuda::PutPiece>(job.pieces, memory);
    for (std::uint32_t i = 0; i < job.chunk_count(); ++i)
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
  Status call() { return device_.call(); }

  template <class T>
  static T* table(std::uint64_t at, const cuda::EncodeMemory& memory) {
    return reinterpret_cast<T*>(memory.scratch + at);
  }

  static void digest(const cuda::EncodeJob& job, const cuda::EncodeMemory& memory) {
    const auto* places = table<cuda::ChunkPlace>(job.places, memory);
    for (std::uint32_t i = 0; i < job.chunk_count(); ++i) {
      CHECK(places[i].offset + places[i].bytes <= job.values_bytes);
      CHECK(places[i].bytes <= job.longest);
      table<std::uint64_t>(job.digests, memory)[i] = formats::xxh3_64(
          std::span(memory.values + places[i].offset, static_cast<std::size_t>(places[i].bytes)));
    }
  }

  /// The oracle takes the place of the scan kernels.
  static void apply(const cuda::ScanRun& run, const cuda::EncodeJob& job, const cuda::EncodeMemory& memory) {
    const auto past = reinterpret_cast<std::uintptr_t>(memory.packed) % cuda::kScanAlignment;
    std::fill_n(memory.packed + (past == 0 ? 0 : cuda::kScanAlignment - past), run.bytes, std::byte{0xDD});
    auto* to = reinterpret_cast<std::uint8_t*>(memory.scratch + job.work + run.work);
    CHECK(reinterpret_cast<std::uintptr_t>(to) % cuda::kScanAlignment == 0);
    CHECK((run.bytes == run.chunk_bytes || run.chunk_bytes % cuda::kScanAlignment == 0));
    for (std::uint64_t at = 0; at < run.bytes; at += run.chunk_bytes) {
      const auto* chunk = reinterpret_cast<const std::uint8_t*>(memory.values + run.values + at);
      const std::vector<std::uint8_t> words(chunk, chunk + std::min(run.chunk_bytes, run.bytes - at));
      std::ranges::copy(oracle::forward(job.scanned, words), to + at);
    }
  }
  /// What groups or frames are made of.
  static const std::byte* words(const cuda::EncodeJob& job, const cuda::EncodeMemory& memory) {
    return job.scans.empty() ? memory.values : memory.scratch + job.work;
  }

  static void encode(const cuda::EncodeJob& job, const cuda::EncodeMemory& memory) {
    using namespace cuda::frames;
    EncodeBuffers buffers{
        words(job, memory), memory.packed + job.first, job.tables, {}, memory.scratch + job.encode_scratch};
    buffers.tables.chunks = table<EncodeChunk>(job.chunks, memory);
    buffers.tables.columns = table<EncodeColumn>(job.columns, memory);
    buffers.tables.frames = table<EncodeFrame>(job.frames, memory);
    buffers.tables.groups = table<EncodeGroup>(job.groups, memory);
    buffers.tables.raw_frames = table<EncodeRawFrame>(job.raw_frames, memory);
    buffers.results = {
        table<FramesPlace>(job.out_chunks, memory), table<EncodedBlock>(job.out_blocks, memory),
        table<std::uint32_t>(job.frame_bytes, memory), table<std::uint32_t>(job.raw_bytes, memory)};
    simulated::Launcher launcher;
    EncodeSequence sequence(buffers, launcher);
    sequence.results();
    sequence.frames();
  }

  static void pack(const cuda::EncodeJob& job, const cuda::EncodeMemory& memory) {
    cuda::PackBuffers buffers{words(job, memory), memory.values, memory.packed + job.first, job.pack};
    buffers.tables.chunks = table<cuda::PackChunk>(job.chunks, memory);
    buffers.chunks = table<cuda::frames::FramesPlace>(job.out_chunks, memory);
    buffers.lengths = table<cuda::PackedLengthsOfChunk>(job.packed_lengths, memory);
    if (job.leaves_rows()) buffers.digest_rows = table<std::uint64_t>(job.digest_scratch, memory);
    buffers.scratch = memory.scratch + job.encode_scratch;
    simulated::Launcher launcher;
    cuda::PackSequence sequence(buffers, launcher);
    sequence.results();
    sequence.frames();
    if (!job.leaves_rows()) return;
    const auto* places = table<cuda::ChunkPlace>(job.places, memory);
    const std::vector<std::uint64_t> rows(
        buffers.digest_rows,
        buffers.digest_rows + cuda::digest_row_bytes(job.values_bytes) / sizeof(std::uint64_t));
    for (std::uint32_t i = 0; i < job.chunk_count(); ++i)
      test::check_digest_rows(
          std::span(memory.values + places[i].offset, static_cast<std::size_t>(places[i].bytes)),
          places[i].offset, rows);
  }

  HostDevice& device_;
  std::vector<uint4> lines_;
};

}  // namespace tdz::testing
