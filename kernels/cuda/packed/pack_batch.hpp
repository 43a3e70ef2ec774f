// SPDX-License-Identifier: Apache-2.0
// The host's part of packing groups on a device: which chunks a device can do, the tables for them, and what
// CHK says of the result. Needs no CUDA.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "formats/plan/plan.hpp"
#include "formats/stream/chunk.hpp"
#include "kernels/cuda/packed/pack_groups.hpp"

namespace tdz::cuda {

/// Chunks of one plan. Not thread-safe.
class PackBatch {
 public:
  /// A chunk of `bytes` bytes that stands `values_at` bytes behind the begin of the values. Its words, with
  /// the steps applied that packed_tail() leaves to other kernels, stand `words_at` bytes behind the begin of
  /// the input. False, and nothing is added: a device cannot do it. It can if is_packed_for_device(), and if
  /// the chunk has whole rows and at most kMostStepWords words. `frame_bytes`: the longest frame; 0: as long
  /// as the chunk. All chunks have the same plan and longest frame.
  bool add(const Plan& plan, std::uint64_t values_at, std::uint64_t words_at, std::uint32_t bytes,
           std::uint32_t frame_bytes);
  /// Leaves room before the frames of the last chunk: for its CHK with this plan, and for `before` bytes
  /// before that, a multiple of 8. Either all chunks of a batch have room or none has.
  void leave_room(std::span<const std::byte> plan, std::uint32_t before = 0);

  /// Where the tables are. Call it behind the last chunk.
  PackTables tables() const;
  /// Bytes of output that are enough for all chunks.
  std::uint64_t output_bound() const { return bound_; }
  /// Bytes that are enough for all CHK together.
  std::uint64_t records_bound() const { return records_bound_; }

  /// Lengths of substreams and frames of chunk number `chunk` of this batch; for a chunk that is stored as it
  /// is the plan too.
  void describe(const PackedLengthsOfChunk& lengths, std::uint32_t chunk, formats::ChunkRecord& record) const;

 private:
  std::uint32_t bytes_of(const PackChunk& chunk) const { return chunk.words * tables_.word; }

  PackTables tables_;
  std::vector<PackChunk> chunks_;
  std::uint64_t bound_ = 0, records_bound_ = 0;
};

/// The plan of a chunk that is stored as it is, as CHK has it.
std::vector<std::byte> stored_plan();

}  // namespace tdz::cuda
