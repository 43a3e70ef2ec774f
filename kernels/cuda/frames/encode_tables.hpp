// SPDX-License-Identifier: Apache-2.0
// The host's part of encoding on a device: which chunks a device can do, the tables for them, and the frames
// of the result as CHK lists them. Needs no CUDA.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "formats/plan/plan.hpp"
#include "formats/stream/chunk.hpp"
#include "kernels/cuda/frames/encode.hpp"

namespace tdz::cuda::frames {

/// What a device wrote, in host memory.
struct EncodedTables {
  std::span<const FramesPlace> chunks;
  std::span<const EncodedBlock> blocks;
  std::span<const std::uint32_t> frame_bytes;
  std::span<const std::uint32_t> raw_bytes;
};

/// How many of the column's first steps are left for other kernels. 0 too if a device cannot encode it.
std::size_t steps_before(const Column& column);

/// Not thread-safe.
class EncodeBatch {
 public:
  /// A chunk of `bytes` bytes whose words, with steps_before() applied, stand `words` bytes behind the begin
  /// of the input. False, and nothing is added: a device cannot do it. It can if each column has words of 1,
  /// 2, 4 or 8 bytes, at most one difference of order 1 to 3, perhaps zigzag, and tokens in uniform blocks;
  /// if a single column has steps of passes before that, and several have none; if no lane has a remainder,
  /// no bytes stand behind the rows, and frames have room for 8 blocks. `frame_bytes`: the longest frame.
  bool add(const Plan& plan, std::uint64_t words, std::uint32_t bytes, std::uint32_t frame_bytes);
  /// Leaves room before the frames of the last chunk: for its CHK, whose plan has so many bytes, and for
  /// `before` bytes before that, a multiple of 8. Either all chunks of a batch have room or none has.
  void leave_room(std::size_t plan_bytes, std::uint32_t before = 0);
  /// Forgets all chunks, and keeps the memory.
  void clear();

  /// Sorts the groups by width, and says where the tables are. Call it behind the last chunk.
  EncodeTables tables();
  /// Bytes of output that are enough for all chunks; those of 16 behind them may be read.
  std::uint64_t output_bound() const { return bound_; }
  /// Bytes that are enough for all CHK together.
  std::uint64_t records_bound() const { return records_bound_; }

  /// Lengths of substreams, frames, and the list of blocks of chunk number `chunk` of this batch.
  void describe(const EncodedTables& encoded, std::uint32_t chunk, formats::ChunkRecord& record) const;

 private:
  struct Lanes;
  void add_column(const Plan& plan, const Lanes& lanes);
  void add_frames(const Lanes& lanes, std::uint32_t lane, std::uint32_t longest);
  void add_raw_frames(std::uint32_t column);

  std::vector<EncodeChunk> chunks_;
  std::vector<EncodeColumn> columns_;
  std::vector<EncodeFrame> frames_;
  std::vector<EncodeGroup> groups_;
  std::vector<EncodeRawFrame> raw_frames_;
  std::vector<std::uint32_t> first_blocks_;  ///< of each chunk, and the number of all
  std::uint64_t bound_ = 0, records_bound_ = 0;
};

}  // namespace tdz::cuda::frames
