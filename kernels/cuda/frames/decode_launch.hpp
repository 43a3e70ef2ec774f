// SPDX-License-Identifier: Apache-2.0
// Decodes the uniform blocks of a batch, from bits to values. It allocates nothing and waits for nothing.
// Needs no nvcc.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/cuda/frames/check_headers.hpp"
#include "kernels/uniform/places.hpp"

namespace tdz::cuda {

/// Reads go up to the borders of 64-byte lines. So kPackedSlack bytes before and after the packed bytes must
/// be readable. Buffers of the decoder have more (Places::kSlack); bytes that a caller has on the device,
/// tests and benches have just this.
inline constexpr std::size_t kPackedSlack = 64;

/// uniform::DecodeTables in device memory.
struct DeviceTables {
  const uniform::BlockPlace* blocks = nullptr;
  const uniform::LanePlace* lanes = nullptr;
  const uniform::BlockGroup* groups[uniform::kWordKinds] = {};
  std::uint32_t group_count[uniform::kWordKinds] = {};
  std::uint8_t code_limit[uniform::kWordKinds] = {};
  std::uint8_t team[uniform::kWordKinds] = {};  ///< 0 is right too, and slower for tuples
  const uniform::ByteCheck* checks = nullptr;
  std::uint32_t check_count = 0;
  const uniform::RawJoin* joins = nullptr;
  std::uint32_t join_count = 0;
};

/// The buffers that places.hpp names, in device memory; packed and joined with slack. `status` has a word for
/// each chunk; the caller sets it to 0 before. Any other value afterwards: the chunk is not what the tables
/// say, and its values mean nothing.
struct DecodeBuffers {
  const std::byte* packed = nullptr;
  const std::byte* side = nullptr;
  std::byte* joined = nullptr;
  std::byte* values = nullptr;
  std::byte* work = nullptr;
  std::uint32_t* status = nullptr;
};

cudaError_t launch_decode_frames(const DeviceTables& tables, const DecodeBuffers& buffers,
                                 cudaStream_t stream);

/// The groups of one word, as launch_decode_frames() gives them to the kernels of that word.
struct GroupTables {
  const uniform::BlockPlace* blocks = nullptr;
  const uniform::LanePlace* lanes = nullptr;
  const uniform::BlockGroup* groups = nullptr;
  std::uint32_t count = 0;
  std::uint32_t code_limit = 0;   ///< logarithm of the room for a decode table, in entries of EntryFor
  std::uint32_t table_bytes = 0;  ///< of shared memory for a decode table; the launcher sets it
  std::uint32_t team = 1;         ///< groups that a block may store together; then it has as many warps
};

template <class Word>
cudaError_t launch_groups(const GroupTables& tables, const DecodeBuffers& buffers, cudaStream_t stream);

}  // namespace tdz::cuda
